import { fields, listOf, numberOf, type Fields } from '../../../debugger/protocol';

/** A place in a source file. Lines and columns are 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns the places in a response of the debugger (DAP `breakpointLocations`). */
export function placesAmong({ breakpoints }: Fields): readonly Place[] {
  return listOf(breakpoints).map((location) => ({
    line: numberOf(fields(location)['line']) ?? 0,
    column: numberOf(fields(location)['column']) ?? 1,
  }));
}

export function isAt(one: Partial<Place>, other: Partial<Place>): boolean {
  return one.line === other.line && one.column === other.column;
}

export function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

/** Whether a place is at or after a start, and before an end. */
export function isBetween(place: Place, start: Place, end: Place): boolean {
  return !isBefore(place, start) && isBefore(place, end);
}
