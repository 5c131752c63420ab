import * as l10n from '@vscode/l10n';
import { Failure } from '../debugger/failure';
import { plain } from './question';
import type { ToolServices } from './services';
import { resolveSession } from './target';

/** Where a call's thread is, for a question: session and thread by their names, in Markdown. */
export function whereIs(services: ToolServices, input: { readonly session_id?: string | undefined; readonly thread_id?: number | undefined }): string {
  try {
    const session = resolveSession(services.model.state, input.session_id, input.thread_id);
    const place = services.stops.lastPlace(session.key);
    const name = input.thread_id === undefined ? undefined : session.threads.get(input.thread_id)?.name;
    const where = place === undefined || session.lifecycle !== 'stopped' ? plain(session.name) : `${plain(place.name)}:${place.line}`;
    return name === undefined ? `**${where}**` : l10n.t('{0}, thread {1}', `**${where}**`, plain(name));
  } catch (error) {
    // The call itself will answer with what is wrong; the question only cannot name the place.
    if (error instanceof Failure) return l10n.t('the debug session');
    throw error;
  }
}
