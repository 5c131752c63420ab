import type { Collection } from './collections';
import type { Hit } from './collector';
import { shownValue } from './table';

/** The difference between one hit and the hit of the same probe with the same number in the other collection. */
export interface Divergence {
  readonly probe: number;
  readonly hit: number;
  /** `missing`: only before; `extra`: only now. */
  readonly kind: 'value' | 'missing' | 'extra';
  readonly before: Hit | undefined;
  readonly now: Hit | undefined;
}

export interface Comparison {
  readonly first: Divergence | undefined;
  /** The hits before the first divergence, at most two. */
  readonly neighbours: readonly Hit[];
  /** The number of other hits that differ. */
  readonly others: number;
}

/** The number of hits before the first divergence that are shown. */
const NEIGHBOURS = 2;

/**
 * Aligns two collections by probe and hit number. The first divergence is the one with the earliest position in either
 * collection.
 */
export function compareCollections(before: Collection, now: Collection): Comparison {
  const [old, fresh] = [keyed(before.hits), keyed(now.hits)];
  const found: { readonly at: number; readonly divergence: Divergence }[] = [];
  for (const [key, { at, hit }] of fresh) {
    const other = old.get(key);
    if (other !== undefined && isSame(other.hit, hit)) continue;
    const kind = other === undefined ? 'extra' : 'value';
    found.push({
      at: Math.min(at, other?.at ?? at),
      divergence: { probe: hit.probe, hit: hit.number, kind, before: other?.hit, now: hit },
    });
  }
  for (const [key, { at, hit }] of old)
    if (!fresh.has(key))
      found.push({
        // A value at the same position follows from the missing hit.
        at: at - 0.5,
        divergence: {
          probe: hit.probe,
          hit: hit.number,
          kind: 'missing',
          before: hit,
          now: undefined,
        },
      });
  const first = found.reduce<(typeof found)[number] | undefined>(
    (best, candidate) => (best === undefined || candidate.at < best.at ? candidate : best),
    undefined,
  );
  if (first === undefined) return { first: undefined, neighbours: [], others: 0 };
  const hits = first.divergence.kind === 'missing' ? before.hits : now.hits;
  const position = hits.indexOf(first.divergence.now ?? first.divergence.before ?? ({} as Hit));
  return {
    first: first.divergence,
    neighbours: hits.slice(Math.max(0, position - NEIGHBOURS), Math.max(0, position)),
    others: found.length - 1,
  };
}

function keyed(
  hits: readonly Hit[],
): ReadonlyMap<string, { readonly at: number; readonly hit: Hit }> {
  return new Map(hits.map((hit, at) => [`${hit.probe}/${hit.number}`, { at, hit }]));
}

function isSame(one: Hit, other: Hit): boolean {
  return (
    one.claim === other.claim &&
    one.values.length === other.values.length &&
    one.values.every(
      (value, index) => comparableText(value) === comparableText(other.values[index]),
    )
  );
}

/** Returns the text of a value for a comparison. Addresses are masked, because they differ from run to run. */
export function comparableText(value: Hit['values'][number]): string | null {
  return shownValue(value)?.replace(/\b0x[\da-f]{6,16}\b/gi, '0x…') ?? null;
}
