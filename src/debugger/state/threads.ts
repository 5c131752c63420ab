import { fields, flagOf, listOf, wholeOf, type Fields } from '../protocol';
import { keptText } from '../texts';
import type { Lifecycle, SessionState, StopState, ThreadState } from './state';
import { stopFrom } from './stopEvent';

/** Threads go on: all, or one. Those that a stop of after `epoch` holds stay held. */
export function resumed(
  session: SessionState,
  threadId: number | undefined,
  epoch: number,
): SessionState {
  let changed = false;
  const threads = new Map<number, ThreadState>();
  for (const thread of session.threads.values()) {
    const goesOn =
      thread.stop !== undefined &&
      thread.stop.epoch <= epoch &&
      (threadId === undefined || thread.id === threadId);
    threads.set(thread.id, goesOn ? { ...thread, stop: undefined } : thread);
    changed ||= goesOn;
  }
  // A stop may have named no thread, and none may be known: then it is the session alone that was held.
  const isSessionAlone =
    threads.size === 0 &&
    session.lifecycle === 'stopped' &&
    (session.lastStop?.epoch ?? 0) <= epoch;
  return changed || isSessionAlone ? withLifecycle({ ...session, threads }) : session;
}

/** A stopped session without a thread that is held runs. Only a stop makes one stopped; the other phases of life stay. */
function withLifecycle(session: SessionState): SessionState {
  if (session.lifecycle !== 'stopped') return session;
  const isHeld = [...session.threads.values()].some((thread) => thread.stop !== undefined);
  return isHeld ? session : { ...session, lifecycle: 'running' };
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
    threads.set(threadId, { id: threadId, name: threads.get(threadId)?.name, stop });
  const lifecycle: Lifecycle = session.endAnnounced ? 'terminating' : 'stopped';
  return {
    ...session,
    threads,
    stopCount: stop.id,
    lastStop: stop,
    pauseAsked: false,
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
  // A stop of all holds this one too, unless a thread has gone on alone since: that one may have started it.
  const isAllHeld =
    session.lifecycle === 'stopped' &&
    [...session.threads.values()].every((thread) => thread.stop !== undefined);
  const stop = isAllHeld ? stopOfAll(session.lastStop) : undefined;
  return { ...session, threads: new Map(session.threads).set(id, { id, name: undefined, stop }) };
}

/** The adapter's list of threads is the truth about which there are; a stop of all of them holds the new ones too. */
export function withThreadList(session: SessionState, body: Fields, askedAt: number): SessionState {
  if (session.lifecycle === 'terminating') return session;
  const ofAll = session.lifecycle === 'stopped' ? stopOfAll(session.lastStop) : undefined;
  const threads = new Map<number, ThreadState>();
  for (const each of listOf(body['threads'])) {
    const id = wholeOf(fields(each)['id']);
    if (id === undefined) continue;
    const known = session.threads.get(id);
    threads.set(id, {
      id,
      name: keptText(fields(each)['name']) ?? known?.name,
      stop: known === undefined ? ofAll : known.stop,
    });
  }
  // A stop that came after the question, or that names the thread, knows it better than the answer does.
  for (const thread of session.threads.values()) {
    const isHeld =
      thread.stop !== undefined &&
      (thread.stop.epoch > askedAt || thread.stop.threadId === thread.id);
    if (isHeld && !threads.has(thread.id)) threads.set(thread.id, thread);
  }
  return isSame(threads, session.threads) ? session : withLifecycle({ ...session, threads });
}

function stopOfAll(stop: StopState | undefined): StopState | undefined {
  return stop?.allThreadsStopped === true || stop?.threadId === undefined ? stop : undefined;
}

/** VS Code asks for the threads at every stop, and mostly nothing about them is new. */
function isSame(
  threads: ReadonlyMap<number, ThreadState>,
  before: ReadonlyMap<number, ThreadState>,
): boolean {
  if (threads.size !== before.size) return false;
  for (const { id, name, stop } of threads.values()) {
    const known = before.get(id);
    if (known === undefined || known.name !== name || known.stop !== stop) return false;
  }
  return true;
}
