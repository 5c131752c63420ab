import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import { adapterOf } from '../../../debugger/adapters/registry';
import { threadOfStop, type SessionState, type StopState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { Moment } from './moment';
import type { SteppingPlan } from './steppingPlan';
import type { Arrival } from './steps';
import { endOf, exceptionAt, momentOrEnd } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model' | 'breakpoints'>;

/** A stop of the traced thread. `isHit`: a breakpoint of the trace has stopped it. */
type At = Extract<Arrival, { kind: 'at' }> & { readonly isHit: boolean };
type Over = Extract<Arrival, { kind: 'over' }>;

/** A stopped thread, and the stop that names it. */
interface StoppedThread {
  readonly session: SessionState;
  readonly threadId: number;
  readonly stop: StopState;
}

/** Reads where a step of a trace has led. */
export async function arrivalAt(
  services: Services,
  run: BoundedRun,
  { deadline, signal, handler }: Pick<SteppingPlan, 'deadline' | 'signal' | 'handler'>,
  step: RunStep,
  before: Moment,
): Promise<At | Over> {
  const at = await threadAt(services, run, deadline, step, before);
  if ('kind' in at) return at;
  const { session, threadId, stop } = at;
  if (stop.reason === 'exception')
    return {
      kind: 'over',
      endedBy: 'exception',
      exception: await exceptionAt(services, session.key, threadId, signal),
    };
  const moment = await momentNow(services, at, signal);
  if (typeof moment === 'string') return { kind: 'over', endedBy: moment };
  const hit = services.breakpoints.hit(session, stop, moment.top);
  if (hit !== null && handler?.isHit(hit) !== true) return { kind: 'over', endedBy: 'breakpoint' };
  if (stop.reason === 'pause') return { kind: 'over', endedBy: 'person' };
  return { kind: 'at', moment, isHit: hit !== null };
}

/** Returns the stop of the traced thread. The stop of another thread ends the trace, unless both have stopped. */
async function threadAt(
  services: Services,
  run: BoundedRun,
  deadline: number,
  first: RunStep,
  before: Moment,
): Promise<StoppedThread | Over> {
  for (let step = first; ; step = await run.next(deadline)) {
    const over = endOf(step);
    if (over !== undefined || step.kind !== 'stopped')
      return { kind: 'over', endedBy: over ?? 'cancelled' };
    const session = services.model.state.sessions.get(step.sessionKey);
    const threadId = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || threadId === undefined)
      return { kind: 'over', endedBy: 'program_end' };
    const stop = session.lastStop ?? step.stop;
    if (session.key === before.session.key && threadId === before.threadId)
      return { session, threadId, stop };
    if (!isBeside(services, session, stop, before)) return { kind: 'over', endedBy: endAt(stop) };
    const own = session.threads.get(before.threadId)?.own;
    if (own !== undefined) return { session, threadId: before.threadId, stop: own };
  }
}

/**
 * Whether a stop is that of another thread which the adapter reports in addition to that of the traced thread, and which
 * the person has not asked for. LLDB also reports threads at breakpoints that no longer exist.
 */
function isBeside(
  { breakpoints }: Services,
  session: SessionState,
  stop: StopState,
  before: Moment,
): boolean {
  const { reportsEachThread, isAtLostBreakpoint } = adapterOf(session.type);
  if (session.key !== before.session.key || stop.preservesFocus !== true) return false;
  if (reportsEachThread !== true) return false;
  return stop.reason === 'breakpoint'
    ? breakpoints.hit(session, stop, undefined) === null
    : isAtLostBreakpoint?.(stop) === true;
}

function endAt({ reason }: StopState): 'exception' | 'breakpoint' {
  return reason === 'exception' ? 'exception' : 'breakpoint';
}

/** Reads a thread. While it is read, the adapter may report the stop of another thread. */
async function momentNow(
  services: Services,
  { session, threadId }: StoppedThread,
  signal: AbortSignal,
): ReturnType<typeof momentOrEnd> {
  for (let tries = 1; ; tries += 1) {
    const moment = await momentOrEnd(services, session.key, threadId, signal);
    const thread = services.model.state.sessions.get(session.key)?.threads.get(threadId);
    const isAnother = moment === 'person' && thread?.own !== undefined;
    if (!isAnother || tries === MOST_TRIES) return moment;
  }
}

/** How often a thread is read if more stops arrive. Each thread of a program may report one. */
const MOST_TRIES = 20;
