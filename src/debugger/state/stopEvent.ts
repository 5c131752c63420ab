import { adapterOf } from '../adapters/registry';
import { flagOf, listOf, numberOf, wholeOf, type Fields } from '../protocol';
import type { SessionState, StopState } from './state';
import { keptText, MAX_OF_A_TEXT } from '../texts';

/** The maximum length of a stop's reason. A reason is one or two words, and results show it in full. */
const MAX_OF_A_REASON = 200;

/** The stop that an adapter reports. The session's current epoch began with this stop. DAP event `stopped`. */
export function stopFrom(session: SessionState, body: Fields, at: number): StopState {
  const description = keptText(body['description']);
  const reason = keptText(body['reason'], MAX_OF_A_REASON) ?? 'unknown';
  const isPaused = isPause(session, reason, description);
  return {
    id: session.stopCount + 1,
    epoch: session.epoch,
    at,
    reason: isPaused ? 'pause' : reason,
    description,
    text: keptText(body['text'], MAX_OF_A_TEXT),
    threadId: wholeOf(body['threadId']),
    allThreadsStopped: flagOf(body['allThreadsStopped']),
    hitBreakpointIds: Array.isArray(body['hitBreakpointIds'])
      ? listOf(body['hitBreakpointIds']).flatMap((id) => numberOf(id) ?? [])
      : undefined,
    ...(flagOf(body['preserveFocusHint']) === true && { preservesFocus: true }),
    ...((isPaused || reason === 'pause') && session.pauseGivenUp === true && { isGivenUp: true }),
  };
}

/**
 * Whether a stop is the requested pause, although the adapter may report another reason. js-debug may pause in Node's
 * own code and then step to the person's code. That is a step that nobody requested.
 */
function isPause(
  { type, pauseRequested, resume }: SessionState,
  reason: string,
  description: string | undefined,
): boolean {
  if (!pauseRequested) return false;
  const { isPause: adapterIsPause } = adapterOf(type);
  if (adapterIsPause !== undefined) return adapterIsPause({ reason, description });
  return reason === 'step' && (resume === undefined || resume.command === 'continue');
}
