import { fields, listOf, numberOf, textOf, type Fields } from '../../../debugger/protocol';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import type { Moment } from './moment';
import { isJavaScript, placesIn, type PlacesAhead } from './placesAhead';
import type { JavaScriptFunction } from './source/javascriptFunctions';
import type { SourceFunction } from './source/sourceFunction';

type Services = Pick<ToolServices, 'inspector'>;

/**
 * Returns the points at which the call is recorded. The list is empty if they are unknown.
 * @param ahead the requests that were sent when the program stopped
 */
export async function pointsFor(
  services: Services,
  entry: Moment,
  path: string,
  found: SourceFunction,
  signal: AbortSignal,
  ahead?: PlacesAhead,
): Promise<readonly RecordingPoint[]> {
  try {
    return isJavaScript(found)
      ? javaScriptPoints(
          path,
          found,
          entry,
          (await ahead?.at(entry)) ??
            (await placesIn(services, entry.session, path, found, signal)),
        )
      : await pythonPoints(services, entry, path, signal);
  } catch {
    return [];
  }
}

/** Returns one point for each line of the frame's code object, as the program itself reports the lines. */
async function pythonPoints(
  { inspector }: Services,
  { session, top }: Moment,
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
  return `(lambda c: sorted(set(n for _, n in __import__('dis').findlinestarts(c) if n and n != c.co_firstlineno) or [c.co_firstlineno]))((${frame}).f_code)`;
}

/**
 * Returns the first place of each line at which the debugger can stop, the places at which rounds of loops begin, and
 * the places that leave the call.
 */
function javaScriptPoints(
  path: string,
  found: JavaScriptFunction,
  entry: Moment,
  { breakpoints }: Fields,
): readonly RecordingPoint[] {
  const { bodyStart, bodyEnd, inner, rounds, exits } = found;
  const places = listOf(breakpoints)
    .map((location) => ({
      line: numberOf(fields(location)['line']) ?? 0,
      column: numberOf(fields(location)['column']) ?? 1,
    }))
    .filter((place) => isBetween(place, bodyStart, bodyEnd))
    .filter((place) => !inner.some(({ start, end }) => isBetween(place, start, end)));
  const chosen = new Map<string, { line: number; column: number; isExit: boolean }>();
  const lines = new Set<number>();
  for (const place of places) {
    const isExit = exits.some((exit) => isFirstBehind(place, exit, places));
    const isRecorded =
      !lines.has(place.line) || isExit || rounds.some((round) => isFirstFrom(place, round, places));
    lines.add(place.line);
    if (isRecorded) chosen.set(`${place.line}:${place.column}`, { ...place, isExit });
  }
  const all = [...chosen.values()].map(({ line, column, isExit }, index) => ({
    id: index + 1,
    path,
    line,
    column,
    values: namesAt(found, { line, column }),
    ...(isExit && returnedAt(found, { line, column }) === undefined ? { stopWhen: 'true' } : {}),
  }));
  // The program has already passed the place at which it is stopped.
  return all.sort((one, other) => Number(isEntry(other, entry)) - Number(isEntry(one, entry)));
}

function isEntry({ line }: RecordingPoint, { top }: Moment): boolean {
  return line === top.line;
}

/** Returns the names that are visible at a place, and `this` if the function uses it. */
function namesAt(
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
  const name = found.exits.find((exit) => isAt(exit, { line, column }))?.returns;
  return name !== undefined && namesAt(found, { line, column }).includes(name) ? name : undefined;
}

interface At {
  readonly line: number;
  readonly column: number;
}

function isBetween(place: At, start: At, end: At): boolean {
  return !isBefore(place, start) && isBefore(place, end);
}

function isBefore(one: At, other: At): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

/** Whether a place is the first one at or after a position in the same line. */
function isFirstFrom(place: At, position: At, places: readonly At[]): boolean {
  const later = places.filter(
    (other) => other.line === position.line && !isBefore(other, position),
  );
  return later.every((other) => !isBefore(other, place)) && later.includes(place);
}

/**
 * Whether a place is the first one at or after a position. V8 stops at a `return` where its expression first performs
 * an operation.
 */
function isFirstBehind(place: At, position: At, places: readonly At[]): boolean {
  return (
    !isBefore(place, position) &&
    !places.some((other) => !isBefore(other, position) && isBefore(other, place))
  );
}

function isAt(one: At, other: At): boolean {
  return one.line === other.line && one.column === other.column;
}
