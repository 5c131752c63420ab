import { isFields } from '../../debugger/protocol';

/** The part of an answer's size that a body may take; its texts can be cut further. */
const SHARE = 0.6;

/** A text that is cut takes no more than this. */
const CUT_TEXT = 90;

/** Deeper values are left out. */
const DEEPEST = 12;

/**
 * A body that nobody has checked, as much of it as fits an answer of so many characters once its texts are cut. What was
 * left out is counted.
 */
export function bounded(
  body: unknown,
  maxChars: number,
): { readonly value: unknown; readonly omitted: number } {
  let left = Math.floor(maxChars * SHARE);
  let omitted = 0;
  const take = (cost: number): boolean => {
    if (left < cost) {
      omitted += 1;
      return false;
    }
    left -= cost;
    return true;
  };
  const copy = (value: unknown, depth: number): unknown => {
    if (depth > DEEPEST) {
      omitted += 1;
      return null;
    }
    if (Array.isArray(value)) {
      const entries: readonly unknown[] = value;
      return entries
        .filter((entry) => take(costOf(entry) + 1))
        .map((entry) => copy(entry, depth + 1));
    }
    if (!isFields(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, each]) => take(lengthOf(key) + costOf(each) + 4))
        .map(([key, each]) => [key, copy(each, depth + 1)]),
    );
  };
  return { value: copy(body, 0), omitted };
}

/** What a value takes, the members of objects and lists aside. */
function costOf(value: unknown): number {
  if (typeof value === 'string') return Math.min(CUT_TEXT, lengthOf(value));
  if (typeof value === 'object' && value !== null) return 2;
  return String(value).length;
}

function lengthOf(text: string): number {
  return text.length > 1_000_000 ? text.length : JSON.stringify(text).length;
}
