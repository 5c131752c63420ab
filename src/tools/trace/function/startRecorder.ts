import { restOfStackRequested } from '../../../control/wholeStack';
import type { CallRecorder } from '../../../recording/callRecorder';
import type { LoggedCallee } from '../../../recording/loggedCallees';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { StoppedFunction, RequestedReturns } from '../../../recording/returnStops';
import type { ToolServices } from '../../services';
import { callerPlaces } from './callerPlaces';
import type { ThreadStack } from './threadStack';
import { handlerPlace, type HandlerPlace } from './handlerPlace';
import { isValueUnknown, NO_CALLEES, type CalleeFunction, type Callees } from './callees';
import { isJavaScript } from './source/isJavaScript';
import { callPlaces, type PlacesAhead } from './placesAhead';
import { hasBreakpoint, pointsFor } from './recordingPoints';
import type { SourceFunction } from './source/sourceFunction';
import { stackOrEnd } from './traceEnd';
import { withCaptured } from './outsideVariables';

type Services = Pick<
  ToolServices,
  'breakpoints' | 'inspector' | 'model' | 'recordings' | 'workspace'
>;

export interface RecorderLimits {
  /** The maximum number of lines. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  /** Places that were requested before the call was reached. */
  readonly ahead?: PlacesAhead | undefined;
  /** The functions that the call may call. */
  readonly callees?: Promise<Callees> | undefined;
  /** Settles when the debugger accepts another list of breakpoints. */
  readonly ready?: Promise<void> | undefined;
}

/** A recorder that has started for the call, and the places at which it records. */
export interface StartedRecorder {
  readonly recorder: CallRecorder;
  readonly points: readonly RecordingPoint[];
  /** The place at which the program is stopped. */
  readonly first: RecordingPoint;
  /** Whether the debugger may show no value at a `return`, and its step out may miss the end of the call. */
  readonly mayMissEnd?: boolean | undefined;
  /** Whether the trace ends at the last place in the call. */
  readonly endsInside?: boolean | undefined;
}

/** The limits for one value: characters of text, members, levels of members, and characters of a library's object. */
export const SHOWN = { text: 200, items: 12, depth: 2, telling: 100 };

/**
 * The maximum number of lines of a function that is recorded by logpoints. A debugger needs about a millisecond to set
 * a logpoint. Longer functions are stepped.
 */
const MAX_LOGPOINTS = 400;

/**
 * Starts recording the call in which a thread is stopped. The method depends on the debugger: conditions of
 * breakpoints, a script in the debugger, or logpoints.
 * @returns undefined if no method works for this call. In this case, the program has not moved.
 */
export async function startRecorder(
  services: Services,
  found: SourceFunction,
  entry: ThreadStack,
  limits: RecorderLimits,
): Promise<StartedRecorder | undefined> {
  const { path } = entry.top;
  if (path === undefined) return undefined;
  if (services.recordings.canRecord(entry.session))
    return await byConditions(services, path, found, entry, limits);
  await limits.ready;
  return (
    (await byScript(services, path, found, entry, limits)) ??
    (await byLogpoints(services, path, found, entry, limits))
  );
}

async function byConditions(
  services: Services,
  path: string,
  found: SourceFunction,
  entry: ThreadStack,
  { maxSteps, signal, ahead, callees: finding, ready }: RecorderLimits,
): Promise<StartedRecorder | undefined> {
  const { session, top } = entry;
  const [{ own: points, callees, hasAllCallees, mayMissEnd, isInner, endsInside }, handler] =
    await Promise.all([
      pointsFor(
        services,
        entry,
        path,
        found,
        signal,
        async () =>
          (await ahead?.at(entry)) ??
          (await callPlaces(services, session, path, found, finding ?? NO_CALLEES, signal)),
      ),
      handlerOf(services, found, entry),
    ]);
  const first = points.find(({ line }) => line === top.line);
  if (first === undefined) return undefined;
  const behind =
    mayMissEnd === true ? await callerPlaces(services, entry, signal).catch(() => []) : [];
  // The calling function also has these points. V8's steps do not stop at places with false conditions.
  const again = isInner === true ? points.flatMap(placeOf) : [];
  await ready;
  const recorder = await services.recordings.begin({
    isIncluded: ({ key }) => key === session.key,
    points: withPlacesBehind([...points, ...callees], [handler, ...behind, ...again]),
    hasAllCallees,
    // The end of the call is no line.
    maxHits: points.some(({ isOnlyStop }) => isOnlyStop === true) ? maxSteps + 1 : maxSteps,
    stopAtLimit: true,
    oneCall: true,
    suspends: found.suspends !== undefined,
    shown: SHOWN,
  });
  const [isChosen] = await Promise.all([
    recorder.choose(session, top.id, first, signal).catch(() => false),
    recorder.placed,
  ]);
  // A point that the person's own breakpoint displaces records nothing.
  const isComplete = points.every(
    (point) => recorder.placedIn(session, point).kind !== 'displaced',
  );
  if (isChosen && isComplete) return { recorder, points, first, mayMissEnd, endsInside };
  await recorder.dispose();
  return undefined;
}

/** Returns where an exception is caught that leaves the call. The promise of an asynchronous call keeps it. */
async function handlerOf(
  services: Services,
  found: SourceFunction,
  entry: ThreadStack,
): Promise<HandlerPlace | undefined> {
  if (!isJavaScript(found) || found.suspends !== undefined) return undefined;
  return await handlerPlace(services, entry);
}

function placeOf({ path, line, column }: RecordingPoint): readonly HandlerPlace[] {
  return column === undefined ? [] : [{ path, line, column }];
}

/** Adds points that stop the program after the call, at places at which V8's step out may not stop. */
function withPlacesBehind(
  points: readonly RecordingPoint[],
  behind: readonly (HandlerPlace | undefined)[],
): readonly RecordingPoint[] {
  const places = behind.filter((place) => place !== undefined);
  const first = points.length + 1;
  return [
    ...points,
    ...places.map((place, at) => ({
      ...{ id: first + at, ...place, values: [] },
      whenLeft: true,
    })),
  ];
}

async function byScript(
  { model, recordings, workspace }: Services,
  path: string,
  found: SourceFunction,
  { session, threadId, top }: ThreadStack,
  { maxSteps, signal }: RecorderLimits,
): Promise<StartedRecorder | undefined> {
  const limits = {
    maxHits: maxSteps,
    shown: SHOWN,
    folders: workspace.folders.map((folder) => folder.path),
  };
  // The script does not resume the program, so it is loaded while VS Code requests the stack.
  const [recorder] = await Promise.all([
    recordings.beginScript(session, threadId, limits, signal).catch(() => undefined),
    restOfStackRequested(model, session, threadId, signal),
  ]);
  return recorder === undefined ? undefined : startedAt(recorder, path, found, top.line);
}

async function byLogpoints(
  services: Services,
  path: string,
  found: SourceFunction,
  { session, threadId, top }: ThreadStack,
  { maxSteps, signal, callees }: RecorderLimits,
): Promise<StartedRecorder | undefined> {
  const { locals, captured = [], returns = [], calls = [], deferred = [], start, end } = found;
  if (locals === undefined || end - start >= MAX_LOGPOINTS) return undefined;
  const [seen, { functions, isWhole }] = await Promise.all([
    stackOrEnd(services, session.key, threadId, signal, 'variables'),
    callees ?? NO_CALLEES,
  ]);
  if (typeof seen === 'string') return undefined;
  const whole = await withCaptured(services, captured, seen, signal);
  const shown = [...whole.values.keys()].filter((name) => IS_NAME.test(name));
  const lines = linesOf(found).map((line) => ({
    line,
    returns: returns.find((statement) => statement.line === line)?.expressions,
    isCall:
      functions.length > 0 && calls.some(({ start, end: last }) => start <= line && line <= last),
    deferredAt: deferred.find(({ start, end: last }) => start <= line && line <= last)?.start,
  }));
  const recorder = await services.recordings
    .beginLog(
      { session, threadId, frameId: whole.top.id },
      {
        path,
        lines,
        names: [...new Set([...shown, ...locals, ...captured])],
        entry: { line: top.line, values: whole.values },
        callees: functions.map(loggedCallee),
        hasAllCallees: isWhole,
        unread: unreadReturns(services, path, found, functions, whole),
      },
      { maxHits: maxSteps, shown: SHOWN },
      signal,
    )
    .catch(() => undefined);
  return recorder === undefined ? undefined : startedAt(recorder, path, found, top.line);
}

/** Returns the functions whose values cannot be evaluated at their `return` statements. */
function unreadReturns(
  services: Pick<Services, 'breakpoints'>,
  path: string,
  found: SourceFunction,
  functions: readonly CalleeFunction[],
  { top: { instructionPointerReference: instruction } }: ThreadStack,
): RequestedReturns | undefined {
  const isOwnRequested = found.hasUnreadReturns === true;
  const callees = functions
    .filter((callee) => callee.found.hasUnreadReturns === true && isValueUnknown(found, callee))
    // A stop in the function would count as a stop at that breakpoint.
    .filter((callee) => !hasBreakpoint(services, callee))
    .map((callee) => stoppedFunction(callee.path, callee.found));
  if (instruction === undefined || (!isOwnRequested && callees.length === 0)) return undefined;
  return { instruction, own: stoppedFunction(path, found), isOwnRequested, callees };
}

function stoppedFunction(
  path: string,
  { name, start, end, results = [], returns = [] }: SourceFunction,
): StoppedFunction {
  const known = returns.filter(({ hasCalls }) => hasCalls !== true).map(({ line }) => line);
  return { name, path, start, end, results, known };
}

/** Returns the places at which a function begins and ends. At its last line, it ends without a result. */
function loggedCallee({ name, path, found }: CalleeFunction): LoggedCallee {
  const { entry, end, parameters, returns = [] } = found;
  return {
    name,
    path,
    line: entry.line,
    args: parameters
      .map((parameter) => parameter.name)
      .filter((arg) => IS_NAME.test(arg) && arg !== '_'),
    // A line has one logpoint.
    ends: [...returns.filter(({ line }) => line !== end), { line: end, expressions: [] }].filter(
      ({ line }) => line !== entry.line,
    ),
  };
}

const IS_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function linesOf({ start, end }: SourceFunction): readonly number[] {
  return Array.from({ length: end - start + 1 }, (_, index) => start + index);
}

/** Returns the data of a started recorder that identifies points by their lines. */
export function startedAt(
  recorder: CallRecorder,
  path: string,
  found: SourceFunction,
  line: number,
): StartedRecorder {
  const pointAt = (at: number): RecordingPoint => ({ id: at, path, line: at, values: 'locals' });
  return { recorder, points: linesOf(found).map(pointAt), first: pointAt(line) };
}
