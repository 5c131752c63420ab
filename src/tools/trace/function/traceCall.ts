import type { BoundedRun } from '../../../control/boundedRun';
import type { InjectedPoint } from '../../../control/injectedLists';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { RecordedCallees } from '../../../recording/callRecorder';
import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import { withAssignedValue } from './assignedValue';
import { callerPlaces, ownPlaces } from './callerPlaces';
import { catchPlaces } from './catchPlaces';
import { endAt, thrownAt } from './endInside';
import { closureName } from './goClosures';
import { ConsumedGenerators, consumerPlaces } from './generatorPlaces';
import { HandlerStop } from './handlerStop';
import { isSameFunction, type ThreadStack } from './threadStack';
import { hasOwnCaller, isOwn } from './ownFrames';
import type { RecordingLimits } from './recordedMoves';
import type { RecordedArrival } from './entry';
import type { ForeignStops } from './foreignStops';
import { recordCall, traceRecorded } from './recording';
import { functionsIn } from './source/functionsIn';
import { isJavaScript } from './source/isJavaScript';
import { functionAtPlace } from './source/functionAtPlace';
import type { SourceFunction } from './source/sourceFunction';
import { SteppingTracer } from './steppingTracer';
import type { SteppingPlan, Stops } from './steppingPlan';
import { inThread } from './inThread';
import { stackOrEnd, type Traced } from './traceEnd';
import { titleOf, tracedOf, type TraceTarget } from './traceTarget';

export type TracePlan = Pick<
  SteppingPlan,
  'depth' | 'maxSteps' | 'deadline' | 'signal' | 'progress'
> &
  Pick<RecordingLimits, 'ahead' | 'callees' | 'ready'> & { readonly foreign: ForeignStops };

/** The trace of a call, with the number of stepped lines. */
export interface TracedCall extends Traced {
  /**
   * The number of lines that were stepped, with a stop for each line. The other lines were recorded while the program
   * ran.
   */
  readonly stepped: number;
}

/** The maximum number of stepped lines. Each one takes as long as a step in the user interface. */
const MAX_STEPPED = 300;

/** Traces the call at whose beginning a thread is stopped. */
export async function traceCall(
  services: ToolServices,
  run: BoundedRun,
  target: TraceTarget,
  entry: ThreadStack,
  plan: TracePlan,
): Promise<TracedCall> {
  const called = target.place === undefined ? await functionAt(services, entry) : tracedOf(target);
  const recorded = await byRecording(services, run, target, called, entry, plan);
  const traced =
    recorded === undefined
      ? await byStepping(services, run, target, called, entry, plan)
      : { ...recorded, stepped: 0 };
  return { ...traced, ...(await withAssignedValue(services, called, entry, traced, plan.signal)) };
}

/** Traces a call that was recorded up to the first stop of its program. */
export async function traceArrived(
  services: ToolServices,
  run: BoundedRun,
  target: TraceTarget,
  arrival: RecordedArrival,
  plan: TracePlan,
): Promise<TracedCall> {
  const { place } = target;
  const called = tracedOf(target);
  const traced =
    place === undefined
      ? undefined
      : await traceRecorded(services, run, called, place, arrival, plan);
  if (traced === undefined) throw new Error('the recorded call has no lines');
  return { ...traced, stepped: 0 };
}

async function byStepping(
  services: ToolServices,
  run: BoundedRun,
  { place }: TraceTarget,
  called: TracedFunction,
  entry: ThreadStack,
  plan: TracePlan,
): Promise<TracedCall> {
  const { session, threadId } = entry;
  const isJavaScript = adapterOf(session.type).recorder === 'javascript';
  const handler = isJavaScript ? await HandlerStop.set(services, entry, plan.signal) : undefined;
  try {
    const described = (stack: ThreadStack) => functionAt(services, stack);
    const generators = new ConsumedGenerators(services, plan.signal);
    const stepped: SteppingPlan = {
      ...plan,
      handler,
      maxSteps: Math.min(plan.maxSteps, MAX_STEPPED),
      functionAt: described,
      stopAtMissed: async (inner, at, depth) => {
        const places = isJavaScript
          ? await generators.in(inner, at, depth)
          : await catchPlaces({ functionAt: described }, inner, at);
        return places.length === 0 ? undefined : await stopAt(services, at, places, plan.signal);
      },
      isOwn: (frame) => isOwn(services, frame),
      lastPlace: place === undefined ? undefined : lastPlaceIn(place.found, entry),
      thrownFrom:
        place === undefined || handler !== undefined ? undefined : thrownFromIn(place.found, entry),
      ...(isJavaScript && {
        stopBehind: (call) => stopBehind(services, call, plan.signal),
        stopInside: (now, mayReturn) => stopInside(services, now, mayReturn, plan.signal),
        stopAtConsumer: (now) => stopAtConsumer(services, now, plan.signal),
      }),
    };
    // The variables of the entry are read only now, because a recorder would report them itself.
    const whole = await stackOrEnd(services, session.key, threadId, plan.signal);
    const begun = typeof whole === 'string' ? entry : whole;
    const stepping = new SteppingTracer(services, run, stepped, called, begun);
    const traced = await stepping.trace();
    const recordedCallees = stepping.hasLost ? 'some' : steppedCallees(traced, plan);
    return { ...traced, recordedCallees, stepped: stepping.stepped };
  } finally {
    handler?.dispose();
  }
}

/** Returns the function that tells the last place of an asynchronous call, which code of Node resumes. */
function lastPlaceIn(found: SourceFunction, entry: ThreadStack): SteppingPlan['lastPlace'] {
  if (found.suspends !== 'async' && found.isAsyncGenerator !== true) return undefined;
  // V8 finds no way out of an asynchronous generator, whoever has resumed it.
  const endsHere = ({ callers }: ThreadStack): boolean =>
    found.isAsyncGenerator === true || !hasOwnCaller(callers);
  return (now) => (isSameFunction(entry, now) && endsHere(now) ? endAt(found, now) : undefined);
}

/**
 * Returns the function that tells what an asynchronous call throws. The promise keeps the exception, and V8 stops at no
 * place behind it.
 */
function thrownFromIn(found: SourceFunction, entry: ThreadStack): SteppingPlan['thrownFrom'] {
  if (found.suspends !== 'async' && found.isAsyncGenerator !== true) return undefined;
  return (now) =>
    isSameFunction(entry, now) && !hasOwnCaller(now.callers) ? thrownAt(found, now) : undefined;
}

/** Stops the program at the places in the function that made a JavaScript call, until it is disposed. */
async function stopBehind(
  services: ToolServices,
  call: ThreadStack,
  signal: AbortSignal,
): Promise<Stops> {
  const places = await callerPlaces(services, call, signal).catch(() => []);
  return await stopAt(services, call, places, signal);
}

/** Stops the program in the function that iterates over a generator, until it is disposed. */
async function stopAtConsumer(
  services: ToolServices,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<Stops> {
  const places = await consumerPlaces(services, now, signal).catch(() => []);
  return await stopAt(services, now, places, signal);
}

/** Stops the program at the places behind a line in its function, until it is disposed. */
async function stopInside(
  services: ToolServices,
  now: ThreadStack,
  mayReturn: boolean,
  signal: AbortSignal,
): Promise<Stops> {
  const places = await ownPlaces(services, now, mayReturn, signal).catch(() => []);
  return await stopAt(services, now, places, signal);
}

/** Stops the program at places in the session of a call, until it is disposed. */
async function stopAt(
  services: Pick<ToolServices, 'injected' | 'inspector'>,
  call: ThreadStack,
  places: readonly InjectedPoint[],
  signal: AbortSignal,
): Promise<Stops> {
  const { key } = call.session;
  const injection = services.injected.inject((session) => (session.key === key ? places : []));
  await injection.placed;
  return await inThread(services, injection, call, signal);
}

/** Without opened callees, only some debuggers show calls: what the last one returned, after a step. */
function steppedCallees({ history }: Traced, { depth }: TracePlan): RecordedCallees {
  if (depth > 0) return 'all';
  return history.lines.some(({ callees }) => callees.length > 0) ? 'some' : 'none';
}

/** Records the call. Calls with opened callees, and most calls that can suspend, are stepped instead. */
async function byRecording(
  services: ToolServices,
  run: BoundedRun,
  { place }: TraceTarget,
  called: TracedFunction,
  entry: ThreadStack,
  plan: TracePlan,
): Promise<Traced | undefined> {
  if (place === undefined || plan.depth > 0 || !canRecord(place.found, called)) return undefined;
  return await recordCall(services, run, called, place.found, entry, plan);
}

/**
 * Whether a function has calls that can be recorded: those that are not suspended, and those of asynchronous functions in
 * JavaScript. An `import()` creates a promise in the frame of the call, as an `await` does.
 */
function canRecord(found: SourceFunction, { source }: TracedFunction): boolean {
  if (found.suspends === undefined) return true;
  if (!isJavaScript(found) || found.suspends !== 'async' || found.isAsyncGenerator === true)
    return false;
  return !source.slice(found.start - 1, found.end).some((line) => /\bimport\s*\(/.test(line));
}

/** Returns the function that a thread is in, as far as its source can be read. */
async function functionAt(
  { workspace }: Pick<ToolServices, 'workspace'>,
  { session, top }: ThreadStack,
): Promise<TracedFunction> {
  const bare = { name: top.name, path: top.path, source: [] };
  if (top.path === undefined) return bare;
  const source = (await workspace.readSource(top.path))?.lines ?? [];
  const functions = (await functionsIn(top.path, source.join('\n'))) ?? [];
  const found = functionAtPlace(functions, top);
  // A lambda or a comprehension in Python is a part of the function around it, but has a frame of its own.
  const isPart = found !== undefined && !isJavaScript(found) && /^<.+>$/.test(top.name);
  if (found === undefined || isPart) return { ...bare, source };
  const isGo = adapterOf(session.type).deferred !== undefined;
  const closure = isGo ? closureName(top) : undefined;
  const traced = tracedOf({
    name: closure ?? titleOf(found),
    place: { path: top.path, found },
    source,
  });
  // The results are those of the function around a closure.
  return closure === undefined ? traced : { ...traced, results: [], hasUnreadReturns: true };
}
