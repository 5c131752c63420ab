import { inThread } from '../../../syntax/reading';
import type { ToolServices } from '../../services';
import type { CallEnd } from './callModel';
import type { ThreadStack } from './threadStack';
import type { Arrived, ChosenCall } from './recordedMoves';
import { isJavaScript } from './source/isJavaScript';
import type { caughtAt, CaughtAt } from './source/javascriptHandlers';
import { isThrownBehind } from './thrownBehind';
import { nameCaughtAt, type KnownSource } from './thrownOut';
import { stackOrEnd } from './traceEnd';

/**
 * The end of a call. `isGuess`: the debugger did not show it, but the program is where an exception is caught. `isImplied`:
 * no recorded place lets the call return.
 */
export type SeenEnd = CallEnd & { readonly isGuess?: boolean; readonly isImplied?: boolean };

/**
 * Adds the exception that left the call, if the program is stopped where a file catches it by a name. The exception also
 * tells whether a call whose end was missed has returned before.
 */
export async function withCaughtValue(
  services: Pick<ToolServices, 'inspector' | 'model'>,
  { called, entry, found, limits: { signal } }: ChosenCall,
  around: KnownSource,
  { now }: Arrived,
  end: SeenEnd,
): Promise<CallEnd> {
  if (end.kind !== 'threw' || now === undefined) return end;
  // The text of the source is less than the value, which only JavaScript's debugger shows as text.
  if (end.exception !== undefined && !isJavaScript(found)) return end;
  const handler = isJavaScript(found) ? await handlerAt(around, entry, now) : undefined;
  // A place may be missing among the recorded ones.
  if (end.isImplied === true && handler?.mayHaveCaught === false)
    return { kind: 'returned', value: undefined };
  const exact = handler?.name;
  const name = exact ?? nameCaughtAt(around, now);
  if (name === undefined) return end;
  const { session, threadId } = now;
  const seen = await stackOrEnd(services, session.key, threadId, signal, 'variables');
  const value = typeof seen === 'string' ? undefined : seen.values.get(name);
  if (value === undefined) return end;
  const [caller] = entry.callers;
  if (end.isGuess === true && caller !== undefined && isThrownBehind(value, called, caller))
    return { kind: 'returned', value: undefined };
  return { kind: 'threw', exception: value.split('\n')[0] };
}

/** The handler at a place of JavaScript. Undefined if the place is in none of the functions that have made the call. */
async function handlerAt(
  { source, path }: KnownSource,
  entry: ThreadStack,
  { top, total }: ThreadStack,
): Promise<CaughtAt | undefined> {
  if (path === undefined || top.path === undefined || total === undefined) return undefined;
  const callers = entry.total === undefined ? [] : entry.callers;
  const from = callers[(entry.total ?? 0) - total - 1];
  if (from === undefined || from.path !== top.path || source.length === 0) return undefined;
  const at = { line: top.line, column: top.column };
  const call = { line: from.line, column: from.column };
  const text = source.join('\n');
  const caught = await inThread<typeof caughtAt>('caughtAt', text, path, at, call);
  return caught ?? { mayHaveCaught: true, name: undefined };
}
