import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { followContent } from '../tools/files/followContent';
import type { ToolServices } from '../tools/services';

/** Registers the person's commands for agents' breakpoints, and keeps these breakpoints up to date. */
export function registerBreakpointCommands(services: ToolServices): vscode.Disposable {
  const { breakpoints, host, control } = services;
  // VS Code restores breakpoints before activation, or some time after it (see below).
  control.temporary.removeLeft();
  return vscode.Disposable.from(
    vscode.commands.registerCommand('agentDebugger.removeAgentBreakpoints', () => {
      const found = breakpoints.agents();
      host.removeBreakpoints(found.map(({ hostId }) => hostId));
      void vscode.window.showInformationMessage(
        found.length === 0
          ? l10n.t('The agent has set no breakpoints.')
          : l10n.t('Breakpoints of the agent removed: {0}.', found.length),
      );
    }),
    vscode.commands.registerCommand('agentDebugger.keepAgentBreakpoints', () => {
      const found = breakpoints.agents();
      breakpoints.giveToPerson(found);
      void vscode.window.showInformationMessage(
        found.length === 0
          ? l10n.t('The agent has set no breakpoints.')
          : l10n.t('Breakpoints that are now yours: {0}.', found.length),
      );
    }),
    vscode.debug.onDidChangeBreakpoints(({ added, removed }) => {
      for (const { id } of removed) breakpoints.forget(id);
      breakpoints.number(added.map(({ id }) => id));
      if (added.length > 0) control.temporary.removeLeft();
    }),
    // Before any program starts, breakpoints that follow the text of their line are moved to it.
    vscode.debug.registerDebugConfigurationProvider('*', {
      resolveDebugConfiguration: async (_folder, configuration) => {
        await followContent(services);
        return configuration;
      },
    }),
  );
}
