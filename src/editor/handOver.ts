import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/debugModel';
import { isAgentStarted } from '../debugger/launchMark';
import { liveSessions } from '../debugger/state';
import type { AgentAccess } from '../tools/access';

/** Tells the person that an agent drives and what it waits for; one click takes over, another gives back. */
export function showHandOver(access: AgentAccess, model: DebugModel): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('agentDebugger.handOver', vscode.StatusBarAlignment.Left, 10);
  item.name = l10n.t('Agent Debugger: Who Drives');
  let shown = '';
  const show = (): void => {
    const drives = access.calls.length > 0 || liveSessions(model.state).some((each) => isAgentStarted(model.state, each));
    const [call] = access.calls;
    const text = access.paused ? `$(person) ${l10n.t('You drive')}` : call === undefined ? `$(debug-alt) ${l10n.t('Agent')}` : `$(sync~spin) ${l10n.t('Agent: {0}', call.doing)}`;
    const key = access.paused || drives ? text : '';
    // Messages come by the hundred: only what a person would see as another is drawn.
    if (key === shown) return;
    shown = key;
    item.text = text;
    item.tooltip = access.paused ? l10n.t('Agents may not use the debugger. Click to give it back.') : l10n.t('An agent uses the debugger. Click to take over: its calls are then refused.');
    item.accessibilityInformation = { label: `${text.replace(/\$\([^)]*\)\s*/, '')}. ${item.tooltip}`, role: 'button' };
    item.command = access.paused ? 'agentDebugger.giveBack' : 'agentDebugger.takeOver';
    if (key === '') item.hide();
    else item.show();
  };
  return vscode.Disposable.from(
    item,
    access.onDidChange(show),
    model.onDidSettle(show),
    vscode.commands.registerCommand('agentDebugger.takeOver', () => access.setPaused(true)),
    vscode.commands.registerCommand('agentDebugger.giveBack', () => access.setPaused(false)),
  );
}
