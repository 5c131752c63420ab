import * as l10n from '@vscode/l10n';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import type { Call, ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import { interrupted, notStarted, type TestResult } from '../report/testResult';
import { endVerdict } from '../report/verdict';
import type { RunResults } from './runResults';
import { TestRun } from './runTest';

/** The names of filters for exceptions that leave the program, or the code of the person. */
const UNCAUGHT_FILTERS: readonly string[] = ['uncaught', 'unhandled', 'userUnhandled'];

/** Lets VS Code's testing UI run the test. Its sessions stop at exceptions that nothing catches. */
export async function runByEditor(
  services: ToolServices,
  call: Call,
  plan: TestPlan,
  runs: RunResults,
  deadline: number,
): Promise<TestResult> {
  call.progress?.(l10n.t('Running the test under the debugger'));
  const run = new TestRun(services, call, plan, {
    exceptions: { filters: UNCAUGHT_FILTERS, conditions: {} },
    functions: [],
    isFailure: ({ session }) => Promise.resolve(!hasOtherFilters(services, session)),
  });
  const end = await runs.start(run, deadline).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'start_cancelled' ? notStarted(plan) : error;
  });
  switch (end.kind) {
    case 'failure':
      return await runs.inspect(run, () => runs.atUnexpectedStop(run, end));
    case 'elsewhere':
      return await runs.atOtherStop(run, end);
    case 'timeout':
      return await runs.inspect(run, () => runs.atTimeout(run));
    case 'ended':
      return end.isAborted
        ? interrupted()
        : await runs.result(endVerdict(end.exitCode), end.output);
    default:
      return interrupted();
  }
}

/** Whether the person's exception filters may also stop a session at exceptions that are caught. */
function hasOtherFilters(services: ToolServices, session: SessionState): boolean {
  return services.exceptions
    .active(session)
    .some(({ filter }) => !UNCAUGHT_FILTERS.includes(filter));
}
