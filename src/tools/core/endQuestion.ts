import * as l10n from '@vscode/l10n';
import { isAgentStarted } from '../../debugger/state/launchMark';
import type { SessionState } from '../../debugger/state/state';
import { plain } from '../question';
import type { ToolServices } from '../services';

/**
 * Returns the question about the end of a session, in Markdown. It shows who started the session, and what happens to
 * its program.
 */
export function endQuestion({ model }: Pick<ToolServices, 'model'>, root: SessionState): string {
  const name = `**${plain(root.name)}**`;
  const isTheirs = !isAgentStarted(model.state, root);
  if (root.configuration['request'] === 'attach')
    return isTheirs
      ? l10n.t('Detach from {0}, which **you** attached to', name)
      : l10n.t('Detach from {0}', name);
  return isTheirs
    ? l10n.t('Stop the debug session {0}, which **you** started', name)
    : l10n.t('Stop the debug session {0}', name);
}
