import { isBefore, type Place } from '../places';
import { isJavaScript } from './isJavaScript';
import { functionAround, type SourceFunction } from './sourceFunction';

/**
 * Returns the innermost function at a place. In JavaScript, a line may belong to several functions, which the column
 * tells apart. Elsewhere, the line decides.
 */
export function functionAtPlace(
  functions: readonly SourceFunction[],
  place: Place,
): SourceFunction | undefined {
  const around = functions
    .filter(isJavaScript)
    .filter(({ bodyStart, bodyEnd }) => !isBefore(place, bodyStart) && !isBefore(bodyEnd, place));
  const [innermost] = around.sort((one, other) =>
    isBefore(one.bodyStart, other.bodyStart) ? 1 : -1,
  );
  return innermost ?? functionAround(functions, place.line);
}
