import { adapterOf } from '../../../debugger/adapters/registry';
import type { InjectedPoint } from '../../../control/injectedLists';
import { isCatchLine, type SourceLines } from './branches';
import type { TracedFunction } from './callModel';
import type { ThreadStack } from './threadStack';
import type { SteppingPlan } from './steppingPlan';

/** The number of calling frames that are searched. */
const MAX_FRAMES = 10;
/** The maximum number of places. Each one takes a breakpoint. */
const MAX_PLACES = 60;

/**
 * Returns the lines where an exception in a call may be caught, if the adapter's steps do not stop there: those of the
 * function, and those of the functions that called it.
 * @param entry the beginning of the call
 */
export async function catchPlaces(
  { functionAt }: Pick<SteppingPlan, 'functionAt'>,
  called: TracedFunction,
  entry: ThreadStack,
): Promise<readonly InjectedPoint[]> {
  if (adapterOf(entry.session.type).stepsMissHandlers !== true) return [];
  const { callers } = entry;
  const own = catchLinesIn(called.path, called.source, called.range);
  const others = await Promise.all(
    callers.slice(0, MAX_FRAMES).map(async (frame) => {
      const around = await functionAt({ ...entry, top: frame });
      return catchLinesIn(around.path, around.source, around.range);
    }),
  );
  const places = [...own, ...others.flat()];
  return places
    .filter(
      ({ path, line }, index) =>
        places.findIndex((other) => other.path === path && other.line === line) === index,
    )
    .slice(0, MAX_PLACES);
}

function catchLinesIn(
  path: string | undefined,
  source: SourceLines,
  range: TracedFunction['range'],
): readonly InjectedPoint[] {
  if (path === undefined || range === undefined) return [];
  return source
    .slice(range.start - 1, range.end)
    .flatMap((text, index) => (isCatchLine(text) ? [{ path, line: range.start + index }] : []));
}
