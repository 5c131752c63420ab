import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { samePath } from '../../../debugger/sourcePath';
import { threadOfStop, type SessionState, stoppedThread } from '../../../debugger/state/state';
import type { PythonCallRecording } from '../../../trace/tracers/python/callRecording';
import type { ToolServices } from '../../services';
import { breakpointSet } from '../breakpointPlacement';
import { isOfRun } from '../reach';
import { placeholder, type EarlyCallOptions } from './earlyCall';
import { stopsAlways, type EntryStrategy, type Reached, type RequestedCall } from './entry';
import type { ThreadStack } from './threadStack';
import { SHOWN } from './startRecorder';
import type { TraceTarget } from './traceTarget';
import { endOf, stackOrEnd, type EndedBy } from './traceEnd';

type Services = Pick<ToolServices, 'breakpoints' | 'inspector' | 'model' | 'tracers'>;

/** The time in which a program stops in the caller after the call has ended, in milliseconds. */
const STOP_MS = 1500;

/** The time that the call may take to end after a limit has been reached, in milliseconds. */
const LEAVE_MS = 5000;

/**
 * A call in Python that the program's own recorder awaits and records to its end. The program then stops in the caller,
 * or goes on if a library has made the call. The breakpoint at the beginning stops only a program on another machine.
 */
export class PythonCall implements EntryStrategy {
  private constructor(
    private readonly services: Services,
    private readonly target: TraceTarget,
    private readonly place: NonNullable<TraceTarget['place']>,
    private readonly call: RequestedCall,
    private readonly deadline: number,
    private readonly recorder: PythonCallRecording,
  ) {}

  /** @returns undefined if the call has to be reached by a stop at its beginning */
  static async prepare(
    services: Services,
    { type, target, call, depth, maxSteps, deadline }: EarlyCallOptions & { deadline: number },
  ): Promise<PythonCall | undefined> {
    const { place, name } = target;
    if (place === undefined || depth > 0 || !services.tracers.python.canRecord(type))
      return undefined;
    const { path, found } = place;
    if (!/\.pyw?$/i.test(path)) return undefined;
    // With other breakpoints of the person at the beginning, the condition may not be evaluated.
    if (!services.breakpoints.at(path, found.entry.line).every(stopsAlways)) return undefined;
    const recorder = await services.tracers.python.prepare(
      {
        ...{ path, line: found.entry.line, function: name.split('.').at(-1) ?? name },
        ...{ call: call.call, condition: call.condition },
        followed: found.suspends === 'generator' ? found : undefined,
      },
      { maxHits: maxSteps, shown: SHOWN },
    );
    return new PythonCall(services, target, place, call, deadline, recorder);
  }

  set(run: BoundedRun): void {
    const { services } = this;
    this.recorder.set((session) => isOfRun({ services, run }, session));
  }

  remove(): void {
    // The recorder removes the breakpoint when it is disposed.
  }

  isGone(): Promise<void> {
    return Promise.resolve();
  }

  async dispose(): Promise<void> {
    await this.recorder.dispose();
  }

  async placed(run: BoundedRun): Promise<void> {
    if (!run.isLaunch) await this.recorder.placed;
  }

  async hasBegun(): Promise<boolean> {
    await this.recorder.settle();
    return this.recorder.read().length > 0;
  }

  async first(run: BoundedRun): Promise<RunStep> {
    const until = this.untilReport();
    const stopped = run.isLaunch ? undefined : run.stopped();
    const session = stopped && this.services.model.state.sessions.get(stopped.sessionKey);
    const thread = session === undefined ? undefined : threadOfStop(session);
    await this.placed(run);
    if (session !== undefined) await this.listsAnswered(session);
    return session === undefined || thread === undefined
      ? await until.wait((signal) => run.begin(signal))
      : await until.wait((signal) =>
          run.move('continue', session, thread, undefined, 'frames', signal),
        );
  }

  async reach(run: BoundedRun, first: RunStep, signal: AbortSignal): Promise<Reached> {
    let step = first;
    for (;;) {
      await this.recorder.settle();
      const reached =
        step.kind === 'stopped'
          ? await this.atStop(run, step, signal)
          : this.withoutStop(run, step, signal);
      if (reached !== undefined) return reached;
      step = await this.goOn(run, step);
    }
  }

  /** Waits for the next report or stop. After the end of the call, only for the stop in the caller. */
  private async goOn(run: BoundedRun, step: RunStep): Promise<RunStep> {
    const until = this.untilReport();
    // The report may have come while the stop was read.
    if (this.recorder.after === 'goesOn' && step.kind !== 'stopped')
      return await until.wait(() => Promise.resolve({ kind: 'cancelled' }));
    if (step.kind === 'stopped') {
      const session = this.services.model.state.sessions.get(step.sessionKey);
      const thread = session === undefined ? undefined : threadOfStop(session);
      if (session !== undefined) await this.listsAnswered(session);
      if (session !== undefined && thread !== undefined)
        return await until.wait((signal) =>
          run.move('continue', session, thread, undefined, 'frames', signal),
        );
    }
    const ms = this.recorder.after === 'caller' ? STOP_MS : LEAVE_MS;
    const isOver = this.recorder.after !== undefined || this.recorder.isFull;
    const deadline = isOver ? Math.min(this.deadline, performance.now() + ms) : this.deadline;
    return await until.wait(async (signal) => run.stopped() ?? (await run.next(deadline, signal)));
  }

  /** A program may continue only after its adapter has all breakpoints. */
  private async listsAnswered(session: SessionState): Promise<void> {
    await breakpointSet(this.services, session, undefined, new AbortController().signal);
  }

  /** Returns a wait that a report of the recorder ends. It has to be created before the report is read. */
  private untilReport() {
    const reported = new AbortController();
    const listening = this.recorder.onReport(() => reported.abort());
    return {
      wait: async (make: (signal: AbortSignal) => Promise<RunStep>): Promise<RunStep> => {
        try {
          return await make(reported.signal);
        } finally {
          listening.dispose();
        }
      },
    };
  }

  /** Returns what has been reached without a stop. Undefined if the program goes on. */
  private withoutStop(run: BoundedRun, step: RunStep, signal: AbortSignal): Reached | undefined {
    const { recorder } = this;
    const isOver = recorder.after === 'goesOn' || recorder.fault !== undefined;
    if (isOver) return this.recorded(run, undefined);
    const isReport = step.kind === 'cancelled' && !signal.aborted && run.lost === undefined;
    if (isReport) return undefined;
    const endedBy = endOf(step) ?? 'cancelled';
    if (recorder.after === 'caller') return this.recorded(run, undefined);
    if (recorder.read().length > 0) return this.recorded(run, endedBy);
    return this.notReached(run, endedBy);
  }

  private async atStop(
    run: BoundedRun,
    step: Extract<RunStep, { kind: 'stopped' }>,
    signal: AbortSignal,
  ): Promise<Reached | undefined> {
    const there = stoppedThread(this.services.model.state, step.sessionKey);
    if (there === undefined) return this.over(run, 'program_end');
    const { session, threadId: thread } = there;
    const stack = await stackOrEnd(this.services, session.key, thread, signal, 'frames');
    if (typeof stack === 'string') return this.over(run, stack);
    const { reason } = step.stop;
    if (this.isAtTheirs(reason, stack)) return undefined;
    if (this.recorder.read().length > 0) {
      const isCaller = this.recorder.after !== undefined && reason !== 'exception';
      const { recorder } = this;
      return { kind: 'recorded', recorder, step, stack, at: isCaller ? 'caller' : undefined };
    }
    if (reason === 'entry') return undefined;
    if (this.isEntry(session, step, stack)) return { kind: 'at', stack };
    return this.notReached(run, reason === 'exception' ? 'exception' : 'breakpoint');
  }

  /** Whether the program has stopped at a breakpoint of the person at the beginning of the function. It goes on. */
  private isAtTheirs(reason: string, { top }: ThreadStack): boolean {
    const { path, found } = this.place;
    if (!reason.includes('breakpoint') || this.recorder.after !== undefined) return false;
    if (top.line !== found.entry.line || !samePath(top.path ?? '', path)) return false;
    const isBeginning = this.recorder.read().length <= 1;
    return isBeginning && this.services.breakpoints.at(path, top.line).length > 0;
  }

  /** Whether a program on another machine has stopped at the beginning of the call. */
  private isEntry(
    session: SessionState,
    { stop }: Extract<RunStep, { kind: 'stopped' }>,
    { top }: ThreadStack,
  ): boolean {
    const { start, end } = this.place.found;
    if (!stop.reason.includes('breakpoint') || top.line < start || top.line > end) return false;
    return this.services.breakpoints.hit(session, stop, top) === null;
  }

  private over(run: BoundedRun, endedBy: EndedBy): Reached {
    return this.recorder.read().length > 0
      ? this.recorded(run, endedBy)
      : this.notReached(run, endedBy);
  }

  /** Returns what was recorded up to another end than a stop. */
  private recorded(run: BoundedRun, endedBy: EndedBy | undefined): Reached {
    const [session] = run.sessions;
    const [first] = this.recorder.read();
    if (session === undefined || first === undefined)
      return this.notReached(run, endedBy ?? 'program_end');
    const { recorder, place, target } = this;
    const stack = placeholder(session, target.name, place.path, first.point);
    const why = endedBy === 'max_seconds' && recorder.isFull ? 'max_steps' : endedBy;
    return { kind: 'recorded', recorder, step: undefined, stack, endedBy: why };
  }

  private notReached(run: BoundedRun, endedBy: EndedBy): Reached {
    const [answer] = this.recorder.answersIn(run.sessions);
    const adapter = answer?.kind === 'answered' ? answer.adapter : undefined;
    // The recorder counts the calls, and those that do not meet the condition are not counted.
    const seen = this.call.call === 1 && this.call.condition === undefined ? 0 : undefined;
    const { conditionError } = this.recorder;
    return {
      ...{ kind: 'not', endedBy, seen, bound: adapter?.verified, message: adapter?.message },
      conditionError,
    };
  }
}
