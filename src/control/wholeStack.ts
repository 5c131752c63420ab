import { adapterOf } from '../debugger/adapters/registry';
import type { DebugModel } from '../debugger/state/debugModel';
import type { SessionState } from '../debugger/state/state';
import { unlessAborted } from '../util/unlessAborted';
import { timeLimit } from '../util/timeLimit';

/**
 * The time that VS Code may take to request the call stack after a stop, in milliseconds. It requests it after 420 ms.
 */
const REQUEST_LIMIT_MS = 1000;

/** The part of the call stack that VS Code requests 420 ms after a stop (`refreshTopOfCallstack`, VS Code 1.139). */
const REST_OF_STACK = { startFrame: 1, levels: 19 };

/**
 * Waits until VS Code has requested the rest of the call stack of a stopped thread, if the adapter hangs when that
 * request arrives while the program runs. A caller that resumes the thread soon after a stop waits here first.
 */
export async function restOfStackRequested(
  model: DebugModel,
  { key, type, capabilities, threads }: SessionState,
  threadId: number,
  signal: AbortSignal,
): Promise<void> {
  if (adapterOf(type).hangsOnStackWhileRunning !== true) return;
  if (capabilities.supportsDelayedStackTraceLoading !== true) return;
  const stoppedAt = threads.get(threadId)?.stop?.at ?? 0;
  const left = Math.min(REQUEST_LIMIT_MS, stoppedAt + REQUEST_LIMIT_MS - Date.now());
  if (left <= 0) return;
  const args = { threadId, ...REST_OF_STACK };
  if (model.answers.cached(key, 'stackTrace', args) !== undefined) return;
  let stop: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    stop = model.answers.listen(key, 'stackTrace', args, () => resolve());
  });
  const limit = AbortSignal.any([signal, timeLimit(left)]);
  await unlessAborted(answered, limit, () => undefined);
  stop();
}
