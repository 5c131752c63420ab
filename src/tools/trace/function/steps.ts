import { adapterOf } from '../../../debugger/adapters/registry';
import type { CallEnd, TracedFunction } from './callModel';
import type { Moment } from './moment';
import type { EndedBy } from './traceEnd';

export type StepCommand = 'next' | 'stepIn' | 'stepOut';

/** The outcome of a step: a new stop of the thread, or the end of the trace. */
export type Arrival =
  | { readonly kind: 'at'; readonly moment: Moment }
  | { readonly kind: 'over'; readonly endedBy: EndedBy; readonly exception?: string | undefined };

/**
 * Returns the step for a line.
 * @param isInto whether callees are traced
 * @param isPart whether only the part of a generator up to its next `yield` is traced
 */
export function commandAt(
  called: TracedFunction,
  now: Moment,
  { isInto, isPart }: { readonly isInto: boolean; readonly isPart: boolean },
): StepCommand {
  if (called.suspends !== 'generator' || !yieldsAt(called, now)) return isInto ? 'stepIn' : 'next';
  // The consumer of a generator that is traced as a whole is not part of the trace.
  return isPart ? (adapterOf(now.session.type).leavesGenerators ?? 'next') : 'next';
}

/** Whether a generator suspends at its current line. */
export function yieldsAt({ source }: TracedFunction, { top }: Moment): boolean {
  return /\byield\b/.test(source[top.line - 1] ?? '');
}

export function suspended(end: CallEnd): CallEnd {
  return end.kind === 'returned' ? { ...end, isSuspended: true } : end;
}

export function isDeeper({ total }: Moment, before: Moment): boolean {
  return total !== undefined && before.total !== undefined && total > before.total;
}

/** Whether the line that has made a call has not ended yet. At the end of a `return`, V8 shows the value. */
export function isUnfinished(calling: Moment, { top, returned }: Moment): boolean {
  return top.line === calling.top.line && !returned.some(({ by }) => by === '');
}
