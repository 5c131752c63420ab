import type { InjectedPoint } from '../../../control/injectedLists';
import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import { callerPlaces } from './callerPlaces';
import { generatorsOf, type PlacedFunction } from './callees';
import type { ThreadStack } from './threadStack';
import { isBetween, placesAmong } from './places';
import { placesIn } from './placesAhead';
import { functionsIn } from './source/functionsIn';
import { isJavaScript } from './source/isJavaScript';

type Services = Pick<ToolServices, 'breakpoints' | 'inspector' | 'workspace'>;

/** The maximum number of places. Each one takes a breakpoint. */
const MAX_PLACES = 60;

/** The places in the generators that the calls of a trace iterate over. They are searched once for each function. */
export class ConsumedGenerators {
  private readonly known = new Map<string, Promise<readonly InjectedPoint[]>>();

  constructor(
    private readonly services: Services,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Returns the places for a call.
   * @param entry the beginning of the call
   * @param depth how many levels of its callees are traced, too
   */
  async in(
    { path, range, suspends }: TracedFunction,
    entry: ThreadStack,
    depth: number,
  ): Promise<readonly InjectedPoint[]> {
    if (depth === 0 || path === undefined || range === undefined) return [];
    // While an asynchronous call is suspended, other calls of the function may reach the places. A stop in an inner call
    // is recognized by the number of frames.
    if (suspends !== undefined || entry.total === undefined) return [];
    const key = `${path}:${range.start}`;
    const places = this.known.get(key) ?? this.placesFor(path, range, entry);
    this.known.set(key, places);
    return await places;
  }

  private async placesFor(
    path: string,
    range: NonNullable<TracedFunction['range']>,
    entry: ThreadStack,
  ): Promise<readonly InjectedPoint[]> {
    const source = (await this.services.workspace.readSource(path))?.lines ?? [];
    const functions = (await functionsIn(path, source.join('\n'))) ?? [];
    const found = functions.find(({ start, end }) => start === range.start && end === range.end);
    if (found === undefined) return [];
    return await generatorPlaces(this.services, { path, found }, entry, this.signal);
  }
}

/**
 * Returns the places at which the debugger can stop in the generators that a JavaScript call iterates over, and in the
 * call itself. V8's steps miss a generator whose consumer is a spread or a built-in function, and they miss the
 * consumer of a line that yields several times.
 */
async function generatorPlaces(
  services: Services,
  consumer: PlacedFunction,
  { session }: ThreadStack,
  signal: AbortSignal,
): Promise<readonly InjectedPoint[]> {
  const generators = await generatorsOf(services, consumer);
  if (generators.length === 0) return [];
  const { name, calls = [] } = consumer.found;
  // Inner calls of the same function would stop the program, too.
  const isRecursive = calls.some((call) => call.name === name);
  const places = await Promise.all(
    [...generators, ...(isRecursive ? [] : [consumer])].map(async ({ path, found }) => {
      const answer = await placesIn(services, session, path, found, signal).catch(() => ({}));
      const inner = isJavaScript(found) ? found.inner : [];
      return placesAmong(answer)
        .filter((place) => !inner.some(({ start, end }) => isBetween(place, start, end)))
        .filter(({ line }) => isFree(services, path, line))
        .map((place) => ({ path, ...place }));
    }),
  );
  return places.flat().slice(0, MAX_PLACES);
}

/** Whether the person has no breakpoint at a line. Theirs ends the trace. */
function isFree({ breakpoints }: Services, path: string, line: number): boolean {
  return breakpoints.at(path, line).every((breakpoint) => breakpoints.isTemporary(breakpoint));
}

/**
 * Returns the places in the function that iterates over a JavaScript generator. V8's step out of a generator that
 * another one delegates to (`yield*`) leads to the other one, which does not continue then.
 * @param now a stop in the generator
 */
export async function consumerPlaces(
  services: Services,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<readonly InjectedPoint[]> {
  const { callers } = now;
  for (const [index, { path, line }] of callers.entries()) {
    const source = path === undefined ? undefined : await services.workspace.readSource(path);
    if (/\byield\s*\*/.test(source?.lines[line - 1] ?? '')) continue;
    return await callerPlaces(services, { ...now, callers: callers.slice(index) }, signal);
  }
  return [];
}
