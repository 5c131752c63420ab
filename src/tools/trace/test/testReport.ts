import type { ExceptionDetails } from '../../../debugger/inspection/exceptionDetails';
import { cutText } from '../../../debugger/texts';
import { defined } from '../../../util/defined';
import { samePath } from '../../../debugger/sourcePath';
import type { ToolServices } from '../../services';
import { nameOf } from './chooseTest';
import { reportedFrames, type FailureFrame } from './failureFrames';
import { exited } from './readReport';
import { lineDiff } from './textDiff';
import type { TestPlan } from './planTest';
import type {
  ChosenTest,
  Outcome,
  ReportedError,
  ReportedTest,
  RunReport,
  Observation,
} from './testFramework';

const MOST_OF_A_MESSAGE = 1500;
const MOST_OF_A_VALUE = 600;
const MOST_LINES = 12;
/** The maximum number of lines of a value that is not shown as a diff. */
const FEW_LINES = 6;

/** The outcome of the requested test, among all tests that ran. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly test: ReportedTest | undefined;
  readonly error: ReportedError | undefined;
  /** The numbers of other tests with that name, such as the rows of a table, by their outcome. */
  readonly others: Readonly<Record<string, number>>;
}

const BAD_FIRST: readonly Outcome[] = ['failed', 'errored', 'passed', 'skipped', 'not_found'];

/** Returns the verdict about the requested test from a report. */
export function verdictOf(
  { tests, error }: RunReport,
  { test, file }: Pick<TestPlan, 'test' | 'file'>,
): Verdict {
  // A runner may also run the files that its configuration names.
  const own = tests.filter((other) => other.file === undefined || samePath(other.file, file));
  const matching = matchingTests(own.length > 0 ? own : tests, test);
  const first = BAD_FIRST.flatMap((outcome) =>
    matching.filter((candidate) => candidate.outcome === outcome && outcome !== 'not_found'),
  )[0];
  if (first === undefined)
    return {
      outcome: error === undefined ? 'not_found' : 'errored',
      test: undefined,
      error,
      others: {},
    };
  const others: Record<string, number> = {};
  for (const { outcome } of matching.filter((candidate) => candidate !== first))
    others[outcome] = (others[outcome] ?? 0) + 1;
  return {
    outcome: first.outcome,
    test: first,
    error: first.error ?? (first.outcome === 'errored' ? error : undefined),
    others: matching.length > 1 ? others : {},
  };
}

/** Returns the results of the requested test: by its name, otherwise by its line, otherwise all that ran. */
function matchingTests(tests: readonly ReportedTest[], test: ChosenTest): readonly ReportedTest[] {
  const leaf = test.path.at(-1) ?? '';
  const exact = tests.filter(({ path }) => path.join('\n') === test.path.join('\n'));
  const below = tests.filter(
    ({ path }) =>
      path.length > test.path.length && test.path.every((name, at) => path[at] === name),
  );
  if (exact.length + below.length > 0) return [...below, ...exact];
  const atLine = tests.filter(({ line, path }) =>
    test.isTemplate
      ? line !== undefined && line >= (test.line ?? Infinity) && line <= (test.endLine ?? 0)
      : line === test.line && path.at(-1) === leaf,
  );
  if (atLine.length > 0 || test.isTemplate) return atLine.length > 0 ? atLine : tests;
  // A runner may report the tests that it left out as skipped. If it skips a group, it may report only the group.
  return tests.filter(
    ({ outcome, path }) =>
      outcome !== 'skipped' ||
      path.every((name, at) => test.path[at] === name) ||
      path.at(-1)?.startsWith(leaf) === true,
  );
}

/** The messages of JavaScript runners about a test whose own time is up. No code of the test throws such an error. */
const TIMED_OUT =
  /^(?:thrown: ")?(?:test timed out after \d|Timeout of \d+ms exceeded|Exceeded timeout of \d|Test timed out in \d)/;

/** Whether a test failed in a way that the debugger can show. */
export function isThrown({ outcome, test, error }: Verdict): boolean {
  const isBad = outcome === 'failed' || outcome === 'errored';
  return isBad && test !== undefined && !TIMED_OUT.test(error?.message ?? '');
}

/**
 * Returns the verdict about the requested test in a run that was ended because it took too long. Undefined if the test
 * had not ended. An end of the process without a result of the test does not count: it is the end of the run.
 */
export function finishedVerdict(report: RunReport, plan: TestPlan): Verdict | undefined {
  const verdict = verdictOf(report, plan);
  if (verdict.test === undefined) return undefined;
  const isWhole = verdict.test.path.join('\n') === plan.test.path.join('\n');
  const isBad = verdict.outcome === 'failed' || verdict.outcome === 'errored';
  return isWhole || isBad ? verdict : undefined;
}

/** The exit codes of runners that found no test, or in which a test failed. */
const EXITS_OF_RUNNERS: ReadonlySet<number> = new Set([0, 1, 4, 5]);

/** Returns the verdict about a test without a report, which may have ended the process itself. */
export function withExit(verdict: Verdict, exitCode: number | undefined): Verdict {
  // The report of a runner shows that the process ended, but not always with which code.
  if (verdict.error?.isExit === true && exitCode !== undefined)
    return { ...verdict, error: exited(exitCode) };
  const isUnknown = verdict.outcome === 'not_found' && verdict.error === undefined;
  if (!isUnknown || exitCode === undefined || EXITS_OF_RUNNERS.has(exitCode)) return verdict;
  return { ...verdict, outcome: 'errored', error: exited(exitCode) };
}

/**
 * Returns the verdict about a test in a run that ended by itself. Some runners report nothing about a test in a skipped
 * group.
 */
export function withSkipped(verdict: Verdict, { path, isSkipped }: ChosenTest): Verdict {
  if (verdict.outcome !== 'not_found' || isSkipped !== true) return verdict;
  const reason = 'The file marks the test or its group as skipped.';
  return { ...verdict, outcome: 'skipped', test: { outcome: 'skipped', path, reason } };
}

/** Returns the verdict about a test that was observed. If it had passed, its process would have ended with 0. */
export function withObservedExit(verdict: Verdict, exitCode: number | undefined): Verdict {
  if (verdict.outcome !== 'passed' || exitCode === undefined || exitCode === 0)
    return withExit(verdict, exitCode);
  return { ...verdict, outcome: 'errored', error: exited(exitCode) };
}

/** Returns the verdict about a failure that the debugger observed before a report exists. */
export function failedVerdict(
  failure: Observation | undefined,
  exception: ExceptionDetails | undefined,
  { test }: TestPlan,
): Verdict {
  const observed = failure?.kind === 'failed' ? failure.message : '';
  const error = {
    type: failure === undefined ? exception?.type : undefined,
    message: observed === '' ? (exception?.message ?? '') : observed,
    frames: [],
    causes: [],
  };
  const path = failure?.path ?? test.path;
  return { outcome: 'failed', test: { outcome: 'failed', path, error }, error, others: {} };
}

/** Returns the verdict about a run without a failure. The test was skipped, passed, or not found. */
export function observedVerdict(
  observations: readonly Observation[],
  { test }: Pick<TestPlan, 'test'>,
): Verdict {
  // A skipped subtest does not skip the test around it.
  const skipped = observations.find(
    ({ kind, path }) => kind === 'skipped' && path.length <= test.path.length,
  );
  const ran = observations.findLast((observation) => observation.kind === 'ran');
  const last = skipped ?? ran;
  const isRequested = ran !== undefined && ran.path.length >= test.path.length;
  const none = { test: undefined, error: undefined, others: {} };
  if (last === undefined || (skipped === undefined && !isRequested))
    return { outcome: 'not_found', ...none };
  const outcome = last.kind === 'skipped' ? 'skipped' : 'passed';
  const reason = last.kind === 'skipped' && last.reason !== '' ? last.reason : undefined;
  return { ...none, outcome, test: { outcome, path: last.path, reason } };
}

/** Whether an exception is the reported error: both have the same type and the same beginning of the message. */
export function isSame(exception: ExceptionDetails | undefined, error: ReportedError): boolean {
  if (exception === undefined) return true;
  const line = (text: string): string => (text.trim().split('\n')[0] ?? '').trim();
  // Adapters and runners put text before a message, such as its type.
  const isIn = (one: string, other: string): boolean => other.includes(one.slice(0, 60).trim());
  const [thrown, reported] = [line(exception.message ?? ''), line(error.message)];
  const type = exception.type.split('.').at(-1) ?? '';
  const hasType = error.type === undefined || type === error.type || type === 'unknown';
  return thrown === '' || reported === ''
    ? hasType
    : isIn(reported, thrown) || isIn(thrown, reported);
}

/** Returns the first frame of an error that is in the person's own code. */
export function ownPlace(
  { stops }: Pick<ToolServices, 'stops'>,
  error: ReportedError | undefined,
): ReportedError['frames'][number] | undefined {
  return error?.frames.find((frame) => stops.isOwn(frame.path));
}

interface Place {
  readonly file_path: string;
  readonly line_number: number;
  readonly text?: string;
}

async function placeView(
  { workspace }: ToolServices,
  place: { readonly path: string; readonly line: number } | undefined,
): Promise<Place | undefined> {
  if (place === undefined) return undefined;
  const source = await workspace.readSource(place.path);
  const text = source?.lines[place.line - 1]?.trim();
  return {
    file_path: place.path,
    line_number: place.line,
    ...defined({ text: text === undefined ? undefined : cutText(text, 200) }),
  };
}

/** Returns the part of the result that identifies the test. */
export function testView({ test, file, framework }: TestPlan, ran?: ReportedTest): object {
  const line = test.line ?? ran?.line;
  // If a fixture failed, the result names the test that the fixture belongs to.
  const isRequested =
    ran !== undefined && test.path.every((name, at) => ran.path[at]?.startsWith(name) === true);
  const isMade = ran !== undefined && (test.isTemplate || test.line === undefined);
  return {
    test: nameOf(isRequested || isMade ? ran : test),
    file_path: file,
    ...defined({ line_number: line }),
    framework: framework.id,
  };
}

/** Returns the part of the result that describes a failure: its message, its place, and the values. */
export async function failureView(
  services: ToolServices,
  error: ReportedError | undefined,
  stopped: readonly FailureFrame[] | undefined,
  exception: ExceptionDetails | undefined,
): Promise<object> {
  const frames =
    stopped !== undefined && stopped.length > 0
      ? stopped
      : reportedFrames(error?.frames ?? [], services.stops.isOwn);
  const ownFrame = stopped?.find(
    ({ file_path: file }) => file !== undefined && services.stops.isOwn(file),
  );
  const at =
    ownFrame?.file_path !== undefined && ownFrame.line_number !== undefined
      ? { path: ownFrame.file_path, line: ownFrame.line_number }
      : ownPlace(services, error);
  const causes = error?.causes ?? [];
  const inner = causes.length > 0 ? causes : exception?.inner;
  const type = error?.type ?? exception?.type;
  return defined({
    message: messageOf(error),
    exception:
      type === undefined && inner === undefined
        ? undefined
        : defined({ type, inner: inner?.map(cutCause) }),
    ...valuesOf(error),
    at: await placeView(services, at),
    frames: frames.length === 0 ? undefined : frames,
  });
}

function cutCause({ type, message }: { readonly type: string; readonly message?: string }): object {
  return defined({ type, message: message === undefined ? undefined : cutText(message, 300) });
}

/** Returns the message of an error. If the values are shown separately, the first part of the message is sufficient. */
function messageOf(error: ReportedError | undefined): string | undefined {
  if (error === undefined) return undefined;
  const { expected, actual } = error;
  const message = withoutSource(error.message);
  const isLong = message.split('\n').length > FEW_LINES;
  const hasValues = expected !== undefined && actual !== undefined;
  const first = hasValues && isLong ? (message.split(/\n\s*\n/)[0] ?? '') : message;
  return cutText(first.split('\n').slice(0, 30).join('\n'), MOST_OF_A_MESSAGE);
}

/** Removes the lines around the place of an exception, and its stack, which jest adds to a message. */
function withoutSource(message: string): string {
  const source = message.search(/\n\s*(?:> *)?\d+ \| /);
  return source < 0 ? message : message.slice(0, source).trimEnd();
}

function valuesOf(error: ReportedError | undefined): object {
  const { expected, actual } = error ?? {};
  if (expected === undefined || actual === undefined) return {};
  const isLong = [expected, actual].some(
    (value) => value.split('\n').length > FEW_LINES || value.length > MOST_OF_A_VALUE,
  );
  if (!isLong) return { expected, actual };
  return {
    expected: cutText(expected, MOST_OF_A_VALUE / 2),
    actual: cutText(actual, MOST_OF_A_VALUE / 2),
    diff: lineDiff(expected, actual).map((line) => cutText(line, 200)),
  };
}

/**
 * Returns the output of the test. It is the output that the runner captured, or otherwise the output of the whole run.
 */
export function outputView(
  test: ReportedTest | undefined,
  printed: readonly string[],
): { readonly output?: readonly string[]; readonly omitted?: { readonly output_lines: number } } {
  const lines = (test?.output ?? printed).filter((line) => line.trim() !== '');
  const shown = lines.slice(-MOST_LINES).map((line) => cutText(line, 300));
  return defined({
    output: shown.length === 0 ? undefined : shown,
    omitted:
      lines.length > shown.length ? { output_lines: lines.length - shown.length } : undefined,
  });
}
