import { adapterOf } from '../debugger/adapters/registry';
import { DebuggerError } from '../debugger/debuggerError';
import type { MoveCommand } from '../debugger/host';
import type { Prefetched } from '../debugger/inspection/prefetch';
import { isOver, rootOf, stoppedThread, treeOf, type SessionState } from '../debugger/state/state';
import type { LaunchPlan, Launching, NotStarted } from './launching';
import type { Lease, LeaseLoss } from './leases';
import { stoppedNow } from './nextOutcome';
import type { Limits, Outcome } from './outcome';
import type { RunControl } from './runControl';

/** The action on the program when a call with many steps ends. */
export type AtEnd = 'stopProgram' | 'stayStopped' | 'continue';

/** The state of the program after a call. */
export type ProgramState = 'ended' | 'stopped' | 'running';

/** The person moved the program or took over. The call must no longer move the program. */
export interface LeaseLost {
  readonly kind: 'lost';
  readonly why: LeaseLoss;
}

export type RunStep = Outcome | NotStarted | LeaseLost;

export interface BoundedLimits extends Limits {
  /** Whether to continue from a stop at the program's entry, where its process waited for the debugger. */
  readonly passesEntry?: boolean;
}

/** The time that the program may take to pause when a call ends, in milliseconds. */
const PAUSE_LIMIT_MS = 10_000;

/** The time that the program may take to execute the person's request, in milliseconds. */
const SETTLE_LIMIT_MS = 1500;

/**
 * The run of a call with many steps, in a program that the call starts or in a running program. It has the lease on the
 * program from the moment the program exists. Each step ends at a stop, at the program's end, at a limit, or when the
 * person takes over.
 */
export class BoundedRun {
  private lease: Lease | undefined;
  private rootKey: string | undefined;
  /** Whether the program has not paused in time. */
  private hasGivenUp = false;

  private constructor(
    private readonly control: RunControl,
    /** The tool that moves the program. Refusals of other calls name it. */
    private readonly holder: string,
    private readonly limits: BoundedLimits,
    private readonly launching: Launching | undefined,
    session: SessionState | undefined,
  ) {
    if (session === undefined) return;
    this.rootKey = rootOf(control.model.state, session).key;
    this.lease = control.leases.acquire(session, holder);
  }

  /** Creates a run for a program that the call starts. Nothing is started before `begin`. */
  static starting(
    control: RunControl,
    plan: LaunchPlan,
    holder: string,
    limits: BoundedLimits,
  ): BoundedRun {
    return new BoundedRun(
      control,
      holder,
      limits,
      control.launching({ ...plan, endsSurely: true }),
      undefined,
    );
  }

  /** Creates a run for a program that is already running. @throws DebuggerError `busy` if another call has the lease */
  static of(
    control: RunControl,
    session: SessionState,
    holder: string,
    limits: Limits,
  ): BoundedRun {
    return new BoundedRun(control, holder, limits, undefined, session);
  }

  /** The mark of the sessions of its launch; undefined for a program that was already running. */
  get mark(): string | undefined {
    return this.launching?.mark;
  }

  /** The lease on the program, for moves that the run does not make itself. Undefined before the program exists. */
  get heldLease(): Lease | undefined {
    return this.lease;
  }

  /** Whether the call started the program. */
  get isLaunch(): boolean {
    return this.launching !== undefined;
  }

  /** The program's sessions; empty before the first session exists. */
  get sessions(): readonly SessionState[] {
    const { state } = this.control.model;
    if (this.launching !== undefined) return this.launching.members();
    const root = this.rootKey === undefined ? undefined : state.sessions.get(this.rootKey);
    return root === undefined ? [] : treeOf(state, root);
  }

  includes(session: SessionState): boolean {
    return this.sessions.some((member) => member.key === session.key);
  }

  /** Set when the person takes over or the program ends. */
  get lost(): LeaseLoss | undefined {
    return this.lease?.loss;
  }

  /**
   * Starts the program and waits for its first stop or end. A program that is already running is not moved. If it is
   * stopped, that stop is the first one.
   * @param until ends the wait (`cancelled`). The program goes on
   */
  async begin(until?: AbortSignal): Promise<RunStep> {
    if (this.launching !== undefined) {
      const first = await this.launch(this.launching, until);
      return this.limits.passesEntry === true ? await this.passEntry(first) : first;
    }
    const stopped = this.stopped();
    return stopped ?? (await this.next(undefined, until));
  }

  /**
   * Resumes a thread and waits for the outcome.
   * @throws DebuggerError as `RunControl.move`
   * @param prefetch the data that the caller will read at the next stop
   * @param until ends the wait (`cancelled`). The program goes on
   */
  async move(
    command: Exclude<MoveCommand, 'pause'>,
    session: SessionState,
    thread: number,
    deadline: number = this.limits.deadline,
    prefetch?: Prefetched,
    until?: AbortSignal,
  ): Promise<RunStep> {
    if (this.lost !== undefined) return this.after({ kind: 'cancelled' });
    const outcome = await this.control.move(session, thread, command, {
      deadline,
      signal: this.signalUntil(until),
      lease: this.lease,
      prefetch,
    });
    return this.after(outcome);
  }

  /** Waits for the next stop or the end. Does not move the program. */
  async next(deadline: number = this.limits.deadline, until?: AbortSignal): Promise<RunStep> {
    if (this.rootKey === undefined) return { kind: 'cancelled' };
    const signal = this.signalUntil(until);
    const outcome = await this.control.next(this.rootKey, { deadline, signal });
    return this.after(outcome);
  }

  /** The stop at which the program currently is. */
  stopped(): Extract<Outcome, { kind: 'stopped' }> | undefined {
    return this.sessions.map(stoppedNow).find((stopped) => stopped !== undefined);
  }

  /**
   * Brings the program into the state in which the call promised to leave it, even after a cancellation, and releases
   * the lease. If the person has taken over, the program is left unchanged. If the debugger refuses, the program may be
   * in another state. The returned state is the actual one.
   */
  async finish(at: AtEnd): Promise<ProgramState> {
    try {
      if (this.lost === 'moved') await this.settle();
      if (this.lost !== undefined && this.lost !== 'ended') return this.state();
      // If the call was cancelled early, a program that VS Code is still starting would keep running.
      if (at === 'stopProgram')
        this.launching?.endLate((root) => this.control.end(root, unlimited()));
      if (this.state() === 'ended') return 'ended';
      if (at === 'stopProgram') await this.stopProgram();
      else if (at === 'stayStopped') await this.pause();
      else await this.resume();
    } catch (error) {
      if (!(error instanceof DebuggerError)) throw error;
    } finally {
      this.dispose();
    }
    return this.state();
  }

  /**
   * Pauses the program if it runs and the lease is not lost. Keeps the lease. A program that does not pause in time runs
   * on, and is not asked again.
   * @throws DebuggerError `adapterRefused`
   */
  async pause(): Promise<void> {
    if (this.lost !== undefined || this.hasGivenUp || this.state() !== 'running') return;
    // A parent process may only wait for its child, which was started later.
    const session = this.sessions.findLast(({ threads }) => threads.size > 0);
    const [thread] = session?.threads.keys() ?? [];
    if (session === undefined || thread === undefined) return;
    const { pausesWithin = PAUSE_LIMIT_MS } = adapterOf(session.type);
    const outcome = await this.control.pause(session, thread, {
      deadline: performance.now() + pausesWithin,
      signal: unlimited(),
      lease: this.lease,
    });
    if (outcome.kind !== 'timeout') return;
    this.hasGivenUp = true;
    await this.control.giveUpPause(session, thread);
  }

  /** Releases the lease. The state of the program stays unchanged. */
  dispose(): void {
    this.lease?.dispose();
  }

  /** The program's current state. */
  state(): ProgramState {
    const { sessions } = this;
    const { state } = this.control.model;
    const live = sessions.filter((session) => !isOver(state, rootOf(state, session)));
    if (live.length === 0) return this.launching?.isComing === true ? 'running' : 'ended';
    // A session goes on by itself from the stop of a pause that was given up.
    const isStopped = ({ lifecycle, lastStop }: SessionState): boolean =>
      lifecycle === 'stopped' && lastStop?.isGivenUp !== true;
    return live.some(isStopped) ? 'stopped' : 'running';
  }

  /** Aborted when the call is cancelled or the lease is lost. */
  get signal(): AbortSignal {
    return this.lease === undefined
      ? this.limits.signal
      : AbortSignal.any([this.limits.signal, this.lease.signal]);
  }

  private signalUntil(until: AbortSignal | undefined): AbortSignal {
    return until === undefined ? this.signal : AbortSignal.any([this.signal, until]);
  }

  private async launch(launching: Launching, until?: AbortSignal): Promise<RunStep> {
    const { model, leases } = this.control;
    const started = new AbortController();
    // The lease begins with the first session, so that no other call moves the program before its first stop.
    const root = model.wait(() => launching.roots()[0], {
      timeoutMs: Math.max(0, this.limits.deadline - performance.now()),
      signal: AbortSignal.any([this.limits.signal, started.signal]),
    });
    const leased = new AbortController();
    const acquire = root.settled.then((settled) => {
      if (settled.kind !== 'found') return;
      this.rootKey = settled.value.key;
      this.lease = leases.acquire(settled.value, this.holder);
      this.lease.signal.addEventListener('abort', () => leased.abort(), { once: true });
    });
    const outcome = await launching.run({
      deadline: this.limits.deadline,
      signal: AbortSignal.any([this.limits.signal, leased.signal, ...(until ? [until] : [])]),
    });
    started.abort();
    await acquire;
    return outcome.kind === 'notStarted' ? outcome : this.after(outcome);
  }

  private async passEntry(first: RunStep): Promise<RunStep> {
    let step = first;
    while (step.kind === 'stopped' && step.stop.reason === 'entry') {
      const there = stoppedThread(this.control.model.state, step.sessionKey);
      step =
        there === undefined
          ? await this.next()
          : await this.move('continue', there.session, there.threadId);
    }
    return step;
  }

  /** If a wait ended because the lease was lost, returns that loss as the outcome. */
  private after(outcome: RunStep): RunStep {
    if (outcome.kind !== 'cancelled' || this.lease?.loss === undefined) return outcome;
    if (this.lease.loss === 'ended' && this.rootKey !== undefined)
      return { kind: 'ended', rootKey: this.rootKey };
    return { kind: 'lost', why: this.lease.loss };
  }

  /** Waits until the person's request has taken effect, so that the reported location is the final one. */
  private async settle(): Promise<void> {
    if (this.rootKey === undefined || this.state() !== 'running') return;
    const deadline = performance.now() + SETTLE_LIMIT_MS;
    await this.control.next(this.rootKey, { deadline, signal: unlimited() });
  }

  private async stopProgram(): Promise<void> {
    if (this.launching !== undefined) {
      await this.control.endLaunch(this.launching, false, this.lease);
      return;
    }
    const { state } = this.control.model;
    const roots = new Set(this.sessions.map((session) => rootOf(state, session)));
    for (const root of roots) await this.control.end(root, unlimited(), this.lease);
  }

  private async resume(): Promise<void> {
    const stopped = this.stopped();
    const there = stopped && stoppedThread(this.control.model.state, stopped.sessionKey);
    if (there === undefined) return;
    await this.control.letGo(there.session, there.threadId, this.lease);
  }
}

function unlimited(): AbortSignal {
  return new AbortController().signal;
}
