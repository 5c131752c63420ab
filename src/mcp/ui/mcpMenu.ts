import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SECTION, setting, settings } from './mcpSettings';
import { remoteMachine } from './remoteMachine';
import { isKeySeen, shortStatus, type StatusBarState } from './statusBarTexts';

/** The actions of the menu's items. */
export interface MenuActions {
  start(how: { readonly fromOthers: boolean }): unknown;
  stop(): unknown;
  restart(): unknown;
  changePort(): unknown;
  renewKey(): unknown;
  /** Renews the offered key. Undefined unless the server is offered to the editor. */
  readonly renewOfferedKey: (() => unknown) | undefined;
}

type MenuEntry = vscode.QuickPickItem & { readonly run?: () => unknown };

/** Shows the menu of the status bar item. */
export async function showMenu(state: StatusBarState, actions: MenuActions): Promise<void> {
  const { remoteName } = vscode.env;
  const title =
    remoteName === undefined
      ? l10n.t('Agent Debugger: MCP Server')
      : l10n.t('Agent Debugger: MCP Server (on {0})', remoteMachine(remoteName));
  const entries = [
    ...serverEntries(state, actions),
    portEntry(actions),
    autoStartEntry(),
    { label: l10n.t('Clients'), kind: vscode.QuickPickItemKind.Separator },
    ...clientEntries(),
    keyEntry(state, actions),
    ...offeredKeyEntries(actions),
  ];
  const chosen = await vscode.window.showQuickPick<MenuEntry>(entries, {
    title,
    placeHolder: shortStatus(state),
  });
  await chosen?.run?.();
}

/** The actions on the server that are possible in this state. */
function serverEntries({ kind }: StatusBarState, actions: MenuActions): MenuEntry[] {
  const takeOver = {
    label: `$(arrow-swap) ${l10n.t('Take over here')}`,
    description: l10n.t('the other window releases its port'),
    run: () => actions.start({ fromOthers: true }),
  };
  const stop = {
    label: `$(debug-stop) ${l10n.t('Stop the MCP server')}`,
    description: kind === 'on' ? l10n.t('in all windows') : l10n.t('in this window alone'),
    run: () => actions.stop(),
  };
  const restart = {
    label: `$(debug-restart) ${l10n.t('Restart the MCP server')}`,
    run: () => actions.restart(),
  };
  switch (kind) {
    case 'outside':
      return [takePartEntry(actions), takeOver];
    case 'elsewhere':
      return [takeOver, stop, restart];
    case 'on':
      return [stop, restart];
    case 'off':
    case 'starting':
    case 'failed':
      return [
        {
          label: `$(play) ${l10n.t('Start the MCP server')}`,
          run: () => actions.start({ fromOthers: true }),
        },
      ];
  }
}

function takePartEntry(actions: MenuActions): MenuEntry {
  return {
    label: `$(link) ${l10n.t('Take part')}`,
    description: l10n.t('clients reach this window, too'),
    run: () => actions.start({ fromOthers: false }),
  };
}

function portEntry(actions: MenuActions): MenuEntry {
  return {
    label: `$(plug) ${l10n.t('Change port')}`,
    description: String(settings.port),
    run: () => actions.changePort(),
  };
}

/** The entry for the automatic start. It states the effect of choosing it and the current value of the setting. */
function autoStartEntry(): MenuEntry {
  const isOn = settings.autoStart;
  return {
    label: `$(rocket) ${isOn ? l10n.t('Start with VS Code: turn off') : l10n.t('Start with VS Code: turn on')}`,
    description: isOn ? l10n.t('now on') : l10n.t('now off'),
    run: () => setting().update('autoStart', !isOn, vscode.ConfigurationTarget.Global),
  };
}

function clientEntries(): MenuEntry[] {
  const command = (name: string) => () => vscode.commands.executeCommand(`${SECTION}.${name}`);
  return [
    { label: `$(gear) ${l10n.t('Set up a client')}`, run: command('installConfiguration') },
    {
      label: `$(copy) ${l10n.t('Copy the configuration for a client')}`,
      run: command('copyConfiguration'),
    },
    {
      label: `$(trash) ${l10n.t('Remove the configuration from a client')}`,
      run: command('removeConfiguration'),
    },
  ];
}

function keyEntry(state: StatusBarState, actions: MenuActions): MenuEntry {
  return {
    label: `$(key) ${l10n.t('Renew the key')}`,
    description: isKeySeen(state)
      ? l10n.t('another program may know the key')
      : l10n.t('clients must be set up again'),
    run: () => actions.renewKey(),
  };
}

function offeredKeyEntries({ renewOfferedKey }: MenuActions): MenuEntry[] {
  if (renewOfferedKey === undefined) return [];
  return [
    {
      label: `$(key) ${l10n.t('Renew the key of the offered server')}`,
      description: l10n.t('the editor gets the new key automatically'),
      run: renewOfferedKey,
    },
  ];
}
