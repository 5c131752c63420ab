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
import type {
  ChosenTest,
  LibraryLine,
  Outcome,
  ReportedError,
  ReportedFrame,
  ReportedTest,
  RunReport,
} from '../testFramework';

/** The maximum number of tests that are read. One call does not select more. */
const MOST_TESTS = 2000;

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
  const entries = readLines(report ?? '');
  const loading = entries.find((entry) => isFields(entry['loadError']));
  const tests = entries
    .filter((entry) => !isFields(entry['loadError']))
    .slice(0, MOST_TESTS)
    .flatMap((entry) => testOf(entry, test) ?? []);
  const hanging = entries.findLast((entry) => Array.isArray(entry['hanging']));
  const more = defined({
    isStopping: entries.some((entry) => entry['stopping'] === true) ? true : undefined,
    hanging: hanging === undefined ? undefined : reportedFrames(hanging['hanging']),
    toolFailure: textOf(entries.find((entry) => 'toolFailure' in entry)?.['toolFailure']),
  });
  if (loading !== undefined)
    return { tests, error: errorOf(fields(loading['loadError'])), ...more };
  if (tests.length > 0) return { tests, ...more };
  const exit = entries.find((entry) => 'exited' in entry);
  const error = exit === undefined ? undefined : exited(wholeOf(exit['exited']));
  return { tests, error: errorInOutput(output) ?? error, ...more };
}

/**
 * Returns the error of a process that ended before its runner. A test may end the process itself.
 * @param code the exit code. Undefined if it is unknown.
 */
export function exited(code: number | undefined): ReportedError {
  const withCode = code === undefined ? '' : ` with code ${code}`;
  const message = `The process exited${withCode} before the test ended.`;
  return { type: undefined, message, isExit: true, frames: [], causes: [] };
}

/** Matches the last line of an error in the format of Node and Python. mocha puts a mark before it. */
const ERROR_LINE =
  /^(?:✖ ERROR: |\S*: )?([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit)\b(?: \[\w+\])?): ?(.*)$/;
/** Matches an error of pytest itself, or of a runner that prints no type. */
const RUNNER_ERROR = /^(?:✖ ERROR: )?(?:ERROR|Error)(?::| ) ?(.*)$/;
const PLACE_LINES: readonly RegExp[] = [
  /^((?:file:|\/|[A-Za-z]:[\\/]).*?):(\d+)$/,
  /^\s*File "(.+)", line (\d+)/,
];

/**
 * Returns the error that a runner printed if it could not start, for example because a file does not load or a package
 * is missing.
 */
export function errorInOutput(output: readonly string[]): ReportedError | undefined {
  const at = output.findIndex((line) => ERROR_LINE.test(line));
  const [, type, message = ''] = ERROR_LINE.exec(output[at] ?? '') ?? [];
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

function lineOf({ path, line }: Fields): LibraryLine | undefined {
  return typeof path === 'string' && typeof line === 'number' ? { path, line } : undefined;
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
function reportedFrames(value: unknown): readonly ReportedFrame[] {
  return listOf(value).flatMap((frame): ReportedFrame[] => {
    const { path, line, column, name, variables, omitted } = fields(frame);
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
        }),
      },
    ];
  });
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
    isRaw: reported.length === 0 && inStack.length > 0,
    causes: listOf(entry['causes']).map((cause) => ({
      type: textOf(fields(cause)['type']) ?? 'unknown',
      message: textOf(fields(cause)['message']) ?? '',
    })),
    ...defined({ occurrence: wholeOf(entry['occurrence']) }),
    keptAt: lineOf(fields(entry['keptAt'])),
    further: listOf(entry['further']).filter(isFields).map(errorOf),
    ...defined({
      notes: Array.isArray(entry['notes']) ? textsOf(entry['notes']) : undefined,
      subtest: textOf(entry['subtest']),
      withoutValues: textOf(entry['withoutValues']),
    }),
  };
}
