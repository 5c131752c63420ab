import { rootOf, treeOf, type DebugState, type SessionState } from './state';

/** The property that marks a configuration as started by one call, so that its session can be identified. */
export const LAUNCH_MARK = '__agentDebuggerLaunch';

/** Set in addition to the mark if stopping one session of the call stops all of them (a compound's `stopAll`). */
export const STOP_ALL_MARK = '__agentDebuggerStopAll';

/** Whether an agent started the tree that a session belongs to. */
export function isAgentStarted(state: DebugState, session: SessionState): boolean {
  return rootOf(state, session).configuration[LAUNCH_MARK] !== undefined;
}

/**
 * The root sessions to end together with this one: the other sessions of its compound, if the compound is configured so
 * and the end was requested. If a program ends by itself, the others keep running, as in VS Code's own compounds.
 */
export function endsWith(state: DebugState, ended: SessionState): readonly SessionState[] {
  if (
    ended.configuration[STOP_ALL_MARK] !== true ||
    ended.parentKey !== undefined ||
    !ended.endRequested
  )
    return [];
  const mark = ended.configuration[LAUNCH_MARK];
  if (mark === undefined) return [];
  const isLive = (root: SessionState): boolean =>
    treeOf(state, root).some(
      (session) => session.lifecycle !== 'terminated' && session.lifecycle !== 'terminating',
    );
  return [...state.sessions.values()].filter(
    (session) =>
      session.parentKey === undefined &&
      session.key !== ended.key &&
      session.configuration[LAUNCH_MARK] === mark &&
      isLive(session),
  );
}
