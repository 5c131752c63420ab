import { isUncaught } from '../../../debugger/breakpoints/exceptionBreakpoints';
import type { BoundedRun } from '../../../control/boundedRun';
import { stoppedThread } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import { isSameCall, isWithin, type ThreadStack } from './threadStack';
import { exceptionText, stackOrEnd, SIGNAL } from './traceEnd';

type Services = Pick<ToolServices, 'inspector' | 'model' | 'exceptions'>;

/** What a stop at an exception says about a call. */
export interface ExceptionStop {
  /** The exception, as `type: message`, if the thread of the call has stopped at it, and the adapter knows it. */
  readonly exception: string | undefined;
  /** Whether the exception has certainly left the call, or will. Another function of the call may catch it otherwise. */
  readonly leaves: boolean;
}

/** The exception of another thread says nothing about the call. */
const FOREIGN: ExceptionStop = { exception: undefined, leaves: false };

/** Names the exception or signal at which a program has stopped, in whatever thread. DAP `exceptionInfo`. */
export async function stoppedBy(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  run: Pick<BoundedRun, 'signal' | 'stopped'>,
): Promise<string | undefined> {
  const stopped = run.stopped();
  const there = stopped && stoppedThread(model.state, stopped.sessionKey);
  if (there === undefined) return undefined;
  const { session, threadId } = there;
  const place = inspector.placeOf(session, threadId);
  const found = await inspector.exception(session, place, run.signal).catch(() => undefined);
  return found === undefined ? stopped?.stop.description : exceptionText(found);
}

/** Reads the exception at which a thread has stopped, and whether it leaves a call. DAP `exceptionInfo`. */
export async function exceptionStop(
  services: Services,
  call: ThreadStack,
  sessionKey: string,
  threadId: number,
  signal: AbortSignal,
): Promise<ExceptionStop> {
  if (sessionKey !== call.session.key || threadId !== call.threadId) return FOREIGN;
  const { inspector, model, exceptions } = services;
  const session = model.state.sessions.get(sessionKey);
  if (session === undefined) return FOREIGN;
  const place = inspector.placeOf(session, threadId);
  const found = await inspector.exception(session, place, signal).catch(() => undefined);
  // A signal is no exception, so it leaves no call.
  if (found?.type === SIGNAL) return FOREIGN;
  const exception = found === undefined ? undefined : exceptionText(found);
  const stopsAtCaught = exceptions.active(session).some(({ filter }) => !isUncaught(filter));
  if (!stopsAtCaught || found?.isUnhandled === true) return { exception, leaves: true };
  const now = await stackOrEnd(services, sessionKey, threadId, signal, 'frames');
  const isGone = typeof now !== 'string' && !isWithin(call, now) && !isSameCall(call, now);
  return { exception, leaves: isGone };
}
