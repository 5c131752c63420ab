import {
  isOver,
  rootOf,
  treeOf,
  type DebugState,
  type SessionState,
} from '../debugger/state/state';
import type { Ended, Stopped } from './outcome';

/** The epoch of each session, by session key. Only a stop after that epoch ends a wait. */
export type Epochs = ReadonlyMap<string, number>;

export function epochsOf(state: DebugState): Epochs {
  return new Map([...state.sessions.values()].map((session) => [session.key, session.epoch]));
}

/**
 * A newer stop anywhere in the session's tree, or the end of the whole tree, whichever is first. The reason of the stop
 * and who caused it do not matter. If the thread that was resumed (or its session) has ended, the stop of another
 * thread that has stayed stopped is returned.
 */
export function nextOutcome(
  state: DebugState,
  sessionKey: string,
  since: Epochs,
  movedThread?: number,
): Stopped | Ended | undefined {
  const session = state.sessions.get(sessionKey);
  if (session === undefined) return { kind: 'ended', rootKey: sessionKey };
  const root = rootOf(state, session);
  const members = treeOf(state, root);
  const newer = newerStop(members, since);
  if (newer !== undefined) return newer;
  if (hasLeft(session, movedThread)) {
    const stopped = members.map(stoppedNow).find((stop) => stop !== undefined);
    if (stopped !== undefined) return stopped;
  }
  return isOver(state, root) ? { kind: 'ended', rootKey: root.key } : undefined;
}

/** The stop of the first session that is stopped by a stop after `since`. */
export function newerStop(members: readonly SessionState[], since: Epochs): Stopped | undefined {
  for (const member of members) {
    const stopped = stoppedSince(member, since.get(member.key) ?? 0);
    if (stopped !== undefined) return stopped;
  }
  return undefined;
}

/** A session's current stop, if it is after the epoch. */
export function stoppedSince(session: SessionState, epoch: number): Stopped | undefined {
  const stopped = stoppedNow(session);
  return stopped !== undefined && stopped.stop.epoch > epoch ? stopped : undefined;
}

/** A session's current stop. */
export function stoppedNow(session: SessionState): Stopped | undefined {
  if (session.lifecycle !== 'stopped' || session.lastStop === undefined) return undefined;
  if (session.lastStop.isGivenUp === true) return undefined;
  return { kind: 'stopped', sessionKey: session.key, stop: session.lastStop };
}

function hasLeft(session: SessionState, movedThread: number | undefined): boolean {
  if (session.lifecycle === 'terminated') return true;
  if (movedThread === undefined || session.lifecycle !== 'stopped') return false;
  return !session.threads.has(movedThread);
}
