import path from 'node:path';
import type {
  ChosenTest,
  ObservedRun,
  ReportedError,
  ReportedTest,
  RunReport,
} from '../testFramework';
import { errorOf, failedBlocks, logged, panicIn, type FailedBlock } from './goLog';
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
  const marks = new Set([...(first?.mark === undefined ? [] : [first.mark]), ...marksIn(later)]);
  const blocks = failedBlocks(printed);
  const inFirst = blocks.find(({ name }) => first !== undefined && isOf(name, first.test, test));
  const ended = observations.filter(({ isFailure }) => !isFailure).map((each) => each.test);
  const failures = blocks
    .filter((block) => block !== inFirst && !isAround(block, blocks, marks))
    .map((block) => failedTest(block, marks, test, file))
    .filter((failure) => !ended.some((other) => isInPassed(failure, other)));
  const panic = panicIn(printed);
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

function panicError({
  type,
  message,
}: {
  readonly type: string;
  readonly message: string;
}): ReportedError {
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

/** Reads the values of the logpoint. A failed test fails those around it, up to the one without a name. */
function marksIn(later: readonly (readonly string[])[]): readonly string[] {
  const inChain = new Set<string>();
  return later.flatMap(([shown, size = '', goroutine = '']) => {
    const name = goString(shown) ?? '';
    const isFirst = !inChain.has(goroutine);
    if (name === '') inChain.delete(goroutine);
    else inChain.add(goroutine);
    return isFirst && name !== '' ? [markOf(name, size)] : [];
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
    readonly panic: { readonly type: string; readonly message: string } | undefined;
  },
): ReportedTest {
  const { error } = observed;
  if (error === undefined) return observed;
  // Only the runtime knows how a value prints itself. An address says nothing.
  const isTold =
    error.type !== undefined && panic !== undefined && !/^\([^)]+\) (?:0x|\{)/.test(panic.message);
  const told = isTold ? { ...error, message: panic.message } : error;
  if (block === undefined) return { ...observed, error: told };
  const rest = {
    ...block,
    entries: block.entries.filter(({ end }) => markOf(block.name, end) !== mark),
  };
  return {
    ...observed,
    error: { ...told, further: errorsIn(rest, marks, file) },
    output: logsIn(rest, marks),
  };
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
