/** The lines of a file; the first one is line 1. */
export type SourceLines = readonly string[];

const CONDITION = /^\s*(?:\}\s*)?(?:if|elif|elsif|else\s+if|case|unless)\b/;
/** A condition that ends on its line, a comment aside. */
const IS_WHOLE = /[:{)]\s*(?:(?:#|\/\/).*)?$/;
const NO_CODE = /^\s*(?:$|#|\/\/|\/?\*|[{)])/;

/**
 * Whether the condition of a line held, by the line that was executed next; undefined where the source does not show it:
 * the line is no condition, it goes on in the next line, or what depends on it is on the same line.
 */
export function branchTaken(source: SourceLines, line: number, next: number): boolean | undefined {
  const text = source[line - 1];
  if (text === undefined || !CONDITION.test(text) || !IS_WHOLE.test(text)) return undefined;
  const own = indentation(text);
  if (next <= line) return false;
  for (let each = line + 1; each <= next; each += 1) {
    const between = source[each - 1] ?? '';
    if (NO_CODE.test(between)) continue;
    if (indentation(between) <= own) return false;
  }
  return indentation(source[next - 1] ?? '') > own;
}

function indentation(text: string): number {
  const space = /^\s*/.exec(text)?.[0] ?? '';
  return space.replace(/\t/g, '    ').length;
}

const CATCHES = /^\s*(?:\}\s*)?(?:except|catch|rescue)\b/;
const CAUGHT =
  /\bcatch\s*\((?:[^()]*[\s&*:])?([\p{L}_$][\p{L}\p{N}_$]*)(?:\s*:[^()]*)?\)|\bexcept\b.*\bas\s+([\p{L}_][\p{L}\p{N}_]*)/u;

/** The line that begins the block around a line, or that the line is, where that catches an exception. */
export function catchAround(source: SourceLines, line: number): number | undefined {
  const text = source[line - 1] ?? '';
  if (CATCHES.test(text)) return line;
  const own = indentation(text);
  for (let each = line - 1; each > 0; each -= 1) {
    const before = source[each - 1] ?? '';
    if (before.trim() === '' || indentation(before) >= own) continue;
    return CATCHES.test(before) ? each : undefined;
  }
  return undefined;
}

/** The name under which a line catches an exception. */
export function caughtName(text: string | undefined): string | undefined {
  const found = CAUGHT.exec(text ?? '');
  return found?.[1] ?? found?.[2];
}
