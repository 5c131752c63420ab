import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolSet } from '../tools/defineTool';
import type { ExposedTools } from '../tools/exposed';
import { settings } from './settings';

interface SetItem extends vscode.QuickPickItem {
  readonly set: ToolSet;
}

/** Applies the settings of tool sets and router mode, and lets the person choose sets from a list. */
export function followToolSets(exposed: ExposedTools): vscode.Disposable {
  const follow = (): void => {
    exposed.use(settings.toolSets);
    exposed.route(settings.routesMcp);
  };
  follow();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('agentDebugger')) follow();
    }),
    vscode.commands.registerCommand('agentDebugger.chooseToolSets', chooseToolSets),
  );
}

/** Writes the changed sets to the workspace's settings, or to the user's settings if there is no workspace. */
async function chooseToolSets(): Promise<void> {
  const items = setItems();
  const on = new Set(settings.toolSets);
  const chosen = await vscode.window.showQuickPick(
    items.map((item) => ({ ...item, picked: on.has(item.set) })),
    {
      canPickMany: true,
      title: l10n.t('Tools for Agents'),
      placeHolder: l10n.t('An agent pays tokens for the description of each tool that is on.'),
    },
  );
  if (chosen === undefined) return;
  const hasWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const target = hasWorkspace
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  const configuration = vscode.workspace.getConfiguration('agentDebugger.sets');
  for (const { set } of items) {
    const isChosen = chosen.some((item) => item.set === set);
    if (isChosen !== on.has(set)) await configuration.update(set, isChosen, target);
  }
}

/** The sets that can be enabled and disabled. `core` is always enabled. */
function setItems(): readonly SetItem[] {
  return [
    {
      set: 'trace',
      label: l10n.t('Tests, traces and collected values'),
      description: 'trace',
      detail: l10n.t('One call instead of many steps. On by default.'),
    },
    {
      set: 'live',
      label: l10n.t('Live programs'),
      description: 'live',
      detail: l10n.t('Why a running program does nothing.'),
    },
    {
      set: 'advanced',
      label: l10n.t('The rest of the debug protocol'),
      description: 'advanced',
      detail: l10n.t('Data breakpoints, memory, disassembly, restarting frames and more.'),
    },
    {
      set: 'investigation',
      label: l10n.t('Investigation'),
      description: 'investigation',
      detail: l10n.t('From a captured run to a verified fix.'),
    },
  ];
}
