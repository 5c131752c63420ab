import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Question } from '../../tools/question';
import type { PersonsAnswer } from '../server/confirmation';
import { dialogText } from './dialogText';

/** The person's question, in a dialog in front of everything: a notification may go unseen. No button allows by chance. */
export async function askPerson(
  question: Question,
  client: string,
  signal: AbortSignal,
): Promise<PersonsAnswer> {
  const decline = l10n.t('Decline');
  const allow = l10n.t('Allow');
  const all = l10n.t('Allow All Such Calls of This Client');
  const detail = dialogText(question, client);
  // The first button is the one that a stray Enter presses.
  const chosen = await vscode.window.showWarningMessage(
    question.title,
    { modal: true, detail },
    decline,
    allow,
    all,
  );
  const answer = chosen === allow ? 'allowed' : chosen === all ? 'all' : 'declined';
  // VS Code cannot close a dialog: an answer that comes too late is told to count no more.
  if (signal.aborted && answer !== 'declined')
    void vscode.window.showInformationMessage(
      l10n.t('The call has ended meanwhile. Nothing was done.'),
    );
  return answer;
}
