import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import type { ThreadStack } from './threadStack';
import { returnedExpressions } from './returnedExpressions';
import { returnedVariable, yieldedVariable } from './returnsAndThrows';
import { isReturn, returnsAt } from './steps';

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
  now: ThreadStack,
  before: AboutToReturn | undefined,
  signal: AbortSignal,
): Promise<AboutToReturn | undefined> {
  const { line } = now.top;
  const value =
    returnedVariable(called, now) ?? (await returnedExpressions(services, called, now, signal));
  if (value !== undefined) return { line, value };
  if (line === before?.line) return before;
  // The condition of a line such as `if (n > 1) return n;` may have been false.
  const hasReturned = before !== undefined && isReturn(called, before.line);
  return hasReturned && !returnsAt(called, now) ? before : undefined;
}

/** What a generator yields. Undefined if it is unknown. */
export interface Yielded {
  readonly value: string | undefined;
}

/** Returns what a generator yields at its current line. */
export async function aboutToYield(
  services: Pick<ToolServices, 'inspector'>,
  called: TracedFunction,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<Yielded> {
  const variable = yieldedVariable(called, now);
  if (variable !== undefined) return { value: variable };
  const returns = called.yields?.filter(({ line }) => line === now.top.line) ?? [];
  // A line with several of them may be at any one.
  if (returns.length !== 1) return { value: undefined };
  return { value: await returnedExpressions(services, { ...called, returns }, now, signal) };
}
