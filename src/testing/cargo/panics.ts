import path from 'node:path';
import { defined } from '../../util/defined';
import type { ReportedError } from '../runReport';

/** A panic as Rust's library prints it. */
export interface Panic {
  /** The index of its first line. */
  readonly index: number;
  /** The thread's name: that of the test, or `<unnamed>`. */
  readonly thread: string;
  /** The id of the thread in the system, which new versions print. */
  readonly threadId: number | undefined;
  readonly message: string;
  readonly at:
    { readonly path: string; readonly line: number; readonly column: number } | undefined;
}

/** Rust 1.73 and later versions write the place before the message. Older versions write it after the message. */
const PANIC = /^thread '([^']*)'(?: \((\d+)\))? panicked at (?:(\S.*?):(\d+):(\d+):$|'(.*)$)/s;
const OLD_PLACE = /:(\d{1,9}):(\d{1,9})$/;
/** The lines that end a message. Only the first panic of a process has a note behind it. */
const BEHIND =
  /^(?:stack backtrace:|note: |test \S+ .*\.\.\. |thread '.*' (?:\(\d+\) )?panicked at )/;
const NOTE = /^(?:stack backtrace:|note: )/;

/** Returns the panics in the order in which they were printed. */
export function panicsIn(lines: readonly string[], folder: string): readonly Panic[] {
  return lines.flatMap((line, index) => {
    const match = PANIC.exec(line);
    return match === null ? [] : [panicOf(match, lines.slice(index + 1), index, folder)];
  });
}

/** Returns the index of the line at which the first panic begins, or -1. */
export function firstPanic(lines: readonly string[]): number {
  return lines.findIndex((line) => PANIC.test(line));
}

function panicOf(
  [, thread = '', id, newFile, newLine, newColumn, oldBegin]: readonly (string | undefined)[],
  rest: readonly string[],
  index: number,
  folder: string,
): Panic {
  const more = messageLines(rest);
  const old = oldPlaceOf([oldBegin ?? '', ...more].join('\n'));
  const message = newFile === undefined ? (old?.message ?? oldBegin ?? '') : more.join('\n');
  const [file, line, column] =
    newFile === undefined ? [old?.file, old?.line, old?.column] : [newFile, newLine, newColumn];
  return {
    ...{ index, thread },
    threadId: id === undefined ? undefined : Number(id),
    message: message.trim(),
    at:
      file === undefined
        ? undefined
        : { path: absolute(file, folder), line: Number(line), column: Number(column) },
  };
}

/** Returns the message of an older version, and the place behind it. */
function oldPlaceOf(
  text: string,
): Readonly<Record<'message' | 'file' | 'line' | 'column', string>> | undefined {
  const [place, line = '', column = ''] = OLD_PLACE.exec(text) ?? [];
  const end = text.lastIndexOf("', ");
  if (place === undefined || end === -1) return undefined;
  const file = text.slice(end + 3, text.length - place.length);
  return file === '' ? undefined : { message: text.slice(0, end), file, line, column };
}

/** A message may have empty lines, if a note shows where it ends. */
function messageLines(rest: readonly string[]): readonly string[] {
  const end = rest.findIndex((line) => BEHIND.test(line));
  const all = end === -1 ? rest : rest.slice(0, end);
  if (NOTE.test(rest[end] ?? '')) return all;
  const blank = all.findIndex((line) => line.trim() === '');
  return blank === -1 ? all : all.slice(0, blank);
}

/**
 * Returns the absolute path of a file. The compiler writes paths relative to the Cargo workspace, which is the crate's
 * folder or a folder above it.
 */
function absolute(file: string, folder: string): string {
  if (path.isAbsolute(file)) return file;
  const [names, above] = [file.split(/[\\/]/), folder.split(path.sep)];
  for (let length = Math.min(names.length - 1, above.length); length > 0; length -= 1)
    if (names.slice(0, length).join('/') === above.slice(-length).join('/'))
      return path.join(folder, ...names.slice(length));
  return path.join(folder, file);
}

const LEFT = /^ *left: (`?)(.*?)\1,?$/m;
const RIGHT = /^ *right: (`?)(.*?)\1(?:: .*)?$/m;

/**
 * Returns the two values that an assertion prints. By convention, the left one of `assert_eq!` is the actual value. None
 * of those of `assert_ne!` was expected.
 */
export function sidesOf(message: string): Pick<ReportedError, 'actual' | 'expected' | 'sides'> {
  const [lhs, rhs] = [LEFT, RIGHT].map((side) => side.exec(message)?.[2]);
  if (lhs === undefined || rhs === undefined) return {};
  return /left != right/.test(message.split('\n')[0] ?? '')
    ? { sides: { lhs, rhs } }
    : { actual: lhs, expected: rhs };
}

/** Returns the error of a test with `#[should_panic(expected = …)]` that has panicked with another message. */
export function unexpectedPanic(
  lines: readonly string[],
): Pick<ReportedError, 'message' | 'actual' | 'expected'> | undefined {
  const at = lines.findIndex((line) => line.startsWith('note: panic did not contain '));
  if (at < 0) return undefined;
  const text = lines.slice(at, at + 3).join('\n');
  const [actual, expected] = [/^ *panic message: (.*?),?$/m, /^ *expected substring: (.*)$/m].map(
    (pattern) => pattern.exec(text)?.[1],
  );
  return defined({ message: (lines[at] ?? '').slice('note: '.length), actual, expected });
}
