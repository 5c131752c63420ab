import { flagOf, listOf, numberOf, wholeOf, type Fields } from '../protocol';
import type { SessionState, StopState } from './state';
import { keptText, MOST_OF_A_TEXT } from '../texts';

/** A reason is a word or two; results tell it whole. */
const MOST_OF_A_REASON = 200;

/** What an adapter says of a stop. DAP event `stopped`. */
export function stopFrom(session: SessionState, body: Fields, at: number): StopState {
  const description = keptText(body['description']);
  const reason = keptText(body['reason'], MOST_OF_A_REASON) ?? 'unknown';
  return {
    id: session.stopCount + 1,
    at,
    reason: isPause(session, reason, description) ? 'pause' : reason,
    description,
    text: keptText(body['text'], MOST_OF_A_TEXT),
    threadId: wholeOf(body['threadId']),
    allThreadsStopped: flagOf(body['allThreadsStopped']),
    hitBreakpointIds: Array.isArray(body['hitBreakpointIds'])
      ? listOf(body['hitBreakpointIds']).flatMap((each) => numberOf(each) ?? [])
      : undefined,
  };
}

/**
 * lldb-dap pauses a program with a signal, and tells of that as of an exception; js-debug pauses in Node's own code and
 * steps on to the person's, and tells of that as of a step, which nobody has asked for.
 */
function isPause(
  { type, pauseAsked, resume }: SessionState,
  reason: string,
  description: string | undefined,
): boolean {
  if (!pauseAsked) return false;
  if (type === 'lldb-dap') return reason === 'exception' && description === 'signal SIGSTOP';
  return reason === 'step' && (resume === undefined || resume.command === 'continue');
}
