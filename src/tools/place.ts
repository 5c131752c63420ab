import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../debugger/failure';
import type { Place } from '../debugger/handles';
import { Superseded } from '../debugger/inspector';
import { Interrupted } from '../debugger/requests';
import type { Frame } from '../debugger/stackAndVariables';
import type { SessionState } from '../debugger/state';
import { plain } from './question';
import type { ToolServices } from './services';
import { resolveSession, resolveTarget } from './target';

/** How long a question waits for an adapter that does not tell where its thread is. */
const PLACE_LIMIT_MS = 1000;

/** What a question is about: its name for the person, in Markdown, and its identity. */
export interface Subject {
  readonly where: string;
  readonly about: string;
}

/** The thread that a call would move, at the stop that holds it. @throws Failure where the call would fail, too */
export async function stoppedThread(services: ToolServices, input: { readonly session_id?: string | undefined; readonly thread_id: number }): Promise<Subject> {
  const { session, threadId } = await resolveTarget('thread', input, services);
  const place = services.inspector.placeOf(session, threadId);
  const top = await topOf(services, session, place);
  const where = top?.path === undefined ? session.name : `${path.basename(top.path)}:${top.line}`;
  return { where: named(where, session, threadId), about: `${session.key}/${threadId}/${place.stopId}` };
}

/** The session that a call would pause: by its name, because it runs. @throws Failure where the call would fail, too */
export function runningSession(services: ToolServices, input: { readonly session_id?: string | undefined; readonly thread_id?: number | undefined }): Subject {
  const session = resolveSession(services.model.state, input.session_id, input.thread_id);
  return { where: named(session.name, session, input.thread_id), about: `${session.key}/${input.thread_id ?? ''}` };
}

function named(where: string, session: SessionState, threadId: number | undefined): string {
  const name = threadId === undefined ? undefined : session.threads.get(threadId)?.name;
  return name === undefined ? `**${plain(where)}**` : l10n.t('{0}, thread {1}', `**${plain(where)}**`, plain(name));
}

/** Undefined where it cannot be told now: then the session's name has to do. */
async function topOf({ inspector }: ToolServices, session: SessionState, place: Place): Promise<Frame | undefined> {
  try {
    return await inspector.top(session, place, AbortSignal.timeout(PLACE_LIMIT_MS));
  } catch (error) {
    if (error instanceof Failure || error instanceof Superseded || error instanceof Interrupted) return undefined;
    throw error;
  }
}
