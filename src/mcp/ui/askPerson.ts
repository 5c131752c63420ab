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

/**
 * Asks the person about a call of VS Code's own agents. The person is asked about every call, so there is no button for
 * all calls.
 */
export async function askAboutOwnCall(
  question: Question,
  _caller: string,
  signal: AbortSignal,
): Promise<PersonsAnswer> {
  return await ask(question.title, ownDialogText(question), signal);
}

/** Asks in a modal dialog, because a notification may be overlooked. No key press allows a call by accident. */
async function ask(
  title: string,
  detail: string,
  signal: AbortSignal,
  all?: string,
): Promise<PersonsAnswer> {
  const allow = l10n.t('Allow');
  // The Enter key presses the first button, so this button is Decline.
  const buttons = [l10n.t('Decline'), allow, ...(all === undefined ? [] : [all])];
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, ...buttons);
  if (chosen === undefined || (chosen !== allow && chosen !== all)) return 'declined';
  // VS Code cannot close a dialog, so a message says if the answer was too late.
  if (signal.aborted)
    void vscode.window.showInformationMessage(
      l10n.t('The call has ended in the meantime. Nothing was done.'),
    );
  return chosen === all ? 'all' : 'allowed';
}
