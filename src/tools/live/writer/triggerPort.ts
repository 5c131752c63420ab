import * as l10n from '@vscode/l10n';
import { accepts } from '../../../control/triggers/listeningPort';
import { portOf } from '../../../control/triggers/triggers';
import { Failure } from '../../../results/failure';
import { isLoopback, type ReadTrigger } from '../../trigger/triggerInput';

/**
 * A request to a port at which another process listens would not reach a further run. It is checked before the first one:
 * the ports of ended runs may take a moment to close.
 * @throws Failure `not_supported`
 */
export async function checkPort(
  trigger: ReadTrigger | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (trigger === undefined) return;
  const { request, afterPort } = trigger;
  const own = request.kind === 'http' && isLoopback(request.url) ? portOf(request.url) : undefined;
  const port = own ?? afterPort;
  if (port === undefined || !(await accepts(port, signal))) return;
  throw new Failure(
    'not_supported',
    l10n.t('Another process listens at port {0}, to which the trigger is sent.', port),
    'It may be the earlier run: end it with stop_debugging, and call again. Nothing was started.',
  );
}
