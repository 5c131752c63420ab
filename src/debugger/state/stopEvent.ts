import { adapterOf } from '../adapters/registry';
import { flagOf, listOf, numberOf, wholeOf, type Fields } from '../protocol';
import type { SessionState, StopState } from './state';
import { keptText, MOST_OF_A_TEXT } from '../texts';

/** A reason is a word or two; results tell it whole. */
const MOST_OF_A_REASON = 200;

/** What an adapter says of a stop, with which the session's present epoch began. DAP event `stopped`. */
export function stopFrom(session: SessionState, body: Fields, at: number): StopState {
  const description = keptText(body['description']);
  const reason = keptText(body['reason'], MOST_OF_A_REASON) ?? 'unknown';
  return {
    id: session.stopCount + 1,
    epoch: session.epoch,
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
 * An adapter may pause where it should not and step on to the person's code (js-debug, out of Node's own): a step that
 * nobody has asked for.
 */
function isPause(
  { type, pauseAsked, resume }: SessionState,
  reason: string,
  description: string | undefined,
): boolean {
  if (!pauseAsked) return false;
  const { isPause: isAdaptersPause } = adapterOf(type);
  if (isAdaptersPause !== undefined) return isAdaptersPause({ reason, description });
  return reason === 'step' && (resume === undefined || resume.command === 'continue');
}
