import { isCompleteText } from '../../../debugger/inspection/completeText';
import type { SeenMoment } from '../../../results/views/pastStops';

/** How a moment of a further run compares with the first one. */
export interface ComparedMoment {
  /** `not_compared`: no value could be compared as a whole. */
  readonly moment: 'same' | 'differs' | 'not_compared';
  /** The number of values that are the same. */
  readonly compared: number;
  readonly differs?: {
    readonly what: string;
    readonly first: string;
    readonly again: string;
  };
}

/**
 * Compares what two stops show: the calls on the stack, and the values that both texts show as a whole. A value that is
 * missing in the first one proves nothing.
 */
export function comparedMoments(first: SeenMoment, again: SeenMoment): ComparedMoment {
  const calls = firstOther(first.stack, again.stack);
  if (calls !== undefined) return differing('call stack', ...calls);
  let compared = 0;
  for (const [what, text] of first.values) {
    if (!isCompleteText(text)) continue;
    const now = again.values.get(what);
    if (now !== text) return differing(what, text, now ?? '(not there)');
    compared += 1;
  }
  return { moment: compared === 0 ? 'not_compared' : 'same', compared };
}

function differing(what: string, first: string, again: string): ComparedMoment {
  return { moment: 'differs', compared: 0, differs: { what, first, again } };
}

/** The first pair of frames that differ. Undefined if there is none. */
function firstOther(
  one: readonly string[],
  other: readonly string[],
): readonly [string, string] | undefined {
  const most = Math.max(one.length, other.length);
  for (let at = 0; at < most; at += 1) {
    const pair = [one[at] ?? '(not there)', other[at] ?? '(not there)'] as const;
    if (pair[0] !== pair[1]) return pair;
  }
  return undefined;
}
