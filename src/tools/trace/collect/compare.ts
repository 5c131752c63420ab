import type { Collection } from './collections';
import type { Hit } from './collector';
import { differ, unknownValues } from './sameness';

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
  /** The number of hits after the end of the other collection, which ended before its program. */
  readonly uncompared: number;
  /** The hits whose values look equal, but are shown only in part. They may differ in the other part. */
  readonly partial: readonly PartialHit[];
}

export interface PartialHit {
  readonly hit: Hit;
  /** The positions of these values among the probe's expressions. */
  readonly values: readonly number[];
}

/** The number of hits before the first divergence that are shown. */
const NEIGHBOURS = 2;

/**
 * Aligns two collections by probe and hit number. The first divergence is the one with the earliest position in either
 * collection.
 */
export function compareCollections(before: Collection, now: Collection): Comparison {
  const found = [...changedHits(before, now), ...missingHits(before, now)];
  const compared = found.filter(({ isUnknown }) => !isUnknown);
  const first = compared.reduce<Candidate | undefined>(
    (best, candidate) => (best === undefined || candidate.at < best.at ? candidate : best),
    undefined,
  )?.divergence;
  return {
    first,
    neighbours: first === undefined ? [] : neighboursOf(first, before, now),
    others: Math.max(0, compared.length - 1),
    uncompared: found.length - compared.length,
    partial: partialHits(before, now),
  };
}

interface Candidate {
  /** Its position in the order of hits. */
  readonly at: number;
  readonly divergence: Divergence;
  /** Whether the other collection had ended before. */
  readonly isUnknown: boolean;
}

/** Returns the hits whose values differ, and the hits that exist only now. */
function changedHits(before: Collection, now: Collection): readonly Candidate[] {
  const old = keyed(before.hits);
  return [...keyed(now.hits)].flatMap(([key, { at, hit }]) => {
    const other = old.get(key);
    if (other !== undefined && isSame(other.hit, hit)) return [];
    const kind = other === undefined ? 'extra' : 'value';
    return {
      at: Math.min(at, other?.at ?? at),
      divergence: { probe: hit.probe, hit: hit.number, kind, before: other?.hit, now: hit },
      isUnknown: other === undefined && before.isCut && at >= before.hits.length,
    };
  });
}

/** Returns the hits that existed only before. */
function missingHits(before: Collection, now: Collection): readonly Candidate[] {
  const fresh = keyed(now.hits);
  return [...keyed(before.hits)].flatMap(([key, { at, hit }]) => {
    if (fresh.has(key)) return [];
    return {
      // A value at the same position follows from the missing hit.
      at: at - 0.5,
      divergence: {
        probe: hit.probe,
        hit: hit.number,
        kind: 'missing',
        before: hit,
        now: undefined,
      },
      isUnknown: now.isCut && at >= now.hits.length,
    };
  });
}

function neighboursOf(first: Divergence, before: Collection, now: Collection): readonly Hit[] {
  const hit = first.now ?? first.before;
  const hits = first.kind === 'missing' ? before.hits : now.hits;
  const position = hit === undefined ? 0 : Math.max(0, hits.indexOf(hit));
  return hits.slice(Math.max(0, position - NEIGHBOURS), position);
}

function partialHits(before: Collection, now: Collection): readonly PartialHit[] {
  const old = keyed(before.hits);
  return now.hits.flatMap((hit) => {
    const other = old.get(keyOf(hit));
    if (other === undefined || !isSame(other.hit, hit)) return [];
    const values = unknownValues(other.hit, hit, 'twoRuns');
    return values.length === 0 ? [] : [{ hit, values }];
  });
}

function keyOf({ probe, number }: Hit): string {
  return `${probe}/${number}`;
}

function keyed(
  hits: readonly Hit[],
): ReadonlyMap<string, { readonly at: number; readonly hit: Hit }> {
  return new Map(hits.map((hit, at) => [keyOf(hit), { at, hit }]));
}

function isSame(one: Hit, other: Hit): boolean {
  return one.claim === other.claim && !differ(one, other, 'twoRuns');
}
