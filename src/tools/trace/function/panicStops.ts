import type { InjectedPoint } from '../../../control/injectedLists';
import { adapterOf } from '../../../debugger/adapters/registry';
import { DebuggerError } from '../../../debugger/debuggerError';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';
import type { AddressStops, RequestedStop } from './addressStops';
import type { TracedFunction } from './callModel';
import type { Deferred } from './deferred';
import { evaluated } from './evaluated';
import { deferredPlaces } from './goClosures';
import { isSameFrame, type ThreadStack } from './threadStack';
import { framesBelow } from './panics';
import type { SteppingPlan, Stops } from './steppingPlan';

type Services = Pick<ToolServices, 'inspector' | 'injected'>;

/** A call whose lines are traced. */
export interface OpenedCall {
  readonly called: TracedFunction;
  readonly entry: ThreadStack;
  /** How many levels of its callees are traced, too. */
  readonly depth: number;
  readonly deferred: Deferred;
}

/** A calling frame, with the number of frames of its stack up to it. */
interface Counted {
  readonly frame: Frame;
  readonly count: number;
}

/**
 * Stops the program in the deferred functions that a panic runs, and behind the calls that are not traced and may
 * recover. Steps of the debugger miss both.
 * @param now a stop in a deferred function that the panic runs
 * @param opened the calls of the trace, the outermost first
 * @returns undefined if the debugger cannot do that, or if not all of the calls are among the frames that were read
 */
export async function panicStops(
  services: Services,
  addresses: AddressStops,
  plan: Pick<SteppingPlan, 'functionAt' | 'signal'>,
  now: ThreadStack,
  opened: readonly OpenedCall[],
): Promise<Stops | undefined> {
  const { session, threadId } = now;
  const condition = adapterOf(session.type).loggedCalls?.ends?.condition(threadId, []);
  const frames = framesBelow(now);
  if (condition === undefined || !isWhole(frames, opened)) return undefined;
  const functions = opened.flatMap(({ deferred }) => deferred.addresses);
  try {
    const atAddresses = await addresses.add([
      ...(await placesBehind(services, now, frames, opened, plan.signal)),
      ...functions.map((reference) => ({ reference })),
    ]);
    const points = await deferredIn(plan, now, frames, opened, condition);
    const inFunctions = services.injected.inject(({ key }) => (key === session.key ? points : []));
    await inFunctions.placed;
    return {
      dispose: async () => {
        await Promise.all([atAddresses.dispose(), inFunctions.dispose()]);
      },
    };
  } catch (error) {
    if (error instanceof DebuggerError) return undefined;
    throw error;
  }
}

/** Whether the frames contain each of the calls. */
function isWhole(frames: readonly Counted[], opened: readonly OpenedCall[]): boolean {
  return opened.every((call) => frames.some((frame) => isCall(frame, call)));
}

function isCall({ frame, count }: Counted, { entry }: OpenedCall): boolean {
  return entry.total === count && isSameFrame(entry.top, frame);
}

/**
 * Returns the places to which calls return that are not traced: in the calls of the trace, and in those around them.
 */
async function placesBehind(
  services: Services,
  now: ThreadStack,
  frames: readonly Counted[],
  opened: readonly OpenedCall[],
  signal: AbortSignal,
): Promise<readonly RequestedStop[]> {
  const expression = adapterOf(now.session.type).loggedCalls?.activation;
  if (expression === undefined) return [];
  const outermost = opened[0]?.entry.total ?? 0;
  const isOpened = (counted: Counted): boolean => opened.some((call) => isCall(counted, call));
  const places = frames.map(async (counted, index) => {
    const caller = frames[index + 1];
    const reference = caller?.frame.instructionPointerReference;
    if (caller === undefined || reference === undefined || isOpened(counted)) return [];
    if (counted.count >= outermost && !isOpened(caller)) return [];
    const at = { ...now, top: caller.frame };
    const activation = await evaluated(services, at, expression, signal);
    return activation === undefined ? [] : [{ reference, activation }];
  });
  return (await Promise.all(places)).flat();
}

/** Returns the lines of the `defer` statements in the functions whose calls are not traced. */
async function deferredIn(
  { functionAt }: Pick<SteppingPlan, 'functionAt'>,
  now: ThreadStack,
  frames: readonly Counted[],
  opened: readonly OpenedCall[],
  condition: string,
): Promise<readonly InjectedPoint[]> {
  const others = frames.filter(({ frame }) =>
    opened.every(({ entry }) => !isSameFrame(entry.top, frame)),
  );
  const found = await Promise.all(
    others.map(async ({ frame }) =>
      deferredPlaces(await functionAt({ ...now, top: frame }), condition),
    ),
  );
  return [...new Map(found.flat().map((point) => [`${point.path}:${point.line}`, point])).values()];
}
