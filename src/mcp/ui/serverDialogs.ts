import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { derivedPort } from '../windows/derivedPort';
import { isPort, SECTION, setting, settings } from './mcpSettings';

/** Asks for another port of the MCP server, and changes the setting. */
export async function askForPort(): Promise<void> {
  const before = settings.port;
  const text = await vscode.window.showInputBox({
    title: l10n.t('Port of the MCP server'),
    prompt: l10n.t('Empty: your own port on this machine, {0}.', derivedPort()),
    value: String(before),
    validateInput: (input) =>
      input === '' || isPort(input) ? undefined : l10n.t('A whole number from 1024 to 65535'),
  });
  if (text === undefined || (text !== '' && !isPort(text))) return;
  if (Number(text) === before) return;
  const port = text === '' ? undefined : Number(text);
  await setting().update('port', port, vscode.ConfigurationTarget.Global);
  if (settings.port === before) return;
  offerSetUps(
    l10n.t(
      'The port is {0} now. Clients with the old port no longer reach the server, and send the key to any program that listens there.',
      settings.port,
    ),
  );
}

/** Asks whether to renew the key, which cannot be undone. */
export async function confirmRenewal(): Promise<boolean> {
  const renew = l10n.t('Renew the key');
  const detail = l10n.t(
    'Clients with the old key lose access at once, until they are set up again.',
  );
  const pressed = await vscode.window.showWarningMessage(
    l10n.t('Renew the key of the MCP server?'),
    { modal: true, detail },
    renew,
  );
  return pressed === renew;
}

/** Shows a message and offers to set up the clients again. */
export function offerSetUps(message: string): void {
  const setUp = l10n.t('Set up clients again');
  void vscode.window.showInformationMessage(message, setUp).then((pressed) => {
    if (pressed !== setUp) return;
    return vscode.commands.executeCommand(`${SECTION}.installConfiguration`);
  });
}
