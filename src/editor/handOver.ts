import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import { isAgentStarted } from '../debugger/state/launchMark';
import { liveSessions } from '../debugger/state/state';
import { LastingCalls, type AgentAccess } from '../tools/access';

/** A call that ends sooner is not shown: words that come and go with each step are read by nobody, and cost VS Code's window the time to draw them. */
const SHOWN_AFTER_MS = 300;

/** Tells the person that an agent drives and what it waits for; one click takes over, another gives back. */
export function showHandOver(access: AgentAccess, model: DebugModel): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'agentDebugger.handOver',
    vscode.StatusBarAlignment.Left,
    10,
  );
  item.name = l10n.t('Agent Debugger: Who Drives');
  let shown: string | undefined;
  const lasting = new LastingCalls(access, SHOWN_AFTER_MS, () => show());
  const show = (): void => {
    const { call } = lasting;
    const drives =
      call !== undefined ||
      liveSessions(model.state).some((each) => isAgentStarted(model.state, each));
    const text = access.paused || drives ? textOf(access.paused, call?.doing) : undefined;
    // Messages come by the hundred: only what a person would see as another is drawn.
    if (text === shown) return;
    shown = text;
    if (text === undefined) item.hide();
    else draw(item, text, access.paused);
  };
  return vscode.Disposable.from(
    item,
    lasting,
    access.onDidChange(show),
    model.onDidSettle(show),
    vscode.commands.registerCommand('agentDebugger.takeOver', () => access.setPaused(true)),
    vscode.commands.registerCommand('agentDebugger.giveBack', () => access.setPaused(false)),
  );
}

/** No icon that turns: without a graphics card each of its pictures costs VS Code's window the whole of a processor that the program could use. */
function textOf(isPaused: boolean, doing: string | undefined): string {
  if (isPaused) return `$(person) ${l10n.t('You drive')}`;
  return `$(debug-alt) ${doing === undefined ? l10n.t('Agent') : l10n.t('Agent: {0}', doing)}`;
}

function draw(item: vscode.StatusBarItem, text: string, isPaused: boolean): void {
  const tooltip = isPaused
    ? l10n.t('Agents may not use the debugger. Click to give it back.')
    : l10n.t('An agent uses the debugger. Click to take over: its calls are then refused.');
  item.text = text;
  item.tooltip = tooltip;
  item.accessibilityInformation = {
    label: `${text.replace(/\$\([^)]*\)\s*/, '')}. ${tooltip}`,
    role: 'button',
  };
  item.command = isPaused ? 'agentDebugger.giveBack' : 'agentDebugger.takeOver';
  item.show();
}
