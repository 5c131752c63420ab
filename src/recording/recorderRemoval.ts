import { adapterOf } from '../debugger/adapters/registry';
import { FRAMES_OF_A_STOP } from '../debugger/inspection/framePage';
import { fields, listOf } from '../debugger/protocol';
import type { AdapterRequests } from '../debugger/requests';
import type { DebugModel } from '../debugger/state/debugModel';
import { threadOfStop, type SessionState } from '../debugger/state/state';
import { defined } from '../util/defined';
import { removal } from './recordingPlan';

/** The time that a program may take to remove the recorder, in milliseconds. */
const REMOVAL_LIMIT_MS = 2000;

/** Removes recorders from programs when a recording ends. */
export class RecorderRemoval {
  constructor(
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
    /** The recorder's name in the program. */
    private readonly name: string,
  ) {}

  /**
   * Removes the recorder from a program. A Python program has to be stopped for that.
   * @param restored settles when no breakpoint in the program uses the recorder any more
   */
  async removeFrom(session: SessionState, restored: Promise<void>): Promise<void> {
    const signal = AbortSignal.timeout(REMOVAL_LIMIT_MS);
    const { evaluatesWhileRunning, recorder } = adapterOf(session.type);
    // A stopped JavaScript program runs no other code, so no condition is evaluated before it continues.
    const isIdle = recorder === 'javascript' && threadOfStop(session) !== undefined;
    try {
      const [frameId] = await Promise.all([
        this.topFrame(session, signal),
        isIdle ? undefined : restored,
      ]);
      if (frameId === undefined && evaluatesWhileRunning !== true) return;
      const expression = removal(session, this.name);
      const args = defined({ expression, context: 'repl', frameId });
      await this.requests.sendUnique(session, 'evaluate', args, signal);
    } catch {
      // The session has ended or does not answer. Its recorder is no longer active.
    }
  }

  private async topFrame(session: SessionState, signal: AbortSignal): Promise<number | undefined> {
    const threadId = threadOfStop(session);
    if (threadId === undefined) return undefined;
    const args = { threadId, startFrame: 0, levels: FRAMES_OF_A_STOP };
    const body =
      this.model.answers.cached(session.key, 'stackTrace', args) ??
      (await this.requests.read(session, 'stackTrace', { threadId, levels: 1 }, signal));
    const { id } = fields(listOf(body['stackFrames'])[0]);
    return typeof id === 'number' ? id : undefined;
  }
}
