import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readersOf, type EditorFiles } from '../clients/doubled';
import type { SettingsLocation } from '../clients/setUp';
import type { SetUpServices } from './setUpServices';

/** What is said about it when a client is set up, so that no message need follow; undefined if VS Code does not read that file. */
export function remarkOnDoubled(
  place: SettingsLocation | undefined,
  services: SetUpServices,
): string | undefined {
  if (!services.isInEditor) return undefined;
  switch (place === undefined ? undefined : readersOf(place, editorFiles(services))) {
    case undefined:
      return undefined;
    case 'all':
      return l10n.t('VS Code reads this file as well: its agents will have each tool twice.');
    case 'copilot':
      return l10n.t(
        'Copilot sessions in VS Code read this file as well: they will have each tool twice.',
      );
  }
}

/** Names a cause: an entry in a file. */
export function causeOf({ files }: SettingsLocation, name: string): string {
  return `${files[0] ?? ''}\n${name}`;
}

/** The file of a cause. */
export function placeOf(cause: string): string {
  return cause.split('\n', 1)[0] ?? '';
}

/** The files that are looked at. */
export function editorFiles({ machine }: SetUpServices): EditorFiles {
  return {
    machine,
    folders: (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath),
    discovery: vscode.workspace.getConfiguration('chat.mcp.discovery').get<unknown>('enabled'),
  };
}
