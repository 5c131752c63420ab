import {
  fields,
  isFields,
  listOf,
  numberOf,
  textOf,
  wholeOf,
  type Fields,
} from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { framesInStack, pathOf } from '../../results/stackText';
import { crashIn, exited } from './exits';

export { exited } from './exits';
import type { Outcome, ReportedError, ReportedFrame, ReportedTest, RunReport } from '../runReport';
import type { ChosenTest } from '../testFramework';

/** The maximum number of tests that are read. One call does not select more. */
const MAX_TESTS = 2000;

/**
 * Reads the lines that the extension's reporters write, with one JSON object per line. The last line may be incomplete.
 */
export function readLines(report: string): readonly Fields[] {
  return report.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isFields(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

const OUTCOMES: ReadonlySet<string> = new Set<Outcome>([
  'passed',
  'failed',
  'errored',
  'skipped',
  'not_found',
]);

function isOutcome(text: string): text is Outcome {
  return OUTCOMES.has(text);
}

/** Reads a report that one of the extension's reporters wrote. */
export function readOwnReport(
  report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
): RunReport {
  return readReport(report, output, test, errorInOutput);
}

/**
 * Reads a report that one of the extension's reporters wrote.
 * @param errorIn finds the error that the runner printed if it could not start
 */
export function readReport(
  report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
  errorIn: (output: readonly string[]) => ReportedError | undefined,
): RunReport {
  const entries = newestEntries(readLines(report ?? ''));
  const loading = entries.find((entry) => isFields(entry['loadError']));
  const finished = entries
    .filter((entry) => !isFields(entry['loadError']))
    .slice(0, MAX_TESTS)
    .flatMap((entry) => testOf(entry, test) ?? []);
  const broken = brokenOff(entries, report ?? '', output);
  const tests = broken === undefined ? finished : [...finished, broken];
  const more = notesOf(entries);
  if (loading !== undefined)
    return { tests, error: errorOf(fields(loading['loadError'])), ...more };
  if (tests.length > 0) return { tests, ...more };
  const exit = entries.find((entry) => 'exited' in entry);
  const isKilled = has(entries, 'began') && !has(entries, 'over');
  const error = exit === undefined && !isKilled ? undefined : exited(wholeOf(exit?.['exited']));
  return { tests, error: crashIn(output) ?? errorIn(output) ?? error, ...more };
}

function has(entries: readonly Fields[], property: string): boolean {
  return entries.some((entry) => entry[property] === true);
}

/** Reads the entries that are about the run. */
function notesOf(entries: readonly Fields[]): Partial<RunReport> {
  const first = (property: string): unknown => entries.find((each) => property in each)?.[property];
  const texts = (property: string): readonly string[] | undefined => {
    const found = textsOf(first(property));
    return found.length > 0 ? found : undefined;
  };
  const hanging = first('hanging');
  return defined({
    isStopping: first('stopping') === true ? true : undefined,
    hanging: Array.isArray(hanging) ? reportedFrames(hanging) : undefined,
    toolFailure: textOf(first('toolFailure')),
    droppedOptions: texts('droppedOptions'),
    collected: texts('collected'),
  });
}

/** Leaves out the entries of tests that a later entry about the same test replaces. */
function newestEntries(entries: readonly Fields[]): readonly Fields[] {
  const newest = new Map<unknown, Fields>();
  for (const entry of entries)
    if ('id' in entry && 'status' in entry) newest.set(entry['id'], entry);
  return entries.filter(
    (entry) => !('id' in entry && 'status' in entry) || newest.get(entry['id']) === entry,
  );
}

/**
 * Returns the result of a test that had begun when its process ended, with the place where it was. If the process has
 * not ended, the test still runs.
 */
function brokenOff(
  entries: readonly Fields[],
  report: string,
  output: readonly string[],
): ReportedTest | undefined {
  const running = entries.findLast((entry) => entry['running'] === true);
  const isOver = entries.some((entry) => 'status' in entry && entry['id'] === running?.['id']);
  const path = textsOf(running?.['path']);
  if (running === undefined || isOver || path.length === 0) return undefined;
  const [file, line] = [fileOf(textOf(running['file'])), wholeOf(running['line'])];
  const crash = crashIn(report.split('\n')) ?? crashIn(output);
  const own: ReportedFrame[] =
    file === undefined || line === undefined ? [] : [{ name: path.at(-1) ?? '', path: file, line }];
  const error = { ...(crash ?? exited(undefined)), frames: crash?.frames ?? own };
  return { outcome: 'errored', path, file, line, error, requested: 'test' };
}

/** Matches the last line of an error in the format of Node. mocha puts a mark or words before it. */
const ERROR_LINE =
  /^(✖ ERROR: | Exception during run: |\S*: )?([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit)\b(?: \[\w+\])?): ?(.*)$/;
/** Matches an error of a runner that prints no type. */
const RUNNER_ERROR = /^(?:✖ ERROR: | Exception during run: )?(?:ERROR|Error)(?::| ) ?(.*)$/;
const PLACE_LINES: readonly RegExp[] = [
  /^((?:file:|\/|[A-Za-z]:[\\/]).*?):(\d+)$/,
  /^\s*File "(.+)", line (\d+)/,
];
/** The number of lines after an error in which its stack begins. A message may have several lines. */
const MAX_BEFORE_A_STACK = 12;

/**
 * Returns the error that a runner printed if it could not start, for example because a file does not load or a package
 * is missing. A line that only looks like an error may be the program's own output: an error has a stack, the source
 * before it, or a mark.
 */
export function errorInOutput(output: readonly string[]): ReportedError | undefined {
  const at = output.findIndex((line, index) => ERROR_LINE.test(line) && isError(output, index));
  const [, , type, message = ''] = ERROR_LINE.exec(output[at] ?? '') ?? [];
  const runnerError = RUNNER_ERROR.exec(output.find((line) => RUNNER_ERROR.test(line)) ?? '')?.[1];
  if (type === undefined && runnerError === undefined) return undefined;
  const places = output.flatMap((line): ReportedFrame[] => {
    const found = PLACE_LINES.map((pattern) => pattern.exec(line)).find((match) => match !== null);
    return found == undefined
      ? []
      : [{ name: '', path: pathOf(found[1] ?? ''), line: Number(found[2]) }];
  });
  return {
    type,
    isPrinted: true,
    message: type === undefined ? (runnerError ?? '') : message,
    frames: [...places.reverse(), ...framesInStack(output.join('\n'))],
    causes: [],
  };
}

function isError(output: readonly string[], at: number): boolean {
  if (output[at]?.startsWith('✖ ') === true) return true;
  const hasStack = output
    .slice(at + 1, at + 1 + MAX_BEFORE_A_STACK)
    .some((line) => /^\s+at \S/.test(line));
  return hasStack || output.slice(Math.max(0, at - 4), at).some((line) => /^\s*\^+\s*$/.test(line));
}

const REQUESTED = ['test', 'group'] as const;

function testOf(entry: Fields, requested: ChosenTest): ReportedTest | undefined {
  const status = textOf(entry['status']) ?? '';
  const path = textsOf(entry['path']);
  if (!isOutcome(status)) return undefined;
  // jest reports all tests that it excluded in this way.
  if (entry['isUnmatched'] === true && path.join(' ') !== requested.path.join(' '))
    return undefined;
  return {
    outcome: status,
    path,
    file: fileOf(textOf(entry['file'])),
    line: wholeOf(entry['line']),
    error: isFields(entry['error']) ? errorOf(entry['error']) : undefined,
    requested: REQUESTED.find((each) => each === entry['requested']),
    reason: textOf(entry['reason']),
    durationMs: numberOf(entry['durationMs']),
    project: textOf(entry['project']),
    output: Array.isArray(entry['output']) ? textsOf(entry['output']) : undefined,
  };
}

function fileOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : pathOf(file);
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((item) => textOf(item) ?? []);
}

/** Reads frames with their variables: `[name, value]` each. */
export function reportedFrames(value: unknown): readonly ReportedFrame[] {
  return listOf(value).flatMap((frame): ReportedFrame[] => {
    const { path, line, column, name, variables, omitted, isLate } = fields(frame);
    if (typeof path !== 'string' || typeof line !== 'number') return [];
    const read = listOf(variables).flatMap((variable) => {
      const [name, value] = textsOf(variable);
      return name === undefined || value === undefined ? [] : [{ name, value }];
    });
    return [
      {
        ...{ path: pathOf(path), line, name: textOf(name) ?? '' },
        ...defined({
          column: wholeOf(column),
          variables: Array.isArray(variables) ? read : undefined,
          omitted: wholeOf(omitted),
          isLate: isLate === true ? true : undefined,
        }),
      },
    ];
  });
}

function placeOf(value: unknown): { readonly path: string; readonly line: number } | undefined {
  const { path, line } = fields(value);
  const [file, number] = [textOf(path), wholeOf(line)];
  return file === undefined || number === undefined ? undefined : { path: file, line: number };
}

function errorOf(entry: Fields): ReportedError {
  const reported = reportedFrames(entry['frames']);
  const inStack = reported.length > 0 ? [] : framesInStack(textOf(entry['stack']) ?? '');
  return {
    type: textOf(entry['type']),
    message: textOf(entry['message']) ?? '',
    expected: textOf(entry['expected']),
    actual: textOf(entry['actual']),
    frames: reported.length > 0 ? reported : inStack,
    causes: listOf(entry['causes']).map((cause) => ({
      type: textOf(fields(cause)['type']) ?? 'unknown',
      message: textOf(fields(cause)['message']) ?? '',
      ...defined({ at: placeOf(fields(cause)['at']) }),
    })),
    ...defined({ occurrence: wholeOf(entry['occurrence']) }),
    further: listOf(entry['further']).filter(isFields).map(errorOf),
    ...defined({
      notes: Array.isArray(entry['notes']) ? textsOf(entry['notes']) : undefined,
      subtest: textOf(entry['subtest']),
      withoutValues: textOf(entry['withoutValues']),
      stopAt: textOf(entry['stopAt']),
    }),
  };
}
