import type { BoundedRun } from '../../../control/boundedRun';
import { stoppedNow } from '../../../control/nextOutcome';
import type { Stopped } from '../../../control/outcome';
import { DebuggerError } from '../../../debugger/debuggerError';
import { threadOfStop, type SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { EntryMark } from './entryMark';

/**
 * The processes of a program that stop at the entry of a traced function, though the call is awaited or traced in another
 * one: workers that serve requests at the same time. None of them stays there.
 */
export class OtherProcesses {
  /** The adapters' ids of the breakpoint, by session, as they were when it was removed. */
  private readonly ids = new Map<string, readonly (number | undefined)[]>();

  constructor(
    private readonly services: Pick<ToolServices, 'control'>,
    private readonly run: BoundedRun,
    private readonly mark: EntryMark,
  ) {}

  /** Called before the breakpoint is removed. */
  note(): void {
    for (const session of this.run.sessions)
      if (!this.ids.has(session.key)) this.ids.set(session.key, this.idsIn(session));
  }

  /**
   * Lets a process go on whose stop has been read, if another one has stopped at the breakpoint in the meantime.
   * @returns the stop of the other one
   */
  async next(session: SessionState): Promise<Stopped | undefined> {
    const stopped = this.waiting(session).map(stoppedNow)[0];
    if (stopped !== undefined) await this.letGo(session);
    return stopped;
  }

  /** Waits until the breakpoint is gone from all processes, or until a time limit. All but one go on then. */
  async leave(session: SessionState | undefined, signal: AbortSignal): Promise<void> {
    await Promise.all(this.run.sessions.map(async (each) => await this.mark.isGone(each, signal)));
    if (this.run.lost !== undefined) return;
    for (const other of this.waiting(session)) await this.letGo(other);
  }

  private waiting(except: SessionState | undefined): readonly SessionState[] {
    return this.run.sessions.filter(
      (session) => session.key !== except?.key && this.isAtMark(session),
    );
  }

  /** Whether a session is stopped at the extension's own breakpoint, and at no other. */
  private isAtMark(session: SessionState): boolean {
    const hit = stoppedNow(session)?.stop.hitBreakpointIds ?? [];
    const ids = this.ids.get(session.key) ?? this.idsIn(session);
    return hit.length > 0 && hit.every((id) => ids.includes(id));
  }

  private idsIn(session: SessionState): readonly (number | undefined)[] {
    return this.mark.answers([session]).map(({ id }) => id);
  }

  /** Lets a process go on, unless the person has moved it in the meantime. */
  private async letGo(session: SessionState): Promise<void> {
    const thread = threadOfStop(session);
    if (thread === undefined) return;
    await this.services.control
      .letGo(session, thread, this.run.heldLease)
      .catch((error: unknown) => {
        if (!(error instanceof DebuggerError)) throw error;
      });
  }
}
