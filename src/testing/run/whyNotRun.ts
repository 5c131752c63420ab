import * as l10n from '@vscode/l10n';
import type { SessionState } from '../../debugger/state/state';
import { cutText } from '../../debugger/texts';
import type { ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import { verdictOf } from '../report/verdict';
import { printedBy, reportOfRun } from './runOutput';

/** The maximum length of a reason. */
const MAX_OF_A_REASON = 300;

/**
 * Why a test did not run, although its runner has ended: the error of the runner, such as a wrong option or a file that
 * does not load. Undefined if the test ran, or if the run does not tell.
 */
export async function whyNotRun(
  services: Pick<ToolServices, 'scratch' | 'model'>,
  plan: TestPlan,
  sessions: readonly SessionState[],
): Promise<string | undefined> {
  if (plan.framework.startsByEditor === true) return undefined;
  const report = await reportOfRun(services, plan, printedBy(services, sessions));
  if (report.tests.length > 0) return undefined;
  const { outcome, error } = verdictOf(report, plan);
  if (error !== undefined && error.isExit !== true)
    return cutText([error.type, error.message].filter(Boolean).join(': '), MAX_OF_A_REASON);
  return outcome === 'not_found' && report.collected !== undefined
    ? l10n.t('Its runner found no such test.')
    : undefined;
}
