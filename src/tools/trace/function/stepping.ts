import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { ToolServices } from '../../services';
import { arrivalAt } from './arrival';
import type { CallEnd, CallLife, TracedFunction, Values } from './callModel';
import { CallTrace } from './callTrace';
import { leftEnd } from './leftEnd';
import { isSameCall, isWithin, type Moment } from './moment';
import { MissedStops, StopsWhileLeaving } from './missedStops';
import { outsideVariables } from './outsideVariables';
import { isPanicBetween, panicThrough } from './panics';
import { returnedExpressions } from './returnedExpressions';
import { returnedVariable, yieldedVariable } from './returnsAndThrows';
import type { SteppingPlan, Stops } from './steppingPlan';
import {
  commandAt,
  isDeeper,
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

/** How long the program may take to leave the call after a limit, in milliseconds. */
const LEAVE_MS = 5000;

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
  /** The number of frames at the beginning of the traced call. */
  private total: number | undefined;

  constructor(
    private readonly services: Pick<
      ToolServices,
      'inspector' | 'model' | 'breakpoints' | 'workspace' | 'exceptions' | 'stops'
    >,
    private readonly run: BoundedRun,
    private readonly plan: SteppingPlan,
  ) {}

  /** Whether callees, or lines of them, may be missing. */
  get hasLost(): boolean {
    return this.missed.hasLost || this.hasMissedCalls;
  }

  /** How many lines were stepped. */
  get stepped(): number {
    return this.steps;
  }

  /** Traces the thread's current call from its first line. The program ends at the place that the call returned to. */
  async trace(called: TracedFunction, entry: Moment): Promise<Traced> {
    this.total = entry.total;
    const { life, after } = await this.traceCall(called, entry, this.plan.depth);
    return { life, endedBy: this.over, last: after };
  }

  /** Traces one call and the callees in it down to the depth. @returns also the stop after the call */
  private async traceCall(
    called: TracedFunction,
    entry: Moment,
    depth: number,
  ): Promise<SteppedCall> {
    const stopBehind = (): Promise<Stops | undefined> =>
      this.plan.stopBehind?.(entry) ?? Promise.resolve(undefined);
    const isMissed = called.mayMissEnd === true && called.suspends === undefined;
    const leaving = new StopsWhileLeaving(this.missed, called, stopBehind);
    const missed = await this.plan.stopAtMissed(called, entry, depth);
    const behind = isMissed ? await stopBehind() : undefined;
    try {
      return await this.missed.duringInside(missed, () =>
        this.missed.during(behind, () => this.stepThrough(called, entry, depth, leaving)),
      );
    } finally {
      await leaving.dispose();
    }
  }

  private async stepThrough(
    called: TracedFunction,
    entry: Moment,
    depth: number,
    leaving: StopsWhileLeaving,
  ): Promise<SteppedCall> {
    const isPart = depth < this.plan.depth && called.suspends === 'generator';
    const outside = await outsideVariables(this.services, called, entry, this.plan.signal);
    let now = await outside.readAt(entry);
    const known = { ...called, captured: outside.names, capturedLeftOut: outside.leftOut };
    const trace = new CallTrace(known, now.values, isPart);
    let wasSuspended = false;
    let returned: string | undefined;
    // A debugger may stop once more between the `return` and the caller, where the variable is not visible.
    let variable: string | undefined;
    for (;;) {
      returned = now.returned.find(({ by }) => by === '')?.value ?? returned;
      variable = (await this.aboutToReturn(called, now)) ?? variable;
      this.noteCallees(called, trace, now, depth);
      trace.at(now.top.line, now.values, wasSuspended);
      this.plan.progress((this.steps += 1));
      if (this.steps >= this.plan.maxSteps) return await this.leave(trace, now, 'max_steps');
      await leaving.update(now);
      const command = commandAt(called, now, { isInto: depth > 0, isPart });
      const isYield = isPart && yieldsAt(called, now);
      const stops = isYield ? await this.plan.stopAtConsumer?.(now) : undefined;
      const arrival = await this.missed.during(stops, () => this.step(now, command, trace, depth));
      if (arrival.kind === 'over') return this.finishEarly(trace, arrival);
      const { moment } = arrival;
      const panicked = await this.finishAtPanic(trace, now, moment);
      if (panicked !== undefined) return panicked;
      await this.noteException(trace, now, moment);
      if (!isStillIn(called, entry, moment, isPart)) {
        const left = await leftEnd(this.services, this.plan, called, now, moment, {
          returned,
          variable,
        });
        const { isValue, values } = left;
        const end = isYield ? suspended(left.end, yieldedVariable(called, now)) : left.end;
        if (depth < this.plan.depth || end.kind !== 'threw' || isValue === true)
          return { life: trace.finish(end, values), after: moment };
        const place = { now: moment, exception: end.exception };
        return await this.finishAtHandler(trace, entry, place, values);
      }
      wasSuspended = !isPart && suspendsBetween(called, now, moment);
      now = await outside.readAt(moment);
    }
  }

  /** Returns the value that the current line returns, as far as it is known before. */
  private async aboutToReturn(called: TracedFunction, now: Moment): Promise<string | undefined> {
    const variable = returnedVariable(called, now);
    if (variable !== undefined) return variable;
    return await returnedExpressions(this.services, called, now, this.plan.signal);
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

  /**
   * Finishes a call at a deferred function that a panic runs, because the debugger stops there. It is unknown whether the
   * call itself has deferred it.
   */
  private async finishAtPanic(
    trace: CallTrace,
    before: Moment,
    now: Moment,
  ): Promise<SteppedCall | undefined> {
    const panic = await panicThrough(this.services, before, now, this.plan.signal);
    if (panic === undefined) return undefined;
    this.over = 'panic';
    trace.thrown(panic.value);
    return { life: trace.finish({ kind: 'open' }), after: undefined };
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
      const arrival = await this.move(from, 'next');
      if (arrival.kind === 'at') return { now: arrival.moment, exception };
      this.over = arrival.endedBy;
      return { now: undefined, exception: arrival.exception ?? exception };
    };
    const place = await toHandler(this.services, entry, left, move, this.plan.signal);
    const end: CallEnd = { kind: 'threw', exception: place.exception };
    return { life: trace.finish(end, values), after: place.now };
  }

  /** Adds the return values of the functions that the last line called. Debuggers may still show older ones. */
  private noteCallees(
    { source }: TracedFunction,
    trace: CallTrace,
    { session, top, returned }: Moment,
    depth: number,
  ): void {
    const { stepsMissCalls } = adapterOf(session.type);
    if (depth > 0 && stepsMissCalls?.test(source[top.line - 1] ?? '') === true)
      this.hasMissedCalls = true;
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
  private async step(
    now: Moment,
    command: StepCommand,
    trace: CallTrace,
    depth: number,
  ): Promise<Arrival> {
    let arrival = await this.move(now, command);
    while (arrival.kind === 'at' && command === 'stepIn' && isWithin(now, arrival.moment)) {
      const entered = arrival.moment;
      if (isPanicBetween(now, entered)) return arrival;
      arrival =
        depth > 0 && this.plan.isOwn(entered.top)
          ? await this.tracedCallee(entered, trace, depth)
          : await this.leaveCallee(entered);
      if (arrival.kind === 'over') return arrival;
      const after = arrival.moment;
      if (isSameCall(now, after) && isUnfinished(now, after))
        arrival = await this.move(after, 'stepIn');
    }
    return arrival;
  }

  /** Traces a callee to its end, and adds it to the line that made the call. */
  private async tracedCallee(entered: Moment, trace: CallTrace, depth: number): Promise<Arrival> {
    const called = await this.plan.functionAt(entered);
    const { life, after } = await this.traceCall(called, entered, depth - 1);
    trace.callee({ name: life.name, args: life.args, end: life.end, life });
    if (after === undefined) return { kind: 'over', endedBy: this.over ?? 'max_steps' };
    return { kind: 'at', moment: after };
  }

  /** Leaves a callee that is not traced. Its source is not read, so its end may be one that steps miss. */
  private async leaveCallee(entered: Moment): Promise<Arrival> {
    const behind = await this.plan.stopBehind?.(entered);
    return await this.missed.during(behind, () => this.move(entered, 'stepOut'));
  }

  private async move(now: Moment, command: StepCommand): Promise<Arrival> {
    const { mayStopInside } = this.missed;
    let arrival = await this.moveOnce(now, command);
    // A function that the call has called has reached a place behind a call. Without such places, a call that resumes
    // after an `await` may also have more frames below it than before.
    const isInner = ({ moment }: Extract<Arrival, { kind: 'at' }>): boolean =>
      mayStopInside && command !== 'stepIn' && isDeeper(moment, now);
    while (arrival.kind === 'at' && isInner(arrival)) {
      await this.missed.noteInner();
      arrival = await this.moveOnce(arrival.moment, 'stepOut');
    }
    return arrival;
  }

  private async moveOnce(now: Moment, command: StepCommand): Promise<Arrival> {
    const { session, threadId } = now;
    const step = await this.run.move(command, session, threadId, this.plan.deadline, 'fields');
    return await this.arrivalOf(step, now);
  }

  private async arrivalOf(step: RunStep, before: Moment): Promise<Arrival> {
    const { services, run, plan } = this;
    const arrival = await arrivalAt(services, run, plan, step, before);
    if (arrival.kind === 'over') return arrival;
    // A call within the traced one has caught an exception in the same function.
    const { moment, isHit } = arrival;
    if (isHit && (moment.total ?? 0) > (this.total ?? Infinity))
      return await this.move(moment, 'stepOut');
    return arrival;
  }

  /** Runs the rest of the call without stops, after a limit. */
  private async leave(trace: CallTrace, now: Moment, why: EndedBy): Promise<SteppedCall> {
    this.over = why;
    await this.missed.withdraw();
    const deadline = Math.min(this.plan.deadline, performance.now() + LEAVE_MS);
    const step = await this.run.move('stepOut', now.session, now.threadId, deadline, 'fields');
    const arrival = await this.arrivalOf(step, now);
    if (arrival.kind === 'over') return { life: trace.finish({ kind: 'open' }), after: undefined };
    const [returned] = arrival.moment.returned;
    const end: CallEnd =
      returned === undefined ? { kind: 'open' } : { kind: 'returned', value: returned.value };
    return { life: trace.finish(end), after: undefined };
  }
}
