import * as l10n from '@vscode/l10n';
import { defined } from '../../../util/defined';
import type { WithoutHit } from '../../reports/withoutHit';
import type { Reached } from './entry';

/** What is known about a call whose beginning was not seen. */
export interface UnseenCall {
  readonly name: string;
  readonly condition: string | undefined;
  readonly reached: Pick<
    Extract<Reached, { kind: 'not' }>,
    'seen' | 'bound' | 'message' | 'conditionError'
  >;
  readonly withoutHit: WithoutHit;
  /** Whether the program is stopped in the function. */
  readonly isInside: boolean;
}

/** Returns what an answer says about the call, without a contradiction to the program's place. */
export function unseenCall({
  name,
  condition,
  reached: { seen, bound, message, conditionError },
  withoutHit: { why, message: unknown },
  isInside,
}: UnseenCall): Readonly<Record<string, unknown>> {
  const breakpoint = defined({ breakpoint_bound: bound, breakpoint_message: message });
  // What the debugger has seen before is known.
  if (conditionError !== undefined)
    return {
      reached: 'not_evaluated',
      message: l10n.t('The condition failed in a call of {0}: {1}', name, conditionError),
      ...defined({ calls_seen: seen }),
      ...breakpoint,
    };
  if (why === 'unknown') return { reached: why, ...defined({ message: unknown }), ...breakpoint };
  if (why === 'not_bound')
    return {
      reached: why,
      message: l10n.t(
        'The debugger has not bound the beginning of {0}, so its calls were not seen.',
        name,
      ),
      ...breakpoint,
    };
  if (isInside && seen === 0)
    return {
      reached: 'unknown',
      message: l10n.t('The program is in a call of {0} whose beginning was not seen.', name),
      ...breakpoint,
    };
  return {
    reached: false,
    message:
      condition === undefined
        ? l10n.t('That call of {0} was not reached.', name)
        : l10n.t('No call of {0} met the condition. A condition that fails is not met.', name),
    ...defined({ calls_seen: seen }),
    ...breakpoint,
  };
}
