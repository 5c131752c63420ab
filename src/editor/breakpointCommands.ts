import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { followContent } from '../tools/files/followContent';
import type { ToolServices } from '../tools/services';

/** What the person can do about the breakpoints that agents set, and what keeps those right. */
export function registerBreakpointCommands(services: ToolServices): vscode.Disposable {
  const { breakpoints, host, control } = services;
  // VS Code restores breakpoints some time after activation (below), or has done so before it.
  control.temporary.removeLeft();
  return vscode.Disposable.from(
    vscode.commands.registerCommand('agentDebugger.removeAgentBreakpoints', () => {
      const found = breakpoints.agents();
      host.removeBreakpoints(found.map((each) => each.hostId));
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
      for (const each of removed) breakpoints.forget(each.id);
      breakpoints.number(added.map((each) => each.id));
      if (added.length > 0) control.temporary.removeLeft();
    }),
    // Before any program starts, whoever starts it: breakpoints that follow their text are where it is.
    vscode.debug.registerDebugConfigurationProvider('*', {
      resolveDebugConfiguration: async (_folder, configuration) => {
        await followContent(services);
        return configuration;
      },
    }),
  );
}
