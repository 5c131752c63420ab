import { adapterRefused, DebuggerError, notStopped } from '../debugger/debuggerError';
import type { DebugHost, MoveCommand } from '../debugger/host';
import type { DebugModel } from '../debugger/state/debugModel';
import { hasExited } from '../debugger/state/sessionEnd';
import {
  isFailure,
  isOver,
  treeOf,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import { Launching, type LaunchPlan } from './launching';
import type { Lease, Leases } from './leases';
import { epochsOf, nextOutcome, stoppedNow, type Epochs } from './nextOutcome';
import type { Outcome, LinePrinted, RunLimits } from './outcome';
import type { TemporaryBreakpoints } from './temporaryBreakpoints';
import { unlessAborted } from '../util/unlessAborted';
import { outcomeOf, orPrinted, type FindLine, type Waits } from './waits';

/** How long a debugger may take to end its program. */
const END_LIMIT_MS = 10_000;

/** How long the shell of a terminal may take to report how its command ended, after the debugger has reported its end. */
const SHELL_LIMIT_MS = 2000;

export interface MoveOptions extends RunLimits {
  /** The lease under which the caller moves the program. */
  readonly lease?: Lease | undefined;
}

/**
 * Starts, moves, pauses and ends programs, and waits for what happens next. Every wait is armed before the request that
 * it belongs to is sent. It returns facts (`Outcome`) and asks for nothing that the caller has not asked for.
 */
export class RunControl {
  /** From which stops calls are resuming the program whose adapter has not answered yet. */
  private readonly resuming = new Set<string>();

  constructor(
    readonly model: DebugModel,
    readonly host: DebugHost,
    private readonly waits: Waits,
    readonly leases: Leases,
    readonly temporary: TemporaryBreakpoints,
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
   * Resumes a stopped thread and waits only for the request: the program is to run on.
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

  /** Asks a thread to pause and waits for the stop. @throws DebuggerError `busy`, `adapterRefused` */
  async pause(session: SessionState, thread: number, options: MoveOptions): Promise<Outcome> {
    this.leases.check(session, options.lease);
    const since = epochsOf(this.model.state);
    const wait = this.waits.arm((state) => nextOutcome(state, session.key, since), options);
    options.lease?.announce();
    this.host.request(session.key, 'pause', { threadId: thread }).catch((error: unknown) => {
      options.lease?.retract();
      wait.fail(adapterRefused(session, 'pause', error));
    });
    return await outcomeOf(wait);
  }

  /**
   * Moves a stopped thread by a request that VS Code has no command for (`goto`, `restartFrame`), and waits for the stop
   * that follows or the end.
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

  /** Arms the wait, sends what resumes the thread, and waits. */
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
    // A stop may come before the request is answered, and an adapter may never answer: only a refusal ends the wait.
    send().then(answered, (error: unknown) => {
      options.lease?.retract();
      wait.fail(error);
    });
    return await outcomeOf(wait).finally(answered);
  }

  /**
   * Has the adapter of a session start its program anew, and waits for its first stop or its end.
   * @param root its adapter has to be capable of it (DAP `supportsRestartRequest`)
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

  /** Waits for a stop newer than `since`, or the end. Moves nothing. */
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

  /** The same, ended also by a printed line. @throws whatever `find` throws */
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

  /** What stops the session now, or what happens next in its tree: for a caller whose stop was left while it was read. */
  async present(stoppedKey: string, sessionKey: string, limits: RunLimits): Promise<Outcome> {
    const since = epochsOf(this.model.state);
    const find = (state: DebugState): Outcome | undefined => {
      const session = state.sessions.get(stoppedKey);
      const stopped = session === undefined ? undefined : stoppedNow(session);
      return stopped ?? nextOutcome(state, sessionKey, since);
    };
    return await outcomeOf(this.waits.arm(find, limits));
  }

  /** Prepares a launch: nothing is started before `Launching.run`. */
  launching(plan: LaunchPlan): Launching {
    return new Launching({ model: this.model, host: this.host, waits: this.waits }, plan);
  }

  /**
   * Ends a session and all below it: a launched program is ended, an attached one is detached from.
   * @returns whether it has ended; false where the debugger takes longer than 10 seconds
   * @throws DebuggerError `busy`, `adapterRefused`
   */
  async end(root: SessionState, signal: AbortSignal, lease?: Lease): Promise<boolean> {
    this.leases.check(root, lease);
    const ended = this.model.wait(
      (state) => isOver(state, state.sessions.get(root.key) ?? root) || undefined,
      { timeoutMs: END_LIMIT_MS, signal },
    );
    const detach = root.configuration['request'] === 'attach';
    // A child may outlive its parent: what is ended are the topmost that live.
    const live = treeOf(this.model.state, root).filter(
      (session) => session.lifecycle !== 'terminated',
    );
    const topmost = live.filter(
      (session) => !live.some((other) => other.key === session.parentKey),
    );
    // What follows moves nothing that would have to be kept for the holder.
    lease?.dispose();
    Promise.all(topmost.map((session) => this.host.stop(session.key, { detach }))).catch(
      (error: unknown) => ended.fail(adapterRefused(root, 'disconnect', error)),
    );
    return (await ended.settled).kind === 'found';
  }

  /** Ends several, one after the other. @throws DebuggerError `busy`, `adapterRefused`, `notEnded` */
  async endAll(sessions: readonly SessionState[], signal: AbortSignal): Promise<void> {
    for (const session of sessions) {
      if (await this.end(session, signal)) continue;
      throw new DebuggerError({ kind: 'notEnded', session });
    }
  }

  /** Waits until the shell of a tree's terminal has reported the exit code, where one reports it: up to 2 seconds. */
  async exitReported(rootKey: string, signal: AbortSignal): Promise<void> {
    const isReported = (state: DebugState): true | undefined => {
      const root = state.sessions.get(rootKey);
      const members = root === undefined ? [] : treeOf(state, root);
      const isAwaited =
        members.some((session) => session.terminal === 'read') &&
        !members.some(
          (session) => hasExited(session) || session.endAsked || isFailure(session.end),
        );
      return isAwaited ? undefined : true;
    };
    await this.model.wait(isReported, { timeoutMs: SHELL_LIMIT_MS, signal }).settled;
  }

  /**
   * Until the returned function is called, no other call resumes the program from this stop: two that came at once would
   * take it one stop further than either asked for.
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
    // VS Code's command does nothing when its own list of threads lags behind: then the request is ours to send.
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
