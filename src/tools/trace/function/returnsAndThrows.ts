import { shortPattern } from '../../../util/shortPattern';
import type { TracedFunction } from './callModel';
import type { ThreadStack } from './threadStack';

/** Returns the return value of a function that the debugger shows after a step. */
export function returnedBy(name: string, { returned }: ThreadStack): string | undefined {
  return returned.find(({ by }) => by === '' || by === name || by.endsWith(`.${name}`))?.value;
}

/** Returns the value of the variable that the current line returns. */
export function returnedVariable(
  called: TracedFunction,
  { top, values }: ThreadStack,
): string | undefined {
  const name = nameReturnedAt(called, top.line);
  return name === undefined ? undefined : values.get(name);
}

/**
 * Returns the name of the variable that a line returns. Returns undefined if the line returns something else, or
 * nothing.
 */
export function nameReturnedAt(
  { source }: TracedFunction,
  line: number | undefined,
): string | undefined {
  return line === undefined ? undefined : RETURNS.exec(source[line - 1] ?? '')?.[1];
}

const RETURNS = /^\s*return\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:;\s*)?(?:(?:\/\/|#)[^]*)?$/u;

/** Returns the value of the variable that the `yield` of the current line yields, if the line does nothing else before. */
export function yieldedVariable(
  { source }: TracedFunction,
  { top, values }: ThreadStack,
): string | undefined {
  const name = YIELDS.exec(source[top.line - 1] ?? '')?.[1];
  return name === undefined ? undefined : values.get(name);
}

const YIELDS =
  /^\s*(?:(?:(?:const|let|var)\s+)?[\p{L}_$][\p{L}\p{N}_$]*\s*=\s*)?yield\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:;\s*)?(?:(?:\/\/|#)[^]*)?$/u;

/**
 * Returns the source text of the exception that a line always throws. No variable contains the exception after the
 * call.
 */
export function alwaysThrownAt(
  { source }: TracedFunction,
  line: number | undefined,
): string | undefined {
  const text = line === undefined ? '' : (source[line - 1] ?? '').trim();
  return THROWS.exec(text)?.[1]?.replace(/;$/, '').trim();
}

/**
 * Returns the source text of the exception that a line has thrown. The `throw` of the line may depend on a condition.
 */
export function thrownAt({ source }: TracedFunction, line: number | undefined): string | undefined {
  const text = line === undefined ? '' : (source[line - 1] ?? '').trim();
  return THROWS_WITHIN.exec(text)?.[1]?.trimStart();
}

const THROWS_WITHIN = shortPattern(/\b(?:raise|throw|panic!?)\b(?:\s*new\s)?([^;]*)(?:;[\s}]*)?$/);
const THROWS = /^(?:raise|throw|panic!?)\b(?:\s*new\s)?(.*)$/;
