import { adapterOf } from '../debugger/adapters/registry';
import { adapterRefused, DebuggerError, notStopped } from '../debugger/debuggerError';
import type { DebugHost, MoveCommand } from '../debugger/host';
import type { DebugModel } from '../debugger/state/debugModel';
import { endProcesses } from '../debugger/processes/endProcesses';
import type { Processes } from '../debugger/processes/processes';
import { textOf } from '../debugger/protocol';
import { LAUNCH_MARK } from '../debugger/state/launchMark';
import { hasExited } from '../debugger/state/sessionEnd';
import {
  isFailure,
  isOver,
  treeOf,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import { giveUpPause } from './givenUpPause';
import { Launching, type LaunchPlan } from './launching';
import type { Lease, Leases } from './leases';
import { epochsOf, nextOutcome, stoppedNow, type Epochs } from './nextOutcome';
import type { Outcome, LinePrinted, RunLimits } from './outcome';
import type { TemporaryBreakpoints } from './temporaryBreakpoints';
import { unlessAborted } from '../util/unlessAborted';
import { outcomeOf, orPrinted, type FindLine, type Waits } from './waits';

/** The time that a debugger may take to end its program, in milliseconds. */
const END_LIMIT_MS = 10_000;

/** The time that a program may take to end before its processes are ended, in milliseconds. */
const GRACE_MS = 3000;

/** That time where a call asks for nothing but the end. */
const END_GRACE_MS = 2000;

/**
 * The time that a terminal's shell may take to report the exit code after the debugger has reported the end, in
 * milliseconds.
 */
const SHELL_LIMIT_MS = 2000;

export interface MoveOptions extends RunLimits {
  /** The lease under which the caller moves the program. */
  readonly lease?: Lease | undefined;
}

/**
 * Starts, moves, pauses and ends programs, and waits for the outcome. Every wait is armed before its request is sent.
 * It returns facts (`Outcome`) and sends only the requests that the caller asked for.
 */
export class RunControl {
  /** The stops from which a call is resuming the program, while the adapter has not responded yet. */
  private readonly resuming = new Set<string>();

  constructor(
    readonly model: DebugModel,
    readonly host: DebugHost,
    private readonly waits: Waits,
    readonly leases: Leases,
    readonly temporary: TemporaryBreakpoints,
    private readonly processes: Processes,
  ) {}

  /**
   * Resumes a stopped thread and waits for the next stop or the end.
   * @throws DebuggerError `notStopped`, `resumedMeanwhile`, `busy`, `adapterRefused`
   */
  async move(
    session: SessionState,
    thread: number,
    command: Exclude<MoveCommand, 'pause'>,
    options: MoveOptions,
  ): Promise<Outcome> {
    return await this.resumeBy(session, thread, options, () =>
      this.resume(session, thread, command),
    );
  }

  /**
   * Resumes a stopped thread and waits only for the response to the request, because the program should keep running.
   * @throws DebuggerError `resumedMeanwhile`, `busy`, `adapterRefused`
   */
  async letGo(session: SessionState, thread: number, lease: Lease | undefined): Promise<void> {
    const stop = session.threads.get(thread)?.stop;
    if (stop === undefined) return;
    this.leases.check(session, lease);
    const answered = this.beginResume(session, stop.id);
    lease?.announce();
    try {
      await unlessAborted(
        this.resume(session, thread, 'continue'),
        AbortSignal.timeout(END_LIMIT_MS),
        () => undefined,
      );
    } catch (error) {
      lease?.retract();
      throw error;
    } finally {
      answered();
    }
  }

  /** Pauses a thread and waits for the stop. @throws DebuggerError `busy`, `adapterRefused` */
  async pause(session: SessionState, thread: number, options: MoveOptions): Promise<Outcome> {
    this.leases.check(session, options.lease);
    const since = epochsOf(this.model.state);
    const wait = this.waits.arm((state) => nextOutcome(state, session.key, since), options);
    const request = async (): Promise<void> => {
      options.lease?.announce();
      await this.host
        .request(session.key, 'pause', { threadId: thread })
        .catch((error: unknown) => {
          options.lease?.retract();
          throw error;
        });
    };
    request().catch((error: unknown) => wait.fail(adapterRefused(session, 'pause', error)));
    const { asksAgainToPauseAfter: patience } = adapterOf(session.type);
    const again =
      patience === undefined
        ? undefined
        : setTimeout(() => void request().catch(() => undefined), patience);
    return await outcomeOf(wait).finally(() => clearTimeout(again));
  }

  /** Takes back a pause at which the program has not stopped, see `givenUpPause.ts`. */
  async giveUpPause(session: SessionState, thread: number): Promise<void> {
    await giveUpPause(this, session, thread);
  }

  /**
   * Moves a stopped thread by a request that VS Code has no command for (`goto`, `restartFrame`), and waits for the
   * stop that follows or the end.
   * @throws DebuggerError `notStopped`, `resumedMeanwhile`, `busy`, `adapterRefused`
   */
  async moveBy(
    session: SessionState,
    thread: number,
    request: { readonly command: string; readonly args: object },
    options: MoveOptions,
  ): Promise<Outcome> {
    return await this.resumeBy(session, thread, options, async () => {
      await this.host
        .request(session.key, request.command, request.args)
        .catch((error: unknown) => {
          throw adapterRefused(session, request.command, error);
        });
    });
  }

  /** Arms the wait, sends the request that resumes the thread, and waits. */
  private async resumeBy(
    session: SessionState,
    thread: number,
    options: MoveOptions,
    send: () => Promise<void>,
  ): Promise<Outcome> {
    const stop = session.threads.get(thread)?.stop;
    if (stop === undefined) throw notStopped(session, thread);
    this.leases.check(session, options.lease);
    const answered = this.beginResume(session, stop.id);
    const since = epochsOf(this.model.state);
    const wait = this.waits.arm((state) => nextOutcome(state, session.key, since, thread), options);
    options.lease?.announce();
    // A stop may arrive before the response, and an adapter may never respond. So only a refusal ends the wait.
    send().then(answered, (error: unknown) => {
      options.lease?.retract();
      wait.fail(error);
    });
    return await outcomeOf(wait).finally(answered);
  }

  /**
   * Restarts a session's program through its adapter, and waits for its first stop or its end.
   * @param root its adapter must have the capability (DAP `supportsRestartRequest`)
   * @throws DebuggerError `busy`, `adapterRefused`
   */
  async restart(root: SessionState, options: MoveOptions): Promise<Outcome> {
    this.leases.check(root, options.lease);
    const since = epochsOf(this.model.state);
    const wait = this.waits.arm((state) => nextOutcome(state, root.key, since), options);
    options.lease?.announce();
    this.host.restart(root.key, root.configuration).catch((error: unknown) => {
      options.lease?.retract();
      wait.fail(adapterRefused(root, 'restart', error));
    });
    return await outcomeOf(wait);
  }

  /** Waits for a stop newer than `since`, or the end. Does not move the program. */
  async next(
    sessionKey: string,
    limits: RunLimits,
    since: Epochs = epochsOf(this.model.state),
    thread?: number,
  ): Promise<Outcome> {
    return await outcomeOf(
      this.waits.arm((state) => nextOutcome(state, sessionKey, since, thread), limits),
    );
  }

  /** Does the same as `next`, but a printed line also ends the wait. @throws the error that `find` throws */
  async nextOrPrinted<Line>(
    sessionKey: string,
    find: FindLine<Line> | undefined,
    limits: RunLimits,
    thread?: number,
  ): Promise<Outcome | LinePrinted<Line>> {
    const since = epochsOf(this.model.state);
    return await outcomeOf(
      this.waits.arm(
        orPrinted((state) => nextOutcome(state, sessionKey, since, thread), find),
        limits,
      ),
    );
  }

  /**
   * A session's current stop, or the next outcome in its tree. It is used by a caller that was reading a stop when the
   * program continued.
   */
  async present(stoppedKey: string, sessionKey: string, limits: RunLimits): Promise<Outcome> {
    const since = epochsOf(this.model.state);
    const find = (state: DebugState): Outcome | undefined => {
      const session = state.sessions.get(stoppedKey);
      const stopped = session === undefined ? undefined : stoppedNow(session);
      return stopped ?? nextOutcome(state, sessionKey, since);
    };
    return await outcomeOf(this.waits.arm(find, limits));
  }

  /** Prepares a launch. Nothing is started before `Launching.run`. */
  launching(plan: LaunchPlan): Launching {
    const { model, host, waits, processes } = this;
    return new Launching({ model, host, waits, processes }, plan);
  }

  /**
   * Ends a session and all of its descendants. A launched program is terminated. An attached program is detached. If an
   * agent has started the program, no process of it is left: those that outlive their sessions, or a grace time, are
   * ended.
   * @returns whether the session has ended; false if the debugger takes longer than 10 seconds
   * @throws DebuggerError `busy`, `adapterRefused`
   */
  async end(root: SessionState, signal: AbortSignal, lease?: Lease): Promise<boolean> {
    this.leases.check(root, lease);
    const isEnded = (state: DebugState): true | undefined =>
      isOver(state, state.sessions.get(root.key) ?? root) || undefined;
    const ended = this.model.wait(isEnded, { timeoutMs: END_LIMIT_MS, signal });
    const inGraceTime = this.model.wait(isEnded, { timeoutMs: END_GRACE_MS, signal });
    const detach = root.configuration['request'] === 'attach';
    // A child may outlive its parent, so the topmost live sessions are ended.
    const live = treeOf(this.model.state, root).filter(
      (session) => session.lifecycle !== 'terminated',
    );
    const topmost = live.filter(
      (session) => !live.some((other) => other.key === session.parentKey),
    );
    // The program is ending, so the holder no longer needs exclusive access.
    lease?.dispose();
    Promise.all(topmost.map((session) => this.host.stop(session.key, { detach }))).catch(
      (error: unknown) => {
        inGraceTime.abandon();
        ended.fail(adapterRefused(root, 'disconnect', error));
      },
    );
    const mark = detach ? undefined : textOf(root.configuration[LAUNCH_MARK]);
    const first = await inGraceTime.settled;
    if (mark !== undefined && first.kind !== 'cancelled' && isOnlyOfLaunch(this.model.state, root))
      await endProcesses(this.processes, mark);
    return (await ended.settled).kind === 'found';
  }

  /**
   * Ends a launch: its sessions and, if these do not end in a grace time, its processes. It is for calls whose question
   * promises that the program is ended.
   * @param isOverdue whether its time limit is over. Then no process may be left, even if the sessions end.
   */
  async endLaunch(launching: Launching, isOverdue: boolean, lease?: Lease): Promise<void> {
    const { signal } = new AbortController();
    launching.endLate((root) => this.end(root, signal));
    const live = launching.roots().filter((root) => !isOver(this.model.state, root));
    const ends = Promise.all(live.map((root) => this.end(root, signal, lease).catch(() => false)));
    const inGraceTime = async (): Promise<boolean> =>
      await unlessAborted(
        ends.then((ended) => ended.every((each) => each)),
        AbortSignal.timeout(GRACE_MS),
        () => false,
      );
    if ((await inGraceTime()) && !isOverdue) return;
    await launching.endProcesses();
    // The adapters see the end of their programs.
    await inGraceTime();
  }

  /** Ends several sessions one after another. @throws DebuggerError `busy`, `adapterRefused`, `notEnded` */
  async endAll(sessions: readonly SessionState[], signal: AbortSignal): Promise<void> {
    for (const session of sessions) {
      if (await this.end(session, signal)) continue;
      throw new DebuggerError({ kind: 'notEnded', session });
    }
  }

  /** Waits up to 2 seconds until the shell of a tree's terminal has reported the exit code, if a shell reports it. */
  async exitReported(rootKey: string, signal: AbortSignal): Promise<void> {
    const isReported = (state: DebugState): true | undefined => {
      const root = state.sessions.get(rootKey);
      const members = root === undefined ? [] : treeOf(state, root);
      const isAwaited =
        members.some((session) => session.terminal === 'read') &&
        !members.some(
          (session) => hasExited(session) || session.endRequested || isFailure(session.end),
        );
      return isAwaited ? undefined : true;
    };
    await this.model.wait(isReported, { timeoutMs: SHELL_LIMIT_MS, signal }).settled;
  }

  /**
   * Reserves the stop for one call: until the returned function is called, no other call can resume the program from
   * it. Two concurrent calls would move the program one stop further than either of them requested.
   */
  private beginResume(session: SessionState, stopId: number): () => void {
    const key = `${session.key}/${stopId}`;
    if (this.resuming.has(key)) throw new DebuggerError({ kind: 'resumedMeanwhile', session });
    this.resuming.add(key);
    return () => void this.resuming.delete(key);
  }

  private async resume(session: SessionState, thread: number, command: MoveCommand): Promise<void> {
    const before = session.epochOf.resume;
    const failed = await this.host.move(session.key, thread, command).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const now = this.model.state.sessions.get(session.key);
    if (now === undefined) {
      if (failed !== undefined) throw adapterRefused(session, command, failed);
      return;
    }
    // VS Code's command does nothing if its own list of threads is outdated. Then the request is sent from here.
    if (now.epochOf.resume === before && now.lifecycle === 'stopped') {
      await this.host
        .request(session.key, command, { threadId: thread })
        .catch((error: unknown) => {
          throw adapterRefused(session, command, error);
        });
      return;
    }
    if (now.resume?.outcome === 'failed')
      throw adapterRefused(session, command, now.resume.message ?? failed ?? '');
  }
}

/** Whether no other program of the launch, a compound, is live. They have the same mark. */
function isOnlyOfLaunch(state: DebugState, root: SessionState): boolean {
  return ![...state.sessions.values()].some(
    (other) =>
      other.key !== root.key &&
      other.parentKey === undefined &&
      other.configuration[LAUNCH_MARK] === root.configuration[LAUNCH_MARK] &&
      !isOver(state, other),
  );
}
