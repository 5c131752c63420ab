import { DebuggerError } from '../debugger/debuggerError';
import type { MoveCommand } from '../debugger/host';
import type { Prefetched } from '../debugger/inspection/prefetch';
import { isOver, rootOf, threadOfStop, treeOf, type SessionState } from '../debugger/state/state';
import type { LaunchPlan, Launching, NotStarted } from './launching';
import type { Lease, LeaseLoss } from './leases';
import { stoppedNow } from './nextOutcome';
import type { Limits, Outcome } from './outcome';
import type { RunControl } from './runControl';

/** What is done with the program when a call of many steps is over. */
export type AtEnd = 'stopProgram' | 'stayStopped' | 'continue';

/** Where the program is after a call. */
export type ProgramState = 'ended' | 'stopped' | 'running';

/** The person moved the program, or took over: from here on it is theirs. */
export interface LeaseLost {
  readonly kind: 'lost';
  readonly why: LeaseLoss;
}

export type RunStep = Outcome | NotStarted | LeaseLost;

export interface BoundedLimits extends Limits {
  /** Whether a stop at the program's entry is passed: its process waited for the debugger. */
  readonly passesEntry?: boolean;
}

/** How long the program may take to pause or to go on when a call is over, in milliseconds. */
const END_LIMIT_MS = 10_000;

/** How long the program may take to do what the person has asked for. */
const SETTLE_LIMIT_MS = 1500;

/**
 * The run of a call that takes many steps: a program that it starts, or one that is there. It holds the lease on the
 * program from the moment at which the program exists. Each step ends at a stop, the end, a limit, or when the person
 * takes the program into their own hands.
 */
export class BoundedRun {
  private lease: Lease | undefined;
  private rootKey: string | undefined;

  private constructor(
    private readonly control: RunControl,
    /** The tool that moves it, for the refusal of other calls. */
    private readonly holder: string,
    private readonly limits: BoundedLimits,
    private readonly launching: Launching | undefined,
    session: SessionState | undefined,
  ) {
    if (session === undefined) return;
    this.rootKey = rootOf(control.model.state, session).key;
    this.lease = control.leases.acquire(session, holder);
  }

  /** A program that the call starts. Nothing is started before `begin`. */
  static starting(
    control: RunControl,
    plan: LaunchPlan,
    holder: string,
    limits: BoundedLimits,
  ): BoundedRun {
    return new BoundedRun(control, holder, limits, control.launching(plan), undefined);
  }

  /** A program that is there. @throws DebuggerError `busy` when another call has it */
  static of(
    control: RunControl,
    session: SessionState,
    holder: string,
    limits: Limits,
  ): BoundedRun {
    return new BoundedRun(control, holder, limits, undefined, session);
  }

  /** Marks the sessions of its launch; undefined for a program that was there. */
  get mark(): string | undefined {
    return this.launching?.mark;
  }

  /** Whether the call started the program. */
  get isLaunch(): boolean {
    return this.launching !== undefined;
  }

  /** The sessions of the program, as far as there are any yet. */
  get sessions(): readonly SessionState[] {
    const { state } = this.control.model;
    if (this.launching !== undefined) return this.launching.members();
    const root = this.rootKey === undefined ? undefined : state.sessions.get(this.rootKey);
    return root === undefined ? [] : treeOf(state, root);
  }

  includes(session: SessionState): boolean {
    return this.sessions.some((each) => each.key === session.key);
  }

  /** Aborted when the person takes the program into their own hands, or it ends. */
  get lost(): LeaseLoss | undefined {
    return this.lease?.loss;
  }

  /**
   * Starts the program and waits for its first stop or end. A program that is there is not moved: where it is stopped,
   * that stop is the first.
   */
  async begin(): Promise<RunStep> {
    if (this.launching !== undefined) {
      const first = await this.launch(this.launching);
      return this.limits.passesEntry === true ? await this.passEntry(first) : first;
    }
    const stopped = this.stopped();
    return stopped ?? (await this.next());
  }

  /**
   * Resumes the thread that stopped last, or the one given, and waits. @throws DebuggerError as `RunControl.move`
   * @param prefetch what the caller reads of a stop that comes
   */
  async move(
    command: Exclude<MoveCommand, 'pause'>,
    session: SessionState,
    thread: number,
    deadline: number = this.limits.deadline,
    prefetch?: Prefetched,
  ): Promise<RunStep> {
    if (this.lost !== undefined) return this.after({ kind: 'cancelled' });
    const outcome = await this.control.move(session, thread, command, {
      deadline,
      signal: this.signal,
      lease: this.lease,
      prefetch,
    });
    return this.after(outcome);
  }

  /** Waits for the next stop or the end; moves nothing. */
  async next(deadline: number = this.limits.deadline): Promise<RunStep> {
    if (this.rootKey === undefined) return { kind: 'cancelled' };
    const outcome = await this.control.next(this.rootKey, { deadline, signal: this.signal });
    return this.after(outcome);
  }

  /** The stop that holds the program now. */
  stopped(): Extract<Outcome, { kind: 'stopped' }> | undefined {
    return this.sessions.map(stoppedNow).find((each) => each !== undefined);
  }

  /**
   * Brings the program to where the call said it would leave it, also after a cancellation, and gives the lease back.
   * What the person has taken into their own hands is left as it is. A debugger that refuses leaves it elsewhere: the
   * state that is returned is where it is.
   */
  async finish(at: AtEnd): Promise<ProgramState> {
    try {
      if (this.lost === 'moved') await this.settle();
      if (this.lost !== undefined && this.lost !== 'ended') return this.state();
      // A call that was cancelled early: what VS Code is still starting would run on without it.
      if (at === 'stopProgram')
        this.launching?.endLate((root) => this.control.end(root, unlimited()));
      if (this.state() === 'ended') return 'ended';
      if (at === 'stopProgram') await this.stopProgram();
      else if (at === 'stayStopped') await this.hold();
      else await this.resume();
    } catch (error) {
      if (!(error instanceof DebuggerError)) throw error;
    } finally {
      this.dispose();
    }
    return this.state();
  }

  /**
   * Pauses the program, where it runs and is not in the person's hands, and keeps the lease.
   * @throws DebuggerError `adapterRefused`
   */
  async hold(): Promise<void> {
    if (this.lost !== undefined || this.state() !== 'running') return;
    const session = this.sessions.find((each) => each.threads.size > 0);
    const [thread] = session?.threads.keys() ?? [];
    if (session === undefined || thread === undefined) return;
    await this.control.pause(session, thread, {
      deadline: performance.now() + END_LIMIT_MS,
      signal: unlimited(),
      ...(this.lease === undefined ? {} : { lease: this.lease }),
    });
  }

  /** Gives the lease back; the program stays as it is. */
  dispose(): void {
    this.lease?.dispose();
  }

  /** Where the program is now. */
  state(): ProgramState {
    const { sessions } = this;
    const { state } = this.control.model;
    const live = sessions.filter((session) => !isOver(state, rootOf(state, session)));
    if (live.length === 0) return this.launching?.isComing === true ? 'running' : 'ended';
    return live.some((session) => session.lifecycle === 'stopped') ? 'stopped' : 'running';
  }

  private get signal(): AbortSignal {
    return this.lease === undefined
      ? this.limits.signal
      : AbortSignal.any([this.limits.signal, this.lease.signal]);
  }

  private async launch(launching: Launching): Promise<RunStep> {
    const { model, leases } = this.control;
    const started = new AbortController();
    // The lease begins with the first session: nobody else is to move the program before its first stop.
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
      signal: AbortSignal.any([this.limits.signal, leased.signal]),
    });
    started.abort();
    await acquire;
    return outcome.kind === 'notStarted' ? outcome : this.after(outcome);
  }

  private async passEntry(first: RunStep): Promise<RunStep> {
    let step = first;
    while (step.kind === 'stopped' && step.stop.reason === 'entry') {
      const session = this.control.model.state.sessions.get(step.sessionKey);
      const thread = session === undefined ? undefined : threadOfStop(session);
      step =
        session === undefined || thread === undefined
          ? await this.next()
          : await this.move('continue', session, thread);
    }
    return step;
  }

  /** A wait that the lost lease ended, or that ended in the same turn, says why. */
  private after(outcome: RunStep): RunStep {
    if (outcome.kind !== 'cancelled' || this.lease?.loss === undefined) return outcome;
    if (this.lease.loss === 'ended' && this.rootKey !== undefined)
      return { kind: 'ended', rootKey: this.rootKey };
    return { kind: 'lost', why: this.lease.loss };
  }

  /** What the person has asked for is on its way: it is waited for, so that the place that is told is where it leads. */
  private async settle(): Promise<void> {
    if (this.rootKey === undefined || this.state() !== 'running') return;
    const deadline = performance.now() + SETTLE_LIMIT_MS;
    await this.control.next(this.rootKey, { deadline, signal: unlimited() });
  }

  private async stopProgram(): Promise<void> {
    const { state } = this.control.model;
    const roots = new Set(this.sessions.map((session) => rootOf(state, session)));
    for (const root of roots) await this.control.end(root, unlimited(), this.lease);
  }

  private async resume(): Promise<void> {
    const stopped = this.stopped();
    const session =
      stopped === undefined ? undefined : this.control.model.state.sessions.get(stopped.sessionKey);
    const thread = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || thread === undefined) return;
    await this.control.letGo(session, thread, this.lease);
  }
}

function unlimited(): AbortSignal {
  return new AbortController().signal;
}
