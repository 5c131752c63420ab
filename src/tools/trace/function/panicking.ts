import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';
import type { AddressStops } from './addressStops';
import type { CallTrace } from './callTrace';
import { runningAt, type RunningFunction } from './deferred';
import type { EndStops } from './endStops';
import { isAdded, nameAround } from './goClosures';
import { isSameCall, isSameFrame, isWithin, type ThreadStack } from './threadStack';
import { deferredAt, framesBelow, isPanicBetween, panicThrough } from './panics';
import { panicStops, type OpenedCall } from './panicStops';
import type { SteppingPlan, Stops } from './steppingPlan';
import type { Arrival } from './steps';

/** A call that a panic may reach. */
export interface PanickedCall extends OpenedCall {
  readonly trace: CallTrace;
  /** The breakpoints at its end. */
  readonly ends: EndStops | undefined;
}

/** The next stop after a panic. */
export interface Unwound {
  readonly arrival: Arrival;
  /** Whether the panic has left the call. Its text is undefined if it is unknown. */
  readonly left?: { readonly text: string | undefined };
}

/** Moves the program during a panic. */
export interface PanicMoves {
  /** Runs it to the next stop. */
  readonly onwards: (from: ThreadStack, command: 'continue' | 'stepIn') => Promise<Arrival>;
  /** Traces the deferred function at whose beginning it is. */
  readonly traced: (entered: ThreadStack, call: PanickedCall) => Promise<Arrival>;
}

/** The maximum number of stops during the panics of a trace. */
const MAX_STOPS = 200;

type Services = Pick<ToolServices, 'inspector' | 'injected'>;

/**
 * Follows panics of Go through the calls of a trace. Deferred functions run while the frames of the calls are still on
 * the stack. If one of them recovers, its call ends, and the calls that it has made have ended by the panic.
 */
export class Panicking {
  private stops: Stops | undefined;
  private count = 0;
  /** The deferred function that has run last: its record, and the address at which it stopped. */
  private ran: string | undefined;

  constructor(
    private readonly services: Services,
    private readonly addresses: AddressStops,
    private readonly plan: Pick<SteppingPlan, 'functionAt' | 'isOwn' | 'signal'>,
    private readonly moves: PanicMoves,
  ) {}

  /**
   * Follows a panic that has passed through a call, to the end of the call or to the place where the call goes on.
   * @param before the last stop in the call
   * @param now the stop after it
   * @param opened the calls of the trace, the outermost first
   * @returns undefined if no panic has passed through the call
   */
  async through(
    call: PanickedCall,
    before: ThreadStack,
    now: ThreadStack,
    opened: readonly OpenedCall[],
  ): Promise<Unwound | undefined> {
    const panic = await panicThrough(this.services, before, now, this.plan.signal);
    if (panic === undefined) return undefined;
    const text = panic.value;
    const { services, addresses, plan } = this;
    await this.dispose();
    // Another panic may use the same records.
    this.ran = undefined;
    this.stops = await panicStops(services, addresses, plan, now, opened);
    const arrival = await this.unwind(call, before, now, opened, text);
    if (arrival.kind === 'over') return { arrival };
    if (!isSameCall(before, arrival.stack)) {
      call.deferred.end();
      return { arrival, left: { text } };
    }
    await this.dispose();
    const { deferred, ends, trace } = call;
    if (deferred.hasRun || ends?.isAt(arrival.stack) === true) trace.recovered(text, deferred.last);
    return { arrival };
  }

  /** Runs the program on until it is no longer in a function that the call has called or deferred. */
  private async unwind(
    call: PanickedCall,
    before: ThreadStack,
    now: ThreadStack,
    opened: readonly OpenedCall[],
    text: string | undefined,
  ): Promise<Arrival> {
    let arrival: Arrival = { kind: 'at', stack: now };
    while (arrival.kind === 'at') {
      const { stack }: { readonly stack: ThreadStack } = arrival;
      const running = await runningAt(this.services, stack, this.plan.signal);
      if (!isInside(call, before, stack, running, opened)) return arrival;
      this.count += 1;
      arrival =
        this.stops === undefined || this.count > MAX_STOPS
          ? { kind: 'over', endedBy: 'panic', exception: text }
          : await this.onwards(call, before, stack, running);
    }
    return arrival;
  }

  /** Removes the breakpoints. */
  async dispose(): Promise<void> {
    const { stops } = this;
    this.stops = undefined;
    await stops?.dispose();
  }

  /** Traces the deferred function that runs if the call has deferred it, or runs the program to the next stop. */
  private async onwards(
    call: PanickedCall,
    before: ThreadStack,
    now: ThreadStack,
    running: RunningFunction | undefined,
  ): Promise<Arrival> {
    const isPanicking = isPanicBetween(before, now);
    const isOwn =
      running !== undefined &&
      !isSameCall(before, now) &&
      this.isNew(now, running) &&
      call.deferred.take(running, isPanicking);
    if (!isOwn || call.depth === 0) return await this.moves.onwards(now, 'continue');
    const entered = await this.entered(before, now);
    if (entered.kind === 'over' || !isWithin(before, entered.stack)) return entered;
    if (!this.plan.isOwn(entered.stack.top)) return entered;
    return await this.moves.traced(entered.stack, call);
  }

  /** Whether a deferred function has begun. Its first instruction may be executed twice, because the stack grows there. */
  private isNew({ top }: ThreadStack, { record }: RunningFunction): boolean {
    const running = `${top.instructionPointerReference} ${record}`;
    const isNew = running !== this.ran;
    this.ran = running;
    return isNew;
  }

  /** Leads from a closure of the compiler to the deferred function that it calls. */
  private async entered(before: ThreadStack, now: ThreadStack): Promise<Arrival> {
    let arrival: Arrival = { kind: 'at', stack: now };
    for (let steps = 0; steps < MAX_STEPS && arrival.kind === 'at'; steps += 1) {
      const { stack } = arrival;
      if (!isWithin(before, stack) || deferredAt(stack) !== stack.top) return arrival;
      if (!isAdded(stack.top, (await this.plan.functionAt(stack)).source)) return arrival;
      arrival = await this.moves.onwards(stack, 'stepIn');
    }
    return arrival;
  }
}

/** The maximum number of steps in a closure of the compiler. It has two lines, and the stack may grow at its beginning. */
const MAX_STEPS = 6;

/**
 * Whether a function runs that the call has called or deferred, or the call is about to return. Deferred functions of
 * outer calls run only after the panic has left the call.
 */
function isInside(
  call: PanickedCall,
  before: ThreadStack,
  now: ThreadStack,
  running: RunningFunction | undefined,
  opened: readonly OpenedCall[],
): boolean {
  const { deferred, ends } = call;
  if (isSameCall(before, now)) return deferred.hasRun && ends?.isAt(now) === false;
  if (!isPanicBetween(before, now)) return isWithin(before, now);
  if (running === undefined || deferred.has(running)) return true;
  if (opened.some((other) => other.deferred !== deferred && other.deferred.has(running)))
    return false;
  const around = nameAround(running.frame);
  const { inner, outer } = framesAround(before, now);
  const isOf = ({ name }: Frame): boolean => name === around;
  return inner.some(isOf) || !outer.some(isOf);
}

/** Returns the frames below a panic: those of the calls that a call has made, and those around the call. */
function framesAround(
  { top, total }: ThreadStack,
  now: ThreadStack,
): { readonly inner: readonly Frame[]; readonly outer: readonly Frame[] } {
  const frames = framesBelow(now);
  const own = frames.findIndex(({ frame, count }) => count === total && isSameFrame(frame, top));
  const only = frames.map(({ frame }) => frame);
  return { inner: only.slice(0, Math.max(own, 0)), outer: only.slice(own + 1) };
}
