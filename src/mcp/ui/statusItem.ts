import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SECTION } from './mcpSettings';
import { whereItListens } from './remoteMachine';
import { statusBarTexts, type StatusBarState } from './statusBarTexts';

/** The status bar item of the MCP server, and the context key for the menus of commands. */
export class StatusItem {
  private readonly item = vscode.window.createStatusBarItem(
    'agentDebugger.mcp',
    vscode.StatusBarAlignment.Right,
    90,
  );
  /** The value of the context key. */
  private isOn = false;

  constructor() {
    this.item.name = l10n.t('Agent Debugger: MCP Server');
    this.item.command = `${SECTION}.menu`;
  }

  dispose(): void {
    this.item.dispose();
  }

  show(state: StatusBarState): void {
    const isOn = state.kind === 'starting' || state.kind === 'on' || state.kind === 'elsewhere';
    if (isOn !== this.isOn)
      void vscode.commands.executeCommand('setContext', `${SECTION}.isOn`, isOn);
    this.isOn = isOn;
    const { text, message, background } = statusBarTexts(state);
    const isServed = isOn || state.kind === 'outside';
    const where =
      isServed && state.kind !== 'starting' ? whereItListens(vscode.env.remoteName) : undefined;
    const label = where === undefined ? message : `${message} ${where}`;
    this.item.text = text;
    this.item.tooltip = label;
    this.item.accessibilityInformation = { label, role: 'button' };
    this.item.backgroundColor = background;
    this.item.show();
  }
}
