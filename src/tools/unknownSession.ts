import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import { ENDED_SESSIONS_KEPT, isForgotten } from '../debugger/state/retention';
import type { DebugState } from '../debugger/state/state';

/**
 * Returns the error for an id that names no session. The session has been removed from the history, or never existed.
 */
export function unknownSession(
  state: DebugState,
  id: string,
  hint: string,
  data: Readonly<Record<string, unknown>> = {},
): Failure {
  return isForgotten(state, id)
    ? new Failure(
        'session_ended',
        l10n.t(
          'The debug session {0} has ended and is no longer kept, nor is its output: only the newest {1} ended sessions are kept.',
          id,
          ENDED_SESSIONS_KEPT,
        ),
        'Call start_debugging to run it again.',
        data,
      )
    : new Failure('session_not_found', l10n.t('There is no debug session {0}.', id), hint, data);
}
