import * as l10n from '@vscode/l10n';
import { withoutTrace } from '../texts';
import { isUncontacted, type DebugEvent, type SessionEnd, type SessionState } from './state';

/** Handles DAP `disconnect` and `terminate` requests, regardless of who sends them. */
export function onEndRequested(
  session: SessionState,
  command: 'disconnect' | 'terminate',
  at: number,
): SessionState {
  if (isLostBeforeStart(session))
    return endedAtStart(session, initializeFailed(session.end?.message, at));
  if (isUncontacted(session)) return adapterUnreachable(session, at);
  // A program may refuse a graceful `terminate`, or stop once more while it ends. `disconnect` is final.
  const endAnnounced = session.endAnnounced || command === 'disconnect';
  // VS Code also disconnects after the adapter has announced the end or is gone, or the program has exited. That does
  // not count as a request to end.
  const isOver =
    session.endAnnounced || hasExited(session) || session.end?.reason === 'adapterGone';
  const endRequested = session.endRequested || !isOver;
  return { ...session, lifecycle: 'terminating', endAnnounced, endRequested };
}

/**
 * Handles an adapter error. VS Code reports a closed connection as an error even if the end was announced. Then the
 * error is ignored.
 */
export function onAdapterFailed(
  session: SessionState,
  event: Extract<DebugEvent, { type: 'adapterFailed' }>,
): SessionState {
  if (
    session.lifecycle === 'terminating' ||
    session.lifecycle === 'terminated' ||
    session.end !== undefined
  )
    return session;
  return { ...session, end: { reason: 'adapterGone', at: event.at, message: event.message } };
}

/** The end of a session whose adapter's process exited: a failure unless the session was already terminating. */
export function adapterExit(
  session: SessionState,
  event: Extract<DebugEvent, { type: 'adapterExited' }>,
): SessionEnd {
  if (session.lifecycle === 'terminating')
    return { reason: 'terminated', at: event.at, message: undefined };
  return { reason: 'adapterGone', at: event.at, message: exitMessage(event) };
}

function exitMessage({ signal, code }: Extract<DebugEvent, { type: 'adapterExited' }>): string {
  if (signal !== undefined) return l10n.t('it ended by signal {0}', signal);
  if (code !== undefined) return l10n.t('it ended with exit code {0}', code);
  return l10n.t('it ended for an unknown reason');
}

/** Whether the program's exit code or signal is known. */
export function hasExited({ exitCode, exitSignal }: SessionState): boolean {
  return exitCode !== undefined || exitSignal !== undefined;
}

/**
 * Ends a session, once. The first reported reason counts. If the program's exit is known, the reason is `exited`,
 * unless the end was requested. Then the exit code only shows that the program was killed.
 */
export function ended(session: SessionState, end: SessionEnd): SessionState {
  if (session.lifecycle === 'terminated') return session;
  const reason =
    session.end ??
    (hasExited(session) && !session.endRequested ? { ...end, reason: 'exited' as const } : end);
  return {
    ...session,
    lifecycle: 'terminated',
    end: reason,
    threads: new Map(),
    pending: new Map(),
  };
}

/** Ends a session whose start failed, because VS Code may not report the end of such a session. */
export function endedAtStart(session: SessionState, end: SessionEnd): SessionState {
  return ended({ ...session, end }, end);
}

/**
 * Ends a session whose adapter could not be reached. VS Code sends `initialize` before any other request. If it could
 * not reach the adapter, it shows the reason only in its dialog, and reports nothing more about the session until the
 * dialog is closed.
 */
function adapterUnreachable(session: SessionState, at: number): SessionState {
  return endedAtStart(session, {
    reason: 'launchFailed',
    at,
    message: l10n.t('VS Code could not start its debug adapter, or found none to connect to'),
  });
}

/** Whether the connection to the adapter was lost before the `launch` or `attach` request. */
function isLostBeforeStart({ lifecycle, end, pending }: SessionState): boolean {
  return (
    lifecycle === 'starting' &&
    end?.reason === 'adapterGone' &&
    ![...pending.values()].some(({ command }) => command === 'launch' || command === 'attach')
  );
}

/**
 * The end of a session whose `initialize` request failed. VS Code does not report the end, because its
 * `DebugSession.initialize` discards the session.
 */
export function initializeFailed(message: string | undefined, at: number): SessionEnd {
  return {
    reason: 'launchFailed',
    at,
    message: message === undefined ? undefined : withoutTrace(message),
  };
}
