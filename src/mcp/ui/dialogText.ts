import * as l10n from '@vscode/l10n';
import { oneLine, withoutMarkdown, type Question } from '../../tools/question';

/** More of a client's name is not shown: it may be a text of any length. */
const MOST_OF_A_NAME = 80;

/** A question as a dialog shows it, in full, and who asks for it: a client says of itself what it is called. */
export function dialogText(question: Question, client: string): string {
  const who = l10n.t(
    'Asked for by an MCP client that calls itself “{0}”. It chose that name itself, and nobody has checked it.',
    oneLine(client, MOST_OF_A_NAME),
  );
  return `${withoutMarkdown(question.message)}\n\n${who}`;
}
