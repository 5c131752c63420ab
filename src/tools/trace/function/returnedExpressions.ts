import type { ToolServices } from '../../services';
import type { TracedFunction } from './callModel';
import { evaluated } from './evaluated';
import type { ThreadStack } from './threadStack';

/**
 * Evaluates the expressions that the current line returns (DAP `evaluate`), where they are known from the source.
 * @returns undefined if one of them cannot be evaluated, for example because it contains a call
 */
export async function returnedExpressions(
  services: Pick<ToolServices, 'inspector'>,
  { returns = [] }: TracedFunction,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<string | undefined> {
  const returned = returns.find(({ line }) => line === now.top.line);
  if (returned === undefined || returned.hasCalls === true) return undefined;
  const values = await Promise.all(
    returned.expressions.map((expression) => evaluated(services, now, expression, signal)),
  );
  return values.includes(undefined) ? undefined : values.join(', ');
}
