import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import type { Moment } from './moment';
import { returnedExpressions } from './returnedExpressions';
import { returnedVariable } from './returnsAndThrows';
import { returnsAt } from './steps';

/** The value that a call returns, as far as its `return` shows it. */
export interface AboutToReturn {
  readonly line: number;
  readonly value: string;
}

/**
 * Returns the value that the call is about to return at a stop, or at an earlier stop. Another `return` replaces it, for
 * example in a `finally`. At a second stop in the same line, variables may no longer be visible.
 */
export async function aboutToReturn(
  services: Pick<ToolServices, 'inspector'>,
  called: TracedFunction,
  now: Moment,
  before: AboutToReturn | undefined,
  signal: AbortSignal,
): Promise<AboutToReturn | undefined> {
  const { line } = now.top;
  const value =
    returnedVariable(called, now) ?? (await returnedExpressions(services, called, now, signal));
  if (value !== undefined) return { line, value };
  return returnsAt(called, now) && line !== before?.line ? undefined : before;
}
