import * as l10n from '@vscode/l10n';
import { oneLine, withoutMarkdown, type Question } from '../../tools/question';

/** A client's name may be of any length: only so many characters are shown. */
const MAX_NAME_CHARACTERS = 80;

/** The full text of a question's dialog, with the client that asks for the call: its name is its own claim. */
export function dialogText(question: Question, client: string): string {
  const who = l10n.t(
    'Asked for by an MCP client that calls itself “{0}”. It chose that name itself, and nobody has checked it.',
    oneLine(client, MAX_NAME_CHARACTERS),
  );
  return `${withoutMarkdown(question.message)}\n\n${who}`;
}

/** The full text of a question about a call of VS Code's own agents. */
export function ownDialogText(question: Question): string {
  const who = l10n.t('Asked for by an agent in a chat of VS Code.');
  return `${withoutMarkdown(question.message)}\n\n${who}`;
}
