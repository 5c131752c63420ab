import type { BoundedRun } from '../../../control/boundedRun';
import type { ToolServices } from '../../services';
import { AddressStops } from './addressStops';
import type { CallEnd, TracedFunction } from './callModel';
import { CallStops } from './callStops';
import { CallTrace } from './callTrace';
import { runningAt, type Deferred } from './deferred';
import { fulfilledValue } from './endInside';
import { Finishing, type SteppedCall } from './finishing';
import { isAdded, isClosure } from './goClosures';
import { MissedStops } from './missedStops';
import { isCalledBy, isSameCall, isSameFrame, isWithin, type ThreadStack } from './threadStack';
import { Moves } from './moves';
import { outsideVariables } from './outsideVariables';
import { Panicking, type PanickedCall } from './panicking';
import { deferredAt, isPanicBetween } from './panics';
import type { OpenedCall } from './panicStops';
import { aboutToReturn, aboutToYield, type AboutToReturn } from './aboutToReturn';
import type { SteppingPlan } from './steppingPlan';
import {
  awaitsFrom,
  commandAt,
  endsBetween,
  isStillIn,
  isUnfinished,
  returnsAt,
  schedulesAt,
  suspendsBetween,
  yieldsAt,
  type Arrival,
  type StepCommand,
} from './steps';
import { howLeft } from './thrownOut';
import type { Traced } from './traceEnd';

/** Traces a call by single steps and reads the variables at each. It works with every debugger, and it is slow. */
export class SteppingTracer {
  private steps = 0;
  /** Whether a traced function contains calls that steps do not enter. */
  private hasMissedCalls = false;
  private readonly missed = new MissedStops();
  private readonly addresses: AddressStops;
  private readonly moves: Moves;
  private readonly panicking: Panicking;
  private readonly finishing: Finishing;
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
    private readonly entry: ThreadStack,
  ) {
    this.moves = new Moves(services, run, plan, this.missed, entry);
    this.finishing = new Finishing(services, plan, this.moves);
    this.addresses = new AddressStops(services, entry, plan.signal);
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
      const { history, after, endedBy } = await this.traceCall(
        this.called,
        this.entry,
        this.plan.depth,
      );
      return { history, endedBy, last: after };
    } finally {
      await this.panicking.dispose();
      await this.addresses.dispose();
    }
  }

  /** Traces one call and the callees in it down to the depth. @returns also the stop after the call */
  private async traceCall(
    called: TracedFunction,
    entry: ThreadStack,
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
    let now = await outside.readAt(deferred.withoutUnread(entry));
    const known = { ...called, captured: outside.names, capturedLeftOut: outside.leftOut };
    const trace = new CallTrace(known, now.values, isPart);
    const panicked = { ...call, trace, ends };
    let wasSuspended = false;
    let returned: string | undefined;
    // A debugger may stop once more between the `return` and the caller, where the variable is not visible.
    let about: AboutToReturn | undefined;
    for (;;) {
      returned = shownValue(called, now) ?? returned;
      about = await aboutToReturn(this.services, called, now, about, this.plan.signal);
      this.noteCallees(called, trace, now);
      const isWhole = depth === this.plan.depth && trace.line !== undefined;
      const last = isWhole ? this.plan.lastPlace?.(now) : undefined;
      if (last !== undefined)
        return this.finishing.inside(panicked, now, last === 'block' ? 'undefined' : returned);
      trace.at(now.top.line, now.values, wasSuspended);
      this.plan.progress((this.steps += 1));
      const thrown = isWhole ? this.plan.thrownFrom?.(now) : undefined;
      if (thrown !== undefined) return this.finishing.throwing(panicked, now, thrown);
      if (this.steps >= this.plan.maxSteps) return await this.finishing.afterLimit(panicked, now);
      await leaving.update(now);
      const command = commandAt(called, now, { isInto: depth > 0, isPart });
      const isYield = isPart && yieldsAt(called, now);
      const stops = isYield ? await this.plan.stopAtConsumer?.(now) : undefined;
      const yielded = isYield
        ? await aboutToYield(this.services, called, now, this.plan.signal)
        : undefined;
      const stepped = await this.missed.during(stops, () => this.guarded(now, command, panicked));
      const moved = await this.throughPanic(panicked, now, stepped);
      if ('history' in moved) return moved;
      if (moved.kind === 'over') return this.finishing.early(panicked, moved);
      const { stack } = moved;
      if (ends?.isAt(stack) === true && isSameCall(now, stack))
        return await this.finishing.atEnd(panicked, await outside.readAt(stack), ends);
      await this.noteException(trace, now, stack);
      if (await this.hasLeft(call, now, stack, isPart))
        return await this.finishing.left(panicked, now, stack, {
          returned,
          variable: about?.value,
          yielded,
        });
      wasSuspended = !isPart && suspendsBetween(called, now.top.line, stack.top.line);
      await deferred.read(now, stack, depth > 0 ? this.addresses : undefined);
      now = await outside.readAt(deferred.withoutUnread(stack));
    }
  }

  /** Whether the thread has left the call between two stops. */
  private async hasLeft(
    call: OpenedCall,
    before: ThreadStack,
    now: ThreadStack,
    isPart: boolean,
  ): Promise<boolean> {
    const { called, entry } = call;
    if (!isStillIn(called, entry, now, isPart) || endsBetween(called, before, now)) return true;
    return await this.hasBegunAgain(call, now);
  }

  /** Whether the runtime of Go has called the same deferred function once more. */
  private async hasBegunAgain({ deferred }: OpenedCall, now: ThreadStack): Promise<boolean> {
    return this.addresses.isBeginning(now) && (await deferred.hasBegunAgain(now));
  }

  /** Follows a panic that has passed through a call after a step, to the next stop in it or to its end. */
  private async throughPanic(
    call: PanickedCall,
    before: ThreadStack,
    stepped: Arrival,
  ): Promise<Arrival | SteppedCall> {
    if (stepped.kind === 'over') return stepped;
    const unwound = await this.panicking.through(call, before, stepped.stack, this.opened);
    const { arrival, left } = unwound ?? { arrival: stepped };
    if (arrival.kind === 'over' || left === undefined) return arrival;
    const end: CallEnd = { kind: 'threw', exception: left.text };
    return { history: call.trace.finish(end), after: arrival.stack };
  }

  /** Adds the return values of the functions that the last line called. Debuggers may still show older ones. */
  private noteCallees(
    { source }: TracedFunction,
    trace: CallTrace,
    { returned }: ThreadStack,
  ): void {
    const text = trace.line === undefined ? '' : (source[trace.line - 1] ?? '');
    for (const { by, value } of returned)
      if (by !== '' && !trace.hasCallee(by) && text.includes(`${by.split('.').at(-1) ?? by}(`))
        trace.callee({ name: by, end: { kind: 'returned', value } });
  }

  /** Reads the exception of a call that the current line made, where the exception has become known. */
  private async noteException(
    trace: CallTrace,
    before: ThreadStack,
    now: ThreadStack,
  ): Promise<void> {
    if (!trace.hasUnknownException) return;
    const left = await howLeft(this.services, before.top, now, this.plan.signal);
    if (left?.exception !== undefined) trace.thrown(left.exception);
  }

  /** Makes one step. Own callees that it enters are traced, others are left by a step out. */
  private async step(now: ThreadStack, command: StepCommand, call: PanickedCall): Promise<Arrival> {
    const { depth, deferred, entry, called } = call;
    let arrival = await this.moves.move(now, command);
    if (command === 'next' && called.suspends === 'generator' && depth === this.plan.depth)
      arrival = await this.outOfDelegated(entry, arrival);
    while (arrival.kind === 'at' && command === 'stepIn' && isWithin(now, arrival.stack)) {
      const entered = arrival.stack;
      if (isPanicBetween(now, entered)) return arrival;
      if (await this.isAddedClosure(entered, deferred)) {
        arrival = await this.moves.move(entered, 'stepIn');
        continue;
      }
      arrival =
        depth > 0 && this.plan.isOwn(entered.top)
          ? await this.tracedCallee(entered, call)
          : await this.leaveCallee(entered);
      if (arrival.kind === 'over') return arrival;
      const after = arrival.stack;
      if (isSameCall(now, after) && isUnfinished(now, after))
        arrival = await this.moves.move(after, 'stepIn');
    }
    return arrival;
  }

  /** Makes one step. A step into a line does not lead to a callback that the line schedules. */
  private async guarded(
    now: ThreadStack,
    command: StepCommand,
    call: PanickedCall,
  ): Promise<Arrival> {
    const { called } = call;
    const isLater = command === 'stepIn' && schedulesAt(called, now);
    const inside = isLater ? await this.plan.stopInside?.(now, returnsAt(called, now)) : undefined;
    if (inside === undefined) return await this.step(now, command, call);
    return await this.missed.during(inside, async () => {
      const arrival = await this.step(now, command, call);
      return await this.behindCallbacks(called, now, arrival);
    });
  }

  /** Passes the callbacks of a line that run while it waits for their promise. */
  private async behindCallbacks(
    called: TracedFunction,
    now: ThreadStack,
    first: Arrival,
  ): Promise<Arrival> {
    let arrival = first;
    const isCallback = ({ top }: ThreadStack): boolean =>
      top.path === now.top.path && top.line === now.top.line && !isSameFrame(top, now.top);
    while (arrival.kind === 'at' && awaitsFrom(called, now) && isCallback(arrival.stack))
      arrival = await this.moves.once(arrival.stack, 'continue');
    return arrival;
  }

  /** Leaves the generators to which a generator delegates (`yield*`). Its consumer resumes them through the call. */
  private async outOfDelegated(entry: ThreadStack, first: Arrival): Promise<Arrival> {
    let arrival = first;
    while (arrival.kind === 'at' && isCalledBy(entry, arrival.stack))
      arrival = await this.moves.once(arrival.stack, 'stepOut');
    return arrival;
  }

  /**
   * Notes a deferred function that the program has entered.
   * @returns whether it is the closure that the compiler adds for one with arguments
   */
  private async isAddedClosure(entered: ThreadStack, deferred: Deferred): Promise<boolean> {
    if (deferredAt(entered) !== entered.top) return false;
    const running = await runningAt(this.services, entered, this.plan.signal);
    if (running !== undefined) deferred.take(running, false);
    if (!isClosure(entered.top)) return false;
    return isAdded(entered.top, (await this.plan.functionAt(entered)).source);
  }

  /** Traces a callee to its end, and adds it to the line that made the call. */
  private async tracedCallee(
    entered: ThreadStack,
    { trace, depth }: PanickedCall,
  ): Promise<Arrival> {
    const called = await this.plan.functionAt(entered);
    const { history, after, endedBy } = await this.traceCall(called, entered, depth - 1);
    trace.callee({ name: history.name, args: history.args, end: history.end, history });
    if (after === undefined) return { kind: 'over', endedBy: endedBy ?? 'max_steps' };
    return { kind: 'at', stack: after };
  }

  /** Leaves a callee that is not traced. Its source is not read, so its end may be one that steps miss. */
  private async leaveCallee(entered: ThreadStack): Promise<Arrival> {
    const behind = await this.plan.stopBehind?.(entered);
    return await this.missed.during(behind, () => this.moves.move(entered, 'stepOut'));
  }
}

/** Returns the value that a call returns, if the debugger shows it at a stop. */
function shownValue({ suspends }: TracedFunction, { returned }: ThreadStack): string | undefined {
  const shown = returned.find(({ by }) => by === '')?.value;
  return (suspends === 'async' ? fulfilledValue(shown) : undefined) ?? shown;
}
