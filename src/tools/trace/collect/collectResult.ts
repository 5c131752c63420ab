import type { BoundedRun, ProgramState } from '../../../control/boundedRun';
import { adapterOf } from '../../../debugger/adapters/registry';
import { defined } from '../../../util/defined';
import { debuggerGone, lostSight } from '../../reports/lostSight';
import type { ToolServices } from '../../services';
import { programPlace } from '../programPlace';
import type { Collected, CollectionEnd } from './collectRun';
import type { Collection } from './collections';
import type { ExceptionWatch } from './exceptionWatch';
import { compareCollections, type PartialHit } from './compare';
import type { Hit } from './collector';
import { labelOf, type Probe } from './probes';
import { keptHits, type Keep } from './kept';
import { sameness } from './sameness';
import { shownValue, tableOf } from './table';

export type CollectResult = {
  readonly status: 'stopped' | 'completed' | 'timeout' | 'interrupted';
} & Readonly<Record<string, unknown>>;

/** The fraction of the result's size that rows may take. The other parts of the result are small. */
const PART_OF_ROWS = 0.6;
/** The maximum number of frames in a counterexample's stack. */
const MAX_FRAMES = 8;

/** Returns the result of a collection. */
export async function collectResult(
  services: ToolServices,
  run: BoundedRun,
  collected: Collected,
  collection: Collection | undefined,
  { keep, maxChars, compared, watch, edited }: Shown,
): Promise<CollectResult> {
  const { endedBy, program, passedStops } = collected;
  const room = Math.floor(maxChars * PART_OF_ROWS);
  const part = collection === undefined || watch === undefined ? room : Math.floor(room / 2);
  return {
    status: statusOf(program, endedBy),
    ...defined({ collection_id: collection?.id }),
    ended_by: endedBy,
    ...(await programPlace(services, run)),
    ...afterDebugger(run),
    ...defined({
      exceptions: watch?.shown(part, endedBy === 'program_end'),
      // The program may handle them. If it does not, its end says so.
      passed_stops: passedStops.shown,
    }),
    ...(collection === undefined
      ? {}
      : hitsResult(services, run, collected, collection, { keep, room: part, compared, edited })),
  };
}

/** What a result shows of a collection. */
interface Shown {
  readonly keep: Keep;
  readonly maxChars: number;
  readonly compared: Collection | undefined;
  readonly watch: ExceptionWatch | undefined;
  /** The probes whose line has been edited meanwhile. */
  readonly edited: ReadonlySet<number>;
}

/** The part of the result about probes. */
function hitsResult(
  services: ToolServices,
  run: BoundedRun,
  collected: Collected,
  collection: Collection,
  {
    keep,
    room,
    compared,
    edited,
  }: Pick<Shown, 'keep' | 'compared' | 'edited'> & { readonly room: number },
): Readonly<Record<string, unknown>> {
  const { probes, hits } = collection;
  const { collector, byStops } = collected;
  const kept = keptHits(hits, keep);
  const table = tableOf(kept.hits, probes, room);
  const { omitted, ...shown } = table;
  const missed =
    mayBeMissed(services, run, collected, hits) ?? (edited.size > 0 ? EDITED : undefined);
  const isSure = collector.lost === 0 && missed === undefined;
  services.recorded.notify({ kind: 'collection', collection, compared, mayMissHits: !isSure });
  return {
    hits: hits.length,
    probes: probes.map((probe) => ({
      ...probeResult(services, probe, collected, hits, isSure),
      ...(edited.has(probe.id) ? editedResult(probe, hits) : {}),
    })),
    ...defined({ comparison: compared && comparisonResult(compared, collection) }),
    ...(hits.length === 0 ? {} : shown),
    ...defined({
      stopped_at_each_hit: byStops ? true : undefined,
      possibly_missed: missed,
      lost_hits: collector.lost > 0 ? collector.lost : undefined,
      omitted: omitted > 0 ? omittedRows(omitted) : undefined,
      not_compared: kept.unknown.length > 0 ? partResult(probes, kept.unknown) : undefined,
    }),
  };
}

const SIMULTANEOUS = 'hits of threads that reached a probe at the same time as another thread';

/** The hits that may be missing. */
function mayBeMissed(
  services: ToolServices,
  run: BoundedRun,
  { byStops }: Collected,
  hits: readonly Hit[],
): string | undefined {
  if (byStops && mayMissHits(run, hits)) return SIMULTANEOUS;
  return lostSight(services, run.sessions) === undefined ? undefined : UNSEEN;
}

const EDITED =
  'hits after an edit: a program that has loaded the file again has other code in the line of a probe';

/** What replaces the conclusion of a probe whose line was edited. */
function editedResult({ id }: Probe, hits: readonly Hit[]): Readonly<Record<string, unknown>> {
  const isHit = hits.some((hit) => hit.probe === id);
  return {
    line_changed_during_call: true,
    ...(isHit ? {} : { never_reached: 'unknown', message: EDITED }),
  };
}

const UNSEEN = 'hits that the debugger could no longer see';

/** What replaces the end of a program whose debugger was gone before: nobody saw the program end. */
function afterDebugger({ sessions }: BoundedRun): Readonly<Record<string, unknown>> {
  const gone = debuggerGone(sessions);
  return gone === undefined ? {} : { ended_by: 'debugger_gone', program: 'unknown', message: gone };
}

/** Whether the program may have passed probes unseen, because the debugger reports one of several stops. */
function mayMissHits({ sessions }: BoundedRun, hits: readonly Hit[]): boolean {
  const mergesStops = sessions.some(({ type }) => adapterOf(type).mergesStops === true);
  return mergesStops && new Set(hits.map(({ thread }) => thread)).size > 1;
}

function omittedRows(rows: number): Readonly<Record<string, unknown>> {
  return { rows, narrow_rows: 'keep, condition, max_hits or fewer expressions' };
}

function statusOf(program: ProgramState, endedBy: CollectionEnd): CollectResult['status'] {
  if (endedBy === 'cancelled') return 'interrupted';
  if (program === 'stopped') return 'stopped';
  const isWhole = endedBy === 'max_hits' || endedBy === 'trigger';
  return program === 'ended' || isWhole ? 'completed' : 'timeout';
}

function probeResult(
  services: ToolServices,
  probe: Probe,
  { moved, silent, collector }: Collected,
  hits: readonly Hit[],
  isSure: boolean,
): Readonly<Record<string, unknown>> {
  const own = hits.filter((hit) => hit.probe === probe.id);
  // Hits may have arrived after the reason was determined.
  const reason = own.length > 0 ? undefined : silent.find((entry) => entry.probe === probe.id);
  return {
    probe: probe.id,
    at: labelOf(services, probe),
    ...defined({ moved_to_line: moved.get(probe.id) }),
    hits: own.length,
    ...(probe.expressions.length === 0 ? {} : { expressions: probe.expressions }),
    ...(probe.expect === undefined ? {} : claimResult(probe, own, isSure)),
    ...defined({
      // Hits at which the condition raised an error were not recorded.
      condition_failed: own.length > 0 ? collector.failure(probe) : undefined,
      never_reached: reason?.why,
      message: reason?.message,
    }),
  };
}

/** What the hits of a probe say about its claim. */
export function claimResult(
  { expressions }: Pick<Probe, 'expressions'>,
  hits: readonly Hit[],
  isSure: boolean,
): Readonly<Record<string, unknown>> {
  if (hits.length === 0) return { expect: isSure ? 'never_reached' : 'unknown' };
  const confirming = hits.filter((hit) => hit.claim === true);
  const refuting = hits.filter((hit) => hit.claim === false);
  const failing = hits.filter((hit) => hit.claim !== true && hit.claim !== false);
  const [first] = refuting;
  const notEvaluated = failing.length === 0 ? {} : notEvaluatedResult(failing);
  if (first === undefined)
    return { ...heldResult(confirming.length, failing.length, isSure), ...notEvaluated };
  return {
    expect: 'refuted',
    refuted_hits: refuting.length,
    ...notEvaluated,
    counterexample: {
      hit: first.number,
      values: Object.fromEntries(
        expressions.map((expression, index) => [expression, shownValue(first.values[index])]),
      ),
      ...defined({ stack: first.stack?.slice(0, MAX_FRAMES) }),
    },
  };
}

/**
 * The result of a claim that no hit refuted.
 * @param failing the number of hits at which it raised an error
 * @param isSure whether no hit can have been missed; a missed one could refute the claim
 */
function heldResult(
  confirming: number,
  failing: number,
  isSure: boolean,
): Readonly<Record<string, unknown>> {
  const counted = confirming > 0 ? confirming : undefined;
  if (failing > 0) return { expect: 'not_evaluated', ...defined({ confirmed_hits: counted }) };
  return isSure
    ? { expect: 'confirmed', confirmed_hits: confirming }
    : { expect: 'not_refuted', true_hits: confirming };
}

/** The hits at which a claim raised an error. They say nothing about the claim. */
function notEvaluatedResult(hits: readonly Hit[]): Readonly<Record<string, unknown>> {
  const [first] = hits;
  return {
    not_evaluated_hits: hits.length,
    not_evaluated: {
      hit: first?.number,
      error: first?.claim,
      hint: 'The claim was neither true nor false there. Use names that the line can read, or check it at a line that can read them.',
    },
  };
}

function comparisonResult(before: Collection, now: Collection): Readonly<Record<string, unknown>> {
  const { first, neighbours, others, uncompared, partial } = compareCollections(before, now);
  const counts = {
    with: before.id,
    hits: [before.hits.length, now.hits.length],
    ...defined({
      // One of the collections ended before its program, so these hits have no counterpart.
      hits_not_compared: uncompared > 0 ? uncompared : undefined,
      not_compared: partial.length > 0 ? partResult(now.probes, partial) : undefined,
    }),
  };
  if (first === undefined) return { ...counts, same: partial.length > 0 ? 'unknown' : true };
  const { kind, probe, hit } = first;
  return {
    ...counts,
    same: false,
    first_divergence: {
      kind,
      probe,
      hit,
      ...divergingValues(now.probes, first.before, first.now),
      before_it: neighbours.map((hit) => [hit.number, hit.probe, ...hit.values.map(shownValue)]),
    },
    other_differences: others,
  };
}

/** Values that look equal, but are shown only in part, prove nothing. */
function partResult(
  probes: readonly Probe[],
  partial: readonly PartialHit[],
): Readonly<Record<string, unknown>> {
  return {
    hits: partial.length,
    expressions: expressionsOf(probes, partial),
    to_compare: 'collect what decides: one element, a length, a sum or a field',
  };
}

function expressionsOf(
  probes: readonly Probe[],
  partial: readonly PartialHit[],
): readonly string[] {
  const found = partial.flatMap(({ hit, values }) => {
    const expressions = probes.find(({ id }) => id === hit.probe)?.expressions ?? [];
    return values.flatMap((index) => expressions[index] ?? []);
  });
  return [...new Set(found)];
}

/** Returns the old and the new value of each expression. If both hits exist, it returns only the values that differ. */
function divergingValues(
  probes: readonly Probe[],
  before: Hit | undefined,
  now: Hit | undefined,
): Readonly<Record<string, unknown>> {
  const expressions =
    probes.find((probe) => probe.id === (now ?? before)?.probe)?.expressions ?? [];
  const isBoth = before !== undefined && now !== undefined;
  const differing = expressions.map(
    (_, index) => !isBoth || sameness(before, now, index, 'twoRuns') === 'different',
  );
  const pairs = expressions.map((expression, index) => {
    const pair = [before, now].map((hit) =>
      hit === undefined ? null : shownValue(hit.values[index]),
    );
    return [expression, pair] as const;
  });
  const shown = pairs.filter((_, index) => differing[index]);
  const unseen = isBoth ? shown.filter(([, [old, fresh]]) => old === fresh) : [];
  return {
    values_before_and_now: Object.fromEntries(shown),
    ...defined({
      // The recorder has compared the whole values.
      differs_behind_the_shown_part:
        unseen.length === 0 ? undefined : unseen.map(([expression]) => expression),
    }),
    ...(isBoth && before.claim !== now.claim
      ? { expect_before_and_now: [before.claim, now.claim] }
      : {}),
    ...defined({ caller: (now ?? before)?.caller }),
  };
}
