import { textOf, type Fields } from '../../../debugger/protocol';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import type { ThreadStack } from './threadStack';
import { samePath } from '../../../debugger/sourcePath';
import { calleePoints, canStopAtEnds, isShownAtEnd, readOfReturn } from './calleePoints';
import { isValueUnknown, type CalleeFunction } from './callees';
import { hasOwnCaller } from './ownFrames';
import { isAt, isBefore, isBetween, placesAmong, type Place } from './places';
import { isJavaScript, mayMissEnd } from './source/isJavaScript';
import type { CallPlaces } from './placesAhead';
import type { Exit } from './source/javascriptExits';
import type { JavaScriptFunction } from './source/javascriptFunctions';
import type { SourceFunction } from './source/sourceFunction';

type Services = Pick<ToolServices, 'breakpoints' | 'inspector'>;

/** The points at which a call is recorded. */
export interface CallPoints {
  /** The points in the call. The list is empty if they are unknown. */
  readonly own: readonly RecordingPoint[];
  /** The points in the functions that it calls (JavaScript only). */
  readonly callees: readonly RecordingPoint[];
  /** Whether all callees that were found have points. */
  readonly hasAllCallees: boolean;
  /** Whether the debugger's step out may miss the end of the call (JavaScript only). */
  readonly mayMissEnd?: boolean;
  /** Whether another call of the same function has made the call (JavaScript only). */
  readonly isInner?: boolean;
  /** Whether the trace ends at the last place in the call, because no own code has made the call (JavaScript only). */
  readonly endsInside?: boolean;
}

/** @param places requests the places at which the debugger can stop, which only JavaScript needs */
export async function pointsFor(
  services: Services,
  entry: ThreadStack,
  path: string,
  found: SourceFunction,
  signal: AbortSignal,
  places: () => Promise<CallPlaces>,
): Promise<CallPoints> {
  try {
    if (isJavaScript(found)) return javaScriptPoints(services, path, found, entry, await places());
    const own = await pythonPoints(services, entry, path, signal);
    return { own, callees: [], hasAllCallees: true };
  } catch {
    return { own: [], callees: [], hasAllCallees: false };
  }
}

/**
 * V8 does not stop at a place with a breakpoint whose condition is false, not even after a step. So no function on the
 * stack gets further points: a function that has called the traced one, and the traced function itself. In a recursion,
 * the points of the traced function also stop when the chosen call has been left.
 */
function javaScriptPoints(
  services: Pick<Services, 'breakpoints'>,
  path: string,
  found: JavaScriptFunction,
  { callers }: ThreadStack,
  { own: places, callees, inCallees }: CallPlaces,
): CallPoints {
  const whole = { path, found, name: found.name };
  const isInner = callers.some((frame) => isIn(whole, frame));
  if (found.suspends !== undefined) return asyncPoints(services, whole, places);
  // After a stop that shows the value of a call, the program is continued. So it stops at each end of the traced call.
  const stopsForValues =
    callees.functions.some((callee) => needsStop(found, callee)) &&
    canStopAtEnds(found, places) &&
    !hasBreakpoint(services, whole);
  const endsInside =
    !hasOwnCaller(callers) && canStopAtEnds(found, places) && !hasBreakpoint(services, whole);
  const own = pointsIn(path, found, places, stopsForValues || endsInside);
  const points: RecordingPoint[] = [];
  let hasAllCallees = callees.isWhole;
  for (const [index, callee] of callees.functions.entries()) {
    const isOwn = samePath(callee.path, path) && callee.found.start === found.start;
    // A breakpoint without a column may be bound at another place than the point with which it is merged.
    const isLeftOut =
      !isOwn && (callers.some((frame) => isIn(callee, frame)) || hasBreakpoint(services, callee));
    const { points: inCallee, isWhole } = calleePoints(
      callee,
      inCallees[index] ?? {},
      (place) => (isOwn ? own.some((point) => isAt(point, place)) : !isLeftOut),
      stopsForValues && needsStop(found, callee),
    );
    hasAllCallees &&= isWhole;
    const first = own.length + points.length + 1;
    points.push(...inCallee.map((point, at) => ({ ...point, id: first + at })));
  }
  const ends = { mayMissEnd: mayMissEnd(found), endsInside };
  return { own, callees: points, hasAllCallees, isInner, ...ends };
}

/**
 * The points of an asynchronous function, which Node resumes. V8 finds no way out of it, so the program stops at the ends
 * of the call, if they have places.
 */
function asyncPoints(
  services: Pick<Services, 'breakpoints'>,
  whole: CalleeFunction & { readonly found: JavaScriptFunction },
  places: Fields,
): CallPoints {
  const { path, found } = whole;
  const stopsAtEnds = canStopAtEnds(found, places);
  const own = hasBreakpoint(services, whole) ? [] : pointsIn(path, found, places, stopsAtEnds);
  return { own, callees: [], hasAllCallees: true, endsInside: stopsAtEnds };
}

/** Whether the value of a call is known only by a stop at its end. */
function needsStop(found: JavaScriptFunction, callee: CalleeFunction): boolean {
  const { found: called, name } = callee;
  if (!isJavaScript(called) || !isValueUnknown(found, callee)) return false;
  const isNew = name.startsWith('new ');
  return called.exits.some(
    (exit) =>
      exit.throws === undefined && readOfReturn(exit, { found: called, exit, isNew }) === undefined,
  );
}

/** Whether the person has a breakpoint in a function. */
export function hasBreakpoint(
  { breakpoints }: Pick<Services, 'breakpoints'>,
  { path, found }: CalleeFunction,
): boolean {
  return breakpoints
    .all()
    .some(
      (breakpoint) =>
        breakpoint.enabled &&
        !breakpoints.isTemporary(breakpoint) &&
        breakpoint.kind === 'source' &&
        samePath(breakpoint.path, path) &&
        breakpoint.line >= found.start &&
        breakpoint.line <= found.end,
    );
}

function isIn({ path, found }: CalleeFunction, frame: ThreadStack['top']): boolean {
  return (
    frame.path !== undefined &&
    samePath(frame.path, path) &&
    frame.line >= found.start &&
    frame.line <= found.end
  );
}

/** Returns one point for each line of the frame's code object, as the program itself reports the lines. */
async function pythonPoints(
  { inspector }: Services,
  { session, top }: ThreadStack,
  path: string,
  signal: AbortSignal,
): Promise<readonly RecordingPoint[]> {
  const { result } = await inspector.sendUnique(
    session,
    'evaluate',
    { expression: linesExpression(top.line, path), frameId: top.id, context: 'repl' },
    signal,
  );
  const lines = (textOf(result) ?? '').match(/\d+/g) ?? [];
  return lines.map((line, index) => ({
    id: index + 1,
    path,
    line: Number(line),
    values: 'locals',
  }));
}

/**
 * Returns a Python expression for the lines of a frame's code object, without the line of its `def`. The frame is found
 * by its current line and file.
 */
function linesExpression(line: number, path: string): string {
  const file = JSON.stringify(path.replace(/^.*[\\/]/, ''));
  const frame = `[f for f, n in __import__('traceback').walk_stack(__import__('sys')._getframe()) if n == ${line} and f.f_code.co_filename.endswith(${file})][0]`;
  // debugpy shows only the first items of a long list, but the whole of a text.
  return `(lambda c: ' '.join(str(n) for n in sorted(set(n for _, n in __import__('dis').findlinestarts(c) if n and n != c.co_firstlineno) or [c.co_firstlineno])))((${frame}).f_code)`;
}

/**
 * Returns the first place of each line at which the debugger can stop, the places at which rounds of loops begin, and
 * the places that begin and that leave the call. The place that begins the call is the first point.
 * @param stopsAtEnds whether the program stops at each end of the call
 */
function pointsIn(
  path: string,
  found: JavaScriptFunction,
  locations: Fields,
  stopsAtEnds: boolean,
): readonly RecordingPoint[] {
  const { bodyStart, bodyEnd, inner, rounds, exits, captured } = found;
  const isWithin = (place: Place): boolean =>
    isBetween(place, bodyStart, bodyEnd) || (stopsAtEnds && isEndOfReturn(found, place));
  const places = placesAmong(locations)
    .filter(isWithin)
    .filter((place) => !inner.some(({ start, end }) => isBetween(place, start, end)));
  const chosen = new Map<string, Place & Partial<RecordingPoint>>();
  const lines = new Set<number>();
  const { line, column = 1 } = found.entry;
  const isEntry = (place: Place): boolean => isFirstBehind(place, { line, column }, places);
  for (const place of places) {
    const exit = exits.find((statement) => isFirstBehind(place, statement, places));
    const isKnown = returnedAt(found, place) !== undefined;
    const isMoved = exit !== undefined && isMovedEnd(place, exit);
    const isRead = exit !== undefined && !isKnown && !(isMoved && readsInner(found, exit));
    const returns = isRead ? readAt(place, found, exit) : undefined;
    const isEnd = stopsAtEnds && (isEndOf(found, place) || isEndOfReturn(found, place));
    // The recorder of an asynchronous call sees a rejection itself.
    const isSeen = exit?.throws !== undefined && found.suspends !== undefined;
    const stops = isEnd || (exit !== undefined && !isSeen && !isKnown && returns === undefined);
    const beginsLine =
      !lines.has(place.line) ||
      isEntry(place) ||
      isEndOf(found, place) ||
      rounds.some((round) => isFirstFrom(place, round, places));
    const isLine = beginsLine || exit !== undefined;
    lines.add(place.line);
    if (isLine || isEnd)
      chosen.set(`${place.line}:${place.column}`, {
        ...place,
        ...(stops && { stopWhen: 'true' }),
        ...(returns !== undefined && { returns }),
        ...(isMoved && { returnLine: exit.line }),
        ...(!beginsLine && { isPartOfLine: true }),
        ...(!isLine && { isOnlyStop: true }),
      });
  }
  // The program has already passed the place at which it is stopped.
  return [...chosen.values()]
    .sort((one, other) => Number(isEntry(other)) - Number(isEntry(one)))
    .map((point, index) => {
      const values = namesAt(found, point);
      return { id: index + 1, path, ...point, values, captured };
    });
}

/** Returns code that reads a returned value at the first place of its `return`. A constructor may return another object. */
function readAt(place: Place, found: JavaScriptFunction, exit: Exit): string | undefined {
  const isConstructor = found.name === 'constructor';
  return isConstructor ? undefined : readOfReturn(place, { found, exit, isNew: false });
}

/** Whether a place is the end of a `return`. The value is known there. */
export function isEndOfReturn(
  { exits }: JavaScriptFunction,
  { line, column = 0 }: Pick<RecordingPoint, 'line' | 'column'>,
): boolean {
  return exits.some(({ end, throws }) => throws === undefined && isAt(end, { line, column }));
}

/**
 * Whether the first place behind the beginning of a `return` is behind the whole statement. Then it is the end of the
 * `return`, which the source map of a minifier shows at the next token that it knows: `return first}`.
 */
function isMovedEnd(place: Place, { end, throws, hasNoEnd }: Exit): boolean {
  return throws === undefined && hasNoEnd !== true && isBefore(end, place);
}

/** Whether a `return` reads a variable of an inner block. At its end, V8 does not show these. */
function readsInner({ declared, bodyStart, bodyEnd }: JavaScriptFunction, exit: Exit): boolean {
  return declared.some(
    ({ name, start, end }) =>
      exit.names?.includes(name) === true && (isBefore(bodyStart, start) || isBefore(end, bodyEnd)),
  );
}

/** Whether a point is in a `return` after which code of the function runs. */
export function isReturnWithoutEnd(
  { exits }: JavaScriptFunction,
  point: Pick<RecordingPoint, 'line' | 'column'> | undefined,
): boolean {
  if (point === undefined) return false;
  const { line, column = 0 } = point;
  return exits.some(
    ({ throws, hasNoEnd, end, ...start }) =>
      throws === undefined && hasNoEnd === true && isBetween({ line, column }, start, end),
  );
}

/** Whether a place is the end of a function's block. A call passes it only if it ends without `return`. */
export function isEndOf(
  { bodyEnd, exits, hasBlock }: JavaScriptFunction,
  { line, column = 0 }: Pick<RecordingPoint, 'line' | 'column'>,
): boolean {
  const isLast = hasBlock && line === bodyEnd.line && column === bodyEnd.column - 1;
  return isLast && !exits.some(({ end }) => isAt(end, { line, column }));
}

/** Returns the names that are recorded at a place: its own, and what the function may change outside of itself. */
function namesAt(
  found: JavaScriptFunction,
  place: { readonly line: number; readonly column: number },
): readonly string[] {
  return [...new Set([...ownNamesAt(found, place), ...(found.captured ?? [])])];
}

/** Returns the names that are visible at a place, and `this` if the function uses it. */
function ownNamesAt(
  { declared, usesThis }: JavaScriptFunction,
  place: { readonly line: number; readonly column: number },
): readonly string[] {
  const names = declared
    .filter(({ start, end }) => isBetween(place, start, end))
    .map(({ name }) => name);
  return [...new Set([...names, ...(usesThis ? ['this'] : [])])];
}

/**
 * Returns the name whose value is returned at a place, if the value is recorded there. Then no stop is needed to read
 * the value.
 */
export function returnedAt(
  found: JavaScriptFunction,
  place: { readonly line: number; readonly column?: number | undefined },
): string | undefined {
  const { line, column } = place;
  if (column === undefined) return undefined;
  const at = { line, column };
  const exit = found.exits.find((each) => isAt(each, at) || isAt(each.end, at));
  const name = exit?.returns;
  if (exit === undefined || name === undefined) return undefined;
  if (isAt(exit.end, at) && !isShownAtEnd(found, name)) return undefined;
  return ownNamesAt(found, at).includes(name) ? name : undefined;
}

/** Whether a place is the first one at or after a position in the same line. */
function isFirstFrom(place: Place, position: Place, places: readonly Place[]): boolean {
  const later = places.filter(
    (other) => other.line === position.line && !isBefore(other, position),
  );
  return later.every((other) => !isBefore(other, place)) && later.includes(place);
}

/**
 * Whether a place is the first one at or after a position. V8 stops at a `return` where its expression first performs
 * an operation.
 */
function isFirstBehind(place: Place, position: Place, places: readonly Place[]): boolean {
  return (
    !isBefore(place, position) &&
    !places.some((other) => !isBefore(other, position) && isBefore(other, place))
  );
}
