import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import { defineTool } from '../defineTool';
import { launchItems } from '../launch/launchQuestion';
import { checkTypes } from '../launch/planChecks';
import { oneLine, plain, wholeCode, type Question } from '../question';
import { resultSchema, stopEventData } from '../schemas';
import { Interrupted } from '../../debugger/requests';
import type { Call, ToolServices } from '../services';
import { availableTests, nameOf } from '../../testing/chooseTest';
import { buildLines, builtTest, planTest, testInput, type TestPlan } from '../../testing/planTest';
import { withTestFiles } from '../../testing/scratchOfRun';
import { examine } from '../../testing/run/examineTest';
import { notBuilt, type TestResult } from '../../testing/report/testResult';
import { timeLimit } from '../../util/timeLimit';

const MOST_SECONDS = 300;

const input = testInput.extend({
  on_failure: z.enum(['report', 'stay']).default('report').describe('stay: remain stopped there.'),
  timeout_seconds: z.number().min(1).max(MOST_SECONDS).default(60),
});

export type DebugTestInput = z.output<typeof input>;

export const debugTest = defineTool({
  name: 'debug_test',
  set: 'trace',
  effect: 'control',
  title: 'Debug Test',
  userDescription: 'Runs one test, and shows where and why it fails',
  modelDescription:
    'Run one test; returns why it fails: message, expected and actual, and own frames with variables from the failure to the test.',
  icon: 'beaker',
  input,
  output: resultSchema(['completed', 'stopped', 'timeout'], {
    outcome: z.string().optional(),
    stop_event_data: stopEventData.optional(),
  }),
  evidence: true,
  needs: 'nothing',
  doing: ({ test_name: name, file_path: file }) =>
    l10n.t('Debugging the test {0}', oneLine(name ?? path.basename(file))),
  question: async ({ input: request, services }) => {
    const plan = await planTest(services, request);
    checkTypes(services, plan.start);
    return await questionOf(services, plan, request);
  },
  run: async ({ input: request, services, call }) => {
    const plan = await planTest(services, request);
    checkTypes(services, plan.start);
    const result = await withTestFiles(services, plan, () =>
      buildAndExamine(services, call, plan, request),
    );
    if (result.outcome === 'not_found') throw notRun(plan);
    return result;
  },
});

/** Builds the test if necessary, and runs it. Both happen within the time limit of the call. */
async function buildAndExamine(
  services: ToolServices,
  call: Call,
  plan: TestPlan,
  request: DebugTestInput,
): Promise<TestResult> {
  const began = performance.now();
  if (plan.build !== undefined) call.progress?.(l10n.t('Building the test'));
  const limit = timeLimit(Math.ceil(request.timeout_seconds * 1000));
  let ready: TestPlan;
  try {
    ready = await builtTest(plan, AbortSignal.any([call.signal, limit]));
  } catch (error) {
    if (error instanceof Failure && error.code === 'build_failed') return notBuilt(plan, error);
    if (error instanceof Interrupted && !call.signal.aborted) throw buildTooLong();
    throw error;
  }
  const seconds = request.timeout_seconds - (performance.now() - began) / 1000;
  return await examine(services, call, ready, {
    ...request,
    timeout_seconds: Math.max(1, seconds),
  });
}

function buildTooLong(): Failure {
  return new Failure(
    'build_failed',
    l10n.t('The test was not built in time.'),
    'Call again with a longer timeout_seconds. Completed parts of the build are kept.',
  );
}

async function questionOf(
  services: ToolServices,
  plan: TestPlan,
  { on_failure: onFailure, timeout_seconds: seconds }: DebugTestInput,
): Promise<Question> {
  const isByEditor = plan.framework.startsByEditor === true;
  const lines = [
    ...buildLines(plan),
    ...(isByEditor ? editorLines() : await launchItems(services, plan.start)),
    ...(isByEditor
      ? []
      : [l10n.t('A reporter in a private temporary folder records the result of the test')]),
    onFailure === 'stay'
      ? l10n.t('At most {0} seconds; if the test fails, the program stays stopped there', seconds)
      : l10n.t('At most {0} seconds; then the program is ended', seconds),
  ];
  const headline = isByEditor
    ? editorHeadline(plan)
    : l10n.t(
        'Run the test {0} of {1} with {2}, and again under the debugger if it fails',
        `**${plain(nameOf(plan.test))}**`,
        `*${plain(path.basename(plan.file))}*`,
        plain(plan.framework.title),
      );
  return {
    title: l10n.t('Debug test'),
    message: [headline, ...lines.map((line) => `- ${line}`)].join('\n'),
  };
}

function editorHeadline({ test, file }: TestPlan): string {
  return l10n.t(
    'Let VS Code debug the test at line {0} of {1}: {2}',
    test.line ?? 1,
    `*${plain(path.basename(file))}*`,
    wholeCode(nameOf(test)),
  );
}

function editorLines(): readonly string[] {
  return [
    l10n.t(
      'The extension that shows this test in VS Code decides how it is started, as with “Debug Test at Cursor”',
    ),
    l10n.t('The file is shown in an editor until the test has started'),
  ];
}

/** Returns the failure for a runner that ran, but found no test with that name. */
function notRun(plan: TestPlan): Failure {
  return new Failure(
    'test_not_found',
    l10n.t('{0} ran no test {1}.', plan.framework.title, nameOf(plan.test)),
    'Pass the full name as its runner prints it, or line. The configuration of the project may leave the file out.',
    {
      outcome: 'not_found',
      ...availableTests(
        plan.listed.filter(({ kind }) => kind === 'test'),
        nameOf(plan.test),
      ),
    },
  );
}
