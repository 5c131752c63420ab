import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Question } from '../../tools/question';
import type { PersonsAnswer } from '../server/confirmation';
import { dialogText } from './dialogText';

/** Asks the person in a modal dialog: a notification may go unseen. No button allows by accident. */
export async function askPerson(
  question: Question,
  client: string,
  signal: AbortSignal,
): Promise<PersonsAnswer> {
  const decline = l10n.t('Decline');
  const allow = l10n.t('Allow');
  const all = l10n.t('Allow All Such Calls of This Client');
  const detail = dialogText(question, client);
  // Enter presses the first button.
  const chosen = await vscode.window.showWarningMessage(
    question.title,
    { modal: true, detail },
    decline,
    allow,
    all,
  );
  const answers = new Map<string | undefined, PersonsAnswer>([
    [allow, 'allowed'],
    [all, 'all'],
  ]);
  const answer = answers.get(chosen) ?? 'declined';
  // VS Code cannot close a dialog: the person is told when the answer came too late.
  if (signal.aborted && answer !== 'declined')
    void vscode.window.showInformationMessage(
      l10n.t('The call has ended meanwhile. Nothing was done.'),
    );
  return answer;
}
