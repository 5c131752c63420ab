import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readersOf, type EditorFiles } from '../clients/doubled';
import type { PluginSources } from '../clients/doubledPlugins';
import type { SettingsLocation } from '../clients/setUp';
import { localFolders } from './localFolders';
import type { SetUpServices } from './setUpServices';

/**
 * The remark about doubled tools during the set-up of a client, so that no later message is needed. Undefined if VS
 * Code does not read that file.
 */
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

/** The id of a cause: an entry in a file. */
export function causeOf({ files }: SettingsLocation, name: string): string {
  return `${files[0] ?? ''}\n${name}`;
}

/** The file of a cause. */
export function placeOf(cause: string): string {
  return cause.split('\n', 1)[0] ?? '';
}

/** The files that are checked. */
export function editorFiles({ machine }: SetUpServices): EditorFiles {
  return {
    machine,
    folders: localFolders(),
    discovery: vscode.workspace.getConfiguration('chat.mcp.discovery').get<unknown>('enabled'),
  };
}

/** The places where VS Code finds plugins: `~/.vscode` on the desktop, the folder with its settings elsewhere. */
export function pluginSources({ machine }: SetUpServices): PluginSources {
  const chat = vscode.workspace.getConfiguration('chat');
  return {
    machine,
    areEnabled: chat.get<unknown>('plugins.enabled') !== false,
    locations: chat.get<unknown>('pluginLocations'),
    installFolders: [
      path.join(machine.home, `.${vscode.env.uriScheme}`, 'agent-plugins'),
      path.join(path.dirname(machine.extensionsStorage), 'agent-plugins'),
    ],
    folders: localFolders(),
  };
}
