import { readReport } from '../report/readReport';
import { pathOf } from '../../results/stackText';
import { defined } from '../../util/defined';
import type { ReportedError, ReportedFrame, RunReport } from '../runReport';
import type { ChosenTest } from '../testFramework';

/** Reads what the reporters of pytest and unittest wrote. */
export function readPythonReport(
  report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
): RunReport {
  const read = readReport(report, output, test, errorInPython);
  if (read.tests.length > 0 || read.error !== undefined) return read;
  const ours = output.find((line) =>
    /\bError importing plugin "agent_debugger_report"|No module named '?agent_debugger_/.test(line),
  );
  return { ...read, ...defined({ toolFailure: read.toolFailure ?? ours }) };
}

/** Matches the last line of a traceback. */
const ERROR = /^([A-Za-z_][\w.]*)(?:: (.*))?$/;
const FRAME = /^\s*File "(.+)", line (\d+)(?:, in ([^]+))?$/;

/** The marks that pytest puts before the lines of an error. */
const INTERNAL = /^INTERNALERROR> ?/;
const CONFTEST = /^E {3}/;
/** The errors of pytest about its options and its configuration. The lines of its usage are none. */
const USAGE = /^(?:ERROR: (?!usage: )|\S+(?: -m \S+)?: error: )(.*)$/;

/**
 * Returns the error for which Python or its runner ended, if the reporter could not report it: an internal error of
 * pytest, a `conftest.py` that does not load, a wrong option, or a traceback. A line of the program that looks like an
 * error is none.
 */
export function errorInPython(output: readonly string[]): ReportedError | undefined {
  if (output.some((line) => line.includes('"agent_debugger_report"'))) return undefined;
  const internal = output.filter((line) => INTERNAL.test(line));
  if (internal.length > 0) return lastError(internal.map((line) => line.replace(INTERNAL, '')));
  const loading = output.findIndex((line) => /^ImportError while loading conftest /.test(line));
  const usage = output.findIndex((line) => USAGE.test(line));
  if (loading >= 0) return conftestError(output.slice(loading));
  if (usage >= 0) return usageError(output.slice(usage));
  const begin = output.findLastIndex((line) => /^Traceback \(most recent call last\):/.test(line));
  return begin < 0 ? undefined : lastError(output.slice(begin));
}

function printed(
  type: string | undefined,
  message: string,
  frames: ReportedFrame[],
): ReportedError {
  return { type, message, frames, causes: [], isPrinted: true };
}

/** Reads the last traceback of some lines. */
function lastError(lines: readonly string[]): ReportedError | undefined {
  const begin = lines.findLastIndex((line) => line.startsWith('Traceback '));
  const own = lines.slice(Math.max(0, begin));
  const at = own.findIndex((line, index) => index > 0 && !/^\s/.test(line) && ERROR.test(line));
  const [, type, message = ''] = ERROR.exec(own[at] ?? '') ?? [];
  if (type === undefined) return undefined;
  const more = own.slice(at + 1).filter((line) => line !== '');
  return printed(shortType(type), [message, ...more].join('\n').trim(), framesIn(own).reverse());
}

/** Reads the error that pytest prints for a `conftest.py`: each line of the error has a mark. */
function conftestError(lines: readonly string[]): ReportedError | undefined {
  const marked = lines.filter((line) => CONFTEST.test(line)).map((line) => line.slice(4));
  const [, type, message = ''] = ERROR.exec(marked[0] ?? '') ?? [];
  const frames = lines.flatMap((line): ReportedFrame[] => {
    const [, file, number] = /^(.+):(\d+): in /.exec(line) ?? [];
    return file === undefined ? [] : [{ path: pathOf(file), line: Number(number), name: '' }];
  });
  return type === undefined
    ? printed(undefined, lines[0] ?? '', [])
    : printed(shortType(type), [message, ...marked.slice(1)].join('\n').trim(), frames.reverse());
}

function usageError(lines: readonly string[]): ReportedError {
  const message = USAGE.exec(lines[0] ?? '')?.[1] ?? '';
  const end = lines.slice(1).findIndex((line) => line.trim() === '');
  const more = lines.slice(1, end < 0 ? undefined : end + 1);
  return printed('UsageError', [message, ...more].join('\n').trim(), []);
}

function framesIn(lines: readonly string[]): ReportedFrame[] {
  return lines.flatMap((line) => {
    const [, file, number, name = ''] = FRAME.exec(line) ?? [];
    return file === undefined ? [] : [{ path: pathOf(file), line: Number(number), name }];
  });
}

function shortType(type: string): string {
  return type.split('.').at(-1) ?? type;
}

const COLLECTED = /^(?:collected \d+ item|collecting )/;
const LATER = /^(?:=+ .* =+|-+ .* -+)$/;

/** Returns the lines that a test printed between those of pytest, if pytest does not capture them. */
export function withoutPytestLines(
  lines: readonly string[],
  path?: readonly string[],
): readonly string[] {
  const begin = lines.findIndex((line) => COLLECTED.test(line));
  if (begin < 0 || path === undefined) return lines;
  const own = lines.slice(begin + 1);
  const end = own.findIndex((line) => LATER.test(line));
  return own
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.replace(/^\S+\.pyw? ?(?:[.FEsxX]$)?/, ''))
    .filter((line) => !/^(?:[.FEsxX]+)?\s*(?:\[\s*\d+%\])?$/.test(line));
}
