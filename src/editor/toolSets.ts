import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolSet } from '../tools/defineTool';
import type { ExposedTools } from '../tools/exposed';
import { settings } from './settings';

interface SetItem extends vscode.QuickPickItem {
  readonly set: ToolSet;
}

/** Follows the settings of the sets and of router mode, and lets the person choose sets from a list. */
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

/** Writes what differs to the workspace's settings; without a workspace, to the person's. */
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
    const isWanted = chosen.some((each) => each.set === set);
    if (isWanted !== on.has(set)) await configuration.update(set, isWanted, target);
  }
}

/** The sets that can be switched; `core` is always on. */
function setItems(): readonly SetItem[] {
  return [
    {
      set: 'trace',
      label: l10n.t('Tests, traces and collected values'),
      description: 'trace',
      detail: l10n.t('One call instead of many steps. On by default.'),
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
      detail: l10n.t('From a captured run to a proven fix.'),
    },
  ];
}
