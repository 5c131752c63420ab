import * as l10n from '@vscode/l10n';
import type { DebugEvent, SessionEnd, SessionState } from './state';

/** VS Code reports the closing of a connection as an error even when the end was announced: then it is none. */
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

/** An adapter's process that ends is the end of what it debugs, and a failure unless that was under way. */
export function adapterExit(
  session: SessionState,
  event: Extract<DebugEvent, { type: 'adapterExited' }>,
): SessionEnd {
  if (session.lifecycle === 'terminating')
    return { reason: 'terminated', at: event.at, message: undefined };
  const { signal, code } = event;
  const message =
    signal !== undefined
      ? l10n.t('it ended by signal {0}', signal)
      : code !== undefined
        ? l10n.t('it ended with exit code {0}', code)
        : l10n.t('it ended, nobody knows how');
  return { reason: 'adapterGone', at: event.at, message };
}

/** Whether it is known how the program ended. */
export function hasExited({ exitCode, exitSignal }: SessionState): boolean {
  return exitCode !== undefined || exitSignal !== undefined;
}

/**
 * The end, once: the first reason that was told is the true one, and an exit that was announced names it, but for that of
 * a program that was asked to end: its code is that of being killed.
 */
export function ended(session: SessionState, end: SessionEnd): SessionState {
  if (session.lifecycle === 'terminated') return session;
  const reason =
    session.end ??
    (hasExited(session) && !session.endAsked ? { ...end, reason: 'exited' as const } : end);
  return {
    ...session,
    lifecycle: 'terminated',
    end: reason,
    threads: new Map(),
    pending: new Map(),
  };
}

/** A launch that failed is the end: VS Code need not tell of the end of a session that has not begun. */
export function notBegun(session: SessionState, end: SessionEnd): SessionState {
  return ended({ ...session, end }, end);
}

/**
 * VS Code greets an adapter before all else. Why it could not, its dialog says to the person alone, and until that is
 * answered it says nothing more about the session.
 */
export function unreached(session: SessionState, at: number): SessionState {
  return notBegun(session, {
    reason: 'launchFailed',
    at,
    message: l10n.t('VS Code could not start its debug adapter, or found none to connect to'),
  });
}
