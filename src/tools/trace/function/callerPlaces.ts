import path from 'node:path';
import { samePath } from '../../../debugger/sourcePath';
import type { ToolServices } from '../../services';
import type { SourceLines } from './branches';
import type { HandlerPlace } from './handlerPlace';
import type { ThreadStack } from './threadStack';
import { isBefore, placesAmong, type Place } from './places';
import { functionsIn } from './source/functionsIn';
import { isJavaScript } from './source/isJavaScript';
import { functionAtPlace } from './source/functionAtPlace';
import type { SourceFunction } from './source/sourceFunction';

type Services = Pick<ToolServices, 'breakpoints' | 'inspector' | 'workspace'>;

/** The maximum number of places. Each one takes a breakpoint. */
const MAX_PLACES = 60;
/** The maximum number of lines that are searched outside of functions. */
const MAX_LINES = 200;

/**
 * Returns the places in the function that called a JavaScript call at which the debugger can stop, nearest to the call
 * first. V8's step out misses the end of a call that returns within a `for-of` loop. Returns none in inner functions, in
 * a function that calls itself, and on lines with breakpoints of the person.
 */
export async function callerPlaces(
  { breakpoints, inspector, workspace }: Services,
  { session, top, callers: [caller] }: ThreadStack,
  signal: AbortSignal,
): Promise<readonly HandlerPlace[]> {
  if (caller?.path === undefined || !path.isAbsolute(caller.path)) return [];
  const { path: file, line } = caller;
  const source = await workspace.readSource(file);
  const functions = (await functionsIn(file, source?.lines.join('\n') ?? '')) ?? [];
  const around = functionAtPlace(functions, caller);
  const isOwn = top.path !== undefined && samePath(top.path, file);
  if (isOwn && around !== undefined && functionAtPlace(functions, top) === around) return [];
  const args = { source: { path: file }, ...searched(source?.lines ?? [], line, around) };
  const answer = await inspector.sendUnique(session, 'breakpointLocations', args, signal);
  const inner = functions.filter((other) => other !== around && !contains(other, around));
  return placesAmong(answer)
    .filter((place) => !inner.some((other) => isWithin(other, place)))
    .filter(({ line: at }) => breakpoints.at(file, at).every((own) => breakpoints.isTemporary(own)))
    .sort((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))
    .slice(0, MAX_PLACES)
    .map((place) => ({ path: file, ...place }));
}

/**
 * Returns the places behind a line in the function in which a thread is, as `callerPlaces` does. On the line itself, only
 * the last place counts, and only if the call may end there.
 */
export async function ownPlaces(
  services: Services,
  now: ThreadStack,
  mayReturn: boolean,
  signal: AbortSignal,
): Promise<readonly HandlerPlace[]> {
  const { line } = now.top;
  const inner = { ...now.top, path: undefined };
  const places = await callerPlaces(services, { ...now, top: inner, callers: [now.top] }, signal);
  const others = places.filter((place) => place.line !== line);
  const isLast = mayReturn || others.every((place) => place.line < line);
  const [end] = places
    .filter((place) => place.line === line)
    .sort((one, other) => other.column - one.column);
  return isLast && end !== undefined ? [...others, end] : others;
}

/**
 * Returns the range that is searched, without the blank lines around it: js-debug finds nothing in a range that begins or
 * ends where the source map has no code.
 */
function searched(lines: SourceLines, line: number, around: SourceFunction | undefined): object {
  let start = around?.start ?? Math.max(1, line - MAX_LINES);
  let end = around?.end ?? Math.min(lines.length, line + MAX_LINES);
  const isBlank = (at: number): boolean => (lines[at - 1] ?? '').trim() === '';
  while (start < line && isBlank(start)) start += 1;
  while (end > line && isBlank(end)) end -= 1;
  const column = /^\s*/.exec(lines[start - 1] ?? '')?.[0].length ?? 0;
  const endColumn = (lines[end - 1] ?? '').trimEnd().length + 1;
  return { line: start, column: column + 1, endLine: end, endColumn };
}

/** Whether a function contains another one. */
function contains(outer: SourceFunction, inner: SourceFunction | undefined): boolean {
  if (inner === undefined) return false;
  if (isJavaScript(outer) && isJavaScript(inner))
    return !isBefore(inner.bodyStart, outer.bodyStart) && !isBefore(outer.bodyEnd, inner.bodyEnd);
  return outer.start <= inner.start && inner.end <= outer.end;
}

function isWithin(found: SourceFunction, place: Place): boolean {
  if (!isJavaScript(found)) return false;
  return !isBefore(place, found.bodyStart) && !isBefore(found.bodyEnd, place);
}
