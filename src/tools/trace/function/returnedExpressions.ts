import { textOf } from '../../../debugger/protocol';
import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import type { Moment } from './moment';

/**
 * Evaluates the expressions that the current line returns (DAP `evaluate`), where they are known from the source.
 * @returns undefined if one of them cannot be evaluated, for example because it contains a call
 */
export async function returnedExpressions(
  { inspector }: Pick<ToolServices, 'inspector'>,
  { returns = [] }: TracedFunction,
  { session, top }: Moment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const returned = returns.find(({ line }) => line === top.line);
  if (returned === undefined || returned.hasCalls === true) return undefined;
  const values = await Promise.all(
    returned.expressions.map(async (expression) => {
      const args = { expression, frameId: top.id, context: 'watch' };
      const answer = await inspector
        .sendUnique(session, 'evaluate', args, signal)
        .catch(() => undefined);
      return textOf(answer?.['result']);
    }),
  );
  return values.includes(undefined) ? undefined : values.join(', ');
}
