import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Fields } from '../../debugger/protocol';

/** The bridge's answers while there is no window. The last window has written them. */
export interface Offline {
  readonly version: string;
  /** The result of `initialize`. */
  readonly initialize: Fields;
  /** The results of `tools/list` and the other lists. */
  readonly lists: Fields;
  /** The bridge's messages. */
  readonly words: Fields;
}

export function offlinePath(home: string): string {
  return path.join(home, 'offline.json');
}

/** The bridge's own messages. A window writes them in the display language. Without them, the bridge uses English. */
export function bridgeMessages(): Readonly<Record<'noWindow' | 'noSuchWindow' | 'lost', string>> {
  return {
    noWindow: l10n.t(
      'No VS Code window can be reached: none is open, or Agent Debugger’s MCP server is off. Nothing was done.',
    ),
    noSuchWindow: l10n.t('No VS Code window has {0} open. Nothing was done.'),
    lost: l10n.t(
      'The VS Code window ({0}) has closed or is being reloaded. Debug sessions in it have ended.',
    ),
  };
}
