import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import { listed } from '../../results/listing';
import { defineTool } from '../defineTool';
import { launchItems } from '../launch/launchQuestion';
import { checkTypes } from '../launch/planChecks';
import { oneLine, plain, wholeCode, type Question } from '../question';
import { filePath, resultSchema, stopEventData } from '../schemas';
import { Interrupted } from '../../debugger/requests';
import type { Call, ToolServices } from '../services';
import { availableTests, collectedTests, nameOf } from '../../testing/chooseTest';
import { planCounted } from '../../testing/lines/runLines';
import { neighborsOf, suspectsOf } from '../../testing/lines/suspects';
import { buildLines, builtTest, planTest, testInput, type TestPlan } from '../../testing/planTest';
import { withTestFiles } from '../../testing/scratchOfRun';
import { examine } from '../../testing/run/examineTest';
import { textsOf } from '../../testing/report/readReport';
import { notBuilt, stillBuilding, type TestResult } from '../../testing/report/testResult';
import { timeLimit } from '../../util/timeLimit';

const MAX_SECONDS = 300;
const MAX_RUNS = 100;

const input = testInput.extend({
  on_failure: z.enum(['report', 'stay']).default('report').describe('stay: remain stopped there.'),
  timeout_seconds: z.number().min(1).max(MAX_SECONDS).default(60),
  env: z.record(z.string(), z.string()).optional(),
  cwd: filePath.optional(),
  configuration_name: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Launch configuration whose env and interpreter it takes over.'),
  repeat: z.int().min(1).max(MAX_RUNS).default(1).describe('Runs, until it fails.'),
  suspects: z.boolean().default(false).describe('Adds lines that passing tests did not run.'),
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
    const neighbors = request.suspects ? await neighborsToRun(services, request) : [];
    return await questionOf(services, plan, request, neighbors);
  },
  run: async ({ input: request, services, call }) => {
    const plan = await planTest(services, request);
    checkTypes(services, plan.start);
    if (request.suspects) await planCounted(services, request);
    const began = performance.now();
    const result = await untilFailure(request, (seconds, started) =>
      withTestFiles(services, plan, () =>
        buildAndExamine(services, call, plan, { ...request, timeout_seconds: seconds }, started),
      ),
    );
    if (result.outcome === 'not_found') throw notRun(plan, textsOf(result['collected']));
    const isBad = result.outcome === 'failed' || result.outcome === 'errored';
    if (!request.suspects || !isBad || result.status !== 'completed') return result;
    const left = call.maxWaitSeconds - (performance.now() - began + ANSWER_MS) / 1000;
    const seconds = Math.min(request.timeout_seconds, left);
    return { ...result, ...(await suspectsOf(services, call, request, plan, seconds)) };
  },
});

/**
 * Runs the test until it does not pass, at most as often as the call says. All runs share the time limit, which does not
 * count the first build.
 * @param run runs the test once, for at most so many seconds. It calls `started` when the test itself starts.
 */
async function untilFailure(
  { repeat, timeout_seconds: seconds }: DebugTestInput,
  run: (seconds: number, started: () => void) => Promise<TestResult>,
): Promise<TestResult> {
  let began = performance.now();
  let result = await run(seconds, () => (began = performance.now()));
  let runs = 1;
  for (; runs < repeat && result.outcome === 'passed'; runs += 1) {
    const left = seconds - (performance.now() - began) / 1000;
    if (left < 1) return { ...result, runs, ended_by: 'max_seconds' };
    result = await run(left, () => undefined);
  }
  return repeat > 1 ? { ...result, runs } : result;
}

/** The time that remains of a call after its build, so that it can still answer. */
const ANSWER_MS = 2000;
/** After a longer build, a test that has less time left than it may take is run by the next call. */
const LONG_BUILD_SECONDS = 5;
const MIN_SECONDS = 15;

/**
 * Builds the test if necessary, and runs it. The time limit counts from the start of the test. A build that takes longer
 * than a call goes on, and the next call waits for it.
 */
async function buildAndExamine(
  services: ToolServices,
  call: Call,
  plan: TestPlan,
  request: DebugTestInput,
  started: () => void,
): Promise<TestResult> {
  const began = performance.now();
  const isBuilt = plan.build !== undefined;
  if (isBuilt) call.progress?.(l10n.t('Building the test'));
  const limit = timeLimit(Math.max(1000, call.maxWaitSeconds * 1000 - ANSWER_MS));
  let ready: TestPlan;
  try {
    ready = await builtTest(plan, AbortSignal.any([call.signal, limit]), call.progress);
  } catch (error) {
    if (error instanceof Failure && error.code === 'build_failed') return notBuilt(plan, error);
    if (error instanceof Interrupted && !call.signal.aborted) return stillBuilding(plan, false);
    throw error;
  }
  const seconds = (performance.now() - began) / 1000;
  const left = Math.max(1, call.maxWaitSeconds - seconds);
  if (seconds > LONG_BUILD_SECONDS && left < Math.min(request.timeout_seconds, MIN_SECONDS))
    return stillBuilding(plan, true);
  started();
  const result = await examine(services, { ...call, maxWaitSeconds: left }, ready, request);
  return isBuilt && seconds >= 1 ? { ...result, build_seconds: Math.round(seconds) } : result;
}

/** The names of the tests that run if the test fails. @throws Failure */
async function neighborsToRun(
  services: ToolServices,
  request: DebugTestInput,
): Promise<readonly string[]> {
  const plan = await planCounted(services, request);
  return [nameOf(plan.test), ...neighborsOf(plan).map(nameOf)];
}

async function questionOf(
  services: ToolServices,
  plan: TestPlan,
  { on_failure: onFailure, timeout_seconds: seconds, repeat }: DebugTestInput,
  neighbors: readonly string[],
): Promise<Question> {
  const isUndebugged = plan.framework.runsOnce === true && onFailure === 'report';
  const isByEditor = plan.framework.startsByEditor === true;
  const lines = [
    ...buildLines(plan),
    ...(isByEditor ? editorLines() : await launchItems(services, plan.start)),
    ...(repeat > 1 ? [l10n.t('Up to {0} times, until it fails', repeat)] : []),
    ...(neighbors.length > 0 ? [neighborsLine(neighbors, seconds)] : []),
    ...(isUndebugged ? [l10n.t('Breakpoints do not stop this run')] : []),
    ...(isByEditor
      ? []
      : [l10n.t('A reporter in a private temporary folder records the result of the test')]),
    onFailure === 'stay'
      ? l10n.t('At most {0} seconds; if the test fails, the program stays stopped there', seconds)
      : l10n.t('At most {0} seconds; then the program is ended', seconds),
  ];
  const headline = isByEditor ? editorHeadline(plan) : headlineOf(plan, isUndebugged);
  return {
    title: l10n.t('Debug test'),
    message: [headline, ...lines.map((line) => `- ${line}`)].join('\n'),
  };
}

function neighborsLine(neighbors: readonly string[], seconds: number): string {
  return l10n.t(
    'If it fails, runs these tests once each, without the debugger, within {0} seconds, and counts the lines that run: {1}',
    seconds,
    listed(neighbors.map((name) => wholeCode(name))),
  );
}

function headlineOf(plan: TestPlan, isUndebugged: boolean): string {
  const { observer, staysBy, title } = plan.framework;
  const isRecorded = plan.recorder !== undefined;
  const named = [
    `**${plain(nameOf(plan.test))}**`,
    `*${plain(path.basename(plan.file))}*`,
    plain(title),
  ] as const;
  if (isUndebugged)
    return l10n.t('Run the test {0} of {1} with {2}, once and without the debugger', ...named);
  if (isRecorded || observer !== undefined || staysBy !== undefined)
    return l10n.t('Run the test {0} of {1} with {2} under the debugger', ...named);
  return l10n.t(
    'Run the test {0} of {1} with {2}, and again under the debugger if it fails',
    ...named,
  );
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
function notRun(plan: TestPlan, collected: readonly string[]): Failure {
  return new Failure(
    'test_not_found',
    l10n.t('{0} ran no test {1}.', plan.framework.title, nameOf(plan.test)),
    'Pass the full name as its runner prints it, or line. The configuration of the project may leave the file out.',
    {
      outcome: 'not_found',
      ...(collected.length > 0
        ? collectedTests(collected, nameOf(plan.test))
        : availableTests(
            plan.listed.filter(({ kind }) => kind === 'test'),
            nameOf(plan.test),
          )),
    },
  );
}
