import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { oneLine, withoutMarkdown, type Question } from '../../tools/question';
import type { PersonsAnswer } from '../confirmation';

const MOST_OF_A_NAME = 80;

/** The person's question, in a dialog in front of everything: a notification may go unseen. No button allows by chance. */
export async function askPerson(question: Question, client: string, signal: AbortSignal): Promise<PersonsAnswer> {
  const decline = l10n.t('Decline');
  const allow = l10n.t('Allow');
  const all = l10n.t('Allow All Such Calls of This Client');
  const detail = `${withoutMarkdown(question.message)}\n\n${l10n.t('Asked for by an MCP client that calls itself “{0}”. It chose that name itself, and nobody has checked it.', oneLine(client, MOST_OF_A_NAME))}`;
  // The first button is the one that a stray Enter presses.
  const chosen = await vscode.window.showWarningMessage(question.title, { modal: true, detail }, decline, allow, all);
  const answer = chosen === allow ? 'allowed' : chosen === all ? 'all' : 'declined';
  // VS Code cannot close a dialog: an answer that comes too late is told to count no more.
  if (signal.aborted && answer !== 'declined') void vscode.window.showInformationMessage(l10n.t('The call has ended meanwhile. Nothing was done.'));
  return answer;
}
