import * as l10n from '@vscode/l10n';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';

/** Returns the error of a call with a trigger while that of an earlier call has not ended. */
export function triggerPending({ id }: SessionState): Failure {
  return new Failure(
    'trigger_pending',
    l10n.t('The trigger of an earlier call has not ended in the session {0}.', id),
    'Let the program run with continue_debugging, without trigger, until it ends; or call stop_debugging, which aborts it. Nothing was sent or moved.',
  );
}
