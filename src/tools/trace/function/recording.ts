import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { samePath } from '../../../debugger/sourcePath';
import { fields, listOf, numberOf, textOf } from '../../../debugger/protocol';
import type { SessionState } from '../../../debugger/state/state';
import { threadOfStop } from '../../../debugger/state/state';
import type { Recording } from '../../../recording/recording';
import type { RecordedCall, RecordedHit } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import { catchAround } from './branches';
import { CallTrace, type Callee, type CallEnd, type TracedFunction } from './callTrace';
import { isSameCall, type Detail, type Moment } from './moment';
import type { JavaScriptFunction } from './source/javascriptFunctions';
import type { SourceFunction } from './source/sourceFunction';
import { endOf, returnedBy, seenAt, throwsAt, type EndedBy, type Traced } from './stepping';

export interface RecordingLimits {
  readonly maxSteps: number;
  /** By `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly progress: (lines: number) => void;
}

type Services = Pick<ToolServices, 'inspector' | 'model' | 'breakpoints' | 'recordings'>;

/** How long the program may take to leave the call when a limit has been reached, in milliseconds. */
const LEAVE_MS = 5000;
/** Of one value, and how deep: members of objects that are arguments or locals. */
const SHOWN = { text: 200, items: 12, depth: 2 };

/** How the run of the call ended: where the program is now, or why the trace is over. */
interface Arrived {
  readonly now: Moment | undefined;
  readonly endedBy: EndedBy | undefined;
  readonly returned?: string | undefined;
}

/**
 * Traces a call while it runs: conditions of breakpoints on its lines record what changed, and one step out ends it.
 * Undefined where the call cannot be recorded: nothing has been moved then.
 */
export async function recordCall(
  services: Services,
  run: BoundedRun,
  called: TracedFunction,
  found: SourceFunction,
  entry: Moment,
  limits: RecordingLimits,
): Promise<Traced | undefined> {
  const { session, top } = entry;
  const path = top.path;
  if (path === undefined || !services.recordings.canRecord(session)) return undefined;
  const points = await pointsFor(services, entry, path, found, limits.signal);
  const first = points.find(({ line }) => line === top.line);
  if (first === undefined) return undefined;
  const recording = await services.recordings.start({
    isMeant: (each) => each.key === session.key,
    points,
    maxHits: limits.maxSteps,
    stopAtLimit: true,
    oneCall: true,
    shown: SHOWN,
  });
  try {
    const heard = recording.onHits(() => limits.progress(recording.read().length));
    if (!(await recording.choose(session, top.id, first, limits.signal).catch(() => false)))
      return undefined;
    const arrived = await new RecordedRun(services, run, recording, first, entry, limits).run();
    heard.dispose();
    await recording.settle();
    const trace = traceOf(called, points, recording);
    if (trace === undefined) return undefined;
    return {
      life: trace.finish(endFrom(called, trace, recording, entry, arrived)),
      endedBy: arrived.endedBy,
    };
  } finally {
    // A recorder is taken out of a program of Python only while that is paused, as the call leaves it.
    await run.hold().catch(() => undefined);
    await recording.dispose();
  }
}

/** Runs the chosen call to its end. */
class RecordedRun {
  constructor(
    private readonly services: Services,
    private readonly run_: BoundedRun,
    private readonly recording: Recording,
    /** Where the program is stopped. */
    private readonly first: RecordingPoint,
    private readonly entry: Moment,
    private readonly limits: RecordingLimits,
  ) {}

  /** Once the return value is known, only the place counts. */
  private detail: Detail = 'variables';

  async run(): Promise<Arrived> {
    let at = this.entry;
    let returned: string | undefined;
    if (this.first.stopWhen !== undefined) {
      const behind = await this.move('next', at, this.limits.deadline);
      returned = behind.now?.returned[0]?.value;
      if (behind.now === undefined || !isSameCall(this.entry, behind.now))
        return { returned, ...behind };
      at = behind.now;
    }
    for (;;) {
      const arrived = await this.move('stepOut', at, this.limits.deadline);
      if (arrived.now === undefined || !isSameCall(this.entry, arrived.now))
        return { returned, ...arrived };
      at = arrived.now;
      await this.recording.settle();
      if (this.recording.isFull) return await this.leave(at);
      if (this.recording.read().at(-1)?.stopped !== true)
        return { now: at, endedBy: arrived.endedBy ?? 'breakpoint' };
      // At a `return`: behind it the debugger shows the value.
      const behind = await this.move('next', at, this.limits.deadline);
      if (behind.now === undefined || behind.endedBy !== undefined) return behind;
      returned = behind.now.returned[0]?.value;
      if (returned !== undefined) this.detail = 'frames';
      if (!isSameCall(this.entry, behind.now)) return { returned, ...behind };
      at = behind.now;
    }
  }

  /** Beyond the limit nothing is recorded: the rest of the call is run at once. */
  private async leave(at: Moment): Promise<Arrived> {
    await this.recording.dispose();
    const deadline = Math.min(this.limits.deadline, performance.now() + LEAVE_MS);
    const { now } = await this.move('stepOut', at, deadline);
    return { now, endedBy: 'max_steps', returned: now?.returned[0]?.value };
  }

  private async move(command: 'stepOut' | 'next', at: Moment, deadline: number): Promise<Arrived> {
    const step = await this.run_.move(command, at.session, at.threadId, deadline);
    return await this.arrived(step);
  }

  private async arrived(step: RunStep): Promise<Arrived> {
    const over = endOf(step);
    if (over !== undefined || step.kind !== 'stopped')
      return { now: undefined, endedBy: over ?? 'cancelled' };
    const session = this.services.model.state.sessions.get(step.sessionKey);
    const thread = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || thread === undefined)
      return { now: undefined, endedBy: 'program_end' };
    if (step.stop.reason === 'exception') return { now: undefined, endedBy: 'exception' };
    const { signal } = this.limits;
    const now = await seenAt(this.services, session.key, thread, signal, this.detail);
    if (typeof now === 'string') return { now: undefined, endedBy: now };
    if (session.key !== this.entry.session.key || thread !== this.entry.threadId)
      return { now: undefined, endedBy: 'breakpoint' };
    const isTheirs = this.services.breakpoints.hit(session, step.stop, now.top) !== null;
    if (isTheirs) return { now: undefined, endedBy: 'breakpoint' };
    if (step.stop.reason === 'pause') return { now: undefined, endedBy: 'person' };
    return { now, endedBy: undefined };
  }
}

/** The trace of what was recorded; undefined where not even the call's beginning was. */
function traceOf(
  called: TracedFunction,
  points: readonly RecordingPoint[],
  recording: Recording,
): CallTrace | undefined {
  const byId = new Map(points.map((each) => [each.id, each]));
  let trace: CallTrace | undefined;
  let values = new Map<string, string>();
  for (const each of inOrder(recording.read(), recording.readCalls())) {
    if (!('point' in each)) {
      if (trace !== undefined) noteCallee(trace, each);
      continue;
    }
    const point = byId.get(each.point);
    if (point === undefined) continue;
    values = valuesAfter(values, point, each);
    trace ??= new CallTrace(called, values);
    trace.at(point.line, values);
  }
  return trace;
}

function inOrder(
  hits: readonly RecordedHit[],
  calls: readonly RecordedCall[],
): readonly (RecordedHit | RecordedCall)[] {
  return calls.length === 0 ? hits : [...hits, ...calls].sort((one, other) => one.seq - other.seq);
}

function valuesAfter(
  before: ReadonlyMap<string, string>,
  { values: names }: RecordingPoint,
  { locals, values }: RecordedHit,
): Map<string, string> {
  if (names === 'locals') {
    const now = new Map(before);
    for (const [name, text] of Object.entries(locals ?? {}))
      if (text === undefined) now.delete(name);
      else now.set(name, text);
    return now;
  }
  const now = new Map<string, string>();
  names.forEach((name, index) => {
    const text = values[index];
    if (typeof text === 'string') now.set(name, text);
  });
  return now;
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
  recording: Recording,
  { callers, top: { name } }: Moment,
  { now, endedBy, returned }: Arrived,
): CallEnd {
  const own = recording.readCalls().find((each) => each.kind === 'ended' && each.isChosen);
  const thrown = throwsAt(called, trace.line);
  const threw: CallEnd = { kind: 'threw', exception: thrown };
  if (own?.kind === 'ended')
    return own.hasReturned ? { kind: 'returned', value: own.value } : threw;
  if (endedBy === 'exception' || thrown !== undefined || trace.isThrowing) return threw;
  if (returned !== undefined) return { kind: 'returned', value: returned };
  if (endedBy !== undefined || now === undefined) return { kind: 'open' };
  const [caller] = callers;
  // Whoever catches it need not be the caller.
  const isElsewhere =
    caller !== undefined && (caller.name !== now.top.name || caller.path !== now.top.path);
  if (isElsewhere || isCaught(called, now)) return threw;
  return { kind: 'returned', value: returnedBy(name, now) };
}

/** Whether the program has arrived where the caller catches an exception. */
function isCaught({ source, path }: TracedFunction, { top }: Moment): boolean {
  return (
    top.path !== undefined &&
    samePath(top.path, path ?? '') &&
    catchAround(source, top.line) !== undefined
  );
}

/** Where the call is recorded; none where that cannot be told. */
async function pointsFor(
  services: Services,
  entry: Moment,
  path: string,
  found: SourceFunction,
  signal: AbortSignal,
): Promise<readonly RecordingPoint[]> {
  try {
    return isJavaScript(found)
      ? await javaScriptPoints(services, entry.session, path, found, entry, signal)
      : await pythonPoints(services, entry, path, signal);
  } catch {
    return [];
  }
}

function isJavaScript(found: SourceFunction): found is JavaScriptFunction {
  return 'declared' in found;
}

/** One point for each line of the code that the frame runs, as the program itself has it. */
async function pythonPoints(
  { inspector }: Services,
  { session, top }: Moment,
  path: string,
  signal: AbortSignal,
): Promise<readonly RecordingPoint[]> {
  const { result } = await inspector.send(
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
async function javaScriptPoints(
  { inspector }: Services,
  session: SessionState,
  path: string,
  found: JavaScriptFunction,
  entry: Moment,
  signal: AbortSignal,
): Promise<readonly RecordingPoint[]> {
  const { bodyStart, bodyEnd, inner, rounds, exits } = found;
  const { breakpoints } = await inspector.send(
    session,
    'breakpointLocations',
    {
      source: { path },
      line: bodyStart.line,
      column: bodyStart.column,
      endLine: bodyEnd.line,
      endColumn: bodyEnd.column,
    },
    signal,
  );
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
    const isExit = exits.some((each) => isAt(place, each));
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
    ...(isExit ? { stopWhen: 'true' } : {}),
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

function isAt(one: At, other: At): boolean {
  return one.line === other.line && one.column === other.column;
}
