import { fields, listOf, numberOf, type Fields } from '../../../debugger/protocol';
import type { CalleePoint, RecordingPoint } from '../../../recording/recordingPlan';
import type { CalleeFunction } from './callees';
import { isJavaScript } from './placesAhead';
import type { Exit, JavaScriptFunction } from './source/javascriptFunctions';

type UnnumberedPoint = Omit<RecordingPoint, 'id'>;

interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the points at which calls of a callee begin and end.
 * @param locations the places at which the debugger can stop in the function (DAP `breakpointLocations`)
 */
export function calleePoints(
  { name, path: file, found }: CalleeFunction,
  { breakpoints }: Fields,
): readonly UnnumberedPoint[] {
  if (!isJavaScript(found)) return [];
  const places = listOf(breakpoints)
    .map((location) => ({
      line: numberOf(fields(location)['line']) ?? 0,
      column: numberOf(fields(location)['column']) ?? 1,
    }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
    .filter((place) => !found.inner.some(({ start, end }) => isWithin(place, start, end)));
  const { entry, parameters, suspends } = found;
  const begin = places.find((place) => !isBefore(place, { column: 1, ...entry }));
  if (begin === undefined) return [];
  const ends = endsOf(name, found, places);
  const args = parameters.map((parameter) => parameter.name);
  const beginning: CalleePoint = {
    kind: 'begin',
    name,
    args,
    // The caller gets a promise before the block ends.
    returnsPromise: suspends === 'async',
  };
  return [
    { ...begin, callee: beginning },
    ...(suspends === 'async' ? [] : ends.map(({ place, callee }) => ({ ...place, callee }))),
  ].map((point) => ({ path: file, values: [], ...point }));
}

interface PlacedPoint {
  readonly place: Place;
  readonly callee: CalleePoint;
}

/** Returns the points at which a function returns or throws, at most one for each place. */
function endsOf(
  name: string,
  { bodyEnd, exits }: JavaScriptFunction,
  places: readonly Place[],
): readonly PlacedPoint[] {
  const isNew = name.startsWith('new ');
  const points = exits.flatMap((exit) => exitPoints(exit, places, isNew));
  const end = places.find(
    ({ line, column }) => line === bodyEnd.line && column === bodyEnd.column - 1,
  );
  if (end !== undefined)
    points.push({
      place: end,
      callee: { kind: 'end', hasReturned: true, read: isNew ? 'this' : 'undefined' },
    });
  return points;
}

function exitPoints(exit: Exit, places: readonly Place[], isNew: boolean): PlacedPoint[] {
  const first = places.find((place) => !isBefore(place, exit));
  if (exit.throws !== undefined)
    return first === undefined
      ? []
      : [{ place: first, callee: { kind: 'end', hasReturned: false, throws: exit.throws } }];
  // V8 stops at the end of a `return` before it leaves the call.
  const last = places.find(
    ({ line, column }) => line === exit.end.line && column === exit.end.column,
  );
  const read = isNew ? 'this' : exit.read;
  const start: PlacedPoint[] =
    first === undefined || first === last || read === undefined
      ? []
      : [{ place: first, callee: { kind: 'return', read, isEnd: last === undefined } }];
  if (last === undefined) return start;
  return [...start, { place: last, callee: { kind: 'end', hasReturned: true, read } }];
}

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

function isWithin(place: Place, start: Place, end: Place): boolean {
  return !isBefore(place, start) && isBefore(place, end);
}
