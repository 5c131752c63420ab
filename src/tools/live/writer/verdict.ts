import type { RecordedValue } from '../../../recording/recordedRows';
import { isSameValue, type Choice } from './chooseWrite';
import type { Confirmation } from './confirmWrite';
import { shownValue, type Difference } from './sameRuns';

/** How sure an answer is. `none`: no write was seen. */
export type Sure = 'seen' | 'agreed' | 'ambiguous' | 'none';

export interface Verdict {
  readonly sure: Sure;
  /** Why it is not surer. */
  readonly why: readonly string[];
}

/** What is known when the runs have ended. */
export interface Known {
  /** The value at the stop of the first run. */
  readonly value: RecordedValue;
  /** What differed from the first run, if no hit of the place was like the stop. */
  readonly differs: Difference | undefined;
  /** Whether the second run was not observed to its end, or not by all probes. */
  readonly gaps: readonly string[];
  /** Whether several hits of the place are like the stop, with different last writes. */
  readonly isAnyOfSeveral: boolean;
  readonly choice: Choice;
  /** What the third run saw. Undefined if there was none. */
  readonly confirmed: Confirmation | undefined;
}

/** Judges what the runs have shown. Only what was seen without a gap is `seen`. */
export function judgeWrite(known: Known): Verdict {
  const { choice, confirmed, differs } = known;
  if (choice.kind === 'none') {
    const isCertain = known.gaps.length === 0 && differs === undefined && !known.isAnyOfSeveral;
    return { sure: isCertain ? 'none' : 'ambiguous', why: [...known.gaps, ...doubts(known)] };
  }
  const why = [...known.gaps, ...doubts(known)];
  if (why.length > 0 || choice.kind === 'unclear' || confirmed === undefined)
    return { sure: 'ambiguous', why };
  const { before, after } = confirmed;
  if (after === undefined || typeof after !== 'string')
    return { sure: 'agreed', why: ['The value directly after the line could not be read.'] };
  if (isSameValue(before, after))
    return { sure: 'agreed', why: ['The line left the value as it was.'] };
  return { sure: 'seen', why: [] };
}

function doubts({ choice, confirmed, differs, isAnyOfSeveral, value }: Known): readonly string[] {
  const why: string[] = [];
  if (differs !== undefined) why.push('The second run differs from the first.');
  if (isAnyOfSeveral)
    why.push('Several moments of the run are like this stop, and have different last writes.');
  if (choice.kind === 'unclear')
    why.push('A later line may have written, too: what it changes could not be seen.');
  if (why.length > 0 || choice.kind === 'none') return why;
  if (confirmed === undefined) return ['The line was not reached again at the same hit.'];
  return confirmationDoubts(confirmed, value);
}

function confirmationDoubts(
  { differs, place, isSameObject, after }: Confirmation,
  value: RecordedValue,
): readonly string[] {
  if (differs !== undefined) return ['Two further runs differ from each other.'];
  if (place === undefined) return ['The place was not reached again after the line.'];
  if (!isSameObject)
    return ['The first of these candidates changed another object than the one at the stop.'];
  if (!isSameValue(place.values[0], value))
    return shownValue(place.values[0]) === shownValue(value)
      ? ['The value is too large to be compared as a whole.']
      : ['The value at the place was another one in the third run.'];
  if (typeof after === 'string' && !isSameValue(after, value))
    return [
      `Directly after the first of these candidates the value was ${after.slice(0, 100)}: something that no probe watches changed it later.`,
    ];
  return [];
}
