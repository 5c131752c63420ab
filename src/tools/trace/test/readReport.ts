import { fileURLToPath } from 'node:url';
import {
  fields,
  isFields,
  listOf,
  numberOf,
  textOf,
  wholeOf,
  type Fields,
} from '../../../debugger/protocol';
import type {
  ChosenTest,
  Outcome,
  ReportedError,
  ReportedFrame,
  ReportedTest,
  RunReport,
} from './testFramework';

/** More tests than one call can mean. */
const MOST_TESTS = 2000;

/** What our reporters write: one JSON object a line, of which the last may be cut. */
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

/** The report of our own reporters. */
export function readOwnReport(
  report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
): RunReport {
  const entries = readLines(report ?? '');
  const loading = entries.find((each) => isFields(each['loadError']));
  const tests = entries
    .filter((each) => !isFields(each['loadError']))
    .slice(0, MOST_TESTS)
    .flatMap((each) => testOf(each, test) ?? []);
  if (loading !== undefined) return { tests, error: errorOf(fields(loading['loadError'])) };
  return { tests, error: tests.length === 0 ? errorInOutput(output) : undefined };
}

/** The last line of an error as Node and Python print it. */
const ERROR_LINE =
  /^(?:\S*: )?([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit)\b(?: \[\w+\])?): ?(.*)$/;
/** pytest's own errors, and those of runners that say no more. */
const RUNNER_ERROR = /^(?:ERROR|Error)(?::| ) ?(.*)$/;
const PLACE_LINES: readonly RegExp[] = [
  /^((?:file:|\/|[A-Za-z]:[\\/]).*?):(\d+)$/,
  /^\s*File "(.+)", line (\d+)/,
];

/** What a runner printed where it could not begin: a file that does not load, a package that is missing. */
export function errorInOutput(output: readonly string[]): ReportedError | undefined {
  const at = output.findIndex((line) => ERROR_LINE.test(line));
  const [, type, message = ''] = ERROR_LINE.exec(output[at] ?? '') ?? [];
  const said = RUNNER_ERROR.exec(output.find((line) => RUNNER_ERROR.test(line)) ?? '')?.[1];
  if (type === undefined && said === undefined) return undefined;
  const places = output.flatMap((line): ReportedFrame[] => {
    const found = PLACE_LINES.map((each) => each.exec(line)).find((each) => each !== null);
    return found == undefined
      ? []
      : [{ name: '', path: pathOf(found[1] ?? ''), line: Number(found[2]) }];
  });
  return {
    type,
    message: type === undefined ? (said ?? '') : message,
    frames: [...places.reverse(), ...framesInStack(output.join('\n'))],
    causes: [],
  };
}

function testOf(entry: Fields, wanted: ChosenTest): ReportedTest | undefined {
  const status = textOf(entry['status']) ?? '';
  const path = textsOf(entry['path']);
  if (!isOutcome(status)) return undefined;
  // jest reports all tests that it left out like this.
  if (entry['isUnmatched'] === true && path.join(' ') !== wanted.path.join(' ')) return undefined;
  return {
    outcome: status,
    path,
    line: wholeOf(entry['line']),
    error: isFields(entry['error']) ? errorOf(entry['error']) : undefined,
    reason: textOf(entry['reason']),
    durationMs: numberOf(entry['durationMs']),
    output: Array.isArray(entry['output']) ? textsOf(entry['output']) : undefined,
  };
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) => textOf(each) ?? []);
}

function errorOf(entry: Fields): ReportedError {
  const told = listOf(entry['frames']).flatMap((each): ReportedFrame[] => {
    const { path, line, name } = fields(each);
    return typeof path === 'string' && typeof line === 'number'
      ? [{ path: pathOf(path), line, name: textOf(name) ?? '' }]
      : [];
  });
  const inStack = told.length > 0 ? [] : framesInStack(textOf(entry['stack']) ?? '');
  return {
    type: textOf(entry['type']),
    message: textOf(entry['message']) ?? '',
    expected: textOf(entry['expected']),
    actual: textOf(entry['actual']),
    frames: told.length > 0 ? told : inStack,
    isRaw: told.length === 0 && inStack.length > 0,
    causes: listOf(entry['causes']).map((each) => ({
      type: textOf(fields(each)['type']) ?? 'unknown',
      message: textOf(fields(each)['message']) ?? '',
    })),
  };
}

const STACK_LINE = /^\s+at (?:(.*?) \()?((?:file:|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/gm;

/** The frames of a stack as V8 writes it, innermost first. */
export function framesInStack(stack: string): readonly ReportedFrame[] {
  return [...stack.matchAll(STACK_LINE)].map(([, name = '', file = '', line, column]) => ({
    name,
    path: pathOf(file),
    line: Number(line),
    column: Number(column),
  }));
}

function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file;
  try {
    return fileURLToPath(file);
  } catch {
    return file;
  }
}
