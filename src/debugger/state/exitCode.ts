import { wholeOf, type Fields } from '../protocol';
import type { DebugEvent, SessionState } from './state';

/** The whole of what js-debug itself prints. */
const NODE_EXIT = /^Process exited with code (\d{1,10})\s*$/;

/** The whole of what delve itself prints; of a program that a signal ended, the signal's number below zero. */
const GO_EXIT = /^Process \d{1,10} has exited with status (-?\d{1,10})\s*$/;

/** The whole of what lldb-dap itself prints when its own server is gone, or has not answered in time. */
const LLDB_LOST =
  /^Process \d{1,10} exited with status = -1 \(0xffffffff\) (lost connection|debugserver died\b.*?)\s*$/;

/**
 * js-debug and delve send no `exited`. How a Node program ended, where that was not with 0, js-debug prints through the
 * session that started it; delve prints how each Go program ended.
 */
export function withPrintedExit(
  session: SessionState,
  { category, output }: Fields,
  at: number,
): SessionState {
  // What the program itself logs comes through a child, or in another category.
  if (typeof output !== 'string' || session.parentKey !== undefined) return session;
  if (session.type === 'lldb-dap' && category === 'console') {
    const how = LLDB_LOST.exec(output)?.[1];
    // While it is being stopped, its end is no loss.
    return how === undefined || session.lifecycle === 'terminating'
      ? session
      : { ...session, end: { reason: 'program_lost', at, message: how } };
  }
  const printed =
    session.type === 'go' && category === 'console'
      ? GO_EXIT
      : session.type.endsWith('node') && category === 'stderr'
        ? NODE_EXIT
        : undefined;
  const code = printed?.exec(output)?.[1];
  return code === undefined ? session : { ...session, exitCode: Number(code) };
}

/**
 * The code of an `exited` event. java-debug sends 0, however the program ended: that tells nothing. lldb-dap sends -1 of
 * a program that it has lost, which may run on.
 */
export function withToldExit(session: SessionState, body: Fields): SessionState {
  const code = wholeOf(body['exitCode']);
  if (
    code === undefined ||
    (session.type === 'java' && code === 0) ||
    session.end?.reason === 'program_lost'
  )
    return session;
  return { ...session, exitCode: code };
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
  { code, signal, by }: Extract<DebugEvent, { type: 'program_exited' }>,
): SessionState {
  const next: SessionState = by === 'shell' ? { ...session, terminal: 'ended' } : session;
  const isKnown = session.exitCode !== undefined || session.exitSignal !== undefined;
  return isKnown || session.endAsked ? next : { ...next, exitCode: code, exitSignal: signal };
}
