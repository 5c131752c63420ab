import { rootOf, type DebugState, type SessionState } from './state';

/** The property that marks a configuration as started by one call, so that its session can be told from all others. */
export const LAUNCH_MARK = '__agentDebuggerLaunch';

/** Whether an agent started the tree that a session belongs to. */
export function isAgentStarted(state: DebugState, session: SessionState): boolean {
  return rootOf(state, session).configuration[LAUNCH_MARK] !== undefined;
}
