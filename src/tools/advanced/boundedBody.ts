import { isFields } from '../../debugger/protocol';

/** The fraction of a result's size that a body may take. Its texts can be cut further. */
const SHARE = 0.6;

/** The size that is counted for a long text, because the text can be cut to this size. */
const CUT_TEXT = 90;

/** The maximum depth. Deeper values are omitted. */
const DEEPEST = 12;

/**
 * Copies as much of an unchecked body as fits into a result of this size after its texts are cut. Omitted values are
 * counted.
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
        .filter(([key, member]) => take(lengthOf(key) + costOf(member) + 4))
        .map(([key, member]) => [key, copy(member, depth + 1)]),
    );
  };
  return { value: copy(body, 0), omitted };
}

/** Returns the size of a value, without the members of objects and lists. */
function costOf(value: unknown): number {
  if (typeof value === 'string') return Math.min(CUT_TEXT, lengthOf(value));
  if (typeof value === 'object' && value !== null) return 2;
  return String(value).length;
}

function lengthOf(text: string): number {
  return text.length > 1_000_000 ? text.length : JSON.stringify(text).length;
}
