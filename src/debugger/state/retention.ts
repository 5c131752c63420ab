import { sessionById, type DebugState, type SessionState } from './state';

/** The number of ended sessions that are kept, so that callers can request how they ended and their output. */
export const ENDED_SESSIONS_KEPT = 20;

/** Whether an id belonged to a session that is no longer kept. The ids are s1, s2, … */
export function isForgotten(state: DebugState, id: string): boolean {
  const number = Number(/^s([1-9]\d{0,14})$/.exec(id)?.[1] ?? Infinity);
  return number <= state.sessionCount && sessionById(state, id) === undefined;
}

/** Removes the oldest ended sessions, except ancestors of live ones. */
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
