import { LAUNCH_MARK } from '../../debugger/state/launchMark';
import { rootOf, treeOf, type DebugState, type SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../services';
import type { Plan } from './launchPlan';

/** The sessions of one start, as they come. */
export interface StartedSessions {
  /** What their configurations carry. */
  readonly mark: string;
  readonly roots: (state: DebugState) => readonly SessionState[];
  /** Those and all below them, now. */
  readonly members: () => readonly SessionState[];
}

/** Ask before the start: sessions that are there by then are none of its own. */
export function sessionsOfStart({ model }: ToolServices, plan: Plan): StartedSessions {
  const mark = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  const before = new Set(model.state.sessions.keys());
  const roots = (state: DebugState): readonly SessionState[] => rootsOf(state, plan, mark, before);
  return {
    mark,
    roots,
    members: () => roots(model.state).flatMap((root) => treeOf(model.state, root)),
  };
}

/**
 * The sessions that a call started: those whose configuration carries its mark; where a debugger's extension dropped
 * it, new ones of the right name.
 */
function rootsOf(
  state: DebugState,
  plan: Plan,
  mark: string,
  before: ReadonlySet<string>,
): readonly SessionState[] {
  const roots = [...state.sessions.values()].filter(
    (session) => !before.has(session.key) && rootOf(state, session) === session,
  );
  const marked = roots.filter((session) => session.configuration[LAUNCH_MARK] === mark);
  if (marked.length >= plan.launches.length) return marked;
  const names = new Set(plan.launches.map((each) => each.name));
  return roots.filter(
    (session) =>
      marked.includes(session) ||
      (session.configuration[LAUNCH_MARK] === undefined && names.has(session.name)),
  );
}
