import path from 'node:path';
import { fields, listOf, numberOf } from '../../../debugger/protocol';
import type { ToolServices } from '../../services';
import type { HandlerPlace } from './handlerPlace';
import type { Moment } from './moment';
import { functionsIn } from './source/functionsIn';
import { functionAround } from './source/sourceFunction';

/** The maximum number of places. Each one takes a breakpoint. */
const MOST_PLACES = 60;
/** The maximum number of lines that are searched outside of functions. */
const MOST_LINES = 200;

/**
 * Returns the places in the function that called a JavaScript call at which the debugger can stop, nearest to the call
 * first. V8's step out misses the end of a call that returns within a `for-of` loop.
 */
export async function callerPlaces(
  { inspector, workspace }: Pick<ToolServices, 'inspector' | 'workspace'>,
  { session, callers: [caller] }: Moment,
  signal: AbortSignal,
): Promise<readonly HandlerPlace[]> {
  if (caller?.path === undefined || !path.isAbsolute(caller.path)) return [];
  const { path: file, line } = caller;
  const source = await workspace.readSource(file);
  const functions = (await functionsIn(file, source?.lines.join('\n') ?? '')) ?? [];
  const { start, end } = functionAround(functions, line) ?? {
    start: Math.max(1, line - MOST_LINES),
    end: Math.min(source?.lines.length ?? line, line + MOST_LINES),
  };
  const range = { line: start, column: 1, endLine: end + 1, endColumn: 1 };
  const args = { source: { path: file }, ...range };
  const { breakpoints } = await inspector.sendUnique(session, 'breakpointLocations', args, signal);
  return listOf(breakpoints)
    .map((location) => ({
      path: file,
      line: numberOf(fields(location)['line']) ?? 0,
      column: numberOf(fields(location)['column']) ?? 1,
    }))
    .sort((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))
    .slice(0, MOST_PLACES);
}
