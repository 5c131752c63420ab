/** A line and the number of its consecutive occurrences. */
interface Repeated<T> {
  readonly line: T;
  readonly times: number;
}

/** Merges consecutive equal lines. */
export function folded<T>(
  lines: readonly T[],
  isEqual: (one: T, other: T) => boolean,
): readonly Repeated<T>[] {
  const runs: { line: T; times: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last !== undefined && isEqual(last.line, line)) last.times += 1;
    else runs.push({ line, times: 1 });
  }
  return runs;
}

/** The line with its count, such as `ready (×14)`. */
export function withCount({ line, times }: Repeated<string>): string {
  return times === 1 ? line : `${line} (×${times})`;
}

/** The number of lines that a text with a count represents, see `withCount`. */
export function timesOf(text: string): number {
  return Number(/ \(×(\d{1,9})\)$/.exec(text.slice(-20))?.[1] ?? 1);
}
