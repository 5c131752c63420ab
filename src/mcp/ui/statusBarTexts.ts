import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { State } from '../windows/windowOptions';
import { settings } from './mcpSettings';

/** The state that the status bar shows. `outside`: another window has the server, and this one does not take part. */
export type StatusBarState =
  State | { readonly kind: 'outside'; readonly port: number; readonly holder: string };

export function failureReason({ error, isPortTaken }: State & { readonly kind: 'failed' }): string {
  if (isPortTaken) return l10n.t('port {0} is in use by another program', settings.port);
  return error instanceof Error ? error.message : String(error);
}

const countOf = (clients: number): string => (clients > 0 ? ` (${clients})` : '');

/** The status for the menu. It is short, because VS Code cuts the line. */
export function shortStatus(state: StatusBarState): string {
  switch (state.kind) {
    case 'off':
      return l10n.t('Off');
    case 'starting':
      return l10n.t('Starting');
    case 'on':
      return l10n.t('On. Port: {0}. Clients: {1}.', state.port, state.clients);
    case 'elsewhere':
      return state.isSilent === true
        ? l10n.t('On in another window ({0}), which is not responding', state.holder)
        : l10n.t('On in another window ({0}), through which clients reach this one', state.holder);
    case 'outside':
      return l10n.t('On in another window ({0}); clients do not reach this one', state.holder);
    case 'failed':
      return l10n.t('Could not be started: {0}', failureReason(state));
  }
}

interface Texts {
  readonly text: string;
  /** The tooltip, which is also the text for screen readers. */
  readonly message: string;
  readonly background: vscode.ThemeColor | undefined;
}

/** The texts of the status bar item. */
export function statusBarTexts(state: StatusBarState): Texts {
  const texts = textsOf(state);
  if (!isKeySeen(state)) return texts;
  const message = `${texts.message} ${l10n.t('Another program may know the key: renew it.')}`;
  return {
    text: `${texts.text} $(key)`,
    message,
    background: texts.background ?? new vscode.ThemeColor('statusBarItem.warningBackground'),
  };
}

/** Whether another program may know the key, and the person has neither renewed nor kept it. */
export function isKeySeen(state: StatusBarState): boolean {
  return 'keySeen' in state && state.keySeen !== undefined;
}

function textsOf(state: StatusBarState): Texts {
  switch (state.kind) {
    case 'off':
      return {
        text: '$(debug-disconnect) MCP',
        message: l10n.t(
          'Agent Debugger’s MCP server is off. Click to start it or to set up a client.',
        ),
        background: undefined,
      };
    case 'starting':
      return {
        text: '$(sync~spin) MCP',
        message: l10n.t('Agent Debugger’s MCP server is starting.'),
        background: undefined,
      };
    case 'on':
      return {
        text: `$(debug-alt) MCP :${state.port}${countOf(state.clients)}`,
        message: l10n.t(
          'Agent Debugger’s MCP server is on. Port: {0}. Clients: {1}.',
          state.port,
          state.clients,
        ),
        background: undefined,
      };
    case 'elsewhere':
      return elsewhereTexts(state);
    case 'outside':
      return {
        text: '$(debug-disconnect) MCP ↗',
        message: l10n.t(
          'Agent Debugger’s MCP server is on in another window ({0}). Clients do not reach this one: click to let it take part. Port: {1}.',
          state.holder,
          state.port,
        ),
        background: undefined,
      };
    case 'failed':
      return {
        text: '$(error) MCP',
        message: l10n.t(
          'Agent Debugger’s MCP server could not be started: {0}.',
          failureReason(state),
        ),
        background: new vscode.ThemeColor('statusBarItem.errorBackground'),
      };
  }
}

function elsewhereTexts({
  port,
  clients,
  holder,
  isSilent,
}: State & { readonly kind: 'elsewhere' }): Texts {
  if (isSilent === true)
    return {
      text: '$(debug-alt) MCP ↗',
      message: l10n.t(
        'Agent Debugger’s MCP server is on in another window ({0}), which is not responding. Clients wait until it responds or is closed. Port: {1}.',
        holder,
        port,
      ),
      background: undefined,
    };
  return {
    text: `$(debug-alt) MCP ↗${countOf(clients)}`,
    message: l10n.t(
      'Agent Debugger’s MCP server is on in another window ({0}), and clients reach this one through it. Port: {1}. Clients of this window: {2}.',
      holder,
      port,
      clients,
    ),
    background: undefined,
  };
}
