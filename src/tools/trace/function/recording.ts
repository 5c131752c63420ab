import type { BoundedRun } from '../../../control/boundedRun';
import type { CallRecorder } from '../../../recording/callRecorder';
import type { RecordedCall, RecordedHit } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import type { CallEnd, TracedFunction, Values } from './callModel';
import { CallTrace } from './callTrace';
import { headersBetween, type SeenLine } from './loopHeaders';
import type { RecordedArrival } from './entry';
import type { ForeignStops } from './foreignStops';
import { noteRecovery } from './recovery';
import { hasLeftCaller, type ThreadStack } from './threadStack';
import { hitsOfCall, localsAfter, PartsTold, valuesAfter } from './hitsOfCall';
import { isAt, isBetween } from './places';
import { isJavaScript } from './source/isJavaScript';
import type { Arrived, ChosenCall, RecordingLimits } from './recordedMoves';
import { RecordedRun } from './recordedRun';
import { assignedBy, callAt, noteCallee, rowsOfCall } from './recordedCallees';
import { isEndOf, isReturnWithoutEnd, returnedAt } from './recordingPoints';
import type { Exit } from './source/javascriptExits';
import type { JavaScriptFunction } from './source/javascriptFunctions';
import type { SourceFunction } from './source/sourceFunction';
import { startedAt, startRecorder } from './startRecorder';
import { alwaysThrownAt, nameReturnedAt, returnedBy, thrownAt } from './returnsAndThrows';
import { isCaught, isInHandler, sourceAt, type KnownSource } from './thrownOut';
import { withCaughtValue, type SeenEnd } from './caughtValue';
import { suspendsBetween } from './steps';
import type { Traced } from './traceEnd';

type Services = Pick<
  ToolServices,
  'inspector' | 'model' | 'breakpoints' | 'recordings' | 'workspace' | 'exceptions' | 'stops'
>;

/**
 * Traces a call while it runs. A recorder records the values at each of its lines, and a step out runs the call to its
 * end.
 * @returns undefined if the call cannot be recorded. In this case, the program has not moved.
 */
export async function recordCall(
  services: Services,
  run: BoundedRun,
  called: TracedFunction,
  found: SourceFunction,
  entry: ThreadStack,
  { foreign, ...limits }: RecordingLimits & { readonly foreign: ForeignStops },
): Promise<Traced | undefined> {
  const started = await startRecorder(services, found, entry, limits);
  if (started === undefined) return undefined;
  const { recorder, first } = started;
  const chosen = {
    ...{ ...started, called, found, entry, limits, foreign },
    beginning: beginning(found, first),
  };
  const listening = recorder.onHits(() => limits.progress(recorder.read().length));
  const traced = await completed(services, run, chosen, (recorded) => recorded.run());
  listening.dispose();
  return traced;
}

/** Traces a call that was recorded up to the first stop of its program. */
export async function traceRecorded(
  services: Services,
  run: BoundedRun,
  called: TracedFunction,
  { path, found }: { readonly path: string; readonly found: SourceFunction },
  arrival: RecordedArrival,
  { foreign, ...limits }: RecordingLimits & { readonly foreign: ForeignStops },
): Promise<Traced | undefined> {
  const { recorder } = arrival;
  const entry = entryOf(arrival, called);
  const [first] = recorder.read();
  const started = startedAt(recorder, path, found, first?.point ?? found.entry.line);
  // The debugger may know the function's first line from elsewhere than the source.
  const points = [...started.points, started.first];
  const chosen = {
    ...{ ...started, points, called, found, entry, limits, foreign },
    beginning: undefined,
  };
  return await completed(services, run, chosen, (recorded) => recorded.from(arrival));
}

/** Returns the place of the call itself, with the frames that called it. */
function entryOf({ at, stack }: RecordedArrival, { name }: TracedFunction): ThreadStack {
  if (at !== 'caller') return stack;
  const { top, callers } = stack;
  return { ...stack, top: { ...top, name }, callers: [top, ...callers], total: undefined };
}

/** Runs a recorded call to its end, and removes the recorder. */
async function completed(
  services: Services,
  run: BoundedRun,
  chosen: ChosenCall,
  toEnd: (recorded: RecordedRun) => Promise<Arrived>,
): Promise<Traced | undefined> {
  const { recorder, found, entry, limits } = chosen;
  const recorded = new RecordedRun(services, run, chosen);
  try {
    const left = await toEnd(recorded);
    await recorder.settle();
    const { now } = left;
    const lastLocals =
      now === undefined || !mayHaveChanged(chosen, left)
        ? undefined
        : await recorder.readLast?.(now.session, now.top.id, limits.signal).catch(() => undefined);
    const isThrown = recorder.seesEnd !== true && ownEnd(recorder)?.hasReturned === false;
    const arrived = isThrown ? await recorded.withException(left) : ownExceptionOf(recorder, left);
    const lastParts = lastLocals === undefined ? undefined : recorder.lastParts;
    const traced = traceOf(chosen, lastLocals, lastParts);
    if (traced === undefined) return undefined;
    const around = await sourceAt(services, chosen.called, arrived.now);
    const seen = endFrom(chosen, traced.trace, arrived, around);
    const caught = await withCaughtValue(services, chosen, around, arrived, seen);
    const end = withImpliedReturn(found, caught);
    const { trace } = traced;
    const isEnded = ownEnd(recorder) !== undefined;
    if (end.kind === 'returned')
      trace.completeCallees((name) =>
        callAt(found, trace.line, name)?.isReturned === true ? end.value : undefined,
      );
    if (arrived.endedBy === undefined && end.kind === 'returned') noteRecovery(chosen, trace);
    return {
      history: trace.finish(end, traced.values, lastParts),
      endedBy: arrived.endedBy,
      recordedCallees: recorder.recordedCalls?.(entry.session) ?? 'none',
      valueStops: recorder.valueStops ?? 0,
      last: arrived.now,
      fault: recorder.fault,
      goesOn: recorder.seesEnd === true && isLeftRunning(run, arrived, isEnded),
    };
  } finally {
    if (run.state() === 'running') await recorder.stop?.();
    // LLDB's recorder can be removed only while the program is paused. The call leaves the program paused. A recorder
    // that sees the end of the call removes itself.
    if (recorder.seesEnd !== true) await run.pause().catch(() => undefined);
    await recorder.dispose();
  }
}

/**
 * Whether the program goes on after the trace: after a call of a library, in a program that was running before, and
 * after the time limit. A thread that runs no Python code then would follow a pause only when nobody expects it.
 */
function isLeftRunning(run: BoundedRun, { now, endedBy }: Arrived, isEnded: boolean): boolean {
  return now === undefined && (isEnded || !run.isLaunch || endedBy === 'max_seconds');
}

/**
 * Returns the id of the point at which another call begins. Returns undefined if one call may reach the point again.
 */
function beginning(found: SourceFunction, { id }: RecordingPoint): number | undefined {
  return isJavaScript(found) && !found.entryRepeats ? id : undefined;
}

/**
 * Whether the last line of a call may have changed something that was not recorded. In JavaScript, that can be read only
 * directly behind the call, and the end of a block is recorded itself.
 */
function mayHaveChanged(
  { found, points, recorder, beginning, called, mayMissEnd }: ChosenCall,
  { isNextCall, hasThrown, endedBy }: Arrived,
): boolean {
  if (!isJavaScript(found)) return true;
  // The end of an asynchronous call is seen within it, or a moment after it.
  if (found.suspends !== undefined) return false;
  if (mayMissEnd === true || isNextCall === true || hasThrown === true) return false;
  if (endedBy !== undefined) return false;
  const hit = hitsOfCall(recorder.read(), beginning).at(-1);
  const point = points.find(({ id }) => id === hit?.point);
  if (point === undefined || isEndOf(found, point)) return false;
  return HAS_EFFECT.test(called.source[point.line - 1] ?? '');
}

/** Matches a line that calls something or assigns a value. */
const HAS_EFFECT = /\(|\+\+|--|[^=!<>]=(?![=>])/;

/** Adds the value `undefined` that a function without values in its `return` statements has returned. */
function withImpliedReturn(found: SourceFunction, end: CallEnd): CallEnd {
  if (end.kind !== 'returned' || end.value !== undefined || !isJavaScript(found)) return end;
  const hasNoValue = found.exits.every(
    ({ read, throws }) => throws !== undefined || read === 'undefined',
  );
  return hasNoValue && found.hasBlock ? { kind: 'returned', value: 'undefined' } : end;
}

/**
 * Returns the trace of the recorded lines, with the values of the frame after the last line if they are known. Returns
 * undefined if not even the beginning of the call was recorded.
 */
function traceOf(
  { called, found, points, recorder, beginning }: ChosenCall,
  lastLocals: RecordedHit['locals'],
  lastParts: RecordedHit['parts'],
): { readonly trace: CallTrace; readonly values: Values | undefined } | undefined {
  const { loops = [] } = found;
  const byId = new Map(points.map((point) => [point.id, point]));
  let trace: CallTrace | undefined;
  let last: SeenLine | undefined;
  let after: Values | undefined;
  const told = new PartsTold();
  for (const row of rowsOfCall(recorder, beginning)) {
    if (!('point' in row)) {
      if (trace !== undefined) noteCallee(trace, row);
      continue;
    }
    const point = byId.get(row.point);
    if (point === undefined || point.isOnlyStop === true) continue;
    const values = valuesAfter(last?.values ?? new Map<string, string>(), point, row);
    told.addTo(values, row.parts);
    const now = { line: point.returnLine ?? point.line, values };
    trace ??= new CallTrace(withBeginning(called, recorder), values);
    // The end of a block is no line of its own if the block is on one line.
    if (last?.line === point.line && isJavaScript(found) && isEndOf(found, point)) {
      after = values;
      continue;
    }
    const headers = last === undefined ? [] : headersBetween(loops, called.source, last, now);
    trace.completeCallees((name, isOpen) => {
      const call = callAt(found, last?.line, name);
      return call === undefined ? undefined : assignedBy(call, values, now.line, isOpen);
    });
    // The rows of a suspended call are those of its stops, so other code may have run in between.
    const wasSuspended = isJavaScript(found) && suspendsBetween(called, last?.line, now.line);
    const isPart = point.isPartOfLine === true && last?.line === now.line;
    for (const [index, { line, values: shown }] of [...headers, now].entries())
      trace.at(line, shown, wasSuspended, isPart, index === 0 ? row.parts : undefined);
    last = now;
  }
  if (trace === undefined || last === undefined) return undefined;
  if (lastLocals !== undefined) {
    const values = localsAfter(assigned(last.values, found), lastLocals);
    told.addTo(values, lastParts);
    after = values;
  }
  return { trace, values: after };
}

function withBeginning(called: TracedFunction, { beginsEmpty }: CallRecorder): TracedFunction {
  return beginsEmpty === undefined ? called : { ...called, beginsEmpty };
}

/** Returns the values of variables that are assigned at a line. V8 shows a `const` or `let` before that as undefined. */
function assigned(values: Values, found: SourceFunction): Values {
  if (!isJavaScript(found)) return values;
  return new Map([...values].filter(([, text]) => text !== 'undefined'));
}

/** Returns the recorder's report about the end of the chosen call. */
function ownEnd(recorder: CallRecorder): Extract<RecordedCall, { kind: 'ended' }> | undefined {
  const own = recorder.readCalls().find((call) => call.kind === 'ended' && call.isChosen);
  return own?.kind === 'ended' ? own : undefined;
}

/**
 * Leaves out the exception at which the program stops, if another one has left the call, or none has. An exception that
 * the adapter has not described is the one that left the call.
 */
function ownExceptionOf(recorder: CallRecorder, left: Arrived): Arrived {
  const own = recorder.seesEnd === true ? ownEnd(recorder) : undefined;
  if (own === undefined || left.endedBy !== 'exception') return left;
  if (left.exception === undefined && !own.hasReturned) return left;
  const type = left.exception?.split(':')[0]?.split('.').at(-1);
  const isOwn = !own.hasReturned && own.value?.split('(')[0] === type;
  return isOwn ? left : { ...left, endedBy: undefined, exception: undefined };
}

function endFrom(
  chosen: ChosenCall,
  trace: CallTrace,
  { now, endedBy, returned, isNextCall, hasThrown, exception: stoppedAt, leaves }: Arrived,
  around: KnownSource,
): SeenEnd {
  const { called, entry, recorder } = chosen;
  const own = ownEnd(recorder);
  // A stop at an exception that the call may still catch tells nothing of its end.
  const exception = endedBy === 'exception' && leaves !== true ? undefined : stoppedAt;
  const thrown = exception ?? thrownBy(called, trace);
  const threw: CallEnd = { kind: 'threw', exception: thrown };
  if (own !== undefined) {
    if (own.hasReturned) return { kind: 'returned', value: own.value };
    const seen = recorder.seesEnd === true ? own.value : undefined;
    const known = seen ?? exception ?? thrownAt(called, own.thrownAt) ?? own.value;
    return { kind: 'threw', exception: known ?? thrown };
  }
  const isThrown = thrown !== undefined || trace.isThrowing || hasThrown === true;
  if (leaves === true || isThrown) return threw;
  if (endedBy === 'exception') {
    if (stoppedAt !== undefined) trace.thrown(stoppedAt);
    return { kind: 'open' };
  }
  if (returned !== undefined) return { kind: 'returned', value: returned };
  // An asynchronous call ends where its value or its exception is seen.
  if (isJavaScript(chosen.found) && chosen.found.suspends !== undefined)
    return { kind: 'open', isLeft: endedBy === undefined };
  if (endedBy !== undefined || now === undefined) return { kind: 'open' };
  const end = javaScriptEnd(chosen);
  if (end === 'ended') return { kind: 'returned', value: 'undefined' };
  // Built-in code has called the function again, so the call has returned.
  if (end === 'threw' && isNextCall !== true) return { ...threw, isImplied: true };
  // At this place, the debugger no longer shows the value.
  if (isNextCall === true)
    return { kind: 'returned', value: trace.shown(nameReturnedAt(called, trace.line) ?? '') };
  const [caller] = entry.callers;
  // The frame that catches the exception is not always the caller.
  // The program may have gone on unseen after a missed end.
  const isGone =
    hasLeftCaller(caller, now) && (called.mayMissEnd !== true || isInHandler(around, now));
  if (isGone || isCaught(around, caller, now)) return { ...threw, isGuess: true };
  // V8 shows the value that the caller returns.
  const value = isJavaScript(chosen.found) ? undefined : returnedBy(entry.top.name, now);
  return { kind: 'returned', value };
}

/**
 * Returns how a call in JavaScript ended, by the place that it reached last: the end of its block, or another place
 * that does not leave it. Undefined if it was a `return`, or if the end of the block is unknown, as with source maps
 * that leave it out.
 */
function javaScriptEnd({
  found,
  points,
  recorder,
  beginning,
}: ChosenCall): 'ended' | 'threw' | undefined {
  const hits = hitsOfCall(recorder.read(), beginning);
  const pointOf = (hit: RecordedHit | undefined): RecordingPoint | undefined =>
    points.find(({ id }) => id === hit?.point);
  const point = pointOf(hits.at(-1));
  if (point === undefined || !isJavaScript(found)) return undefined;
  if (isEndOf(found, point)) return 'ended';
  // After such a `return`, the call still passes other places.
  if (hits.some((hit) => isReturnWithoutEnd(found, pointOf(hit)))) return undefined;
  const isKnown = point.returns !== undefined || returnedAt(found, point) !== undefined;
  const isExit = point.stopWhen !== undefined || isKnown;
  return !isExit && hasAllEnds(found, points) ? 'threw' : undefined;
}

/** Whether each way in which a call may return passes a point: the end of its block, or a `return`. */
function hasAllEnds(found: JavaScriptFunction, points: readonly RecordingPoint[]): boolean {
  if (points.some((point) => isEndOf(found, point))) return true;
  if (found.reachesEnd || !found.hasBlock) return false;
  const isPassed = (exit: Exit): boolean =>
    points.some(({ line, column = 0 }) => {
      const place = { line, column };
      return isBetween(place, exit, exit.end) || isAt(exit.end, place);
    });
  return found.exits.every((exit) => exit.throws !== undefined || isPassed(exit));
}

/** The exception that the last line always throws: the value of its variable, or the source of the expression. */
function thrownBy(called: TracedFunction, trace: CallTrace): string | undefined {
  const source = alwaysThrownAt(called, trace.line);
  return source === undefined ? undefined : (trace.shown(source)?.split('\n')[0] ?? source);
}
