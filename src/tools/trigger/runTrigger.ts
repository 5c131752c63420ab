import type { BoundedRun } from '../../control/boundedRun';
import type { Trigger } from '../../control/triggers/triggers';
import type { SessionState } from '../../debugger/state/state';
import { timeLimit } from '../../util/timeLimit';
import { unlessAborted } from '../../util/unlessAborted';
import type { ToolServices } from '../services';
import {
  AFTER_ANSWER_MS,
  arm,
  checkNonePending,
  endsWait,
  isEnding,
  reportOnce,
} from './triggered';
import { isSetUp, isUp } from './ready';
import { readTrigger, type ReadTrigger, type TriggerInput } from './triggerInput';
import type { TriggerResult } from './triggerReport';

/**
 * The trigger of a call that follows a program for a while: a collection, or a trace. Its end also ends the run, unless
 * what the call waits for has begun.
 */
export class RunTrigger {
  private readonly over = new AbortController();
  private trigger: Trigger | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isReleased = false;

  private constructor(
    private readonly services: ToolServices,
    private readonly read: ReadTrigger | undefined,
    /** The session that the call acts on. Undefined if the call starts its program. */
    private readonly session: SessionState | undefined,
  ) {}

  /** Reads the trigger of a call. Nothing is sent. @throws Failure `invalid_input`, `trigger_pending` */
  static async prepare(
    services: ToolServices,
    input: TriggerInput | undefined,
    session: SessionState | undefined,
  ): Promise<RunTrigger> {
    const read = input === undefined ? undefined : await readTrigger(services, input);
    if (read !== undefined && session !== undefined) checkNonePending(services, session);
    return new RunTrigger(services, read, session);
  }

  /** The same trigger for a further run of a program that this run starts. Nothing is sent. */
  static again(services: ToolServices, read: ReadTrigger | undefined): RunTrigger {
    return new RunTrigger(services, read, undefined);
  }

  /** The trigger that the call was given. */
  get given(): ReadTrigger | undefined {
    return this.read;
  }

  /** Why a trigger that was given had no effect on the program, if that is known. */
  get failure(): string | undefined {
    const { end } = this.trigger ?? {};
    return end?.kind === 'failed' ? end.message : undefined;
  }

  get isGiven(): boolean {
    return this.read !== undefined;
  }

  /** Settles when the armed trigger is sent for the first time. At once without one. */
  get sent(): Promise<void> {
    return this.trigger?.sent ?? Promise.resolve();
  }

  /** Settles when the armed trigger has ended. At once without one. */
  get settled(): Promise<void> {
    return this.trigger?.settled ?? Promise.resolve();
  }

  /** Aborted when the trigger has ended, and nothing has followed that the call waits for. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Whether its end has ended the run. */
  get isOver(): boolean {
    return this.over.signal.aborted;
  }

  /**
   * Arms the trigger. It is sent when the program runs and its debugger has answered for all breakpoints. Without a
   * trigger, the one of an earlier call may end in this one.
   * @param hasBegun whether what the call waits for has begun, and is awaited without the trigger
   */
  arm(run: BoundedRun, hasBegun: () => Promise<boolean> = () => Promise.resolve(false)): void {
    const { services, read, session } = this;
    if (read === undefined) {
      if (session !== undefined) this.trigger = services.triggers.of(session);
      return;
    }
    const trigger = arm(services, session, {
      ...read,
      sessions: () => run.sessions,
      isReady: (state) => {
        const isRunning =
          session === undefined
            ? isUp(run.sessions, false)
            : state.sessions.get(session.key)?.lifecycle === 'running';
        return isRunning && isSetUp(run.sessions);
      },
    });
    this.trigger = trigger;
    void trigger.settled.then(() => {
      if (!endsWait(trigger) || this.isReleased) return;
      this.timer = setTimeout(() => void this.end(run, hasBegun), AFTER_ANSWER_MS);
    });
  }

  /** From now on, the end of the trigger does not end the run. */
  release(): void {
    this.isReleased = true;
    clearTimeout(this.timer);
  }

  /** Returns what became of the trigger, for the result of the call. It is not sent from now on. */
  async report(run: BoundedRun): Promise<{ readonly trigger?: TriggerResult }> {
    const { trigger, services } = this;
    this.release();
    if (trigger === undefined) return {};
    trigger.disarm();
    // After the end of the program, a request ends soon, or is aborted.
    if (trigger.state === 'pending' && run.state() === 'ended') await trigger.settled;
    // The program goes on, and its answer may be on the way.
    if (trigger.state === 'pending' && run.state() === 'running')
      await unlessAborted(trigger.settled, timeLimit(AFTER_ANSWER_MS), () => undefined);
    return { trigger: reportOnce(services, trigger) };
  }

  /** Ends the use of the trigger. One that is pending, or was not reported, stays for the next call. */
  dispose(): void {
    this.release();
    const { trigger } = this;
    trigger?.disarm();
    if (trigger?.state === 'notSent') this.services.triggers.forget(trigger);
  }

  private async end(run: BoundedRun, hasBegun: () => Promise<boolean>): Promise<void> {
    if (isEnding(this.services, run.sessions[0]) || (await hasBegun()) || this.isReleased) return;
    this.over.abort();
  }
}
