import { isFields, listOf } from '../../debugger/protocol';

/**
 * Deeper than any message that means something. What reads or writes a value level by level is often recursive, and has
 * no stack left at some thousand levels: then a request would have no answer.
 */
const MOST_LEVELS = 100;

/** Where a message is refused, whoever it is from: JSON-RPC "Invalid params". */
export const TOO_DEEP = {
  code: -32602,
  message: `Nested deeper than ${MOST_LEVELS} levels. Nothing was done.`,
} as const;

export interface ErrorAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly error: typeof TOO_DEEP;
}

/** Whether JSON that was parsed is nested too deep. Level by level, and no further than the limit. */
export function isTooDeep(value: unknown): boolean {
  let level = containersIn([value]);
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels === MOST_LEVELS) return true;
    level = level.flatMap((each) => containersIn(Object.values(each)));
  }
  return false;
}

function containersIn(values: readonly unknown[]): readonly object[] {
  return values.filter((each) => typeof each === 'object' && each !== null);
}

/** The answers to a message, or a list of them, that is nested too deep: one for each request, of which none is done. Undefined where it is not. */
export function answersToTooDeep(value: unknown): readonly ErrorAnswer[] | undefined {
  if (!isTooDeep(value)) return undefined;
  return (Array.isArray(value) ? listOf(value) : [value]).flatMap((each) => {
    if (!isFields(each) || typeof each['method'] !== 'string') return [];
    const { id } = each;
    return typeof id === 'string' || typeof id === 'number'
      ? [{ jsonrpc: '2.0', id, error: TOO_DEEP }]
      : [];
  });
}
