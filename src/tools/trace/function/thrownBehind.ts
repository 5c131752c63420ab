import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { samePath } from '../../../debugger/sourcePath';
import { framesInStack } from '../../../results/stackText';
import type { TracedFunction } from './callModel';

/** The maximum number of lines of a statement behind the line of a call in it. */
const STATEMENT_LINES = 10;

/**
 * Whether a caught JavaScript exception was thrown behind a call, by the rest of the statement that made the call:
 * `find(id).price.toFixed()` throws if `find` returns an object without a price. V8 may miss the end of such a call. The
 * stack in the text of the exception then contains the caller, but not the call.
 * @param exception the text of the exception with its stack
 * @returns false if the stack does not tell
 */
export function isThrownBehind(
  exception: string,
  { path, range }: TracedFunction,
  caller: Frame,
): boolean {
  if (path === undefined || range === undefined || caller.path === undefined) return false;
  const isInCall = (place: { readonly path: string; readonly line: number }): boolean =>
    samePath(place.path, path) && range.start <= place.line && place.line <= range.end;
  // In a recursion, the caller's frame is in the same function.
  if (isInCall({ path: caller.path, line: caller.line })) return false;
  for (const place of framesInStack(exception)) {
    if (isInCall(place)) return false;
    const behind = place.line - caller.line;
    if (samePath(place.path, caller.path) && behind >= 0 && behind <= STATEMENT_LINES) return true;
  }
  return false;
}
