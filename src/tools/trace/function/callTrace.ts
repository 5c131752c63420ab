import type { ComparedParts } from '../../../recording/recordedRows';
import {
  blockEnd,
  branchTaken,
  catchAround,
  caughtName,
  isInFinally,
  isNextHandler,
  isPassedOn,
} from './branches';
import type {
  Callee,
  CallEnd,
  CallHistory,
  ExecutedLine,
  TracedFunction,
  Values,
} from './callModel';
import { assigns, endLast, hasNoEffect, isClosing, joined, shownCallees } from './executedLine';
import { withReturnedCall } from './returnedCall';
import { mayHideChange } from './hiddenChanges';
import { ReportedValues } from './reportedValues';

interface OpenLine {
  readonly line: number;
  readonly values: Values;
  readonly callees: Callee[];
  /** Whether the line is the next `catch` of a `try` whose handler has ended. Some debuggers stop there. */
  readonly isNextHandler: boolean;
  thrown?: { text: string | undefined; caughtAt: number | undefined };
}

/** How a line was left. */
interface Closing {
  readonly wasSuspended?: boolean;
  readonly isLast?: boolean;
  /** The variables whose whole contents were compared with those before the line. */
  readonly compared?: readonly string[] | undefined;
}

const NONE: readonly string[] = [];

/** Builds the trace of one call from its events, which arrive in order. It does not use a debugger. */
export class CallTrace {
  private readonly lines: ExecutedLine[] = [];
  private readonly values: ReportedValues;
  private current: OpenLine | undefined;
  private count = 0;

  /**
   * @param entry the values that the frame shows before its first line
   * @param isResumed whether the call is a generator that may have run before. Default: no
   */
  constructor(
    private readonly called: TracedFunction,
    entry: Values,
    isResumed = false,
  ) {
    this.values = new ReportedValues(called, entry, isResumed);
  }

  get executed(): number {
    return this.count;
  }

  /** The line that is being executed. */
  get line(): number | undefined {
    return this.current?.line;
  }

  /** Returns the value that the frame showed for a name at the line that is being executed. */
  shown(name: string): string | undefined {
    return this.current?.values.get(name);
  }

  /**
   * Adds a line that the program is about to execute.
   * @param values all values that the frame shows now
   * @param wasSuspended whether the call was suspended before, so that other code may have run
   * @param isPart whether it is a later part of the current line, which is not counted again
   * @param parts the comparison of whole values with those at the current line, if there was one
   */
  at(
    line: number,
    values: Values,
    wasSuspended = false,
    isPart = false,
    parts?: ComparedParts,
  ): void {
    if (!isPart) this.count += 1;
    const before = this.current;
    this.values.note(parts);
    if (before !== undefined)
      this.close(before, line, values, { wasSuspended, compared: parts?.compared });
    this.values.hasRun(line);
    const { source } = this.called;
    const isNext = before !== undefined && isNextHandler(source, before.line, line);
    this.current = { line, values, callees: [], isNextHandler: isNext };
  }

  /** Adds a call that the current line made. */
  callee(callee: Callee): void {
    this.current?.callees.push(callee);
  }

  /** Whether a call that the current line made has thrown an exception that is not known yet. */
  get hasUnknownException(): boolean {
    const end = this.current?.callees.at(-1)?.end;
    return end?.kind === 'threw' && end.exception === undefined;
  }

  /** Whether the current line has thrown an exception. */
  get isThrowing(): boolean {
    return this.current?.thrown !== undefined;
  }

  /** Ends the newest call of the current line that is still open. @returns whether there is one */
  endCallee(end: CallEnd): boolean {
    const callees = this.current?.callees ?? [];
    const at = callees.findLastIndex(
      ({ end: { kind }, history }) => kind === 'open' && history === undefined,
    );
    const open = callees[at];
    if (open !== undefined) callees[at] = { ...open, end };
    return open !== undefined;
  }

  /** Notes an exception that the newest call of the current line throws. It may catch it itself. */
  calleeThrows(source: string): void {
    const callees = this.current?.callees ?? [];
    const last = callees.at(-1);
    if (last?.end.kind === 'open') callees[callees.length - 1] = { ...last, throws: source };
  }

  /**
   * Adds the values of calls of the current line whose values are unknown.
   * @param valueOf returns the value of the call with a name, if it is known. `isOpen`: its end is not known either.
   */
  completeCallees(valueOf: (name: string, isOpen: boolean) => string | undefined): void {
    const callees = this.current?.callees ?? [];
    callees.forEach((callee, index) => {
      const { name, end, history } = callee;
      if (end.kind === 'threw' || history !== undefined) return;
      if (end.kind === 'returned' && end.value !== undefined) return;
      // A call that the line repeats has several values.
      if (callees.filter((other) => other.name === name).length > 1) return;
      const value = valueOf(name, end.kind === 'open');
      if (value !== undefined) callees[index] = { ...callee, end: { kind: 'returned', value } };
    });
  }

  hasCallee(name: string): boolean {
    return this.current?.callees.some((callee) => callee.name === name) === true;
  }

  /**
   * Records that the current line threw an exception. If a call has thrown it, its text belongs to that call.
   */
  thrown(text: string | undefined): void {
    const { current } = this;
    if (current === undefined) return;
    const last = current.callees.at(-1);
    const isInCallee = text !== undefined && last?.end.kind === 'threw';
    if (isInCallee && last.end.exception === undefined)
      current.callees[current.callees.length - 1] = {
        ...last,
        end: { ...last.end, exception: text },
      };
    current.thrown = { text: isInCallee ? undefined : text, caughtAt: undefined };
  }

  /**
   * Records that the current line, or a call that it made, threw an exception which a deferred function caught.
   * @param caughtAt the line of the statement that deferred the function. Undefined if it is unknown
   */
  recovered(text: string | undefined, caughtAt: number | undefined): void {
    const { current } = this;
    if (current === undefined) return;
    const hasThrown = current.callees.some(
      ({ end }) => end.kind === 'threw' && end.exception === text,
    );
    const isByCallee = hasThrown || endLast(current.callees, text);
    current.thrown = { text: isByCallee ? undefined : text, caughtAt };
  }

  /**
   * Completes the trace.
   * @param values the last values of the frame, if they were read after its last line
   * @param parts the comparison of whole values with those at the last line, if there was one
   */
  finish(reported: CallEnd, values?: Values, parts?: ComparedParts): CallHistory {
    this.values.note(parts);
    const last = this.current;
    const executed = last === undefined ? this.lines : [...this.lines, last];
    const end = withReturnedCall(this.withCalleesException(reported), this.called, executed);
    if (end.kind === 'threw' && last?.thrown === undefined) this.thrown(end.exception);
    this.current = undefined;
    if (last !== undefined) {
      const isLeft = end.kind === 'open' && end.isLeft === true;
      const isLast = isLeft || (end.kind === 'returned' && end.isSuspended !== true);
      this.close(last, undefined, values, { isLast, compared: parts?.compared });
    }
    const { name, path, source } = this.called;
    return {
      name,
      path,
      source,
      args: this.values.args,
      lines: this.lines,
      executed: this.count,
      end,
      argumentChanges: this.values.argumentChanges(
        values ?? last?.values ?? this.values.first,
        this.lines,
      ),
      outsideLeftOut: this.called.capturedLeftOut,
    };
  }

  /** A call and the one that it made last are left by the same exception. It may be known for only one of them. */
  private withCalleesException(end: CallEnd): CallEnd {
    if (end.kind === 'threw') endLast(this.current?.callees ?? [], undefined);
    const callee = this.current?.callees.at(-1)?.end;
    if (end.kind !== 'threw' || callee?.kind !== 'threw') return end;
    if (end.exception === undefined) return { kind: 'threw', exception: callee.exception };
    if (callee.exception === undefined) this.thrown(end.exception);
    return end;
  }

  /** @param now the values after the line. If they are unknown, so are its changes. */
  private close(
    done: OpenLine,
    next: number | undefined,
    now: Values | undefined,
    { wasSuspended = false, isLast = false, compared = NONE }: Closing,
  ): void {
    const { line, callees, thrown } = done;
    const { source } = this.called;
    const isUnread = isLast && now === undefined && thrown === undefined;
    const caughtAt =
      thrown?.caughtAt ??
      (next === undefined ? undefined : this.caughtAt(line, next, thrown !== undefined));
    const bound = caughtAt === undefined ? undefined : caughtName(this.called.source[caughtAt - 1]);
    const all = now === undefined ? [] : this.values.changesSince(line, now, next === line, bound);
    const changes = wasSuspended ? all.map((change) => this.values.whileSuspended(change)) : all;
    const value = changes.find(({ name }) => name === bound)?.now;
    const isHidden =
      now !== undefined &&
      thrown === undefined &&
      mayHideChange(source[line - 1] ?? '', all, now, compared);
    const text = thrown?.text ?? value?.split('\n')[0];
    const isByCallee = caughtAt !== undefined && endLast(callees, text);
    const executed: ExecutedLine = {
      line,
      changes: value === undefined ? changes : changes.filter(({ name }) => name !== bound),
      ...((isHidden || (isUnread && assigns(source[line - 1]))) && { hasUnknownChanges: true }),
      // The value that a debugger shows for a call that threw is not a return value.
      callees: shownCallees(
        caughtAt === undefined
          ? callees
          : callees.filter(({ args, isLibrary }) => args !== undefined || isLibrary === true),
        source[line - 1] ?? '',
      ),
      branch: next === undefined ? undefined : branchTaken(this.called.source, line, next),
      ...(thrown !== undefined || caughtAt !== undefined
        ? { thrown: { text: isByCallee ? undefined : text, caughtAt } }
        : {}),
    };
    const before = caughtAt === undefined ? this.passedOn(line, next, isLast) : this.lines.at(-1);
    if (caughtAt !== undefined && before?.thrown?.caughtAt === line) {
      // The `catch` line did not catch the exception. Another one does.
      this.lines[this.lines.length - 1] = { ...before, thrown: { ...before.thrown, caughtAt } };
      this.lines.push({ ...executed, thrown: undefined });
      return;
    }
    const isEnd = done.isNextHandler || isClosing(this.called.source[line - 1]);
    if (isEnd && hasNoEffect(executed)) return;
    if (before?.line === line) this.lines[this.lines.length - 1] = joined(before, executed);
    else this.lines.push(executed);
  }

  /** Returns the line before. If its exception only seemed to be caught at this line, it was not caught. */
  private passedOn(line: number, next: number | undefined, hasReturned: boolean) {
    const before = this.lines.at(-1);
    if (before?.thrown?.caughtAt !== line || hasReturned) return before;
    if (!isPassedOn(this.called.source, line, next)) return before;
    const passed = { ...before, thrown: { ...before.thrown, caughtAt: undefined } };
    this.lines[this.lines.length - 1] = passed;
    return passed;
  }

  /** Returns the `catch` line around the next line, if the executed line is outside of that block. */
  private caughtAt(line: number, next: number, hasThrown: boolean): number | undefined {
    const { source } = this.called;
    if (isInFinally(source, next)) return undefined;
    const header = catchAround(source, next);
    if (header === undefined) return hasThrown ? next : undefined;
    if (header === next && isNextHandler(source, line, header)) return undefined;
    return line >= header && line <= blockEnd(source, header) ? undefined : header;
  }
}
