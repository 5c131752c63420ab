/** The number of lines above a line whose names help to explain it. */
const LINES_ABOVE = 8;

const NAME = /[A-Za-z_$][\w$]*/g;

/**
 * Sorts variables so that those come first that a line uses, then those that the lines above it use, nearest first. The
 * others keep their order.
 * @param source the lines of the file
 * @param line 1-based
 */
export function usedFirst<T>(
  variables: readonly T[],
  nameOf: (variable: T) => string,
  source: readonly string[],
  line: number,
): readonly T[] {
  const ranks = new Map<string, number>();
  for (let above = 0; above <= LINES_ABOVE; above += 1) {
    const text = source[line - 1 - above] ?? '';
    for (const [name] of text.matchAll(NAME)) if (!ranks.has(name)) ranks.set(name, above);
  }
  const rank = (variable: T): number => ranks.get(nameOf(variable)) ?? LINES_ABOVE + 1;
  return [...variables].sort((one, other) => rank(one) - rank(other));
}
