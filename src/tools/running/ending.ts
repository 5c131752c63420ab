import * as l10n from '@vscode/l10n';
import { isAgentStarted } from '../../debugger/state/launchMark';
import { adapterError } from '../../debugger/requests';
import { isOver, treeOf, type SessionState } from '../../debugger/state/state';
import { plain } from '../question';
import type { ToolServices } from '../services';

/** How long a debugger may take to end its program. */
const END_LIMIT_MS = 10_000;

/** What a person is asked about the end of a session, in Markdown: whose it is, and what becomes of its program. */
export function wordsForEnding({ model }: Pick<ToolServices, 'model'>, root: SessionState): string {
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

/**
 * Ends a session and all below it: a launched program is ended, an attached one is let go.
 * @returns whether it has ended; false where the debugger takes longer
 * @throws Failure `adapter_error`
 */
export async function endTree(
  { model, host }: Pick<ToolServices, 'model' | 'host'>,
  root: SessionState,
  signal: AbortSignal,
): Promise<boolean> {
  const ended = model.wait(
    (state) => isOver(state, state.sessions.get(root.key) ?? root) || undefined,
    { timeoutMs: END_LIMIT_MS, signal },
  );
  const detach = root.configuration['request'] === 'attach';
  // A child may outlive its parent: what is ended are the topmost that live.
  const live = treeOf(model.state, root).filter((each) => each.lifecycle !== 'terminated');
  const topmost = live.filter((each) => !live.some((other) => other.key === each.parentKey));
  const stopping = Promise.all(topmost.map((each) => host.stop(each.key, { detach }))).catch(
    (error: unknown) => {
      ended.abandon();
      throw adapterError(
        root,
        'disconnect',
        error instanceof Error ? error.message : String(error),
      );
    },
  );
  const settled = await Promise.race([ended.settled, stopping.then(() => ended.settled)]);
  return settled.kind === 'found';
}
