import type { Hit } from './collector';
import type { PartialHit } from './compare';
import { differ, unknownValues } from './sameness';

export type Keep = 'all' | 'changes' | 'first' | 'last';

export interface KeptHits {
  readonly hits: readonly Hit[];
  /** The hits that are left out because they look like the one before, but are shown only in part. */
  readonly unknown: readonly PartialHit[];
}

/** Returns the hits that the caller requested with `keep`. */
export function keptHits(hits: readonly Hit[], keep: Keep): KeptHits {
  if (keep === 'all') return { hits, unknown: [] };
  if (keep === 'first') return { hits: hits.filter((hit) => hit.number === 1), unknown: [] };
  if (keep === 'changes') return changesAmong(hits);
  const lasts = new Set(new Map(hits.map((hit) => [hit.probe, hit])).values());
  return { hits: hits.filter((hit) => lasts.has(hit)), unknown: [] };
}

function changesAmong(hits: readonly Hit[]): KeptHits {
  const last = new Map<number, Hit>();
  const kept: Hit[] = [];
  const unknown: PartialHit[] = [];
  for (const hit of hits) {
    const before = last.get(hit.probe);
    last.set(hit.probe, hit);
    if (before === undefined || differ(before, hit, 'oneRun')) {
      kept.push(hit);
      continue;
    }
    const values = unknownValues(before, hit, 'oneRun');
    if (values.length > 0) unknown.push({ hit, values });
  }
  return { hits: kept, unknown };
}
