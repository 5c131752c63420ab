import { adapterOf } from '../adapters/registry';
import { wholeOf, type Fields } from '../protocol';
import type { DebugEvent, SessionState } from './state';

/** Some adapters send no `exited`: they print how the program ended, through the session that started it. */
export function withPrintedExit(
  session: SessionState,
  { category, output }: Fields,
  at: number,
): SessionState {
  if (typeof output !== 'string' || session.parentKey !== undefined) return session;
  const printed = adapterOf(session.type).printedExit?.({ category, output });
  if (printed === undefined) return session;
  if (printed.kind === 'exited') return { ...session, exitCode: printed.code };
  // While it is being stopped, its end is no loss.
  return session.lifecycle === 'terminating'
    ? session
    : { ...session, end: { reason: 'programLost', at, message: printed.message } };
}

/** The code of an `exited` event, which says nothing of a program that the debugger has lost and which may run on. */
export function withReportedExit(session: SessionState, body: Fields): SessionState {
  const code = wholeOf(body['exitCode']);
  if (code === undefined || session.end?.reason === 'programLost') return session;
  const isReported = adapterOf(session.type).reportsExitCode?.(code) ?? true;
  return isReported ? { ...session, exitCode: code } : session;
}

/** A program that runs, or runs again, has not exited. */
export function withProgramStart(session: SessionState, pid: number | undefined): SessionState {
  return {
    ...session,
    process: { name: session.process?.name, pid: pid ?? session.process?.pid },
    exitCode: undefined,
    exitSignal: undefined,
  };
}

/**
 * How the operating system or the terminal's shell says that the program ended. What the adapter said counts before; the
 * end of a program that somebody asked to end is not its own.
 */
export function withProgramExit(
  session: SessionState,
  { code, signal, by }: Extract<DebugEvent, { type: 'programExited' }>,
): SessionState {
  const next: SessionState = by === 'shell' ? { ...session, terminal: 'ended' } : session;
  const isKnown = session.exitCode !== undefined || session.exitSignal !== undefined;
  return isKnown || session.endAsked ? next : { ...next, exitCode: code, exitSignal: signal };
}
