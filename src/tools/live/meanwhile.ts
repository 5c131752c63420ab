import * as l10n from '@vscode/l10n';
import { epochsOf } from '../../control/nextOutcome';
import { Superseded } from '../../debugger/inspection/stopRequests';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import { reportEnd } from '../reports/endReport';
import type { RunResult } from '../schemas';
import type { Call, ToolServices } from '../services';

/** The time that a debugger may take to end its session after it has announced that, in milliseconds. */
const END_LIMIT_MS = 5000;

/**
 * Explains a program that may end or go on meanwhile. Then that is the result, not the request that failed for it.
 * @throws Failure `stale_reference` if it goes on
 */
export async function unlessItMoves<T>(
  services: ToolServices,
  session: SessionState,
  call: Call,
  explain: () => Promise<T>,
): Promise<T | RunResult> {
  try {
    return await explain();
  } catch (error) {
    if (call.signal.aborted) throw error;
    const { control, model } = services;
    if (isEnding(services, session)) {
      const limits = { deadline: performance.now() + END_LIMIT_MS, signal: call.signal };
      const outcome = await control.next(session.key, limits, epochsOf(model.state));
      if (outcome.kind === 'ended') return await reportEnd(services, call, outcome.rootKey);
    }
    if (!(error instanceof Superseded)) throw error;
    throw new Failure(
      'stale_reference',
      l10n.t('The program resumed while its state was being read.'),
      'So it does not hang, or somebody let it go on. If it still does nothing, call explain_hang again.',
      { session_id: session.id },
    );
  }
}

/** Whether a session has ended or is about to. */
export function isEnding({ model }: ToolServices, { key }: SessionState): boolean {
  const lifecycle = model.state.sessions.get(key)?.lifecycle ?? 'terminated';
  return lifecycle === 'terminating' || lifecycle === 'terminated';
}
