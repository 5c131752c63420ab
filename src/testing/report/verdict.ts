import type { ExceptionDetails } from '../../debugger/inspection/exceptionDetails';
import { samePath } from '../../debugger/sourcePath';
import { defined } from '../../util/defined';
import type { TestPlan } from '../planTest';
import { exited } from './exits';
import type { Outcome, ReportedError, ReportedTest, RunReport } from '../runReport';
import type { ChosenTest } from '../testFramework';

/** The outcome of the requested test, among all tests that ran. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly test: ReportedTest | undefined;
  readonly error: ReportedError | undefined;
  /** The other failures of that test. */
  readonly further?: readonly ReportedError[];
  /** An error that the run reported although the test passed, such as one that nothing caught. */
  readonly besides?: ReportedError | undefined;
  /** The exit code of the process, if the result of the test is known only from it. */
  readonly exitCode?: number | undefined;
  /** What the extension's own part of the run failed at. */
  readonly toolFailure?: string | undefined;
  /** The numbers of other tests with that name, such as the rows of a table, by their outcome. */
  readonly others: Readonly<Record<string, number>>;
  /** The outcome in each project of the runner, if the test ran in several. */
  readonly projects?: Readonly<Record<string, Outcome>> | undefined;
  /** What the report says about the run itself. */
  readonly run?: Pick<RunReport, 'droppedOptions' | 'collected'>;
}

const BAD_FIRST: readonly Outcome[] = ['failed', 'errored', 'passed', 'skipped', 'not_found'];

/** Returns the verdict about the requested test from a report. */
export function verdictOf(report: RunReport, plan: Pick<TestPlan, 'test' | 'file'>): Verdict {
  const { droppedOptions, collected } = report;
  const run = defined({ droppedOptions, collected });
  const verdict = verdictIn(report, plan);
  return Object.keys(run).length === 0 ? verdict : { ...verdict, run };
}

function verdictIn(
  { tests, error, first: known, toolFailure, collected }: RunReport,
  { test, file }: Pick<TestPlan, 'test' | 'file'>,
): Verdict {
  // A runner may also run the files that its configuration names.
  const own = tests.filter((other) => other.file === undefined || samePath(other.file, file));
  const matching = matchingTests(own.length > 0 ? own : tests, test);
  const ranked = BAD_FIRST.flatMap((outcome) =>
    matching.filter((candidate) => candidate.outcome === outcome && outcome !== 'not_found'),
  );
  const first = ranked.find((candidate) => candidate === known) ?? ranked[0];
  // If the runner has told which tests there are, the test is not among them.
  const isSearched = toolFailure === undefined || collected !== undefined;
  const unknown = isSearched ? 'not_found' : 'not_run';
  if (first === undefined)
    return {
      outcome: error === undefined ? unknown : 'errored',
      test: undefined,
      error,
      toolFailure,
      others: {},
    };
  const others: Record<string, number> = {};
  for (const { outcome } of matching.filter((candidate) => candidate !== first))
    others[outcome] = (others[outcome] ?? 0) + 1;
  return {
    outcome: first.outcome,
    test: first,
    error: first.error ?? (first.outcome === 'errored' ? error : undefined),
    further: [
      ...(first.error?.further ?? []),
      // A test with subtests is reported once for each of them that failed.
      ...matching.flatMap((other) =>
        other !== first && other.error !== undefined && isSameTest(other, first)
          ? [other.error, ...(other.error.further ?? [])]
          : [],
      ),
    ],
    besides: first.outcome === 'passed' ? (error ?? aroundIn(own)) : undefined,
    toolFailure,
    others: matching.length > 1 ? others : {},
    projects: projectsOf(matching),
  };
}

/** Returns the error of a group around the requested test, whose hook may fail after the test. */
function aroundIn(tests: readonly ReportedTest[]): ReportedError | undefined {
  return tests.find(({ isAround }) => isAround === true)?.error;
}

/** Returns the worst outcome in each project, if there are several. */
function projectsOf(tests: readonly ReportedTest[]): Verdict['projects'] {
  const projects = [...new Set(tests.flatMap(({ project }) => project ?? []))];
  if (projects.length < 2) return undefined;
  const worst = (project: string): Outcome =>
    BAD_FIRST.find((outcome) =>
      tests.some((test) => test.project === project && test.outcome === outcome),
    ) ?? 'not_found';
  return Object.fromEntries(projects.map((project) => [project, worst(project)]));
}

function isSameTest(one: ReportedTest, other: ReportedTest): boolean {
  return one.line === other.line && isSamePath(one.path, other.path);
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}

/** Returns the results of the requested test: by its name, otherwise by its line, otherwise all that ran. */
function matchingTests(tests: readonly ReportedTest[], test: ChosenTest): readonly ReportedTest[] {
  const requested = tests.filter((other) => other.requested !== undefined);
  if (requested.length > 0) return requested;
  const leaf = test.path.at(-1) ?? '';
  const exact = tests.filter(({ path }) => isSamePath(path, test.path));
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

export function isBad({ outcome }: Pick<Verdict, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'errored';
}

/** Whether a test failed in a way that the debugger can show. */
export function isThrown(verdict: Verdict): boolean {
  const { test, error } = verdict;
  return isBad(verdict) && test !== undefined && !TIMED_OUT.test(error?.message ?? '');
}

/**
 * Returns the verdict about the requested test in a run that was ended because it took too long. Undefined if the test
 * had not ended. An end of the process without a result of the test does not count: it is the end of the run.
 */
export function finishedVerdict(report: RunReport, plan: TestPlan): Verdict | undefined {
  const verdict = verdictOf(report, plan);
  if (verdict.test === undefined || verdict.error?.isExit === true) return undefined;
  const isWhole =
    verdict.test.requested === 'test' || isSamePath(verdict.test.path, plan.test.path);
  return isWhole || isBad(verdict) ? verdict : undefined;
}

/** The exit codes of runners that found no test, or in which a test failed. */
const EXITS_OF_RUNNERS: ReadonlySet<number> = new Set([0, 1, 4, 5]);

/** Returns the verdict about a test without a report, which may have ended the process itself. */
export function withExit(verdict: Verdict, exitCode: number | undefined): Verdict {
  // The report of a runner shows that the process ended, but not always with which code.
  if (verdict.error?.isExit === true && exitCode !== undefined)
    return { ...verdict, error: { ...exited(exitCode), frames: verdict.error.frames } };
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
  if (exitCode === undefined || exitCode === 0) return withExit(verdict, exitCode);
  // If a runner has no failed test and does not end with 0, the process was ended before the test.
  const isCutShort = verdict.outcome === 'not_found' && verdict.error === undefined;
  if (verdict.outcome !== 'passed' && !isCutShort) return withExit(verdict, exitCode);
  return { ...verdict, outcome: 'errored', error: exited(exitCode) };
}

/** Returns the verdict about a run of which only the end of its process is known. */
export function endVerdict(exitCode: number | undefined): Verdict {
  if (exitCode === undefined || exitCode === 0)
    return { outcome: 'unknown', test: undefined, error: undefined, others: {}, exitCode };
  const message = `The process ended with code ${exitCode}.`;
  const error = { type: undefined, message, frames: [], causes: [] };
  return { outcome: 'failed', test: undefined, error, others: {}, exitCode };
}

/** Returns the verdict about a stop that no report describes. */
export function failedVerdict(
  exception: ExceptionDetails | undefined,
  { test: { path } }: Pick<TestPlan, 'test'>,
): Verdict {
  const error = {
    type: exception?.type,
    message: exception?.message ?? '',
    frames: [],
    causes: [],
  };
  return { outcome: 'failed', test: { outcome: 'failed', path, error }, error, others: {} };
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
