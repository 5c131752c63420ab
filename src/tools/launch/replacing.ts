import * as l10n from '@vscode/l10n';
import { Failure } from '../../debugger/failure';
import { isOver, rootOf, type SessionState } from '../../debugger/state/state';
import { endTree } from '../running/ending';
import type { Plan } from './launchPlan';
import type { ToolServices } from '../services';

/** The sessions that run what a plan starts: those of its configurations' names, or of its compound's members. */
export function sessionsOf(
  { model }: Pick<ToolServices, 'model'>,
  plan: Plan,
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

/** Ends them, one after the other. @throws Failure `adapter_error`, `not_ended`; nothing has been started */
export async function endAll(
  services: ToolServices,
  sessions: readonly SessionState[],
  signal: AbortSignal,
): Promise<void> {
  for (const session of sessions) {
    if (await endTree(services, session, signal)) continue;
    throw new Failure(
      'not_ended',
      l10n.t(
        'The debug session {0} was asked to end and has not ended yet; nothing was started.',
        session.id,
      ),
      'Call stop_debugging for it, then start_debugging again.',
      { session_id: session.id },
    );
  }
}
