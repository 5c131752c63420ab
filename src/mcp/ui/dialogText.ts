import * as l10n from '@vscode/l10n';
import { oneLine, withoutMarkdown, type Question } from '../../tools/question';

/** The maximum number of characters that are shown of a client's name, which may have any length. */
const MAX_NAME_CHARACTERS = 80;

/** The full text of a question's dialog, with the requesting client. The client chose its name itself. */
export function dialogText(question: Question, client: string): string {
  const who = l10n.t(
    'Requested by an MCP client that calls itself “{0}”. The client chose that name, and it is not verified.',
    oneLine(client, MAX_NAME_CHARACTERS),
  );
  return `${withoutMarkdown(question.message)}\n\n${who}`;
}

/** The full text of a question about a call of VS Code's own agents. */
export function ownDialogText(question: Question): string {
  const who = l10n.t('Requested by an agent in a chat of VS Code.');
  return `${withoutMarkdown(question.message)}\n\n${who}`;
}
