import path from 'node:path';
import type { ObservedRun } from '../libraryObserver';
import type { ReportedError, ReportedTest, RunReport } from '../runReport';
import type { ChosenTest } from '../testFramework';
import {
  errorOf,
  failedBlocks,
  logged,
  panicIn,
  type FailedBlock,
  type LogEntry,
  type PrintedPanic,
} from './goLog';
import { pathOf } from './goNames';
import { goString } from './goValues';

/** Identifies a failure by its test and by the size of what the test had logged then. */
export function markOf(name: string, size: number | string): string {
  return `${size} ${name}`;
}

/** Returns the report of a run: what was observed, and what the runner printed about the tests that failed. */
export function reportOf(run: ObservedRun, test: ChosenTest, file: string): RunReport {
  const { observations, later, printed } = run;
  const first = observations.find(({ isFailure }) => isFailure);
  const panic = panicIn(printed);
  const isPanic = first?.test.error?.type !== undefined;
  // A panic makes a test fail after what it logged last, which is no failure.
  const failed = marksIn(later).slice(0, panic?.isRepeated === true && !isPanic ? -1 : undefined);
  const marks = new Set([...(first?.mark === undefined ? [] : [first.mark]), ...failed]);
  const blocks = failedBlocks(printed);
  const inFirst = blocks.find(({ name }) => first !== undefined && isOf(name, first.test, test));
  const ended = observations.filter(({ isFailure }) => !isFailure).map((each) => each.test);
  const failures = blocks
    .filter((block) => block !== inFirst && !isAround(block, blocks, marks))
    .map((block) => failedTest(block, marks, test, file))
    .filter((failure) => !ended.some((other) => isInPassed(failure, other)));
  const own = ownLines(printed);
  const observed =
    first && withRest(first.test, { block: inFirst, mark: first.mark, marks, file, panic });
  const tests = [...(observed === undefined ? [] : [observed]), ...ended, ...failures];
  const withOutput = distinct(tests).map((each) => ({
    ...each,
    output: [...own, ...(each.output ?? [])],
  }));
  return {
    tests: withOutput,
    first: observed === undefined ? undefined : withOutput[0],
    ...(observed === undefined && panic !== undefined && { error: panicError(panic) }),
    ...(observed !== undefined && ended.length > 0 && { error: observed.error }),
  };
}

/** A test that was observed counts more than what was printed about it. */
function distinct(tests: readonly ReportedTest[]): readonly ReportedTest[] {
  const key = ({ path: names }: ReportedTest): string => names.join('/');
  return tests.filter((test, at) => tests.findIndex((other) => key(other) === key(test)) === at);
}

function panicError({ type, message }: PrintedPanic): ReportedError {
  return { type, message, frames: [], causes: [], isPrinted: true };
}

/** Whether a failure is of a run inside a test that passed, such as the test of a library for tests. */
function isInPassed({ path: names }: ReportedTest, ended: ReportedTest): boolean {
  return ended.outcome === 'passed' && `${names.join('/')}/`.startsWith(`${ended.path.join('/')}/`);
}

function isOf(name: string, observed: ReportedTest, test: ChosenTest): boolean {
  return pathOf(name, test).join('/') === observed.path.join('/');
}

/** Whether a test failed only because a test inside it did. */
function isAround(
  { name, entries }: FailedBlock,
  blocks: readonly FailedBlock[],
  marks: ReadonlySet<string>,
): boolean {
  const hasOwn = entries.some(({ end }) => marks.has(markOf(name, end)));
  return !hasOwn && blocks.some((other) => other.name.startsWith(`${name}/`));
}

/**
 * Reads the values of the logpoint. A failed test fails those around it, up to the one without a name. Around a bubble of
 * synctest is a test with the same name, which has its log.
 */
function marksIn(later: readonly (readonly string[])[]): readonly string[] {
  const failing = new Map<string, string>();
  return later.flatMap(([shown, size = '', goroutine = '']) => {
    const name = goString(shown) ?? '';
    const first = failing.get(goroutine) ?? name;
    if (name === '') failing.delete(goroutine);
    else failing.set(goroutine, first);
    return name === first && name !== '' ? [markOf(name, size)] : [];
  });
}

function errorsIn(
  { name, entries }: FailedBlock,
  marks: ReadonlySet<string>,
  file: string,
): readonly ReportedError[] {
  return entries
    .filter(({ end }) => marks.has(markOf(name, end)))
    .map((entry) => errorOf(entry, path.dirname(file)));
}

function logsIn({ name, entries }: FailedBlock, marks: ReadonlySet<string>): readonly string[] {
  return entries.filter(({ end }) => !marks.has(markOf(name, end))).map(logged);
}

function failedTest(
  block: FailedBlock,
  marks: ReadonlySet<string>,
  test: ChosenTest,
  file: string,
): ReportedTest {
  const errors = errorsIn(block, marks, file);
  // Without marks, what it logged last tells why it failed.
  const last = block.entries.at(-1);
  const other = last === undefined ? undefined : errorOf(last, path.dirname(file));
  const error = errors[0] ?? other ?? { type: undefined, message: '', frames: [], causes: [] };
  return {
    outcome: 'failed',
    path: pathOf(block.name, test),
    error: { ...error, further: errors.slice(1) },
    output: logsIn(block, marks),
  };
}

/** Adds what was printed later about the observed failure. */
function withRest(
  observed: ReportedTest,
  {
    block,
    mark,
    marks,
    file,
    panic,
  }: {
    readonly block: FailedBlock | undefined;
    readonly mark: string | undefined;
    readonly marks: ReadonlySet<string>;
    readonly file: string;
    readonly panic: PrintedPanic | undefined;
  },
): ReportedTest {
  const { error } = observed;
  if (error === undefined) return observed;
  const isPanic = error.type !== undefined;
  // Only the runtime knows how a value prints itself. An address says nothing.
  const isTold = isPanic && panic !== undefined && !/^\([^)]+\) (?:0x|\{)/.test(panic.message);
  const told = isTold ? { ...error, message: panic.message } : error;
  // After a failure, the test may also have panicked.
  const last = !isPanic && panic !== undefined ? [panicError(panic)] : [];
  if (block === undefined) return { ...observed, error: { ...told, further: last } };
  const isFirst = ({ end }: LogEntry): boolean => markOf(block.name, end) === mark;
  const rest = { ...block, entries: block.entries.filter((entry) => !isFirst(entry)) };
  return {
    ...observed,
    error: {
      ...wholeError(told, block.entries.find(isFirst), file),
      further: [...errorsIn(rest, marks, file), ...last],
    },
    output: logsIn(rest, marks),
  };
}

/** At the stop, only the end of a long text was read. */
function wholeError(
  error: ReportedError,
  entry: LogEntry | undefined,
  file: string,
): ReportedError {
  if (entry === undefined || !error.message.startsWith('…')) return error;
  return errorOf(entry, path.dirname(file));
}

const OF_RUNNER =
  /^(?:PASS|FAIL|ok|exit status \d+|coverage: .*|testing: warning: no tests to run)$/;

/** Selects what the tests themselves printed. */
export function ownLines(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^(?:panic|fatal error): /.test(line));
  let ends: RegExp | undefined;
  return lines.slice(0, end === -1 ? undefined : end).filter((line) => {
    if (ends?.test(line) === true) ends = undefined;
    // What a test has logged is indented. An example is followed by what it printed.
    const isExample = line.startsWith('--- FAIL: Example');
    if (/^--- (?:FAIL|PASS|SKIP): /.test(line)) ends = isExample ? /^(?:FAIL$|--- )/ : /^(?! {4})/;
    return ends === undefined && !OF_RUNNER.test(line);
  });
}
