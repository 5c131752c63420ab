import { fields, listOf, numberOf, textOf, type Fields } from '../../../debugger/protocol';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import type { Moment } from './moment';
import { isJavaScript, placesIn, type PlacesAhead } from './placesAhead';
import type { JavaScriptFunction } from './source/javascriptFunctions';
import type { SourceFunction } from './source/sourceFunction';

type Services = Pick<ToolServices, 'inspector'>;

/**
 * Where the call is recorded; none where that cannot be told.
 * @param ahead what was asked when the program stopped
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

/** One point for each line of the code that the frame runs, as the program itself has it. */
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

/** The lines of the code object of the frame that is at a line of a file, without that of its `def`. */
function linesExpression(line: number, path: string): string {
  const file = JSON.stringify(path.replace(/^.*[\\/]/, ''));
  const frame = `[f for f, n in __import__('traceback').walk_stack(__import__('sys')._getframe()) if n == ${line} and f.f_code.co_filename.endswith(${file})][0]`;
  return `(lambda c: sorted(set(n for _, n in __import__('dis').findlinestarts(c) if n and n != c.co_firstlineno) or [c.co_firstlineno]))((${frame}).f_code)`;
}

/** The first place of each line at which the debugger can stop, where rounds of loops begin, and what leaves the call. */
function javaScriptPoints(
  path: string,
  found: JavaScriptFunction,
  entry: Moment,
  { breakpoints }: Fields,
): readonly RecordingPoint[] {
  const { bodyStart, bodyEnd, inner, rounds, exits } = found;
  const places = listOf(breakpoints)
    .map((each) => ({
      line: numberOf(fields(each)['line']) ?? 0,
      column: numberOf(fields(each)['column']) ?? 1,
    }))
    .filter((each) => isBetween(each, bodyStart, bodyEnd))
    .filter((each) => !inner.some(({ start, end }) => isBetween(each, start, end)));
  const chosen = new Map<string, { line: number; column: number; isExit: boolean }>();
  const lines = new Set<number>();
  for (const place of places) {
    const isExit = exits.some((each) => isFirstBehind(place, each, places));
    const isWanted =
      !lines.has(place.line) || isExit || rounds.some((each) => isFirstFrom(place, each, places));
    lines.add(place.line);
    if (isWanted) chosen.set(`${place.line}:${place.column}`, { ...place, isExit });
  }
  const all = [...chosen.values()].map(({ line, column, isExit }, index) => ({
    id: index + 1,
    path,
    line,
    column,
    values: namesAt(found, { line, column }),
    ...(isExit && returnedAt(found, { line, column }) === undefined ? { stopWhen: 'true' } : {}),
  }));
  // The place where the program is stopped has passed already.
  return all.sort((one, other) => Number(isEntry(other, entry)) - Number(isEntry(one, entry)));
}

function isEntry({ line }: RecordingPoint, { top }: Moment): boolean {
  return line === top.line;
}

/** The names that can be seen at a place, and the fields of the object that a method belongs to. */
function namesAt(
  { declared, usesThis }: JavaScriptFunction,
  place: { readonly line: number; readonly column: number },
): readonly string[] {
  const names = declared
    .filter(({ start, end }) => isBetween(place, start, end))
    .map(({ name }) => name);
  return [...new Set([...names, ...(usesThis ? ['this'] : [])])];
}

/** The name whose value is returned at a place, where it is recorded there: no stop has to show it. */
export function returnedAt(
  found: JavaScriptFunction,
  place: { readonly line: number; readonly column?: number | undefined },
): string | undefined {
  const { line, column } = place;
  if (column === undefined) return undefined;
  const name = found.exits.find((each) => isAt(each, { line, column }))?.returns;
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

/** Whether a place is the first one from a position on, in its line. */
function isFirstFrom(place: At, position: At, places: readonly At[]): boolean {
  const later = places.filter((each) => each.line === position.line && !isBefore(each, position));
  return later.every((each) => !isBefore(each, place)) && later.includes(place);
}

/** Whether a place is the first one from a position on: V8 stops at a `return` where its expression first does something. */
function isFirstBehind(place: At, position: At, places: readonly At[]): boolean {
  return (
    !isBefore(place, position) &&
    !places.some((each) => !isBefore(each, position) && isBefore(each, place))
  );
}

function isAt(one: At, other: At): boolean {
  return one.line === other.line && one.column === other.column;
}
