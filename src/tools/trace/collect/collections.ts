import type { Hit } from './collector';
import type { Probe } from './probes';

/** What one call collected. */
export interface Collection {
  /** `c1`, `c2` … */
  readonly id: string;
  readonly probes: readonly Probe[];
  readonly hits: readonly Hit[];
}

/** What is kept in all: collections, hits, and characters of values. */
const MOST_COLLECTIONS = 20;
const MOST_HITS = 300_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** The collections of a window's life, as many as fit: the oldest is dropped for a new one. */
export class Collections {
  private readonly kept = new Map<string, { readonly is: Collection; readonly size: number }>();
  private last = 0;

  constructor(
    private readonly mostHits: number = MOST_HITS,
    private readonly mostCharacters: number = MOST_CHARACTERS,
  ) {}

  add(probes: readonly Probe[], hits: readonly Hit[]): Collection {
    this.last += 1;
    const is: Collection = { id: `c${this.last}`, probes, hits };
    this.kept.set(is.id, { is, size: sizeOf(hits) });
    for (const id of this.kept.keys()) {
      if (this.fits() || this.kept.size === 1) break;
      this.kept.delete(id);
    }
    return is;
  }

  get(id: string): Collection | undefined {
    return this.kept.get(id)?.is;
  }

  /** The ids of those that are kept, the oldest first. */
  ids(): readonly string[] {
    return [...this.kept.keys()];
  }

  private fits(): boolean {
    const all = [...this.kept.values()];
    return (
      all.length <= MOST_COLLECTIONS &&
      all.reduce((sum, each) => sum + each.is.hits.length, 0) <= this.mostHits &&
      all.reduce((sum, each) => sum + each.size, 0) <= this.mostCharacters
    );
  }
}

function sizeOf(hits: readonly Hit[]): number {
  return hits.reduce(
    (sum, { values }) =>
      sum +
      values.reduce(
        (length, each) =>
          length + (typeof each === 'string' ? each.length : (each?.error.length ?? 0)),
        0,
      ),
    0,
  );
}
