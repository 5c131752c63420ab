const HALF = /\p{Surrogate}/u;
const HALVES = /\p{Surrogate}/gu;

/**
 * Replaces unpaired surrogates in texts and names by U+FFFD. A program's strings may contain any code units, and strict
 * JSON parsers refuse invalid Unicode. Returns the same value if it contains none.
 */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return HALF.test(value) ? value.replace(HALVES, '\uFFFD') : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const made = entries.map(([key, member]) => [wellFormed(key), wellFormed(member)] as const);
  const isSame = made.every(
    ([key, member], index) => key === entries[index]?.[0] && member === entries[index][1],
  );
  if (isSame) return value;
  return Array.isArray(value) ? made.map(([, member]) => member) : Object.fromEntries(made);
}
