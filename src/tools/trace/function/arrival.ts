import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { adapterOf } from '../../../debugger/adapters/registry';
import { type SessionState, type StopState, stoppedThread } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import { isStillAt, MAX_TRIES, type ThreadStop } from './decidingStop';
import { exceptionStop } from './exceptionStop';
import type { ThreadStack } from './threadStack';
import type { SteppingPlan } from './steppingPlan';
import type { Arrival } from './steps';
import { endOf, stackOrEnd } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model' | 'breakpoints' | 'exceptions'>;

/** A stop of the traced thread. `isHit`: a breakpoint of the trace has stopped it. */
type At = Extract<Arrival, { kind: 'at' }> & { readonly isHit: boolean };
type Over = Extract<Arrival, { kind: 'over' }>;

/** Reads where a step of a trace has led. @param call the beginning of the traced call */
export async function arrivalAt(
  services: Services,
  run: BoundedRun,
  { deadline, signal, handler }: Pick<SteppingPlan, 'deadline' | 'signal' | 'handler'>,
  step: RunStep,
  before: ThreadStack,
  call: ThreadStack,
): Promise<At | Over> {
  for (let tries = 1; ; tries += 1) {
    const at = await threadAt(services, run, deadline, step, before);
    if ('kind' in at) return at;
    const { session, threadId, stop } = at;
    if (stop.reason === 'exception') {
      const seen = await exceptionStop(services, call, session.key, threadId, signal);
      return { kind: 'over', endedBy: 'exception', ...seen };
    }
    const stack = await stackOrEnd(services, session.key, threadId, signal);
    // While the thread is read, the adapter may report the stop of another one.
    if (stack === 'person' && tries < MAX_TRIES && isStillAt(services.model.state, at)) continue;
    if (typeof stack === 'string') return { kind: 'over', endedBy: stack };
    const other = otherStop(stack.session, before);
    if (other !== undefined) return { kind: 'over', endedBy: endAt(other) };
    const hit = services.breakpoints.hit(session, stop, stack.top);
    if (hit !== null && handler?.isHit(hit) !== true)
      return { kind: 'over', endedBy: 'breakpoint' };
    if (stop.reason === 'pause') return { kind: 'over', endedBy: 'person' };
    return { kind: 'at', stack, isHit: hit !== null };
  }
}

/** Returns the stop of the traced thread. The stop of another thread ends the trace. */
async function threadAt(
  services: Services,
  run: BoundedRun,
  deadline: number,
  first: RunStep,
  before: ThreadStack,
): Promise<ThreadStop | Over> {
  for (let step = first; ; step = await run.next(deadline)) {
    const over = endOf(step);
    if (over !== undefined || step.kind !== 'stopped')
      return { kind: 'over', endedBy: over ?? 'cancelled' };
    const there = stoppedThread(services.model.state, step.sessionKey);
    if (there === undefined) return { kind: 'over', endedBy: 'program_end' };
    const { session, threadId } = there;
    const isOther = session.key !== before.session.key || threadId !== before.threadId;
    if (adapterOf(session.type).reportsEachThread !== true) {
      if (isOther) return { kind: 'over', endedBy: endAt(step.stop) };
      return { session, threadId, stop: step.stop };
    }
    const other = otherStop(session, before);
    if (other !== undefined) return { kind: 'over', endedBy: endAt(other) };
    const own = newStops(session, before).find((stop) => stop.threadId === before.threadId);
    if (own !== undefined) return { session, threadId: before.threadId, stop: own };
    // The adapter has reported the thread that it stopped for, so the traced one has no stop.
    if (newStops(session, before).some((stop) => stop.preservesFocus !== true))
      return { kind: 'over', endedBy: endAt(step.stop) };
  }
}

/** Returns the stop of another thread that ends a trace, if the adapter reports a stop for each thread. */
function otherStop(session: SessionState, before: ThreadStack): StopState | undefined {
  const { reportsEachThread, isAtLostBreakpoint } = adapterOf(session.type);
  if (reportsEachThread !== true) return undefined;
  return newStops(session, before).find(
    (stop) =>
      stop.threadId !== before.threadId &&
      !(stop.preservesFocus === true && isAtLostBreakpoint?.(stop) === true),
  );
}

/** Returns the stops of the threads of a session since a stop. Other sessions have none of interest. */
function newStops({ key, threads }: SessionState, { session }: ThreadStack): readonly StopState[] {
  if (key !== session.key) return [];
  return [...threads.values()].flatMap(({ own }) =>
    own !== undefined && own.id > session.stopCount ? [own] : [],
  );
}

function endAt({ reason }: StopState): 'exception' | 'breakpoint' {
  return reason === 'exception' ? 'exception' : 'breakpoint';
}
