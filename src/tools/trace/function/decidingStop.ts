import type { Stopped } from '../../../control/outcome';
import { adapterOf } from '../../../debugger/adapters/registry';
import {
  type DebugState,
  type SessionState,
  type StopState,
  stoppedThread,
} from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { Detail } from './threadStack';
import { stackOrEnd } from './traceEnd';

/** How often a thread is read if more stops arrive. Each thread of a program may report one. */
export const MAX_TRIES = 20;

/** A stopped thread, and the stop that names it. */
export interface ThreadStop {
  readonly session: SessionState;
  readonly threadId: number;
  readonly stop: StopState;
}

/**
 * Returns the stop that says why a run has ended. An adapter that reports each thread with a reason to stop may begin
 * with one that has only reached a recorder's breakpoint at that moment, so that an exception counts first. Undefined if
 * no thread is stopped anymore. DAP `stopped`, `preserveFocusHint`.
 */
export function decidingStop(
  state: Pick<DebugState, 'sessions'>,
  { sessionKey, stop: first }: Stopped,
): ThreadStop | undefined {
  const there = stoppedThread(state, sessionKey);
  if (there === undefined) return undefined;
  const { session } = there;
  if (adapterOf(session.type).reportsEachThread !== true) return { ...there, stop: first };
  const thrown = [...session.threads.values()].find(
    ({ own }) => own !== undefined && own.id >= first.id && own.reason === 'exception',
  );
  if (thrown?.own !== undefined) return { session, threadId: thrown.id, stop: thrown.own };
  return { ...there, stop: session.threads.get(there.threadId)?.own ?? first };
}

/**
 * Reads the thread of the stop that decides. While it is read, the adapter may report further threads, which make the
 * read values stale.
 */
export async function decidingStack(
  services: Pick<ToolServices, 'inspector' | 'model'>,
  step: Stopped,
  signal: AbortSignal,
  detail: Detail,
) {
  for (let tries = 1; ; tries += 1) {
    const at = decidingStop(services.model.state, step);
    if (at === undefined) return undefined;
    const { session, threadId } = at;
    const stack = await stackOrEnd(services, session.key, threadId, signal, detail);
    const isRead = stack !== 'person' || !isStillAt(services.model.state, at);
    if (isRead || tries === MAX_TRIES) return { ...at, stack };
  }
}

/** Whether a thread has not moved since its stop, if the adapter reports a stop for each thread. */
export function isStillAt(
  { sessions }: Pick<DebugState, 'sessions'>,
  { session, threadId, stop }: ThreadStop,
): boolean {
  return (
    adapterOf(session.type).reportsEachThread === true &&
    sessions.get(session.key)?.threads.get(threadId)?.own?.id === stop.id
  );
}
