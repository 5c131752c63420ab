import { hostname } from 'node:os';
import * as l10n from '@vscode/l10n';

/**
 * The name of the machine on which the extension runs in a remote window. The name of a VS Code server that is opened
 * in a browser is its address, which could be mistaken for the MCP server's address.
 */
export function remoteMachine(remoteName: string): string {
  switch (remoteName) {
    case 'wsl':
      return l10n.t('the WSL side');
    case 'ssh-remote':
      return l10n.t('the SSH host {0}', hostname());
    case 'dev-container':
    case 'attached-container':
      return l10n.t('the container');
    case 'codespaces':
      return l10n.t('the codespace');
    case 'tunnel':
      return l10n.t('the tunnel’s machine {0}', hostname());
    default:
      return /:\d+$/.test(remoteName) ? hostname() : remoteName;
  }
}

/** A text that says which machine listens. Undefined outside a remote window. */
export function whereItListens(remoteName: string | undefined): string | undefined {
  return remoteName === undefined
    ? undefined
    : l10n.t(
        'It listens on the machine that has the files ({0}), so clients have to run there.',
        remoteMachine(remoteName),
      );
}
