import type { StartPlan } from '../../launch/launchPlan';
import type { ReadTrigger } from '../../trigger/triggerInput';
import type { Hit } from './collector';
import type { Probe } from './probes';

/** The values that one call collected. */
export interface Collection {
  /** The id: `c1`, `c2` … */
  readonly id: string;
  readonly probes: readonly Probe[];
  readonly hits: readonly Hit[];
  /** Whether the collection ended before the program, so that later hits are unknown. */
  readonly isCut: boolean;
  /** How its program is started again. Undefined if a further run may be another one. */
  readonly start?: CollectionStart | undefined;
}

/** The start of a program from whose beginning values were collected. */
export interface CollectionStart {
  readonly plan: StartPlan;
  readonly type: string;
  /** What was sent to the program. */
  readonly trigger?: ReadTrigger | undefined;
}

/** The limits for all collections together: their number, their hits, and the characters of their values. */
const MAX_COLLECTIONS = 20;
const MAX_HITS = 300_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The collections of this window. The oldest ones are dropped to make room for a new one. */
export class Collections {
  private readonly kept = new Map<
    string,
    { readonly collection: Collection; readonly size: number }
  >();
  private last = 0;

  constructor(
    private readonly mostHits: number = MAX_HITS,
    private readonly mostCharacters: number = MAX_CHARACTERS,
  ) {}

  add(
    probes: readonly Probe[],
    hits: readonly Hit[],
    isCut: boolean,
    start?: CollectionStart,
  ): Collection {
    this.last += 1;
    const collection: Collection = { id: `c${this.last}`, probes, hits, isCut, start };
    this.kept.set(collection.id, { collection, size: sizeOf(hits) });
    for (const id of this.kept.keys()) {
      if (this.fits() || this.kept.size === 1) break;
      this.kept.delete(id);
    }
    return collection;
  }

  get(id: string): Collection | undefined {
    return this.kept.get(id)?.collection;
  }

  /** Returns the ids of the stored collections, oldest first. */
  ids(): readonly string[] {
    return [...this.kept.keys()];
  }

  private fits(): boolean {
    const all = [...this.kept.values()];
    return (
      all.length <= MAX_COLLECTIONS &&
      all.reduce((sum, { collection }) => sum + collection.hits.length, 0) <= this.mostHits &&
      all.reduce((sum, { size }) => sum + size, 0) <= this.mostCharacters
    );
  }
}

function sizeOf(hits: readonly Hit[]): number {
  return hits.reduce(
    (sum, { values }) =>
      sum +
      values.reduce(
        (length, value) =>
          length + (typeof value === 'string' ? value.length : (value?.error.length ?? 0)),
        0,
      ),
    0,
  );
}
