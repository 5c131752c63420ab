import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { samePath } from '../../../debugger/sourcePath';
import { threadOfStop } from '../../../debugger/state/state';
import type { Recording } from '../../../recording/recording';
import type { RecordedCall, RecordedHit } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import { catchAround } from './branches';
import { CallTrace, type Callee, type CallEnd, type TracedFunction } from './callTrace';
import { hasBegunAgain, isSameCall, type Detail, type Moment } from './moment';
import { isJavaScript, type PlacesAhead } from './placesAhead';
import { pointsFor, returnedAt } from './recordingPoints';
import type { SourceFunction } from './source/sourceFunction';
import {
  endOf,
  returnedBy,
  seenAt,
  throwsAt,
  nameReturnedAt,
  type EndedBy,
  type Traced,
} from './stepping';

export interface RecordingLimits {
  readonly maxSteps: number;
  /** By `performance.now`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly progress: (lines: number) => void;
  /** What was asked of the debugger when the call was reached. */
  readonly ahead?: PlacesAhead | undefined;
  /** Settles when the debugger takes another list of breakpoints. */
  readonly ready?: Promise<void> | undefined;
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
  /** Built-in code has called the function once more: `now` is in that call. */
  readonly isNextCall?: boolean;
  /** The program has stopped at a breakpoint of the person's elsewhere. */
  readonly isElsewhere?: boolean;
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
  const points = await pointsFor(services, entry, path, found, limits.signal, limits.ahead);
  const first = points.find(({ line }) => line === top.line);
  if (first === undefined) return undefined;
  await limits.ready;
  const recording = await services.recordings.begin({
    isMeant: (each) => each.key === session.key,
    points,
    maxHits: limits.maxSteps,
    stopAtLimit: true,
    oneCall: true,
    shown: SHOWN,
  });
  try {
    const heard = recording.onHits(() => limits.progress(recording.read().length));
    const [isChosen] = await Promise.all([
      recording.choose(session, top.id, first, limits.signal).catch(() => false),
      recording.placed,
    ]);
    if (!isChosen) return undefined;
    const chosen = { called, found, points, first, entry, limits };
    const arrived = await new RecordedRun(services, run, recording, chosen).run();
    heard.dispose();
    await recording.settle();
    const trace = traceOf(called, points, recording, beginning(found, first));
    if (trace === undefined) return undefined;
    return {
      life: trace.finish(endFrom(called, trace, recording, entry, withKnown(found, arrived))),
      endedBy: arrived.endedBy,
      last: arrived.now,
    };
  } finally {
    // A recorder is taken out of a program of Python only while that is paused, as the call leaves it.
    await run.hold().catch(() => undefined);
    await recording.dispose();
  }
}

interface ChosenCall {
  readonly called: TracedFunction;
  readonly found: SourceFunction;
  readonly points: readonly RecordingPoint[];
  /** Where the program is stopped. */
  readonly first: RecordingPoint;
  readonly entry: Moment;
  readonly limits: RecordingLimits;
}

/** Runs the chosen call to its end. */
class RecordedRun {
  constructor(
    private readonly services: Services,
    private readonly run_: BoundedRun,
    private readonly recording: Recording,
    private readonly chosen: ChosenCall,
  ) {}

  async run(): Promise<Arrived> {
    const { entry, first, limits } = this.chosen;
    let at = entry;
    let returned: string | undefined;
    if (first.stopWhen !== undefined) {
      const behind = await this.move('next', at, limits.deadline);
      returned = behind.now?.returned[0]?.value;
      if (behind.now === undefined || this.isOver(behind.now))
        return await this.end(behind, returned);
      at = behind.now;
    }
    for (;;) {
      const arrived = await this.move('stepOut', at, limits.deadline);
      if (arrived.now === undefined || this.isOver(arrived.now))
        return await this.end(arrived, returned);
      at = arrived.now;
      await this.recording.settle();
      if (this.recording.isFull) return await this.leave(at);
      if (this.recording.read().at(-1)?.stopped !== true)
        return { now: at, endedBy: arrived.endedBy ?? 'breakpoint' };
      // At a `return`: behind it the debugger shows the value.
      const behind = await this.move('next', at, limits.deadline);
      if (behind.now === undefined || behind.endedBy !== undefined) return behind;
      returned = behind.now.returned[0]?.value;
      if (this.isOver(behind.now)) return await this.end(behind, returned);
      at = behind.now;
    }
  }

  /** Whether the thread has left the call. */
  private isOver(now: Moment): boolean {
    const { called, entry } = this.chosen;
    return !isSameCall(entry, now) || hasBegunAgain(called, entry, now);
  }

  /** The end of the call, as it was seen from where the program has arrived. */
  private async end(arrived: Arrived, returned: string | undefined): Promise<Arrived> {
    const { called, entry } = this.chosen;
    const { now } = arrived;
    const isNextCall = now !== undefined && hasBegunAgain(called, entry, now);
    if (returned === undefined && !isNextCall && (now !== undefined || arrived.isElsewhere)) {
      const recorded = await this.recordedReturn();
      if (recorded !== undefined) return { ...arrived, returned: recorded };
    }
    if (now === undefined || isNextCall || returned !== undefined || (await this.isEndRecorded()))
      return { returned, ...arrived, isNextCall };
    const { signal } = this.chosen.limits;
    const seen = await seenAt(this.services, now.session.key, now.threadId, signal, 'variables');
    return { ...arrived, now: typeof seen === 'string' ? now : seen };
  }

  /** The value of the name that the last line of a call that is over returned. */
  private async recordedReturn(): Promise<string | undefined> {
    const { found, points } = this.chosen;
    await this.recording.settle();
    const hit = this.recording.read().at(-1);
    const point = points.find(({ id }) => id === hit?.point);
    if (hit === undefined || point === undefined || !isJavaScript(found)) return undefined;
    const name = returnedAt(found, point);
    return name === undefined ? undefined : valuesAfter(new Map(), point, hit).get(name);
  }

  /** Whether the recorder has told how the call ended, and with which value. */
  private async isEndRecorded(): Promise<boolean> {
    await this.recording.settle();
    return this.recording.readCalls().some((each) => each.kind === 'ended' && each.isChosen);
  }

  /** Beyond the limit nothing is recorded: the rest of the call is run at once. */
  private async leave(at: Moment): Promise<Arrived> {
    await this.recording.dispose();
    const deadline = Math.min(this.chosen.limits.deadline, performance.now() + LEAVE_MS);
    const { now } = await this.move('stepOut', at, deadline, 'variables');
    return { now, endedBy: 'max_steps', returned: now?.returned[0]?.value };
  }

  /** Behind a `return` the debugger shows the value; where a call has been left, only the place counts at first. */
  private async move(
    command: 'stepOut' | 'next',
    at: Moment,
    deadline: number,
    detail: Detail = command === 'next' ? 'variables' : 'frames',
  ): Promise<Arrived> {
    const step = await this.run_.move(command, at.session, at.threadId, deadline, detail);
    return await this.arrived(step, detail);
  }

  private async arrived(step: RunStep, detail: Detail): Promise<Arrived> {
    const over = endOf(step);
    if (over !== undefined || step.kind !== 'stopped')
      return { now: undefined, endedBy: over ?? 'cancelled' };
    const session = this.services.model.state.sessions.get(step.sessionKey);
    const thread = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || thread === undefined)
      return { now: undefined, endedBy: 'program_end' };
    if (step.stop.reason === 'exception') return { now: undefined, endedBy: 'exception' };
    const { entry, limits } = this.chosen;
    const { signal } = limits;
    const now = await seenAt(this.services, session.key, thread, signal, detail);
    if (typeof now === 'string') return { now: undefined, endedBy: now };
    if (session.key !== entry.session.key || thread !== entry.threadId)
      return { now: undefined, endedBy: 'breakpoint' };
    const isTheirs = this.services.breakpoints.hit(session, step.stop, now.top) !== null;
    if (isTheirs)
      return { now: undefined, endedBy: 'breakpoint', isElsewhere: !isSameCall(entry, now) };
    if (step.stop.reason === 'pause') return { now: undefined, endedBy: 'person' };
    return { now, endedBy: undefined };
  }
}

/** The point at which another call begins; undefined where one call may reach it again. */
function beginning(found: SourceFunction, { id }: RecordingPoint): number | undefined {
  return isJavaScript(found) && !found.entryRepeats ? id : undefined;
}

/** What a call returned that the debugger did not show: nothing, where it has no `return`. */
function withKnown(found: SourceFunction, arrived: Arrived): Arrived {
  const isNothing = arrived.isNextCall === true && isJavaScript(found) && found.exits.length === 0;
  return isNothing ? { ...arrived, returned: arrived.returned ?? 'undefined' } : arrived;
}

/** The trace of what was recorded; undefined where not even the call's beginning was. */
function traceOf(
  called: TracedFunction,
  points: readonly RecordingPoint[],
  recording: Recording,
  beginning: number | undefined,
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
    if (trace !== undefined && point.id === beginning) break;
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
  { now, endedBy, returned, isNextCall }: Arrived,
): CallEnd {
  const own = recording.readCalls().find((each) => each.kind === 'ended' && each.isChosen);
  const thrown = throwsAt(called, trace.line);
  const threw: CallEnd = { kind: 'threw', exception: thrown };
  if (own?.kind === 'ended')
    return own.hasReturned ? { kind: 'returned', value: own.value } : threw;
  if (endedBy === 'exception' || thrown !== undefined || trace.isThrowing) return threw;
  if (returned !== undefined) return { kind: 'returned', value: returned };
  if (endedBy !== undefined || now === undefined) return { kind: 'open' };
  // There the debugger shows no value any more.
  if (isNextCall === true)
    return { kind: 'returned', value: trace.shown(nameReturnedAt(called, trace.line) ?? '') };
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
