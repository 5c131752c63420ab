import {
  isOver,
  rootOf,
  treeOf,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import type { Ended, Stopped } from './outcome';

/** How many stops each session had: only a newer one ends a wait. */
export type StopCounts = ReadonlyMap<string, number>;

export function stopCounts(state: DebugState): StopCounts {
  return new Map([...state.sessions.values()].map((session) => [session.key, session.stopCount]));
}

/**
 * The first of: a newer stop anywhere in the session's tree, or the end of the whole tree. The reason of the stop and
 * who caused it do not matter. When the thread that was resumed is gone (or its session), another thread that has been
 * stopped all the while is returned.
 */
export function nextOutcome(
  state: DebugState,
  sessionKey: string,
  since: StopCounts,
  movedThread?: number,
): Stopped | Ended | undefined {
  const session = state.sessions.get(sessionKey);
  if (session === undefined) return { kind: 'ended', rootKey: sessionKey };
  const root = rootOf(state, session);
  const members = treeOf(state, root);
  const newer = newerStop(members, since);
  if (newer !== undefined) return newer;
  if (hasLeft(session, movedThread)) {
    const stopped = members.map(stoppedNow).find((each) => each !== undefined);
    if (stopped !== undefined) return stopped;
  }
  return isOver(state, root) ? { kind: 'ended', rootKey: root.key } : undefined;
}

/** The first session whose newest stop came after `since` and still holds it. */
export function newerStop(
  members: readonly SessionState[],
  since: StopCounts,
): Stopped | undefined {
  for (const member of members) {
    const stopped = stoppedNow(member);
    if (stopped !== undefined && stopped.stop.id > (since.get(member.key) ?? 0)) return stopped;
  }
  return undefined;
}

export function stoppedNow(session: SessionState): Stopped | undefined {
  if (session.lifecycle !== 'stopped' || session.lastStop === undefined) return undefined;
  return { kind: 'stopped', sessionKey: session.key, stop: session.lastStop };
}

function hasLeft(session: SessionState, movedThread: number | undefined): boolean {
  if (session.lifecycle === 'terminated') return true;
  if (movedThread === undefined || session.lifecycle !== 'stopped') return false;
  return !session.threads.has(movedThread);
}
