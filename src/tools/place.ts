import * as l10n from '@vscode/l10n';
import { Failure } from '../debugger/failure';
import { code, plain } from './question';
import type { ToolServices } from './services';
import { resolveSession } from './target';

/** Where a call's thread is, for a question: session and thread by their names, in Markdown. */
export function whereIs(services: ToolServices, input: { readonly session_id?: string | undefined; readonly thread_id?: number | undefined }): string {
  return nameable(() => {
    const session = resolveSession(services.model.state, input.session_id, input.thread_id);
    const last = services.stops.lastPlace(session.key);
    // Several threads may be stopped: the last place is one's only.
    const place = input.thread_id === undefined || last?.threadId === input.thread_id ? last : undefined;
    const name = input.thread_id === undefined ? undefined : session.threads.get(input.thread_id)?.name;
    const where = place === undefined || session.lifecycle !== 'stopped' ? plain(session.name) : `${plain(place.name)}:${place.line}`;
    return name === undefined ? `**${where}**` : l10n.t('{0}, thread {1}', `**${where}**`, plain(name));
  });
}

/** Which frame an expression is evaluated in, for a question: its function, file and line, in Markdown. */
export function whichFrame(services: ToolServices, frame: number): string {
  return nameable(() => {
    const { handle, session } = services.inspector.handles.resolveFrame(frame);
    const { functionName = '', file, line } = handle.named ?? {};
    const where = `**${file === undefined ? plain(session.name) : `${plain(file)}:${line ?? ''}`}**`;
    return functionName === '' ? where : l10n.t('{0} at {1}', code(functionName), where);
  });
}

/** The call itself will answer with what is wrong; the question only cannot name the place. */
function nameable(name: () => string): string {
  try {
    return name();
  } catch (error) {
    if (error instanceof Failure) return l10n.t('the debug session');
    throw error;
  }
}
