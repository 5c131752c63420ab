/** A thread that waits until another one, or itself, gives something or ends. */
export interface Waits {
  readonly id: number;
  readonly ownerId: number;
}

/**
 * Returns the cycles among threads that wait for each other, each thread in the order of the waits. Each thread waits for
 * at most one other, so a thread is in at most one cycle.
 */
export function cyclesOf(waits: readonly Waits[]): readonly (readonly number[])[] {
  const ownerOf = new Map(waits.map(({ id, ownerId }) => [id, ownerId]));
  const seen = new Set<number>();
  const cycles: number[][] = [];
  for (const { id } of waits) {
    const path: number[] = [];
    let at: number | undefined = id;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = ownerOf.get(at);
    }
    const from = at === undefined ? -1 : path.indexOf(at);
    if (from >= 0) cycles.push(path.slice(from));
  }
  return cycles;
}
