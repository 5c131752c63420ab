import { isCompleteText } from '../../../debugger/inspection/completeText';
import type { Hit } from './collector';
import { shownValue } from './table';

/** `unknown`: the values look equal, but may differ in the part that is not shown. */
export type Sameness = 'same' | 'different' | 'unknown';

/** How two values are compared. Addresses differ from run to run, but not within one. */
export type Runs = 'oneRun' | 'twoRuns';

/** Compares one value of two hits. Only complete values are known to be equal. */
export function sameness(one: Hit, other: Hit, index: number, runs: Runs): Sameness {
  const value = one.values[index];
  if (textFor(value, runs) !== textFor(other.values[index], runs)) return 'different';
  if (typeof value !== 'string' || isCompleteText(value)) return 'same';
  const [whole, otherWhole] = [one.wholes?.[index], other.wholes?.[index]];
  if (whole === undefined || otherWhole === undefined) return 'unknown';
  return whole === otherWhole ? 'same' : 'different';
}

/** Whether two hits are known to differ in a value. */
export function differ(one: Hit, other: Hit, runs: Runs): boolean {
  if (one.values.length !== other.values.length) return true;
  return one.values.some((_, index) => sameness(one, other, index, runs) === 'different');
}

/** Returns the positions of the values that two hits may differ in unseen. */
export function unknownValues(one: Hit, other: Hit, runs: Runs): readonly number[] {
  return one.values.flatMap((_, index) =>
    sameness(one, other, index, runs) === 'unknown' ? [index] : [],
  );
}

function textFor(value: Hit['values'][number], runs: Runs): string | null {
  const text = shownValue(value);
  return runs === 'oneRun' ? text : (text?.replace(/\b0x[\da-f]{6,16}\b/gi, '0x…') ?? null);
}
