import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import { isAgentStarted } from '../debugger/state/launchMark';
import { liveSessions } from '../debugger/state/state';
import { LastingCalls, type AgentAccess, type CallUnderWay } from '../tools/access';
import { Throttle } from '../util/throttle';

/**
 * The duration from which a call is shown, in milliseconds. Shorter calls are not shown, because a text that changes
 * with each step is not readable, and rendering it takes time in VS Code's window.
 */
const SHOWN_AFTER_MS = 300;

/** The time between two texts about the progress of a call, in milliseconds. A call may report hundreds a second. */
const PROGRESS_EVERY_MS = 250;

/**
 * Shows in the status bar whether an agent controls the debugger, and its current action. One click takes over control,
 * another click returns it.
 */
export function showHandOver(access: AgentAccess, model: DebugModel): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'agentDebugger.handOver',
    vscode.StatusBarAlignment.Left,
    10,
  );
  item.name = l10n.t('Agent Debugger: Who Drives');
  let shown: string | undefined;
  let shownCall: CallUnderWay | undefined;
  const lasting = new LastingCalls(access, SHOWN_AFTER_MS, () => show());
  const shownText = (): string | undefined => {
    const { call } = lasting;
    const drives =
      call !== undefined ||
      liveSessions(model.state).some((session) => isAgentStarted(model.state, session));
    return access.paused || drives ? textOf(access.paused, call?.doing) : undefined;
  };
  const drawNow = (): void => {
    shown = shownText();
    shownCall = access.paused ? undefined : lasting.call;
    if (shown === undefined) item.hide();
    else draw(item, shown, access.paused);
  };
  const progress = new Throttle(drawNow, PROGRESS_EVERY_MS);
  const show = (): void => {
    // There may be hundreds of messages, so the item is rendered only if its text changes.
    if (shownText() === shown) return;
    const isProgress = !access.paused && shownCall !== undefined && shownCall === lasting.call;
    if (isProgress) progress.request();
    else drawNow();
  };
  return vscode.Disposable.from(
    item,
    lasting,
    progress,
    access.onDidChange(show),
    model.onDidSettle(show),
    vscode.commands.registerCommand('agentDebugger.takeOver', () => access.setPaused(true)),
    vscode.commands.registerCommand('agentDebugger.giveBack', () => access.setPaused(false)),
  );
}

/**
 * The item's text. It has no spinning icon, because without a graphics card its animation uses a whole processor core
 * in VS Code's window.
 */
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
    label: `${text.replace(/\$\([^()]*\)\s*/, '')}. ${tooltip}`,
    role: 'button',
  };
  item.command = isPaused ? 'agentDebugger.giveBack' : 'agentDebugger.takeOver';
  item.show();
}
