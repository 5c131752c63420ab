import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import { cutText } from '../../debugger/texts';
import type { ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import { verdictOf } from '../report/verdict';
import { PRINTED } from './runTest';

/** The maximum length of a reason. */
const MAX_OF_A_REASON = 300;

/**
 * Why a test did not run, although its runner has ended: the error of the runner, such as a wrong option or a file that
 * does not load. Undefined if the test ran, or if the run does not tell.
 */
export async function whyNotRun(
  { scratch, model }: Pick<ToolServices, 'scratch' | 'model'>,
  plan: TestPlan,
  sessions: readonly SessionState[],
): Promise<string | undefined> {
  const { framework, test, folder } = plan;
  if (framework.startsByEditor === true) return undefined;
  const output = sessions
    .flatMap((session) => model.output(session).read({ since: 0 }).filter(isPrinted(session)))
    .sort((left, right) => left.order - right.order)
    .map(({ text }) => text);
  const report = await scratch.read(plan.scratch.name, plan.scratch.report);
  const read = framework.readOutcome(report, output, test, folder, undefined);
  const { outcome, test: ran, error } = verdictOf(read, plan);
  if (ran !== undefined || read.tests.length > 0) return undefined;
  if (error !== undefined && error.isExit !== true)
    return cutText([error.type, error.message].filter(Boolean).join(': '), MAX_OF_A_REASON);
  return outcome === 'not_found' && read.collected !== undefined
    ? l10n.t('Its runner found no such test.')
    : undefined;
}

function isPrinted({ type }: SessionState) {
  const { runtimeOutput } = adapterOf(type);
  return ({ category, text }: { readonly category: string; readonly text: string }): boolean =>
    PRINTED.has(category) && runtimeOutput?.test(text) !== true;
}
