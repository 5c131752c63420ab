import { textOf } from '../../../debugger/protocol';
import type { ToolServices } from '../../services';
import type { ThreadStack } from './threadStack';

/**
 * Evaluates an expression in the top frame of a stop (DAP `evaluate`).
 * @returns undefined if it cannot be evaluated
 */
export async function evaluated(
  { inspector }: Pick<ToolServices, 'inspector'>,
  { session, top }: Pick<ThreadStack, 'session' | 'top'>,
  expression: string,
  signal: AbortSignal,
  context: 'watch' | 'repl' = 'watch',
): Promise<string | undefined> {
  const args = { expression, frameId: top.id, context };
  const answer = await inspector
    .sendUnique(session, 'evaluate', args, signal)
    .catch(() => undefined);
  return textOf(answer?.['result']);
}
