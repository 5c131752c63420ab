import path from 'node:path';
import { defined } from '../../util/defined';
import type { ReportedError } from '../runReport';

/** What a test has logged at one call, with its place. */
export interface LogEntry {
  /** The file as the runner prints it: mostly without its folder. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The number of bytes of the test's log up to its end. */
  readonly end: number;
}

/** A failed test as `go test` prints it at its end. */
export interface FailedBlock {
  readonly name: string;
  readonly entries: readonly LogEntry[];
}

const INDENT = '    ';
const RESULT = /^((?: {4})*)--- (FAIL|SKIP|PASS): (.+) \(\d+(?:\.\d+)?s\)$/;
const ENTRY = /^ {4}(\S.*?):(\d+): ([^]*)$/;

/** Reads the log of a test: its entries, each with its place. @param log without the indentation of outer tests */
export function entriesIn(log: string, from = 0): readonly LogEntry[] {
  const entries: { file: string; line: number; text: string; end: number }[] = [];
  let end = from;
  let isOpen = false;
  for (const line of log.split(/(?<=\n)/)) {
    end += Buffer.byteLength(line);
    const text = line.replace(/\n$/, '');
    const [, file, number, first] = ENTRY.exec(text) ?? [];
    const last = entries.at(-1);
    if (file !== undefined && first !== undefined) {
      entries.push({ file, line: Number(number), text: first, end });
      isOpen = true;
    } else if (isOpen && last !== undefined && text.startsWith(INDENT + INDENT)) {
      last.text += `\n${text.slice(8)}`;
      last.end = end;
    } else {
      isOpen = false;
    }
  }
  return entries;
}

/** Finds the tests that failed in the printed lines, outermost first. */
export function failedBlocks(lines: readonly string[]): readonly FailedBlock[] {
  return lines.flatMap((line, at) => {
    const [, indentation, outcome, name = ''] = RESULT.exec(line) ?? [];
    if (indentation === undefined || outcome !== 'FAIL') return [];
    const inner = indentation + INDENT;
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((other) => !other.startsWith(inner));
    const own = (end === -1 ? rest : rest.slice(0, end)).map((other) =>
      other.slice(indentation.length),
    );
    const log = own.map((other) => `${other}\n`).join('');
    return [{ name, entries: entriesIn(log) }];
  });
}

/** A panic or a fatal error that ended a process. */
export interface PrintedPanic {
  readonly type: string;
  readonly message: string;
  /** Whether it was recovered and repeated, as the runner does with a panic of a test, which it makes fail first. */
  readonly isRepeated: boolean;
}

/** Reads the panic, or the fatal error, that the runtime prints. */
export function panicIn(lines: readonly string[]): PrintedPanic | undefined {
  const at = lines.findIndex((line) => /^(?:panic|fatal error): /.test(line));
  if (at === -1) return undefined;
  const rest = lines.slice(at);
  const end = rest.findIndex((line) =>
    /^(?:goroutine \d+ |\[signal |runtime stack:|\[originating )/.test(line),
  );
  const text = (end === -1 ? rest.slice(0, 1) : rest.slice(0, end)).join('\n').trimEnd();
  const [, type = '', message = ''] = /^(panic|fatal error): ([^]*)$/.exec(text) ?? [];
  const again = message.replaceAll(/ \[recovered(?:, repanicked)?\]$/gm, '').split('\n\tpanic: ');
  const distinct = again.filter((part, index) => index === 0 || part !== again[index - 1]);
  const isRepeated = / \[recovered(?:, repanicked)?\]$/m.test(message);
  return { type, message: distinct.join('\n\tpanic: '), isRepeated };
}

/** Returns an entry as `go test` prints it. */
export function logged({ file, line, text }: LogEntry): string {
  return `${file}:${line}: ${text}`;
}

/**
 * Returns the error for a logged text.
 * @param frames the frames of its stop. The runner prints a file without its folder, which they tell.
 */
export function errorOf(
  { file, line, text }: Pick<LogEntry, 'file' | 'line' | 'text'>,
  folder: string,
  frames?: readonly { readonly path: string | undefined; readonly line: number }[],
): ReportedError {
  const isThere = frames?.find(
    (frame) =>
      frame.path !== undefined &&
      path.basename(frame.path) === path.basename(file) &&
      frame.line === line,
  );
  // Without frames, a file of tests is most likely in the package.
  const isGuessed = frames === undefined && file.endsWith('_test.go');
  const found = isThere?.path ?? (isGuessed ? path.resolve(folder, file) : undefined);
  const place = found === undefined ? [] : [{ path: found, line, name: '' }];
  return {
    type: undefined,
    message: text.replace(/^\n/, ''),
    ...testifyValues(text),
    frames: place,
    isPlaced: place.length > 0,
    causes: [],
  };
}

/** Returns the values of a failed assertion of testify, which writes sections with labels. */
function testifyValues(text: string): Pick<ReportedError, 'expected' | 'actual'> {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^\tError:\s*\t/.test(line));
  if (at === -1) return {};
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\t +\t/.test(line));
  const content = (end === -1 ? rest : rest.slice(0, end))
    .map((line) => line.replace(/^\t +\t/, ''))
    .join('\n');
  const [, expected, actual] =
    /^expected\s*: ([^]*?)\nactual\s*: ([^]*?)(?:\n\nDiff:|$(?![^]))/.exec(content) ?? [];
  return defined({ expected, actual });
}
