import type { RunStep } from '../../../control/boundedRun';
import type { CallRecorder } from '../../../recording/callRecorder';
import { timeLimit } from '../../../util/timeLimit';

/** The time that the program may take to leave the call after a limit has been reached, in milliseconds. */
export const LEAVE_MS = 5000;

/**
 * Makes a move of a recorded call. If the recorder gets full meanwhile, the move ends `LEAVE_MS` later, as at its
 * deadline: a recorder that cannot stop the program would let it run on in the call until then.
 * @param move makes the move. Its signal ends the wait. The program goes on
 */
export async function untilFull(
  recorder: Pick<CallRecorder, 'isFull' | 'onHits'>,
  move: (until: AbortSignal) => Promise<RunStep>,
): Promise<RunStep> {
  const enough = new AbortController();
  let limit: AbortSignal | undefined;
  const look = (): void => {
    if (!recorder.isFull || limit !== undefined) return;
    limit = timeLimit(LEAVE_MS);
    limit.addEventListener('abort', () => enough.abort(), { once: true });
  };
  const subscription = recorder.onHits(look);
  try {
    look();
    const step = await move(enough.signal);
    return step.kind === 'cancelled' && enough.signal.aborted ? { kind: 'timeout' } : step;
  } finally {
    subscription.dispose();
  }
}
