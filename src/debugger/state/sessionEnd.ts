import * as l10n from '@vscode/l10n';
import { withoutTrace } from '../texts';
import { isUnasked, type DebugEvent, type SessionEnd, type SessionState } from './state';

/** DAP `disconnect` and `terminate`, whoever asks. */
export function onEndAsked(
  session: SessionState,
  command: 'disconnect' | 'terminate',
  at: number,
): SessionState {
  if (isLostBeforeStart(session)) return notBegun(session, notGreeted(session.end?.message, at));
  if (isUnasked(session)) return unreached(session, at);
  // A program may refuse a graceful `terminate`, or stop once more on its way out; `disconnect` is the end.
  const endAnnounced = session.endAnnounced || command === 'disconnect';
  // VS Code disconnects from an adapter that has said that it ends, too, and a person from one whose program has ended.
  const endAsked = session.endAsked || (!session.endAnnounced && !hasExited(session));
  return { ...session, lifecycle: 'terminating', endAnnounced, endAsked };
}

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
  return { reason: 'adapterGone', at: event.at, message: howItEnded(event) };
}

function howItEnded({ signal, code }: Extract<DebugEvent, { type: 'adapterExited' }>): string {
  if (signal !== undefined) return l10n.t('it ended by signal {0}', signal);
  if (code !== undefined) return l10n.t('it ended with exit code {0}', code);
  return l10n.t('it ended, nobody knows how');
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
function unreached(session: SessionState, at: number): SessionState {
  return notBegun(session, {
    reason: 'launchFailed',
    at,
    message: l10n.t('VS Code could not start its debug adapter, or found none to connect to'),
  });
}

/** Whether the connection to the adapter was lost before it was asked to start anything. */
function isLostBeforeStart({ lifecycle, end, pending }: SessionState): boolean {
  return (
    lifecycle === 'starting' &&
    end?.reason === 'adapterGone' &&
    ![...pending.values()].some(({ command }) => command === 'launch' || command === 'attach')
  );
}

/** VS Code tells of no end of a session whose adapter it could not greet: its `DebugSession.initialize` lets go of it. */
export function notGreeted(message: string | undefined, at: number): SessionEnd {
  return {
    reason: 'launchFailed',
    at,
    message: message === undefined ? undefined : withoutTrace(message),
  };
}
