import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Question } from '../../tools/question';
import type { PersonsAnswer } from '../server/confirmation';
import { dialogText, ownDialogText } from './dialogText';

/** Asks the person about a call of an MCP client. */
export async function askPerson(
  question: Question,
  client: string,
  signal: AbortSignal,
): Promise<PersonsAnswer> {
  const all = l10n.t('Allow All Such Calls of This Client');
  return await ask(question.title, dialogText(question, client), signal, all);
}

/** Asks the person about a call of VS Code's own agents. Each call is asked about: there is no button for all of them. */
export async function askAboutOwnCall(
  question: Question,
  _caller: string,
  signal: AbortSignal,
): Promise<PersonsAnswer> {
  return await ask(question.title, ownDialogText(question), signal);
}

/** Asks in a modal dialog: a notification may go unseen. No button allows by accident. */
async function ask(
  title: string,
  detail: string,
  signal: AbortSignal,
  all?: string,
): Promise<PersonsAnswer> {
  const allow = l10n.t('Allow');
  // Enter presses the first button.
  const buttons = [l10n.t('Decline'), allow, ...(all === undefined ? [] : [all])];
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, ...buttons);
  if (chosen === undefined || (chosen !== allow && chosen !== all)) return 'declined';
  // VS Code cannot close a dialog: the person is told when the answer came too late.
  if (signal.aborted)
    void vscode.window.showInformationMessage(
      l10n.t('The call has ended meanwhile. Nothing was done.'),
    );
  return chosen === all ? 'all' : 'allowed';
}
