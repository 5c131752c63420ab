import { fields, flagOf, listOf, wholeOf, type Fields } from '../protocol';
import { keptText } from '../texts';
import { isOwnThreadList } from './ownThreadList';
import type { Lifecycle, PendingRequest, SessionState, StopState, ThreadState } from './state';
import { stopFrom } from './stopEvent';

/** Marks all threads, or one thread, as running. Threads with a stop after `epoch` stay stopped. */
export function resumed(
  session: SessionState,
  threadId: number | undefined,
  epoch: number,
): SessionState {
  let changed = false;
  const threads = new Map<number, ThreadState>();
  for (const thread of session.threads.values()) {
    const continues =
      thread.stop !== undefined &&
      thread.stop.epoch <= epoch &&
      (threadId === undefined || thread.id === threadId);
    threads.set(thread.id, continues ? { ...thread, stop: undefined, own: undefined } : thread);
    changed ||= continues;
  }
  // A stop may have named no thread while no thread was known. Then only the session itself was stopped.
  const isOnlySession =
    threads.size === 0 &&
    session.lifecycle === 'stopped' &&
    (session.lastStop?.epoch ?? 0) <= epoch;
  return changed || isOnlySession ? withLifecycle({ ...session, threads }) : session;
}

/**
 * A stopped session without stopped threads becomes running. Only a stop makes a session stopped. Other lifecycle
 * phases stay unchanged.
 */
function withLifecycle(session: SessionState): SessionState {
  if (session.lifecycle !== 'stopped') return session;
  const isStopped = [...session.threads.values()].some((thread) => thread.stop !== undefined);
  return isStopped ? session : { ...session, lifecycle: 'running' };
}

export function onContinued(session: SessionState, body: Fields): SessionState {
  const isOne = flagOf(body['allThreadsContinued']) === false;
  return resumed(session, isOne ? wholeOf(body['threadId']) : undefined, session.epoch);
}

export function onStopped(session: SessionState, body: Fields, at: number): SessionState {
  const stop = stopFrom(session, body, at);
  const { threadId, allThreadsStopped } = stop;
  const threads = new Map(session.threads);
  if (allThreadsStopped === true || threadId === undefined)
    for (const thread of session.threads.values()) threads.set(thread.id, { ...thread, stop });
  if (threadId !== undefined)
    threads.set(threadId, { id: threadId, name: threads.get(threadId)?.name, stop, own: stop });
  const lifecycle: Lifecycle = session.endAnnounced ? 'terminating' : 'stopped';
  return {
    ...session,
    threads,
    stopCount: stop.id,
    lastStop: stop,
    pauseRequested: false,
    pauseGivenUp: false,
    lifecycle,
    knowledge: 'full',
  };
}

export function onThread(session: SessionState, body: Fields): SessionState {
  const id = wholeOf(body['threadId']);
  if (id === undefined) return session;
  if (body['reason'] === 'exited') {
    if (!session.threads.has(id)) return session;
    const threads = new Map(session.threads);
    threads.delete(id);
    return withLifecycle({ ...session, threads });
  }
  if (session.threads.has(id)) return session;
  // If all threads are stopped, this one is stopped too. If a thread has continued alone since, it may have started
  // this one.
  const areAllStopped =
    session.lifecycle === 'stopped' &&
    [...session.threads.values()].every((thread) => thread.stop !== undefined);
  const stop = areAllStopped ? stopOfAll(session.lastStop) : undefined;
  return { ...session, threads: new Map(session.threads).set(id, { id, name: undefined, stop }) };
}

/** The adapter's list decides which threads exist. A stop of all threads also applies to new ones. */
export function withThreadList(
  session: SessionState,
  body: Fields,
  request: Pick<PendingRequest, 'arguments' | 'epoch'>,
): SessionState {
  if (session.lifecycle === 'terminating') return session;
  const ofAll = session.lifecycle === 'stopped' ? stopOfAll(session.lastStop) : undefined;
  const isOwn = isOwnThreadList(request.arguments);
  const threads = new Map<number, ThreadState>();
  for (const entry of listOf(body['threads'])) {
    const id = wholeOf(fields(entry)['id']);
    if (id === undefined) continue;
    const existing = session.threads.get(id);
    threads.set(id, {
      id,
      name: keptText(fields(entry)['name']) ?? existing?.name,
      isListed: isOwn ? existing?.isListed : true,
      ...(existing === undefined ? { stop: ofAll } : { stop: existing.stop, own: existing.own }),
    });
  }
  // A thread is kept if its stop arrived after the request or names the thread, even if the list does not include it.
  for (const thread of session.threads.values()) {
    const isKept =
      thread.stop !== undefined &&
      (thread.stop.epoch > request.epoch || thread.stop.threadId === thread.id);
    if (isKept && !threads.has(thread.id)) threads.set(thread.id, thread);
  }
  return isSame(threads, session.threads) ? session : withLifecycle({ ...session, threads });
}

function stopOfAll(stop: StopState | undefined): StopState | undefined {
  return stop?.allThreadsStopped === true || stop?.threadId === undefined ? stop : undefined;
}

/**
 * Whether two lists of threads are equal. VS Code requests the threads at every stop, and usually nothing has changed.
 */
function isSame(
  threads: ReadonlyMap<number, ThreadState>,
  before: ReadonlyMap<number, ThreadState>,
): boolean {
  if (threads.size !== before.size) return false;
  for (const { id, name, stop, isListed } of threads.values()) {
    const existing = before.get(id);
    if (existing === undefined || existing.name !== name || existing.stop !== stop) return false;
    if (existing.isListed !== isListed) return false;
  }
  return true;
}
