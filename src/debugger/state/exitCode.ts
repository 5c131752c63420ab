import { adapterOf } from '../adapters/registry';
import { wholeOf, type Fields } from '../protocol';
import type { DebugEvent, SessionState } from './state';

/**
 * Reads the program's end from printed output. Some adapters send no `exited` event and print how the program ended, in
 * the session that started it.
 */
export function withPrintedExit(
  session: SessionState,
  { category, output }: Fields,
  at: number,
): SessionState {
  if (typeof output !== 'string' || session.parentKey !== undefined) return session;
  const printed = adapterOf(session.type).printedExit?.({ category, output });
  if (printed === undefined) return session;
  if (printed.kind === 'exited') return { ...session, exitCode: printed.code };
  // While the session is being ended, a lost program is expected.
  return session.lifecycle === 'terminating'
    ? session
    : { ...session, end: { reason: 'programLost', at, message: printed.message } };
}

/**
 * Reads the exit code of an `exited` event. The code is ignored if the debugger has lost the program, which may still
 * run.
 */
export function withReportedExit(session: SessionState, body: Fields): SessionState {
  const code = wholeOf(body['exitCode']);
  if (code === undefined || session.end?.reason === 'programLost') return session;
  const isReported = adapterOf(session.type).reportsExitCode?.(code) ?? true;
  return isReported ? { ...session, exitCode: code } : session;
}

/** Resets the exit, because a program that has started, or started again, has not exited. */
export function withProgramStart(session: SessionState, pid: number | undefined): SessionState {
  return {
    ...session,
    process: { name: session.process?.name, pid: pid ?? session.process?.pid },
    exitCode: undefined,
    exitSignal: undefined,
  };
}

/**
 * Records how the program ended, as reported by the operating system or the terminal's shell. The adapter's report
 * takes precedence. If the end was requested, the exit code is not the program's own.
 */
export function withProgramExit(
  session: SessionState,
  { code, signal, by }: Extract<DebugEvent, { type: 'programExited' }>,
): SessionState {
  const next: SessionState = by === 'shell' ? { ...session, terminal: 'ended' } : session;
  const isKnown = session.exitCode !== undefined || session.exitSignal !== undefined;
  return isKnown || session.endRequested ? next : { ...next, exitCode: code, exitSignal: signal };
}
