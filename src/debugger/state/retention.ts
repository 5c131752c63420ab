import { sessionById, type DebugState, type SessionState } from './state';

/** How many ended sessions are kept, to answer how they ended and what they printed. */
export const ENDED_SESSIONS_KEPT = 20;

/** Whether an id is that of a session which was there and is not kept any more: ids count from s1. */
export function isForgotten(state: DebugState, id: string): boolean {
  const number = Number(/^s([1-9]\d{0,14})$/.exec(id)?.[1] ?? Infinity);
  return number <= state.sessionCount && sessionById(state, id) === undefined;
}

/** Forgets the oldest ended sessions. Those that a live one descends from stay. */
export function withoutEnded(sessions: Map<string, SessionState>): Map<string, SessionState> {
  const ended = [...sessions.values()].filter((session) => session.lifecycle === 'terminated');
  if (ended.length <= ENDED_SESSIONS_KEPT) return sessions;
  const excess = new Set(
    ended.slice(0, ended.length - ENDED_SESSIONS_KEPT).map((session) => session.key),
  );
  for (const session of sessions.values()) {
    if (session.lifecycle === 'terminated') continue;
    for (
      let parent = session.parentKey;
      parent !== undefined;
      parent = sessions.get(parent)?.parentKey
    )
      excess.delete(parent);
  }
  for (const key of excess) sessions.delete(key);
  return sessions;
}
