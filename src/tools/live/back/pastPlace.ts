import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { sessionById, treeOf, type SessionState } from '../../../debugger/state/state';
import { adapterOf } from '../../../debugger/adapters/registry';
import { Failure } from '../../../results/failure';
import type { PastStop } from '../../../results/views/pastStops';
import type { ToolServices } from '../../services';
import { unknownSession } from '../../unknownSession';

/** A stop that a call names, and its session, which may have ended. */
export interface NamedStop {
  readonly session: SessionState;
  readonly stop: PastStop;
}

/** Finds an earlier stop. Nothing is started. @throws Failure that lists the stops that there are */
export function stopAsked(
  services: ToolServices,
  sessionId: string | undefined,
  stopId: number | undefined,
): NamedStop {
  const session = sessionWithStops(services, sessionId);
  const stops = services.stops.past.of(session.key);
  const stop = stops.find((each) => each.stopId === stopId);
  if (stop === undefined)
    throw new Failure(
      'invalid_input',
      stopId === undefined
        ? l10n.t('No stop was named.')
        : l10n.t('There is no stop {0} in the session {1}.', stopId, session.id),
      `Pass stop_id, or collection_id and hit. Stops of ${session.id} that were reported: ${listed(stops)}. Nothing was started.`,
      { session_id: session.id },
    );
  if (adapterOf(session.type).recorder !== undefined) return { session, stop };
  throw new Failure(
    'not_supported',
    l10n.t('Only Node and Python programs can be run to an earlier stop.'),
    `Call restart_debugging with a breakpoint at ${path.basename(stop.path)}:${stop.line}. Nothing was started.`,
    { session_id: session.id },
  );
}

function sessionWithStops(services: ToolServices, id: string | undefined): SessionState {
  const { state } = services.model;
  const { past } = services.stops;
  if (id === undefined) {
    const session = state.sessions.get(past.sessions().at(-1) ?? '');
    if (session !== undefined) return session;
    throw new Failure(
      'no_session',
      l10n.t('No stop has been reported yet.'),
      'Call start_debugging with a breakpoint first. Nothing was started.',
    );
  }
  const named = sessionById(state, id);
  if (named === undefined)
    throw unknownSession(state, id, 'Call get_debug_state for the sessions. Nothing was started.');
  // The stops are those of a child, if the session is only its parent (js-debug).
  const members = [named, ...treeOf(state, named)];
  return members.find(({ key }) => past.of(key).length > 0) ?? named;
}

function listed(stops: readonly PastStop[]): string {
  if (stops.length === 0) return 'none';
  return stops
    .slice(-8)
    .map(({ stopId, path: file, line }) => `${stopId} (${path.basename(file)}:${line})`)
    .join(', ');
}
