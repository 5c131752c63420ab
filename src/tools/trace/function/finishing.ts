import type { ToolServices } from '../../services';
import type { Yielded } from './aboutToReturn';
import type { CallEnd, CallHistory, Values } from './callModel';
import type { CallTrace } from './callTrace';
import { isOutermost, type EndStops } from './endStops';
import { leftEnd, type SeenReturn } from './leftEnd';
import type { ThreadStack } from './threadStack';
import type { Moves } from './moves';
import type { PanickedCall } from './panicking';
import type { SteppingPlan } from './steppingPlan';
import { suspended, type Arrival } from './steps';
import { toHandler } from './toHandler';
import type { EndedBy } from './traceEnd';

/** A call that was stepped through, and the stop after it. Without that stop, the trace has ended for a reason. */
export interface SteppedCall {
  readonly history: CallHistory;
  readonly after: ThreadStack | undefined;
  readonly endedBy?: EndedBy | undefined;
}

/** The place of the program after an exception has left the call, and the exception as far as it is known. */
interface LeftPlace {
  readonly now: ThreadStack | undefined;
  readonly exception: string | undefined;
  readonly endedBy?: EndedBy;
}

/** Completes the traces of stepped calls. */
export class Finishing {
  constructor(
    private readonly services: Pick<
      ToolServices,
      'inspector' | 'workspace' | 'exceptions' | 'stops'
    >,
    private readonly plan: Pick<SteppingPlan, 'functionAt' | 'isOwn' | 'signal' | 'depth'>,
    private readonly moves: Moves,
  ) {}

  /** Finishes a call that the thread has left. @param seen what the stops in it have shown of the returned value */
  async left(
    { called, entry, depth, deferred, trace }: PanickedCall,
    last: ThreadStack,
    now: ThreadStack,
    seen: SeenReturn & { readonly yielded: Yielded | undefined },
  ): Promise<SteppedCall> {
    deferred.end();
    const left = await leftEnd(this.services, this.plan, called, last, now, seen);
    const { isValue, values } = left;
    const end = seen.yielded ? suspended(left.end, seen.yielded.value) : left.end;
    if (depth < this.plan.depth || end.kind !== 'threw' || isValue === true)
      return { history: trace.finish(end, values), after: now };
    return await this.atHandler(trace, entry, { now, exception: end.exception }, values);
  }

  /** Finishes a call at its last instruction, and leaves it. */
  async atEnd(
    { trace, deferred }: PanickedCall,
    end: ThreadStack,
    ends: EndStops,
  ): Promise<SteppedCall> {
    deferred.end();
    const value = await ends.returned(end);
    const history = trace.finish({ kind: 'returned', value }, end.values);
    // A goroutine ends with its first call, and does not stop any more.
    if (isOutermost(end)) return { history, after: end };
    const behind = await this.moves.move(end, 'next');
    if (behind.kind === 'at') return { history, after: behind.stack };
    return { history, after: undefined, endedBy: behind.endedBy };
  }

  /** Finishes a call at its last place. The program stays there, because no own code follows. */
  inside(
    { trace, deferred }: PanickedCall,
    end: ThreadStack,
    value: string | undefined,
  ): SteppedCall {
    deferred.end();
    // A promise that is still pending is not the value.
    const known = value?.startsWith('Promise') === true ? undefined : value;
    return { history: trace.finish({ kind: 'returned', value: known }, end.values), after: end };
  }

  /** Finishes a call at the `throw` that leaves it. The program stays there, because no stop follows. */
  throwing({ trace, deferred }: PanickedCall, end: ThreadStack, exception: string): SteppedCall {
    deferred.end();
    return { history: trace.finish({ kind: 'threw', exception }, end.values), after: end };
  }

  /** Finishes a call during which the trace has ended. */
  early(
    { trace, deferred }: PanickedCall,
    { endedBy, exception, leaves }: Extract<Arrival, { kind: 'over' }>,
  ): SteppedCall {
    if (endedBy === 'exception' || endedBy === 'panic') deferred.end();
    if (exception !== undefined) trace.thrown(exception);
    const end: CallEnd = leaves === true ? { kind: 'threw', exception } : { kind: 'open' };
    return { history: trace.finish(end), after: undefined, endedBy };
  }

  /** Runs the rest of a call without stops, after the limit of steps. */
  async afterLimit({ trace, ends }: PanickedCall, now: ThreadStack): Promise<SteppedCall> {
    const finished = (end: CallEnd): SteppedCall => ({
      ...{ history: trace.finish(end), after: undefined },
      endedBy: 'max_steps',
    });
    const arrival = await this.moves.leave(now);
    if (arrival.kind === 'over') return finished({ kind: 'open' });
    const { stack } = arrival;
    const isAtEnd = ends?.isAt(stack) === true;
    const value = isAtEnd ? await ends.returned(stack) : stack.returned[0]?.value;
    if (isAtEnd && !isOutermost(stack)) await this.moves.move(stack, 'next');
    return finished(value === undefined ? { kind: 'open' } : { kind: 'returned', value });
  }

  /** Finishes the traced call, which an unknown exception has left, where the exception is known. */
  private async atHandler(
    trace: CallTrace,
    entry: ThreadStack,
    left: LeftPlace,
    values: Values | undefined,
  ): Promise<SteppedCall> {
    const { exception } = left;
    const move = async (from: ThreadStack): Promise<LeftPlace> => {
      const arrival = await this.moves.move(from, 'next');
      if (arrival.kind === 'at') return { now: arrival.stack, exception };
      const { endedBy } = arrival;
      return { now: undefined, exception: arrival.exception ?? exception, endedBy };
    };
    const place = await toHandler(this.services, entry, left, move, this.plan.signal);
    const end: CallEnd = { kind: 'threw', exception: place.exception };
    return { history: trace.finish(end, values), after: place.now, endedBy: place.endedBy };
  }
}
