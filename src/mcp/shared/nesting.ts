import { isFields, listOf } from '../../debugger/protocol';

/**
 * The maximum number of levels. It is more than any meaningful message has. Code that reads or writes values is often
 * recursive and overflows its stack at some thousand levels. The request would then receive no response.
 */
const MAX_LEVELS = 100;

/** The error for a message that is nested too deeply: JSON-RPC "Invalid params". */
export const TOO_DEEP = {
  code: -32602,
  message: `Nested deeper than ${MAX_LEVELS} levels. Nothing was done.`,
} as const;

export interface ErrorAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly error: typeof TOO_DEEP;
}

/** Whether parsed JSON is nested too deeply. It is checked level by level, and only down to the limit. */
export function isTooDeep(value: unknown): boolean {
  let level = containersIn([value]);
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels === MAX_LEVELS) return true;
    level = level.flatMap((container) => containersIn(Object.values(container)));
  }
  return false;
}

function containersIn(values: readonly unknown[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}

/** The error responses to the requests in a message or batch that is nested too deeply. Undefined if it is not. */
export function answersToTooDeep(value: unknown): readonly ErrorAnswer[] | undefined {
  if (!isTooDeep(value)) return undefined;
  return (Array.isArray(value) ? listOf(value) : [value]).flatMap((message) => {
    if (!isFields(message) || typeof message['method'] !== 'string') return [];
    const { id } = message;
    return typeof id === 'string' || typeof id === 'number'
      ? [{ jsonrpc: '2.0', id, error: TOO_DEEP }]
      : [];
  });
}
