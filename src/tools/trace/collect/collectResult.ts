import type { BoundedRun, ProgramState } from '../../../control/boundedRun';
import { defined } from '../../../util/defined';
import type { ToolServices } from '../../services';
import { programPlace } from '../programPlace';
import type { Collected, EndedBy } from './collectRun';
import type { Collection } from './collections';
import { compareCollections } from './compare';
import type { Hit } from './collector';
import { labelOf, type Probe } from './probes';
import { keptHits, shownValue, tableOf, type Keep } from './table';

export type CollectResult = {
  readonly status: 'stopped' | 'completed' | 'timeout' | 'interrupted';
} & Readonly<Record<string, unknown>>;

/** What the answer may have of its size for rows; the rest of it is small. */
const PART_OF_ROWS = 0.6;
/** Frames of a counterexample's stack. */
const FRAMES_TOLD = 8;

/** The answer about what was collected. */
export async function collectResult(
  services: ToolServices,
  run: BoundedRun,
  collected: Collected,
  collection: Collection,
  {
    keep,
    maxChars,
    compared,
  }: { readonly keep: Keep; readonly maxChars: number; readonly compared: Collection | undefined },
): Promise<CollectResult> {
  const { probes, hits } = collection;
  const { endedBy, program, collector, byStops } = collected;
  const table = tableOf(keptHits(hits, keep), probes, Math.floor(maxChars * PART_OF_ROWS));
  const { omitted, ...shown } = table;
  return {
    status: statusOf(program, endedBy),
    collection_id: collection.id,
    ended_by: endedBy,
    ...(await programPlace(services, run)),
    hits: hits.length,
    probes: probes.map((each) => probeResult(services, each, collected, hits)),
    ...(compared === undefined ? {} : { comparison: comparisonResult(compared, collection) }),
    ...(hits.length === 0 ? {} : shown),
    ...(byStops ? { stopped_at_each_hit: true } : {}),
    ...(collector.lost > 0 ? { lost_hits: collector.lost } : {}),
    ...(omitted > 0
      ? {
          omitted: {
            rows: omitted,
            narrow_rows: 'keep, condition, max_hits or fewer expressions',
          },
        }
      : {}),
  };
}

function statusOf(program: ProgramState, endedBy: EndedBy): CollectResult['status'] {
  if (endedBy === 'cancelled') return 'interrupted';
  if (program === 'stopped') return 'stopped';
  return program === 'ended' || endedBy === 'max_hits' ? 'completed' : 'timeout';
}

function probeResult(
  services: ToolServices,
  probe: Probe,
  { moved, silent }: Collected,
  hits: readonly Hit[],
): Readonly<Record<string, unknown>> {
  const own = hits.filter((each) => each.probe === probe.id);
  // Hits may have been read since the reason was looked for.
  const why = own.length > 0 ? undefined : silent.find((each) => each.probe === probe.id);
  return {
    probe: probe.id,
    at: labelOf(services, probe),
    ...defined({ moved_to_line: moved.get(probe.id) }),
    hits: own.length,
    ...(probe.expressions.length === 0 ? {} : { expressions: probe.expressions }),
    ...(probe.expect === undefined ? {} : claimResult(probe, own)),
    ...(why === undefined ? {} : { never_reached: why.why, message: why.message }),
  };
}

function claimResult(
  { expressions }: Probe,
  hits: readonly Hit[],
): Readonly<Record<string, unknown>> {
  if (hits.length === 0) return { expect: 'never_reached' };
  const refuting = hits.filter((each) => each.claim !== true);
  const [first] = refuting;
  if (first === undefined) return { expect: 'confirmed', confirmed_hits: hits.length };
  return {
    expect: 'refuted',
    refuted_hits: refuting.length,
    counterexample: {
      hit: first.number,
      ...(typeof first.claim === 'string' ? { failed: first.claim } : {}),
      values: Object.fromEntries(
        expressions.map((each, index) => [each, shownValue(first.values[index])]),
      ),
      ...defined({ stack: first.stack?.slice(0, FRAMES_TOLD) }),
    },
  };
}

function comparisonResult(before: Collection, now: Collection): Readonly<Record<string, unknown>> {
  const { first, neighbours, others } = compareCollections(before, now);
  const counts = { with: before.id, hits: [before.hits.length, now.hits.length] };
  if (first === undefined) return { ...counts, same: true };
  const { kind, probe, hit } = first;
  return {
    ...counts,
    same: false,
    first_divergence: {
      kind,
      probe,
      hit,
      ...divergingValues(now.probes, first.before, first.now),
      before_it: neighbours.map((each) => [
        each.number,
        each.probe,
        ...each.values.map(shownValue),
      ]),
    },
    other_differences: others,
  };
}

/** Of each expression what it was and is; only of those that differ where both are there. */
function divergingValues(
  probes: readonly Probe[],
  before: Hit | undefined,
  now: Hit | undefined,
): Readonly<Record<string, unknown>> {
  const expressions = probes.find((each) => each.id === (now ?? before)?.probe)?.expressions ?? [];
  const values = expressions.map((each, index) => {
    const pair = [before, now].map((hit) =>
      hit === undefined ? null : shownValue(hit.values[index]),
    );
    return [each, pair] as const;
  });
  const isBoth = before !== undefined && now !== undefined;
  return {
    values_before_and_now: Object.fromEntries(
      values.filter(([, [old, fresh]]) => !isBoth || old !== fresh),
    ),
    ...defined({ caller: (now ?? before)?.caller }),
  };
}
