import type { Fields } from '../../../debugger/protocol';
import type { CalleePoint, RecordingPoint } from '../../../recording/recordingPlan';
import type { CalleeFunction } from './callees';
import { isAt, isBefore, placesAmong, type Place } from './places';
import { isJavaScript } from './source/isJavaScript';
import type { Exit } from './source/javascriptExits';
import type { JavaScriptFunction } from './source/javascriptFunctions';

type UnnumberedPoint = Omit<RecordingPoint, 'id'>;

/** The points in a function that the call may call. */
export interface InCallee {
  readonly points: readonly UnnumberedPoint[];
  /** Whether all its calls can be reported. */
  readonly isWhole: boolean;
}

const NO_POINTS: InCallee = { points: [], isWhole: false };

/**
 * Returns the points at which calls of a callee begin and end.
 * @param locations the places at which the debugger can stop in the function (DAP `breakpointLocations`)
 * @param isAllowed whether a point may be at a place
 * @param stops whether the program stops where a value is returned that cannot be read otherwise
 */
export function calleePoints(
  callee: CalleeFunction,
  locations: Fields,
  isAllowed: (place: Place) => boolean = () => true,
  stops = false,
): InCallee {
  const { name, path, found } = callee;
  // Each round of a loop would look like a call.
  if (!isJavaScript(found) || found.entryRepeats) return NO_POINTS;
  const places = placesOf(found, locations).filter(isAllowed);
  const begin = places.find((place) => !isBefore(place, { column: 1, ...found.entry }));
  if (begin === undefined) return NO_POINTS;
  const isAsync = found.suspends === 'async';
  const { ends, isWhole } = isAsync ? { ends: [], isWhole: true } : endsOf(name, found, places);
  const beginning: CalleePoint = {
    ...{ kind: 'begin', name, args: found.parameters.map((parameter) => parameter.name) },
    // The caller gets a promise before the block ends.
    returnsPromise: isAsync,
    hasEnds: isWhole,
  };
  const points = [{ place: begin, callee: beginning }, ...ends];
  return {
    isWhole: true,
    points: points.map(({ place, callee: point }) => ({
      ...{ path, ...place, values: [] },
      callee: stops && point.kind === 'end' ? { ...point, stops } : point,
    })),
  };
}

/** Returns the places of a function at which the debugger can stop, without those of inner functions. */
function placesOf(
  { inner }: Pick<JavaScriptFunction, 'inner'>,
  locations: Fields,
): readonly Place[] {
  return (
    [...placesAmong(locations)]
      .sort((one, other) => one.line - other.line || one.column - other.column)
      // The start of an inner function is a place of the statement that contains it.
      .filter((place) => !inner.some(({ start, end }) => isWithin(place, start, end)))
  );
}

/** Whether the debugger can stop at each place at which a call of a function returns. */
export function canStopAtEnds(found: JavaScriptFunction, locations: Fields): boolean {
  return endsOf(found.name, found, placesOf(found, locations)).isWhole;
}

interface PlacedPoint {
  readonly place: Place;
  readonly callee: CalleePoint;
}

/** Returns the points at which a function returns or throws, and whether each end has one. */
function endsOf(
  name: string,
  found: JavaScriptFunction,
  places: readonly Place[],
): { readonly ends: readonly PlacedPoint[]; readonly isWhole: boolean } {
  const isNew = name.startsWith('new ');
  const { bodyEnd, exits } = found;
  const points = exits.map((exit, index) => exitPoints({ found, exit, index, isNew }, places));
  const end = places.find(
    (place) =>
      found.hasBlock &&
      isAt(place, { line: bodyEnd.line, column: bodyEnd.column - 1 }) &&
      // The end of a `return` may be there, too.
      !exits.some((exit) => isAt(exit.end, place)),
  );
  const left: CalleePoint = {
    ...{ kind: 'end', exit: exits.length, read: isNew ? 'this' : 'undefined' },
  };
  return {
    ends: [...points.flat(), ...(end === undefined ? [] : [{ place: end, callee: left }])],
    isWhole:
      exits.every(
        ({ throws, hasNoEnd }, index) =>
          throws !== undefined ||
          (hasNoEnd !== true &&
            points[index]?.some(({ callee }) => callee.kind === 'end') === true),
      ) &&
      // V8 has no place for an end that is never reached. A source map may leave out another one.
      (end !== undefined || !found.reachesEnd),
  };
}

interface ReturnOf {
  readonly found: JavaScriptFunction;
  readonly exit: Exit;
  readonly isNew: boolean;
}

interface ExitOf extends ReturnOf {
  readonly index: number;
}

function exitPoints(of: ExitOf, places: readonly Place[]): readonly PlacedPoint[] {
  const { exit, index } = of;
  // V8 has no places for a statement that is never executed.
  const first = places.find((place) => !isBefore(place, exit) && !isBefore(exit.end, place));
  if (exit.throws !== undefined)
    return first === undefined || exit.isCaught === true
      ? []
      : [{ place: first, callee: { kind: 'throw', throws: exit.throws } }];
  // V8 stops at the end of a `return` before it leaves the call.
  const last = places.find((place) => isAt(place, exit.end));
  const read = readAtStart(of);
  const start: PlacedPoint[] =
    first === undefined || first === last || read === undefined
      ? []
      : [
          {
            place: first,
            callee: { kind: 'return', exit: index, read, isEnd: last === undefined },
          },
        ];
  if (last === undefined) return start;
  const end: CalleePoint = {
    ...{ kind: 'end', exit: index, read: readAtEnd(of) },
  };
  return [...start, { place: last, callee: end }];
}

/** Returns code that reads the returned value at a place at which the debugger stops for a `return`. */
export function readOfReturn(place: Place, of: ReturnOf): string | undefined {
  return isAt(place, of.exit.end) ? readAtEnd(of) : readAtStart(of);
}

/** A constructor may return another object. Names from outside of the function may be getters. */
function readAtStart({ found, exit, isNew }: ReturnOf): string | undefined {
  if (isNew) return exit.read === 'undefined' ? 'this' : undefined;
  const { names = [] } = exit;
  const isKnown = names.every((name) =>
    found.declared.some(
      ({ name: other, start, end }) =>
        other === name && !isBefore(exit, start) && isBefore(exit, end),
    ),
  );
  return isKnown ? exit.read : undefined;
}

function readAtEnd(of: ReturnOf): string | undefined {
  const { names = [] } = of.exit;
  return names.every((name) => isShownAtEnd(of.found, name)) ? readAtStart(of) : undefined;
}

/** At the end of a `return`, V8 shows only the variables of the outermost scope. */
export function isShownAtEnd(
  { declared, bodyStart, hasPlainParameters, parameters }: JavaScriptFunction,
  name: string,
): boolean {
  const [only, other] = declared.filter((variable) => variable.name === name);
  const isOuter = only !== undefined && other === undefined && isAt(only.start, bodyStart);
  return isOuter && (hasPlainParameters || parameters.some((parameter) => parameter.name === name));
}

/** Whether a place is behind the start and before the end. */
function isWithin(place: Place, start: Place, end: Place): boolean {
  return isBefore(start, place) && isBefore(place, end);
}
