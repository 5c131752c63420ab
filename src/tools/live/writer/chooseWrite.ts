import { isCompleteText } from '../../../debugger/inspection/completeText';
import type { RecordedHit, RecordedValue } from '../../../recording/recordedRows';
import type { Candidate, PlannedProbes } from './plannedProbes';
import { isSameKey } from './writes';

/** A candidate at one of its hits. */
export interface SeenWrite {
  readonly candidate: Candidate;
  /** The index of the hit among all hits of the run. */
  readonly index: number;
  readonly hit: RecordedHit;
  /** The value before the line was executed. */
  readonly before: RecordedValue;
  /**
   * What was seen there: the variable, the object that has the member, the class or prototype that it has it from, or
   * the value itself under any name.
   */
  readonly by: 'variable' | 'owner' | 'holder' | 'value';
}

export type Choice =
  | { readonly kind: 'written'; readonly write: SeenWrite }
  /** A later line may have written, too, but what it changes could not be seen. */
  | {
      readonly kind: 'unclear';
      readonly unseen: SeenWrite;
      readonly known: SeenWrite | undefined;
    }
  | { readonly kind: 'none' };

type Verdict = 'no' | 'unseen' | { readonly by: SeenWrite['by']; readonly isDefinite: boolean };

/**
 * Chooses the last write before a hit of the place. Only what the probes saw counts.
 * @param at the index of the hit of the place among all hits
 */
export function chooseWrite(
  hits: readonly RecordedHit[],
  at: number,
  probes: PlannedProbes,
): Choice {
  const place = hits[at];
  if (place === undefined) return { kind: 'none' };
  const after = place.values[probes.at.value];
  let unseen: SeenWrite | undefined;
  let isEarlierCall = false;
  for (const [index, hit] of [...hits.slice(0, at).entries()].reverse()) {
    if (hit.pid !== place.pid) continue;
    isEarlierCall ||=
      hit.point === probes.entry && hit.depth === place.depth && hit.thread === place.thread;
    for (const candidate of candidatesAt(probes, hit)) {
      const verdict = judge(candidate, hit, place, isEarlierCall, probes);
      if (verdict === 'no') continue;
      const by = verdict === 'unseen' ? byOf(candidate) : verdict.by;
      const read = by === 'value' ? candidate.object : candidate.value;
      const before = read === undefined ? undefined : hit.values[read];
      const write: SeenWrite = { candidate, index, hit, before, by };
      if (verdict === 'unseen') {
        unseen ??= write;
        continue;
      }
      // A call that may change any part of the object has left this one as it was.
      if (!verdict.isDefinite && isSameValue(before, after)) continue;
      if (unseen !== undefined) return { kind: 'unclear', unseen, known: write };
      return { kind: 'written', write };
    }
  }
  return unseen === undefined ? { kind: 'none' } : { kind: 'unclear', unseen, known: undefined };
}

/** The write of a candidate at one of its hits. Undefined if it is not certain that it wrote what was asked about. */
export function definiteWrite(
  candidate: Candidate,
  index: number,
  hit: RecordedHit,
  place: RecordedHit,
  probes: PlannedProbes,
): SeenWrite | undefined {
  const verdict = judge(candidate, hit, place, false, probes);
  if (typeof verdict === 'string' || !verdict.isDefinite) return undefined;
  const before = candidate.value === undefined ? undefined : hit.values[candidate.value];
  return { candidate, index, hit, before, by: verdict.by };
}

/** What the probe of a candidate saw before a hit of the place. */
export interface SeenCandidate {
  readonly candidate: Candidate;
  readonly hits: number;
  /** Whether it saw what was asked about, something else, or could not see what the line changes. */
  readonly saw: 'this' | 'other' | 'unknown' | 'nothing';
  /** The index of the last hit. */
  readonly last: number;
}

/** Says what each candidate saw before a hit of the place, the latest first. */
export function seenCandidates(
  hits: readonly RecordedHit[],
  at: number,
  probes: PlannedProbes,
): readonly SeenCandidate[] {
  const place = hits[at];
  const before = [...hits.slice(0, at).entries()];
  return probes.candidates
    .map((candidate): SeenCandidate => {
      const own = before.filter(([, { point }]) => point === candidate.point);
      const saw = sawOf(
        place === undefined
          ? []
          : own.map(([, hit]) => judge(candidate, hit, place, false, probes)),
      );
      return { candidate, hits: own.length, saw, last: own.at(-1)?.[0] ?? -1 };
    })
    .sort((one, other) => other.last - one.last);
}

function sawOf(verdicts: readonly Verdict[]): SeenCandidate['saw'] {
  if (verdicts.some((verdict) => typeof verdict === 'object')) return 'this';
  if (verdicts.includes('unseen')) return 'unknown';
  return verdicts.length > 0 ? 'other' : 'nothing';
}

function candidatesAt({ candidates }: PlannedProbes, hit: RecordedHit): readonly Candidate[] {
  return candidates.filter(({ point }) => point === hit.point).reverse();
}

function byOf({ write, value }: Candidate): SeenWrite['by'] {
  if (write.kind === 'variable') return 'variable';
  return value === undefined ? 'value' : 'owner';
}

function judge(
  candidate: Candidate,
  hit: RecordedHit,
  place: RecordedHit,
  isEarlierCall: boolean,
  probes: PlannedProbes,
): Verdict {
  const { write } = candidate;
  if (write.kind === 'variable') {
    if (probes.scope?.calls === 'own' && isEarlierCall) return 'no';
    return judgeVariable(write.isInner, hit, place, probes);
  }
  const seen = textAt(hit, candidate.identity);
  if (seen === undefined) return 'unseen';
  const { owner, object, holder } = probes.at;
  if (candidate.object !== undefined && seen === textAt(place, object))
    return { by: 'value', isDefinite: false };
  if (candidate.value === undefined) return 'no';
  const expected = textAt(place, owner);
  if (expected === undefined) return 'unseen';
  if (seen === expected) return judgeKey(candidate, hit, probes, 'owner');
  return seen === textAt(place, holder) ? judgeKey(candidate, hit, probes, 'holder') : 'no';
}

function judgeKey(
  candidate: Candidate,
  hit: RecordedHit,
  { asked }: PlannedProbes,
  by: SeenWrite['by'],
): Verdict {
  const { write } = candidate;
  if (write.kind === 'variable' || asked.kind === 'variable') return 'no';
  const known = asked.key.constant;
  const written = candidate.key === undefined ? write.key?.constant : textAt(hit, candidate.key);
  if (candidate.key !== undefined && written === undefined) return 'unseen';
  if (written === undefined || known === undefined) return { by, isDefinite: false };
  if (isSameKey(written, known)) return { by, isDefinite: true };
  // A negative index of Python counts from the end, and a new length of JavaScript removes elements.
  const mayBe = written.startsWith('-') || known.startsWith('-') || written === '"length"';
  return mayBe ? { by, isDefinite: false } : 'no';
}

function judgeVariable(
  isInner: boolean,
  hit: RecordedHit,
  place: RecordedHit,
  { scope, language }: PlannedProbes,
): Verdict {
  const isThere = { by: 'variable', isDefinite: true } as const;
  if (scope?.calls === 'single') return isThere;
  if (scope?.calls !== 'own' || isInner) return 'unseen';
  if (hit.thread !== place.thread) return 'no';
  if (hit.depth === undefined || place.depth === undefined) return 'unseen';
  if (hit.depth !== place.depth) return 'no';
  // In JavaScript, the beginning of the call stands between two calls of the same depth.
  if (language === 'javascript') return isThere;
  return hit.activation !== undefined && hit.activation === place.activation ? isThere : 'no';
}

/** A recorded text. Undefined if it could not be read. */
function textAt({ values }: RecordedHit, at: number | undefined): string | undefined {
  const value = at === undefined ? undefined : values[at];
  return typeof value === 'string' ? value : undefined;
}

/** Whether two values are known to be the same. */
export function isSameValue(one: RecordedValue, other: RecordedValue): boolean {
  return typeof one === 'string' && one === other && isCompleteText(one);
}
