import type { BoundedRun } from '../../../control/boundedRun';
import { samePath } from '../../../debugger/sourcePath';
import type { CallRecorder } from '../../../recording/callRecorder';
import type { RecordedCall, RecordedHit } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import { catchAround } from './branches';
import type { Callee, CallEnd, TracedFunction } from './callModel';
import { CallTrace } from './callTrace';
import { headersBetween, type SeenLine } from './loopHeaders';
import type { Moment } from './moment';
import { isJavaScript } from './placesAhead';
import { RecordedRun, valuesAfter, type Arrived, type RecordingLimits } from './recordedRun';
import type { SourceFunction } from './source/sourceFunction';
import { startRecorder } from './startRecorder';
import { alwaysThrownAt, nameReturnedAt, returnedBy, thrownAt } from './returnsAndThrows';
import type { Traced } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model' | 'breakpoints' | 'recordings'>;

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
  entry: Moment,
  limits: RecordingLimits,
): Promise<Traced | undefined> {
  const started = await startRecorder(services, found, entry, limits);
  if (started === undefined) return undefined;
  const { recorder, points, first } = started;
  try {
    const listening = recorder.onHits(() => limits.progress(recorder.read().length));
    const chosen = { ...started, called, found, entry, limits };
    const arrived = await new RecordedRun(services, run, chosen).run();
    listening.dispose();
    await recorder.settle();
    const trace = traceOf(called, found, points, recorder, beginning(found, first));
    if (trace === undefined) return undefined;
    return {
      life: trace.finish(
        endFrom(called, trace, recorder, entry, withImpliedReturn(found, arrived)),
      ),
      endedBy: arrived.endedBy,
      last: arrived.now,
    };
  } finally {
    if (run.state() === 'running') await recorder.stop?.();
    // A recorder can be removed from a Python program, and from LLDB, only while the program is paused. The call leaves
    // the program paused.
    await run.pause().catch(() => undefined);
    await recorder.dispose();
  }
}

/**
 * Returns the id of the point at which another call begins. Returns undefined if one call may reach the point again.
 */
function beginning(found: SourceFunction, { id }: RecordingPoint): number | undefined {
  return isJavaScript(found) && !found.entryRepeats ? id : undefined;
}

/** Adds the return value `undefined` of a function without `return`, if the debugger did not show it. */
function withImpliedReturn(found: SourceFunction, arrived: Arrived): Arrived {
  const isNothing = arrived.isNextCall === true && isJavaScript(found) && found.exits.length === 0;
  return isNothing ? { ...arrived, returned: arrived.returned ?? 'undefined' } : arrived;
}

/** Returns the trace of the recorded lines. Returns undefined if not even the beginning of the call was recorded. */
function traceOf(
  called: TracedFunction,
  { loops = [] }: SourceFunction,
  points: readonly RecordingPoint[],
  recorder: CallRecorder,
  beginning: number | undefined,
): CallTrace | undefined {
  const byId = new Map(points.map((point) => [point.id, point]));
  let trace: CallTrace | undefined;
  let last: SeenLine | undefined;
  for (const row of inOrder(recorder.read(), recorder.readCalls())) {
    if (!('point' in row)) {
      if (trace !== undefined) noteCallee(trace, row);
      continue;
    }
    const point = byId.get(row.point);
    if (point === undefined) continue;
    if (trace !== undefined && point.id === beginning) break;
    const values = valuesAfter(last?.values ?? new Map<string, string>(), point, row);
    const now = { line: point.line, values };
    trace ??= new CallTrace(called, values);
    const headers = last === undefined ? [] : headersBetween(loops, called.source, last, now);
    for (const line of [...headers, now]) trace.at(line.line, line.values);
    last = now;
  }
  return trace;
}

function inOrder(
  hits: readonly RecordedHit[],
  calls: readonly RecordedCall[],
): readonly (RecordedHit | RecordedCall)[] {
  return calls.length === 0 ? hits : [...hits, ...calls].sort((one, other) => one.seq - other.seq);
}

function noteCallee(trace: CallTrace, call: RecordedCall): void {
  if (call.kind === 'called') {
    trace.callee({ name: call.name, args: call.args, end: { kind: 'open' } });
  } else if (!call.isChosen) {
    const end: Callee['end'] = call.hasReturned
      ? { kind: 'returned', value: call.value }
      : { kind: 'threw', exception: undefined };
    trace.endCallee(end);
    if (!call.hasReturned) trace.thrown(undefined);
  }
}

function endFrom(
  called: TracedFunction,
  trace: CallTrace,
  recorder: CallRecorder,
  { callers, top: { name } }: Moment,
  { now, endedBy, returned, isNextCall }: Arrived,
): CallEnd {
  const own = recorder.readCalls().find((call) => call.kind === 'ended' && call.isChosen);
  const thrown = alwaysThrownAt(called, trace.line);
  const threw: CallEnd = { kind: 'threw', exception: thrown };
  if (own?.kind === 'ended') {
    if (own.hasReturned) return { kind: 'returned', value: own.value };
    return { kind: 'threw', exception: thrownAt(called, own.thrownAt) ?? own.value ?? thrown };
  }
  if (endedBy === 'exception' || thrown !== undefined || trace.isThrowing) return threw;
  if (returned !== undefined) return { kind: 'returned', value: returned };
  if (endedBy !== undefined || now === undefined) return { kind: 'open' };
  // At this place, the debugger no longer shows the value.
  if (isNextCall === true)
    return { kind: 'returned', value: trace.shown(nameReturnedAt(called, trace.line) ?? '') };
  const [caller] = callers;
  // The frame that catches the exception is not always the caller.
  const isElsewhere =
    caller !== undefined && (caller.name !== now.top.name || caller.path !== now.top.path);
  if (isElsewhere || isCaught(called, now)) return threw;
  return { kind: 'returned', value: returnedBy(name, now) };
}

/** Whether the program has arrived at a place where the caller catches an exception. */
function isCaught({ source, path }: TracedFunction, { top }: Moment): boolean {
  return (
    top.path !== undefined &&
    samePath(top.path, path ?? '') &&
    catchAround(source, top.line) !== undefined
  );
}
