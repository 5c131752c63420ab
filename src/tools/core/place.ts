import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { asFailure } from '../../results/debuggerFailures';
import type { FrameHandle, Place } from '../../debugger/inspection/handles';
import { Superseded } from '../../debugger/inspection/stopRequests';
import { Interrupted } from '../../debugger/requests';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../debugger/state/state';
import { code, plain } from '../question';
import type { ToolServices } from '../services';
import type { Targets } from '../target';

/** The time that a question waits for an adapter that does not report the place of its thread. */
const PLACE_LIMIT_MS = 1000;

/** Returns the place of a thread that a call would move, in Markdown. @throws Failure `not_stopped` */
export async function stoppedThread(
  services: ToolServices,
  { session, threadId }: Targets['thread'],
): Promise<string> {
  const top = await topOf(services, session, services.inspector.placeOf(session, threadId));
  return named(
    top?.path === undefined ? session.name : `${path.basename(top.path)}:${top.line}`,
    session,
    threadId,
  );
}

/** Returns the name of a running session, and of one of its threads, in Markdown. */
export function runningSession(session: SessionState, threadId: number | undefined): string {
  return named(session.name, session, threadId);
}

/** Returns the function, file and line of a frame, in Markdown. */
export function nameOfFrame(session: SessionState, { named: name }: FrameHandle): string {
  const { functionName = '', file, line } = name ?? {};
  const where = `**${file === undefined ? plain(session.name) : `${plain(file)}:${line ?? ''}`}**`;
  return functionName === '' ? where : l10n.t('{0} at {1}', code(functionName), where);
}

function named(where: string, session: SessionState, threadId: number | undefined): string {
  const name = threadId === undefined ? undefined : session.threads.get(threadId)?.name;
  return name === undefined
    ? `**${plain(where)}**`
    : l10n.t('{0}, thread {1}', `**${plain(where)}**`, plain(name));
}

/**
 * Returns the innermost frame. Returns undefined if it cannot be read now. The question then shows the session's name
 * instead.
 */
async function topOf(
  { inspector }: ToolServices,
  session: SessionState,
  place: Place,
): Promise<Frame | undefined> {
  try {
    return await inspector.top(session, place, AbortSignal.timeout(PLACE_LIMIT_MS));
  } catch (error) {
    const isExpected = error instanceof Superseded || error instanceof Interrupted;
    if (isExpected || asFailure(error) !== undefined) return undefined;
    throw error;
  }
}
