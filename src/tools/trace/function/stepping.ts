import type { BoundedRun } from '../../../control/boundedRun';
import type { ToolServices } from '../../services';
import { AddressStops } from './addressStops';
import type { CallEnd, CallLife, TracedFunction, Values } from './callModel';
import { CallStops } from './callStops';
import { CallTrace } from './callTrace';
import { isAdded } from './deferred';
import { isOutermost, type EndStops } from './endStops';
import { leftEnd, type SeenReturn } from './leftEnd';
import { MissedStops } from './missedStops';
import { isSameCall, isWithin, type Moment } from './moment';
import { Moves } from './moves';
import { outsideVariables } from './outsideVariables';
import { Panicking, type PanickedCall } from './panicking';
import { isPanicBetween } from './panics';
import type { OpenedCall } from './panicStops';
import { aboutToReturn, aboutToYield, type AboutToReturn, type Yielded } from './aboutToReturn';
import type { SteppingPlan } from './steppingPlan';
import {
  commandAt,
  isStillIn,
  isUnfinished,
  suspended,
  suspendsBetween,
  yieldsAt,
  type Arrival,
  type StepCommand,
} from './steps';
import { toHandler } from './toHandler';
import { howLeft } from './thrownOut';
import type { EndedBy, Traced } from './traceEnd';

/** A call that was stepped through, and the stop after it. */
interface SteppedCall {
  readonly life: CallLife;
  readonly after: Moment | undefined;
}

/** The place of the program after an exception has left the call, and the exception as far as it is known. */
interface LeftPlace {
  readonly now: Moment | undefined;
  readonly exception: string | undefined;
}

/** Traces a call by single steps and reads the variables at each. It works with every debugger, and it is slow. */
export class SteppingTracer {
  private steps = 0;
  private over: EndedBy | undefined;
  /** Whether a traced function contains calls that steps do not enter. */
  private hasMissedCalls = false;
  private readonly missed = new MissedStops();
  private readonly addresses: AddressStops;
  private readonly moves: Moves;
  private readonly panicking: Panicking;
  /** The calls that are being traced, the outermost first. */
  private readonly opened: OpenedCall[] = [];

  constructor(
    private readonly services: Pick<
      ToolServices,
      | 'inspector'
      | 'model'
      | 'breakpoints'
      | 'workspace'
      | 'exceptions'
      | 'stops'
      | 'injected'
      | 'addressBreakpoints'
    >,
    run: BoundedRun,
    private readonly plan: SteppingPlan,
    private readonly called: TracedFunction,
    /** The beginning of the call. */
    private readonly entry: Moment,
  ) {
    this.moves = new Moves(services, run, plan, this.missed, entry.total);
    this.addresses = new AddressStops(services, entry.session, plan.signal);
    this.panicking = new Panicking(services, this.addresses, plan, {
      onwards: (from, command) => this.moves.once(from, command),
      traced: (entered, call) => this.tracedCallee(entered, call),
    });
  }

  /** Whether callees, or lines of them, may be missing. */
  get hasLost(): boolean {
    return this.missed.hasLost || this.hasMissedCalls;
  }

  /** How many lines were stepped. */
  get stepped(): number {
    return this.steps;
  }

  /** Traces the thread's current call from its first line. The program ends at the place that the call returned to. */
  async trace(): Promise<Traced> {
    try {
      const { life, after } = await this.traceCall(this.called, this.entry, this.plan.depth);
      return { life, endedBy: this.over, last: after };
    } finally {
      await this.panicking.dispose();
      await this.addresses.dispose();
    }
  }

  /** Traces one call and the callees in it down to the depth. @returns also the stop after the call */
  private async traceCall(
    called: TracedFunction,
    entry: Moment,
    depth: number,
  ): Promise<SteppedCall> {
    const { services, addresses, missed, plan } = this;
    const stops = await CallStops.set(services, plan, missed, addresses, { called, entry, depth });
    this.opened.push(stops.call);
    try {
      return await stops.during(() => this.stepThrough(stops));
    } finally {
      this.opened.pop();
      this.hasMissedCalls ||= depth > 0 && stops.call.deferred.hasMissed;
      await stops.dispose();
    }
  }

  private async stepThrough({ call, leaving, ends }: CallStops): Promise<SteppedCall> {
    const { called, entry, depth, deferred } = call;
    const isPart = depth < this.plan.depth && called.suspends === 'generator';
    const outside = await outsideVariables(this.services, called, entry, this.plan.signal);
    let now = deferred.withoutUnread(await outside.readAt(entry));
    const known = { ...called, captured: outside.names, capturedLeftOut: outside.leftOut };
    const trace = new CallTrace(known, now.values, isPart);
    let wasSuspended = false;
    let returned: string | undefined;
    // A debugger may stop once more between the `return` and the caller, where the variable is not visible.
    let about: AboutToReturn | undefined;
    for (;;) {
      returned = now.returned.find(({ by }) => by === '')?.value ?? returned;
      about = await aboutToReturn(this.services, called, now, about, this.plan.signal);
      this.noteCallees(called, trace, now);
      trace.at(now.top.line, now.values, wasSuspended);
      this.plan.progress((this.steps += 1));
      if (this.steps >= this.plan.maxSteps) return await this.leave(trace, now, 'max_steps');
      await leaving.update(now);
      const command = commandAt(called, now, { isInto: depth > 0, isPart });
      const isYield = isPart && yieldsAt(called, now);
      const stops = isYield ? await this.plan.stopAtConsumer?.(now) : undefined;
      const yielded = isYield
        ? await aboutToYield(this.services, called, now, this.plan.signal)
        : undefined;
      const panicked = { ...call, trace, ends };
      const stepped = await this.missed.during(stops, () => this.step(now, command, panicked));
      const moved = await this.throughPanic(panicked, now, stepped);
      if ('life' in moved) return moved;
      if (moved.kind === 'over') return this.finishEarly(trace, moved);
      const { moment } = moved;
      if (ends?.isAt(moment) === true && isSameCall(now, moment))
        return await this.finishAtEnd(trace, await outside.readAt(moment), ends);
      await this.noteException(trace, now, moment);
      if (!isStillIn(called, entry, moment, isPart))
        return await this.finishLeft(panicked, now, moment, {
          returned,
          variable: about?.value,
          yielded,
        });
      wasSuspended = !isPart && suspendsBetween(called, now, moment);
      await deferred.read(now, moment, depth > 0 ? this.addresses : undefined);
      now = deferred.withoutUnread(await outside.readAt(moment));
    }
  }

  /** Finishes a call that the thread has left. @param seen what the stops in it have shown of the returned value */
  private async finishLeft(
    { called, entry, depth, deferred, trace }: PanickedCall,
    last: Moment,
    now: Moment,
    seen: SeenReturn & { readonly yielded: Yielded | undefined },
  ): Promise<SteppedCall> {
    deferred.end();
    const left = await leftEnd(this.services, this.plan, called, last, now, seen);
    const { isValue, values } = left;
    const end = seen.yielded ? suspended(left.end, seen.yielded.value) : left.end;
    if (depth < this.plan.depth || end.kind !== 'threw' || isValue === true)
      return { life: trace.finish(end, values), after: now };
    return await this.finishAtHandler(trace, entry, { now, exception: end.exception }, values);
  }

  /** Follows a panic that has passed through a call after a step, to the next stop in it or to its end. */
  private async throughPanic(
    call: PanickedCall,
    before: Moment,
    stepped: Arrival,
  ): Promise<Arrival | SteppedCall> {
    if (stepped.kind === 'over') return stepped;
    const unwound = await this.panicking.through(call, before, stepped.moment, this.opened);
    const { arrival, left } = unwound ?? { arrival: stepped };
    if (arrival.kind === 'over' || left === undefined) return arrival;
    const end: CallEnd = { kind: 'threw', exception: left.text };
    return { life: call.trace.finish(end), after: arrival.moment };
  }

  /** Finishes a call at its last instruction, and leaves it. */
  private async finishAtEnd(trace: CallTrace, end: Moment, ends: EndStops): Promise<SteppedCall> {
    const value = await ends.returned(end);
    const life = trace.finish({ kind: 'returned', value }, end.values);
    // A goroutine ends with its first call, and does not stop any more.
    if (isOutermost(end)) return { life, after: end };
    const behind = await this.moves.move(end, 'next');
    if (behind.kind === 'at') return { life, after: behind.moment };
    this.over = behind.endedBy;
    return { life, after: undefined };
  }

  /** Finishes a call during which the trace has ended. */
  private finishEarly(
    trace: CallTrace,
    { endedBy, exception }: Extract<Arrival, { kind: 'over' }>,
  ): SteppedCall {
    this.over = endedBy;
    if (exception !== undefined) trace.thrown(exception);
    const end: CallEnd = endedBy === 'exception' ? { kind: 'threw', exception } : { kind: 'open' };
    return { life: trace.finish(end), after: undefined };
  }

  /** Finishes the traced call, which an unknown exception has left, where the exception is known. */
  private async finishAtHandler(
    trace: CallTrace,
    entry: Moment,
    left: LeftPlace,
    values: Values | undefined,
  ): Promise<SteppedCall> {
    const { exception } = left;
    const move = async (from: Moment): Promise<LeftPlace> => {
      const arrival = await this.moves.move(from, 'next');
      if (arrival.kind === 'at') return { now: arrival.moment, exception };
      this.over = arrival.endedBy;
      return { now: undefined, exception: arrival.exception ?? exception };
    };
    const place = await toHandler(this.services, entry, left, move, this.plan.signal);
    const end: CallEnd = { kind: 'threw', exception: place.exception };
    return { life: trace.finish(end, values), after: place.now };
  }

  /** Adds the return values of the functions that the last line called. Debuggers may still show older ones. */
  private noteCallees({ source }: TracedFunction, trace: CallTrace, { returned }: Moment): void {
    const text = trace.line === undefined ? '' : (source[trace.line - 1] ?? '');
    for (const { by, value } of returned)
      if (by !== '' && !trace.hasCallee(by) && text.includes(`${by.split('.').at(-1) ?? by}(`))
        trace.callee({ name: by, end: { kind: 'returned', value } });
  }

  /** Reads the exception of a call that the current line made, where the exception has become known. */
  private async noteException(trace: CallTrace, before: Moment, now: Moment): Promise<void> {
    if (!trace.hasUnknownException) return;
    const left = await howLeft(this.services, before.top, now, this.plan.signal);
    if (left?.exception !== undefined) trace.thrown(left.exception);
  }

  /** Makes one step. Own callees that it enters are traced, others are left by a step out. */
  private async step(now: Moment, command: StepCommand, call: PanickedCall): Promise<Arrival> {
    const { depth, deferred } = call;
    let arrival = await this.moves.move(now, command);
    while (arrival.kind === 'at' && command === 'stepIn' && isWithin(now, arrival.moment)) {
      const entered = arrival.moment;
      if (isPanicBetween(now, entered)) return arrival;
      deferred.take(entered.top, false);
      if (isAdded(entered.top, (await this.plan.functionAt(entered)).source)) {
        arrival = await this.moves.move(entered, 'stepIn');
        continue;
      }
      arrival =
        depth > 0 && this.plan.isOwn(entered.top)
          ? await this.tracedCallee(entered, call)
          : await this.leaveCallee(entered);
      if (arrival.kind === 'over') return arrival;
      const after = arrival.moment;
      if (isSameCall(now, after) && isUnfinished(now, after))
        arrival = await this.moves.move(after, 'stepIn');
    }
    return arrival;
  }

  /** Traces a callee to its end, and adds it to the line that made the call. */
  private async tracedCallee(entered: Moment, { trace, depth }: PanickedCall): Promise<Arrival> {
    const called = await this.plan.functionAt(entered);
    const { life, after } = await this.traceCall(called, entered, depth - 1);
    trace.callee({ name: life.name, args: life.args, end: life.end, life });
    if (after === undefined) return { kind: 'over', endedBy: this.over ?? 'max_steps' };
    return { kind: 'at', moment: after };
  }

  /** Leaves a callee that is not traced. Its source is not read, so its end may be one that steps miss. */
  private async leaveCallee(entered: Moment): Promise<Arrival> {
    const behind = await this.plan.stopBehind?.(entered);
    return await this.missed.during(behind, () => this.moves.move(entered, 'stepOut'));
  }

  /** Runs the rest of the call without stops, after a limit. */
  private async leave(trace: CallTrace, now: Moment, why: EndedBy): Promise<SteppedCall> {
    this.over = why;
    const arrival = await this.moves.leave(now);
    if (arrival.kind === 'over') return { life: trace.finish({ kind: 'open' }), after: undefined };
    const [returned] = arrival.moment.returned;
    const end: CallEnd =
      returned === undefined ? { kind: 'open' } : { kind: 'returned', value: returned.value };
    return { life: trace.finish(end), after: undefined };
  }
}
