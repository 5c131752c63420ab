import { isOver, rootOf, type SessionState } from '../../debugger/state/state';
import type { StartPlan } from './launchPlan';
import type { ToolServices } from '../services';

/** Returns the live sessions with the same configurations as the plan, or as the members of its compound. */
export function replacedSessions(
  { model }: Pick<ToolServices, 'model'>,
  plan: StartPlan,
): readonly SessionState[] {
  const { state } = model;
  const runs = (session: SessionState): boolean =>
    plan.launches.some(
      ({ name, configuration }) =>
        session.configuration['name'] === name &&
        (!plan.isMadeUp || session.configuration['program'] === configuration['program']),
    );
  return [...state.sessions.values()].filter(
    (session) => rootOf(state, session) === session && !isOver(state, session) && runs(session),
  );
}
