import { agreesAsShown, shownLength } from '../../../debugger/texts';
import type { ComparedParts } from '../../../recording/recordedRows';
import { assignedNames } from './assignedNames';
import type { Argument, Change, ExecutedLine, TracedFunction, Values } from './callModel';
import { mentions } from './executedLine';
import { argumentsAt, baseOf, differences, isCompound, isUnreadable } from './values';

/** What a traced call has reported of its variables, and what differs from that. It does not use a debugger. */
export class ReportedValues {
  readonly args: readonly Argument[];
  /** The value last reported for each name. It is kept after the program has left the block of the name. */
  private readonly reported = new Map<string, string>();
  /**
   * The line that first mentions each local variable. Until that line has run, the value of the variable is
   * meaningless.
   */
  private readonly firstMention = new Map<string, number>();
  /** The names of parts of variables that were told because the text of the variable hides them. */
  private readonly parts = new Set<string>();
  private furthest = 0;

  /**
   * @param first the values that the frame shows before its first line
   * @param isResumed whether the call is a generator that may have run before
   */
  constructor(
    private readonly called: TracedFunction,
    readonly first: Values,
    isResumed: boolean,
  ) {
    this.args = argumentsAt(called, first);
    for (const [name, value] of first)
      if (this.isOutside(name) || (isResumed && value !== 'undefined'))
        this.reported.set(name, value);
  }

  /** Notes that a line has run. Variables that it is the first to mention have a value now. */
  hasRun(line: number): void {
    this.furthest = Math.max(this.furthest, line);
  }

  /** Notes what parts were before they changed. Their new values are among those of the frame. */
  note(parts: ComparedParts | undefined): void {
    for (const { name, before } of parts?.changes ?? []) {
      this.parts.add(name);
      if (before === undefined) this.reported.delete(name);
      else this.reported.set(name, before);
    }
  }

  /**
   * Returns the differences from the values reported before, which the executed line caused.
   * @param isUnfinished whether the program is still at the line, or at it again
   * @param bound the name of an exception that the line threw
   */
  changesSince(
    line: number,
    now: Values,
    isUnfinished: boolean,
    bound?: string,
  ): readonly Change[] {
    const assigned = assignedNames(this.called.source[line - 1] ?? '');
    // An argument that could not be read before may have had the same value.
    for (const [name, value] of now)
      if (isUnreadable(this.reported.get(name)) && this.isArgument(baseOf(name)))
        this.reported.set(name, value);
    this.extendTexts(now);
    const changes = differences(this.reported, now, this.parts).filter(
      ({ name, before, now: value }) => {
        if (name === 'this' && this.called.usesThis === false) return false;
        // The program has left the block of the name, or has not entered it yet, or has not assigned it yet.
        if (value === 'undefined' && (!assigned.includes(name) || isUnfinished)) return false;
        if (before !== undefined || name === bound || this.isArgument(baseOf(name))) return true;
        const mentioned = this.mentioned(baseOf(name));
        return mentioned === undefined || mentioned <= this.furthest;
      },
    );
    const shown = new Set(changes.map(({ name }) => baseOf(name)));
    for (const name of this.reported.keys())
      if (shown.has(baseOf(name)) && !now.has(name)) this.reported.delete(name);
    for (const [name, value] of now) if (shown.has(baseOf(name))) this.reported.set(name, value);
    return changes;
  }

  /** Keeps the longer text of a value that was shown in part, so that a later one is compared with all that was seen. */
  private extendTexts(now: Values): void {
    for (const [name, value] of now) {
      const earlier = this.reported.get(name);
      if (earlier === undefined || !agreesAsShown(earlier, value)) continue;
      if (shownLength(value) > shownLength(earlier)) this.reported.set(name, value);
    }
  }

  /** While a call is suspended, other code may change what is outside of it. */
  whileSuspended(change: Change): Change {
    const { captured = [], beginsEmpty } = this.called;
    const [name, base] = [change.name, baseOf(change.name)];
    const isOwn = beginsEmpty === true ? !this.first.has(base) : !captured.includes(base);
    return (isOwn && !captured.includes(name)) || this.isArgument(name)
      ? change
      : { ...change, wasSuspended: true };
  }

  /** Whether a name had its value before the call: an argument, or a variable outside of the function. */
  private isOutside(name: string): boolean {
    const { captured = [], beginsEmpty } = this.called;
    const base = baseOf(name);
    return (
      beginsEmpty === true ||
      this.isArgument(base) ||
      [base, name].some((each) => captured.includes(each))
    );
  }

  private isArgument(name: string): boolean {
    return this.args.some(([argument]) => argument === name);
  }

  private mentioned(name: string): number | undefined {
    const { range, source } = this.called;
    if (range === undefined) return undefined;
    const cached = this.firstMention.get(name);
    if (cached !== undefined) return cached;
    for (let line = range.start; line <= range.end; line += 1)
      if (mentions(source[line - 1] ?? '', name)) {
        this.firstMention.set(name, line);
        return line;
      }
    this.firstMention.set(name, 0);
    return 0;
  }

  /**
   * Returns the changes that the caller sees: changed members of its arguments, if the parameter was not reassigned.
   * @param lines the lines that the call has executed
   */
  argumentChanges(last: Values, lines: readonly ExecutedLine[]): readonly Change[] {
    const rebound = new Set(
      lines.flatMap(({ line }) => assignedNames(this.called.source[line - 1] ?? '')),
    );
    const all = differences(this.first, last, this.parts);
    return all.filter(({ name, now }) => {
      const base = baseOf(name);
      // How many other parts a line has changed is told with the line.
      if (
        name === `${base}[…]` &&
        all.some((each) => each.name !== name && baseOf(each.name) === base)
      )
        return false;
      if (!this.isArgument(base) || isUnreadable(this.first.get(base))) return false;
      const parameter = this.called.parameters?.find((each) => each.name === base);
      if (parameter?.isReference === true) return true;
      if (parameter?.isCollected === true) return false;
      const isCopy =
        this.called.copiesArguments === true && !LEADS_TO.test(this.first.get(base) ?? '');
      if (isCopy) return false;
      return !rebound.has(base) && (name !== base || isCompound(now));
    });
  }
}

/** Matches the text of values that share the caller's data: a pointer, and a slice or a map in Go. */
const LEADS_TO = /^(?:[*&]|0x|\(\*|\[\]|map\[)/;
