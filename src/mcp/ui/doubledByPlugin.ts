import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fields } from '../../debugger/protocol';
import type { DoublingPlugin } from '../clients/doubledPlugins';
import { messageOf, shortPath, type SetUpServices } from './setUpServices';

/** The place that all causes of the kind plugin have. */
export const PLUGINS = 'plugins';

const LOCATIONS = 'pluginLocations';

/**
 * Reports an agent plugin that doubles the tools. A plugin from the setting `chat.pluginLocations` can be switched off
 * there. Other plugins are shown in the Extensions view, because only VS Code and Copilot CLI can disable or remove
 * them.
 * @returns whether the plugin was switched off
 */
export async function askAboutPlugin(
  plugin: DoublingPlugin,
  services: SetUpServices,
): Promise<boolean> {
  const folder = shortPath(plugin.folder, services.machine);
  return plugin.location === undefined
    ? await askToShow(folder, services)
    : await askToSwitchOff(plugin.location, folder, services);
}

async function askToSwitchOff(
  location: string,
  folder: string,
  { person }: SetUpServices,
): Promise<boolean> {
  const [off, keep] = [l10n.t('Turn the plugin off'), l10n.t('Keep both')];
  const message = l10n.t(
    'VS Code’s agents have each tool of the debugger twice: from the extension, and from the agent plugin in {0}.',
    folder,
  );
  if ((await person.inform(message, off, keep)) !== off) return false;
  const chat = vscode.workspace.getConfiguration('chat');
  try {
    const locations = fields(chat.inspect(LOCATIONS)?.globalValue);
    await chat.update(
      LOCATIONS,
      { ...locations, [location]: false },
      vscode.ConfigurationTarget.Global,
    );
  } catch (error) {
    await person.warn(
      l10n.t('{0} could not be changed: {1}', `chat.${LOCATIONS}`, messageOf(error)),
    );
    return false;
  }
  await person.inform(
    l10n.t('The agent plugin in {0} is off in VS Code (setting {1}).', folder, `chat.${LOCATIONS}`),
  );
  return true;
}

async function askToShow(folder: string, { person }: SetUpServices): Promise<boolean> {
  const [show, keep] = [l10n.t('Show the plugin'), l10n.t('Keep both')];
  const message = l10n.t(
    'The agent plugin in {0} has the debugger’s tools as well. While it is enabled, VS Code’s agents have each tool twice.',
    folder,
  );
  if ((await person.inform(message, show, keep)) === show)
    await vscode.commands.executeCommand(
      'workbench.extensions.search',
      '@agentPlugins agent-debugger',
    );
  return false;
}
