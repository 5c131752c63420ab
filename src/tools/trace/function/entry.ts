import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { restOfStackRequested } from '../../../control/wholeStack';
import type { PauseLike } from '../../../debugger/adapters/adapterParts';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { HostBreakpoint } from '../../../debugger/host';
import type { CallRecorder } from '../../../recording/callRecorder';
import type { ScriptStop } from '../../../recording/lldb/scriptRecording';
import type { Prefetched } from '../../../debugger/inspection/prefetch';
import { samePath } from '../../../debugger/sourcePath';
import { threadOfStop, type SessionState, stoppedThread } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import { DebuggerError } from '../../../debugger/debuggerError';
import type { EntryHold } from '../entryHold';
import { EarlyActivation } from './earlyActivation';
import { breakpointSet } from '../breakpointPlacement';
import { markEntry, type EntryConditions, type EntryMark } from './entryMark';
import type { ForeignStops } from './foreignStops';
import type { ThreadStack } from './threadStack';
import { OtherProcesses } from './otherProcesses';
import { ProgramCount } from './programCount';
import { endOf, stackOrEnd, type EndedBy } from './traceEnd';
import type { TraceTarget } from './traceTarget';

/** The requested call of a function. */
export interface RequestedCall {
  /** The number of the call among the matching calls, 1-based. */
  readonly call: number;
  readonly condition?: string | undefined;
}

/** A call that was recorded before its first stop. */
export interface RecordedArrival {
  readonly kind: 'recorded';
  readonly recorder: CallRecorder;
  /** The first stop. Undefined if there was none. */
  readonly step: RunStep | undefined;
  /** The place of the stop. If there was none, the place of the function. */
  readonly stack: ThreadStack;
  /** The place at which the recorder has stopped the program. Undefined if something else has ended the call. */
  readonly at?: ScriptStop['place'];
  /** The reason why the call ended, if there was no stop. */
  readonly endedBy?: EndedBy;
}

/** The way in which a program gets to the requested call. */
export interface EntryStrategy {
  /** Sets a breakpoint at the beginning of the function. @throws DebuggerError `placeTaken` */
  set(run: BoundedRun): void;
  /** Waits until the adapters of a running program have the breakpoint, or until a time limit. */
  placed(run: BoundedRun): Promise<void>;
  /** Whether the requested call may have begun. Then it is awaited to its end. */
  hasBegun(run: BoundedRun): Promise<boolean>;
  /** Makes the first step. A stopped program continues from its current place. Otherwise the run begins. */
  first(run: BoundedRun): Promise<RunStep>;
  /** Runs the program, after the first step, until the requested call begins, or until it was recorded. */
  reach(
    run: BoundedRun,
    first: RunStep,
    signal: AbortSignal,
    foreign: ForeignStops,
  ): Promise<Reached>;
  /** Removes the breakpoint, because the call has been reached. */
  remove(): void;
  /**
   * Waits until the adapters accept another list of breakpoints, or until a time limit. Other processes of the program
   * that have stopped at the breakpoint go on.
   * @param session the process in which the call is. Undefined if the call was not reached.
   */
  isGone(session: SessionState | undefined, signal: AbortSignal): Promise<void>;
  dispose(): Promise<void>;
}

/** Whether the call was reached. If it was not, how many calls were seen. */
export type Reached =
  | { readonly kind: 'at'; readonly stack: ThreadStack }
  | RecordedArrival
  | {
      readonly kind: 'not';
      readonly endedBy: EndedBy;
      /** The number of calls that were seen. Undefined if the debugger counts the calls. */
      readonly seen: number | undefined;
      /** Whether the adapter verified the breakpoint. Undefined if the adapter did not report it. */
      readonly bound: boolean | undefined;
      readonly message: string | undefined;
      /** The error of a condition that has failed, as far as the adapter reports it. */
      readonly conditionError?: string | undefined;
    };

/** The maximum number of times that a stop is read again because another one has replaced it. */
const MAX_TRIES = 5;

/** A breakpoint at the beginning of a function. It exists until the requested call is reached. */
export class EntryBreakpoint implements EntryStrategy {
  private mark: EntryMark | undefined;
  private others: OtherProcesses | undefined;
  private early: EarlyActivation | undefined;
  /**
   * The id of the breakpoint that stops at the entry, the extension's own or the person's. Undefined if it is not in VS
   * Code's list.
   */
  private id: number | undefined;
  private seen = 0;
  private run: BoundedRun | undefined;
  /** What the program itself counts or notes about the calls. */
  private count: ProgramCount | undefined;
  /** The error of the condition in the first call in which it has failed, if the program has gone on from there. */
  private failure: string | undefined;
  private answered:
    { readonly verified: boolean; readonly message: string | undefined } | undefined;

  constructor(
    private readonly services: Pick<
      ToolServices,
      'inspector' | 'model' | 'breakpoints' | 'control' | 'injected'
    >,
    private readonly target: TraceTarget,
    private readonly call: RequestedCall,
    /** The debug type of the program. */
    private readonly type: string,
    private readonly hold: EntryHold,
  ) {}

  /** Sets the breakpoint. @throws DebuggerError `placeTaken` if a breakpoint at the same place prevents it */
  set(run: BoundedRun): void {
    const { place } = this.target;
    const others =
      place === undefined ? [] : this.services.breakpoints.at(place.path, place.found.entry.line);
    const [other] = others;
    if (other !== undefined) {
      if (stopsAlways(other) && this.call.condition === undefined) {
        this.id = this.services.breakpoints.idOf(other);
        return;
      }
      throw new DebuggerError({
        kind: 'placeTaken',
        breakpointId: this.services.breakpoints.idOf(other),
      });
    }
    this.run = run;
    const session = this.stoppedIn(run);
    this.mark = markEntry(this.services, this.type, session, this.target, this.conditions());
    this.id = this.mark.id;
    this.others = new OtherProcesses(this.services, run, this.mark);
  }

  /** Removes the breakpoint, because the call has been reached. */
  remove(): void {
    this.others?.note();
    this.mark?.remove();
  }

  async dispose(): Promise<void> {
    this.early?.dispose();
    await this.mark?.dispose();
    if (this.seen < this.call.call || this.failure !== undefined)
      await this.count?.removeFrom(this.services, this.run?.sessions ?? []);
  }

  async isGone(session: SessionState | undefined, signal: AbortSignal): Promise<void> {
    await this.others?.leave(session, signal);
  }

  /** Makes the first step. A stopped program continues from its current place. Otherwise the run begins. */
  async first(run: BoundedRun): Promise<RunStep> {
    const session = this.stoppedIn(run);
    const thread = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || thread === undefined) return await run.begin();
    const isEntry = (now: SessionState, ids: readonly number[]): boolean =>
      this.mark?.answers([now]).some(({ id }) => id !== undefined && ids.includes(id)) === true;
    this.early = EarlyActivation.of(this.services, session, isEntry);
    await Promise.all([
      this.isSet(session),
      restOfStackRequested(this.services.model, session, thread, run.signal),
    ]);
    return await run.move('continue', session, thread, undefined, this.prefetched);
  }

  async placed(run: BoundedRun): Promise<void> {
    if (run.isLaunch) return;
    await Promise.all(run.sessions.map(async (session) => await this.isSet(session)));
  }

  hasBegun(run: BoundedRun): Promise<boolean> {
    return Promise.resolve(run.stopped() !== undefined);
  }

  /** The stopped session in which the call is traced. Undefined if a program is started or runs. */
  private stoppedIn(run: BoundedRun): SessionState | undefined {
    const stopped = run.isLaunch ? undefined : run.stopped();
    return stopped === undefined
      ? undefined
      : this.services.model.state.sessions.get(stopped.sessionKey);
  }

  /** Waits until the adapter has the breakpoint, or until a time limit. */
  private async isSet(session: SessionState, loaded = true): Promise<void> {
    const { signal } = new AbortController();
    await (this.mark?.isSet(session, loaded) ??
      breakpointSet(this.services, session, undefined, signal));
  }

  /** Runs the program, after the first step, until the requested call begins. */
  async reach(
    run: BoundedRun,
    first: RunStep,
    signal: AbortSignal,
    foreign: ForeignStops,
  ): Promise<Reached> {
    let step = first;
    for (;;) {
      step = await foreign.past(step, { command: 'continue', detail: this.prefetched, signal });
      const over = endOf(step);
      this.note(run);
      if (over !== undefined || step.kind !== 'stopped')
        return this.notReached(over ?? 'cancelled');
      const at = await this.stoppedAt(step.sessionKey, signal);
      if (at === undefined) return this.notReached('program_end');
      const { session, thread, stack } = at;
      if (stack === 'cancelled' || stack === 'person') return this.notReached(stack);
      const isOurs = stack !== 'program_end' && this.isEntry(session, stack);
      const top = stack === 'program_end' ? undefined : stack.top;
      if (!isOurs && !this.hold.isAt(session, step.stop, top)) return this.atOther(step.stop);
      // The program may continue only after its adapter has the breakpoint.
      if (!isOurs && stack !== 'program_end')
        await this.isSet(session, samePath(stack.top.path ?? '', this.target.place?.path ?? ''));
      const conditionError = isOurs ? await this.conditionError(stack, signal) : undefined;
      if (conditionError !== undefined && this.count === undefined)
        return { ...this.notReached('breakpoint'), conditionError };
      this.failure ??= conditionError;
      if (isOurs && conditionError === undefined) {
        this.seen = this.countsItself ? this.call.call : this.seen + 1;
        if (this.seen >= this.call.call) return { kind: 'at', stack };
        // If a loop also reaches the entry, a new call can be recognized only after this call has returned.
        if (this.target.place?.found.entryRepeats === true) {
          const left = await run.move('stepOut', session, thread, undefined, 'frames');
          if (left.kind !== 'stopped') {
            step = left;
            continue;
          }
        }
      }
      const now = this.services.model.state.sessions.get(session.key) ?? session;
      step =
        (await this.others?.next(now)) ??
        (await run.move('continue', now, thread, undefined, this.prefetched));
    }
  }

  /**
   * Reads the stop of a session. Some adapters report several threads that stop in the same instant one after the other.
   * The last one counts then.
   */
  private async stoppedAt(sessionKey: string, signal: AbortSignal) {
    for (let tries = 1; ; tries += 1) {
      const there = stoppedThread(this.services.model.state, sessionKey);
      if (there === undefined) return undefined;
      const { session, threadId: thread } = there;
      const stack = await stackOrEnd(this.services, sessionKey, thread, signal, 'frames');
      const now = this.services.model.state.sessions.get(sessionKey);
      const isAnother = stack === 'person' && now?.lifecycle === 'stopped';
      if (!isAnother || tries === MAX_TRIES) return { session, thread, stack };
    }
  }

  /** Whether the debugger counts the calls at the extension's breakpoint. This avoids a stop for each call. */
  private get countsItself(): boolean {
    return this.mark !== undefined && this.hitCondition() !== undefined;
  }

  /** The data that is read at the beginning of the call. Logpoints need the names of the variables. */
  private get prefetched(): Prefetched {
    return adapterOf(this.type).loggedCalls === undefined ? 'frames' : 'variables';
  }

  private conditions(): EntryConditions {
    const { call, condition } = this.call;
    const hitCondition = this.hitCondition();
    if (hitCondition !== undefined) this.count = ProgramCount.to(call, this.type);
    else if (condition !== undefined) this.count = ProgramCount.noticing(condition, this.type);
    return this.count === undefined
      ? { condition, hitCondition }
      : { condition: this.count.condition, hitCondition: undefined };
  }

  private hitCondition(): string | undefined {
    const { call, condition } = this.call;
    if (call === 1 || condition !== undefined || this.target.place?.found.entryRepeats === true)
      return undefined;
    const { hitConditions } = adapterOf(this.type);
    return (
      hitConditions?.write({ operator: '==', count: call }) ??
      hitConditions?.write({ operator: '>=', count: call })
    );
  }

  private isEntry(session: SessionState, { top }: ThreadStack): boolean {
    const { place, name } = this.target;
    const { lastStop: stop } = session;
    // Within the function, the program may also stop at a pause, an exception or another breakpoint.
    if (stop?.reason.includes('breakpoint') !== true) return false;
    const hit = this.services.breakpoints.hit(session, stop, top);
    const isAnother = hit !== null && !hit.some((id) => this.stopsAtEntry(id));
    if (place !== undefined)
      return (
        !isAnother &&
        // A debugger may move the breakpoint out of the function, if its line has no code.
        top.name !== '<module>' &&
        samePath(top.path ?? '', place.path) &&
        top.line >= place.found.start &&
        top.line <= place.found.end
      );
    const last = name.split(/::|[.#]/).at(-1) ?? name;
    return (hit !== null && !isAnother) || top.name.includes(last);
  }

  /** Whether a hit breakpoint is the one at the entry, or one that the person has set there in the meantime. */
  private stopsAtEntry(id: number): boolean {
    if (this.id !== undefined) return id === this.id;
    const { place } = this.target;
    if (place === undefined || this.countsItself || this.call.condition !== undefined) return false;
    const { breakpoints } = this.services;
    return breakpoints
      .at(place.path, place.found.entry.line)
      .some((breakpoint) => stopsAlways(breakpoint) && breakpoints.idOf(breakpoint) === id);
  }

  /** Stores the adapters' answers about the breakpoint while their sessions exist. */
  private note(run: BoundedRun): void {
    const answers = this.mark?.answers(run.sessions) ?? [];
    const best = answers.find(({ verified }) => verified) ?? answers[0];
    if (best !== undefined && this.answered?.verified !== true)
      this.answered = { verified: best.verified, message: best.message };
  }

  /** Evaluates the condition at its stop again, if the adapter also stops when a condition fails. */
  private async conditionError(
    { session, top }: ThreadStack,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { condition: expression } = this.call;
    const { stopsAtFailedConditions, stopsAtFirstFailure } = adapterOf(this.type);
    if (expression === undefined) return undefined;
    // The program stops only at the first failure.
    const mayFail = stopsAtFirstFailure !== undefined && this.failure === undefined;
    if (stopsAtFailedConditions !== true && !mayFail) return undefined;
    const args = { expression, frameId: top.id, context: 'watch' };
    return await this.services.inspector
      .sendUnique(session, 'evaluate', args, signal)
      .then(() => undefined)
      .catch((error: unknown) => refusalOf(error));
  }

  /** What a stop means that is not at the beginning of the call. */
  private atOther(stop: PauseLike): Extract<Reached, { kind: 'not' }> {
    const failed =
      this.call.condition === undefined ? undefined : adapterOf(this.type).failedCondition?.(stop);
    if (failed !== undefined) return { ...this.notReached('breakpoint'), conditionError: failed };
    return this.notReached(stop.reason === 'exception' ? 'exception' : 'breakpoint');
  }

  private notReached(endedBy: EndedBy): Extract<Reached, { kind: 'not' }> {
    const { answered } = this;
    // The count of the debugger is unknown, and that of calls that do not meet the condition.
    const isCounted = !this.countsItself && this.call.condition === undefined;
    const seen = isCounted ? this.seen : undefined;
    const bound = { bound: answered?.verified, message: answered?.message };
    return { kind: 'not', endedBy, seen, ...bound, conditionError: this.failure };
  }
}

/** Returns the message with which an adapter refused a request. */
function refusalOf(error: unknown): string | undefined {
  const isRefusal = error instanceof DebuggerError && error.problem.kind === 'adapterRefused';
  return isRefusal ? error.problem.message.trim().split('\n')[0] : undefined;
}

/** Whether a breakpoint stops each time that the program reaches it. */
export function stopsAlways({
  enabled,
  condition,
  hitCondition,
  logMessage,
}: HostBreakpoint): boolean {
  return enabled && !condition && !hitCondition && !logMessage;
}
