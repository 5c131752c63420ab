import { shortPattern } from '../../../util/shortPattern';

/** The lines of a file. The first one is line 1. */
export type SourceLines = readonly string[];

const CONDITION = /^\s*(?:\}\s*)?(?:if|elif|elsif|else\s+if|case|unless)\b/;
/** Matches a condition that ends on its line, ignoring a comment. */
const IS_WHOLE = /[:{)]\s*(?:(?:#|\/\/)[^]*)?$/;
const NO_CODE = /^\s*(?:$|#|\/\/|\/?\*|[{)])/;

/**
 * Whether the condition of a line was true, derived from the line that was executed next. Undefined if the source does
 * not show it. The reason may be that the line is not a condition, that the condition continues on the next line, or
 * that its block is on the same line.
 */
export function branchTaken(source: SourceLines, line: number, next: number): boolean | undefined {
  const text = source[line - 1];
  if (text === undefined || !CONDITION.test(text) || !IS_WHOLE.test(text)) return undefined;
  const own = indentation(text);
  if (next <= line) return false;
  for (let number = line + 1; number <= next; number += 1) {
    const between = source[number - 1] ?? '';
    if (NO_CODE.test(between)) continue;
    if (indentation(between) <= own) return false;
  }
  return indentation(source[next - 1] ?? '') > own;
}

/** Returns the width of the space before a line's text. A tab counts as four. */
export function indentation(text: string): number {
  const space = /^\s*/.exec(text)?.[0] ?? '';
  return space.replace(/\t/g, '    ').length;
}

const CATCHES = /^\s*(?:\}\s*)?(?:except|catch|rescue)\b/;
const CAUGHT = shortPattern(
  /\bcatch\s*\((?:[^()]*[\s&*:])?([\p{L}_$][\p{L}\p{N}_$]*)(?:\s*:[^()]*)?\)|\bexcept\b.*\bas\s+([\p{L}_][\p{L}\p{N}_]*)/u,
);

/** Whether a line begins a block that catches exceptions. */
export function isCatchLine(text: string): boolean {
  return CATCHES.test(text);
}

/** Returns the `catch` line that begins the block around a line, or the line itself if it is a `catch` line. */
export function catchAround(source: SourceLines, line: number): number | undefined {
  const text = source[line - 1] ?? '';
  if (CATCHES.test(text)) return line;
  const own = indentation(text);
  for (let number = line - 1; number > 0; number -= 1) {
    const before = source[number - 1] ?? '';
    if (before.trim() === '' || indentation(before) >= own) continue;
    return CATCHES.test(before) ? number : undefined;
  }
  return undefined;
}

/** Whether a line of Python is in a `finally` block. An exception passes through it. */
export function isInFinally(source: SourceLines, line: number): boolean {
  const own = indentation(source[line - 1] ?? '');
  for (let number = line - 1; number > 0; number -= 1) {
    const before = source[number - 1] ?? '';
    if (before.trim() === '' || indentation(before) >= own) continue;
    return /^\s*finally\s*:/.test(before);
  }
  return false;
}

const EXCEPT = shortPattern(/^\s*except\b.*:\s*(?:#.*)?$/);

/**
 * Whether an `except` line of Python did not match the exception: the next line is not in its block.
 * @param next the next line of the call. Undefined if the exception has left the call
 */
export function isPassedOn(source: SourceLines, header: number, next: number | undefined): boolean {
  if (!EXCEPT.test(source[header - 1] ?? '')) return false;
  return next === undefined || next <= header || next > blockEnd(source, header);
}

/** Returns the last line of the block that a line begins. All its lines are indented more than the first one. */
export function blockEnd(source: SourceLines, header: number): number {
  const own = indentation(source[header - 1] ?? '');
  let end = header;
  for (let line = header + 1; line <= source.length; line += 1) {
    const text = source[line - 1] ?? '';
    if (text.trim() === '') continue;
    if (indentation(text) <= own) break;
    end = line;
  }
  return end;
}

/**
 * Whether a line is in a block that catches exceptions, and `header` begins the next such block of the same `try`. It
 * cannot catch an exception of that line.
 */
export function isNextHandler(source: SourceLines, line: number, header: number): boolean {
  const own = catchAround(source, line);
  const next = source[header - 1] ?? '';
  if (own === undefined || own === line || own >= header || !isCatchLine(next)) return false;
  if (indentation(source[own - 1] ?? '') !== indentation(next)) return false;
  return source
    .slice(blockEnd(source, own), header - 1)
    .every((text) => /^\s*(?:$|#|\/\/)/.test(text));
}

/** Returns the name under which a line catches an exception. */
export function caughtName(text: string | undefined): string | undefined {
  const found = CAUGHT.exec(text ?? '');
  return found?.[1] ?? found?.[2];
}

/** Whether a line of Python is in the block of a `try`, within its function. */
export function isInTry(source: SourceLines, line: number): boolean {
  let own = indentation(source[line - 1] ?? '');
  for (let number = line - 1; number > 0 && own > 0; number -= 1) {
    const before = source[number - 1] ?? '';
    if (before.trim() === '' || indentation(before) >= own) continue;
    own = indentation(before);
    if (/^\s*try\s*:/.test(before)) return true;
    if (/^\s*(?:async\s+)?(?:def|class)\b/.test(before)) return false;
  }
  return false;
}
