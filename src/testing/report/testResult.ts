import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ExceptionDetails } from '../../debugger/inspection/exceptionDetails';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import type { StopEventData } from '../../results/views/stopEventData';
import { defined } from '../../util/defined';
import type { ToolServices } from '../../tools/services';
import type { FailureFrame } from '../run/failureFrames';
import type { TestPlan } from '../planTest';
import { errorsView, failureView, outputView, testView } from './testReport';
import { type Verdict } from './verdict';
import type { ReportedError } from '../runReport';

export interface TestResult {
  readonly status: 'completed' | 'stopped' | 'timeout' | 'interrupted';
  readonly outcome?: string;
  readonly stop_event_data?: StopEventData;
  readonly [property: string]: unknown;
}

/** Returns the result of a test that could not be built. */
export function notBuilt(plan: TestPlan, { message, data }: Failure): TestResult {
  return {
    status: 'completed',
    outcome: 'errored',
    ...testView(plan),
    message,
    ...('output' in data ? { output: data['output'] } : {}),
    program: 'ended',
  };
}

/**
 * Returns the result of a call whose time was not enough for the build.
 * @param isBuilt whether the build has ended, and only the time for the test is missing
 */
export function stillBuilding(plan: TestPlan, isBuilt: boolean): TestResult {
  return {
    status: 'timeout',
    outcome: isBuilt ? 'built' : 'building',
    ...testView(plan),
    message: isBuilt
      ? l10n.t('The test is built, but this call has no time left to run it.')
      : l10n.t('The test is still being built. The build goes on.'),
    program: 'not_started',
    hint: 'Call again with the same input: it waits for the build. timeout_seconds counts from the start of the test.',
  };
}

/** Returns the failure for a test that VS Code's testing UI does not start under the debugger. */
export function notStarted({ test, file }: TestPlan): Failure {
  return new Failure(
    'test_not_found',
    l10n.t(
      'VS Code started no debug session for a test at line {0} of {1}.',
      test.line ?? 1,
      path.basename(file),
    ),
    'No installed extension shows a test there, or it does not start tests in the debugger. Ask the person to install the test extension of the language, or start its runner with start_debugging.',
    { outcome: 'not_found' },
  );
}

export function interrupted(): TestResult {
  return {
    status: 'interrupted',
    ended_by: 'person',
    message: l10n.t('The test was interrupted.'),
  };
}

/** Returns the result of a test that ended or failed. */
export async function testResult(
  services: ToolServices,
  plan: TestPlan,
  {
    outcome,
    test,
    error,
    further = [],
    besides,
    toolFailure,
    others,
    projects,
    run,
    exitCode,
  }: Verdict,
  printed: readonly string[],
  stop: { readonly frames?: readonly FailureFrame[]; readonly exception?: ExceptionDetails } = {},
): Promise<TestResult> {
  const isBad = outcome === 'failed' || outcome === 'errored';
  const { reason, durationMs } = test ?? {};
  const more = await errorsView(services, isBad ? further : []);
  const beside = await errorsView(services, besides === undefined ? [] : [besides]);
  const own = ownOutput(plan, printed, test?.path);
  // If a file does not load, its output is the text of the error.
  const loaded = error === undefined || test !== undefined;
  return {
    status: 'completed',
    outcome,
    // A table is not named after one of its rows, unless that row is the failure.
    ...testView(plan, isBad || Object.keys(others).length === 0 ? test : undefined),
    ...(isBad ? await failureView(services, error, stop.frames, stop.exception) : {}),
    ...(outcome === 'not_run' ? notRun() : {}),
    ...(outcome === 'unknown' ? unknownResult() : {}),
    ...defined({
      exit_code: exitCode,
      tool_failure: toolFailure,
      reason,
      further_failures: more.shown.length === 0 ? undefined : more.shown,
      further_failures_omitted: more.left === 0 ? undefined : more.left,
      error_outside_test: beside.shown[0],
    }),
    ...(isOfProcess(error) ? outputView(undefined, printed) : outputView(test, loaded ? own : [])),
    ...defined({
      dropped_options: run?.droppedOptions ?? plan.droppedOptions,
      collected: outcome === 'not_found' ? run?.collected : undefined,
      duration_ms: durationMs === undefined ? undefined : Math.round(durationMs),
      others: Object.keys(others).length === 0 ? undefined : others,
      projects,
    }),
    program: 'ended',
  };
}

/** Whether an error is one of the process, so that what it printed is part of the answer: a crash, or a wrong option. */
function isOfProcess(error: ReportedError | undefined): boolean {
  return error?.isExit === true || error?.isPrinted === true;
}

/** Returns the part of the result that explains that a part of the extension failed. */
function notRun(): object {
  return {
    message: l10n.t('The extension’s own reporter failed, so the test has no result.'),
    hint: 'tool_failure is no failure of the test. Run the test with its own runner, or debug it with start_debugging.',
  };
}

/** Returns the part of the result that explains that nothing tells the outcome of the test. */
function unknownResult(): object {
  return {
    message: l10n.t(
      'The test has ended. VS Code does not tell extensions how the test of another one ended.',
    ),
    hint: 'outcome is unknown: the debugger saw no exception that nothing caught, and no exit code of a failure. Read output, or set exception breakpoints or breakpoints and call again.',
  };
}

/** Returns the result of a test that stays stopped at its failure. The stop does not repeat the message of the result. */
export function stayed(
  result: TestResult,
  { id }: Pick<SessionState, 'id'>,
  stop: StopEventData | undefined,
): TestResult {
  return {
    ...result,
    status: 'stopped',
    program: 'stopped',
    session_id: id,
    ...defined({ stop_event_data: stop && withoutTold(stop, result['message']) }),
  };
}

function withoutTold(stop: StopEventData, told: unknown): StopEventData {
  if (stop.exception === undefined) return stop;
  const { message, ...exception } = stop.exception;
  const isTold = message !== undefined && typeof told === 'string' && told.startsWith(message);
  return isTold ? { ...stop, exception } : stop;
}

/** Returns the result if the program stopped for the person, at a breakpoint or at another exception. */
export function stoppedElsewhere(
  plan: TestPlan,
  session: SessionState,
  stop: StopEventData | undefined,
): TestResult {
  return {
    status: 'stopped',
    ...testView(plan),
    ended_by: stop?.reason === 'exception' ? 'exception' : 'breakpoint',
    program: 'stopped',
    session_id: session.id,
    message: l10n.t('The test is stopped at a place that is not its failure. It has not ended.'),
    ...defined({ stop_event_data: stop }),
  };
}

/**
 * Returns the result of a test that did not end in time.
 * @param stopped the session that stays stopped, if there is one
 */
export function timedOut(
  plan: TestPlan,
  frames: readonly FailureFrame[],
  printed: readonly string[],
  stopped: SessionState | undefined,
): TestResult {
  return {
    status: stopped === undefined ? 'timeout' : 'stopped',
    outcome: 'timeout',
    ...testView(plan),
    ended_by: 'max_seconds',
    message:
      frames.length > 0
        ? l10n.t('The test has not ended in time. frames shows where it is.')
        : l10n.t(
            'The test has not ended in time. It did not pause on request: it may wait for something, or still be starting.',
          ),
    ...defined({ frames: frames.length === 0 ? undefined : frames }),
    ...outputView(undefined, ownOutput(plan, printed)),
    program: stopped === undefined ? 'ended' : 'stopped',
    ...defined({ session_id: stopped?.id }),
    hint: `Pass a longer timeout_seconds if the test takes long.${runsTwice(plan) ? ' Half of it is for the run without the debugger.' : ''}`,
  };
}

/** Whether a test is first run without the debugger, for half of the time. */
function runsTwice({ framework, recorder }: TestPlan): boolean {
  const { observer, runsOnce, staysBy } = framework;
  const isOneRun = runsOnce === true || staysBy !== undefined;
  return recorder === undefined && observer === undefined && !isOneRun;
}

/** Adds to the result of a test that its process went on. */
export function withoutEnd(result: TestResult): TestResult {
  return {
    ...result,
    ended_by: 'max_seconds',
    hint: 'The test ended, but its process did not: a timer, a server or another open handle keeps it running.',
  };
}

/**
 * Returns the output of the test itself in a run, without its runner's output.
 * @param path the names of the test, if it ran
 */
function ownOutput(
  { framework }: TestPlan,
  printed: readonly string[],
  path?: readonly string[],
): readonly string[] {
  const { keepsOutput, ownOutput: select } = framework;
  if (keepsOutput === true) return [];
  return select?.(printed, path) ?? printed;
}
