const HALF = /\p{Surrogate}/u;
const HALVES = /\p{Surrogate}/gu;

/**
 * The value with every half of a surrogate pair, in texts and names, replaced by U+FFFD: a program's strings may hold
 * any code units, and strict readers of JSON refuse what is no Unicode. The same value where there is none.
 */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return HALF.test(value) ? value.replace(HALVES, '\uFFFD') : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const made = entries.map(([key, each]) => [wellFormed(key), wellFormed(each)] as const);
  if (made.every(([key, each], index) => key === entries[index]?.[0] && each === entries[index][1]))
    return value;
  return Array.isArray(value) ? made.map(([, each]) => each) : Object.fromEntries(made);
}
