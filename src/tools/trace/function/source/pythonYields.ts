import type { ReturnedAt } from '../callModel';

const YIELDS = /^\s*(?:[\p{L}_][\p{L}\p{N}_]*\s*=\s*)?yield\s+(?!from\b)(?=\S)/u;
/** Matches names, numbers and texts with signs between them. A call, a member or a comprehension is something else. */
const IS_PLAIN = /^(?:[\p{L}_][\p{L}\p{N}_]*(?![\p{L}\p{N}_])|\d[\d.]*(?![\d.])|[\s,()+\-*/%])+$/u;
const NAMES = /[\p{L}_][\p{L}\p{N}_]*/gu;
const WORDS = /\b(?:and|or|not|if|else|lambda|for|in|is|await|yield)\b/;
const IS_CALL = /[\p{L}\p{N}_)]\s*\(/u;

/**
 * Returns the expressions that the `yield` statements of a Python function yield, if they consist of names, numbers and
 * texts. Operators may run code of the program, so an expression with them fails unless its values are plain ones.
 * @param code the lines without the contents of texts and comments
 * @param from the index of its first line
 * @param to the index of its last line
 */
export function pythonYields(
  lines: readonly string[],
  code: readonly string[],
  from: number,
  to: number,
): readonly ReturnedAt[] {
  const found: ReturnedAt[] = [];
  for (let index = from; index <= to; index += 1) {
    const bare = (code[index] ?? '').trimEnd();
    const start = YIELDS.exec(bare)?.[0].length;
    if (start === undefined) continue;
    const shown = bare.slice(start);
    if (!IS_PLAIN.test(shown) || WORDS.test(shown) || IS_CALL.test(shown)) continue;
    const text = (lines[index] ?? '').slice(start, bare.length);
    if (/["']/.test(text)) continue;
    found.push({ line: index + 1, expressions: [guarded(shown, text)] });
  }
  return found;
}

/** Returns an expression that fails if an operator would be applied to something else than a plain value. */
function guarded(shown: string, text: string): string {
  if (!/[+\-*/%]/.test(shown)) return text;
  const names = [...new Set(shown.match(NAMES) ?? [])];
  if (names.length === 0) return text;
  const isPlain = names.map((name) => `type(${name}) in (int, float, bool, str)`).join(' and ');
  return `(${text}) if ${isPlain} else 1 / 0`;
}
