import * as l10n from '@vscode/l10n';
import type { Settled, Wait, WaitOptions } from '../../debugger/state/debugModel';
import type { DebugState, SessionState } from '../../debugger/state/state';
import type { AgentPattern } from '../agentPattern';
import { success } from '../defineTool';
import type { ToolServices } from '../services';
import { armed } from './waiting';

type Found = NonNullable<ReturnType<ReturnType<ToolServices['stops']['output']['watch']>>>;

/** A line that was waited for. */
export type PrintedLine = Found & { readonly kind: 'printed' };

/** What ended such a wait: a line, a pattern that takes too long on what was printed, or what else was waited for. */
export type OutputOr<T> =
  | PrintedLine
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'other'; readonly value: T };

/** Arms a wait that a printed line ends as well, where a pattern is given: of these sessions, as they are then. */
export function armedForOutput<T>(
  services: ToolServices,
  select: (state: DebugState) => T | undefined,
  members: () => readonly SessionState[],
  pattern: AgentPattern | undefined,
  options: WaitOptions,
): Wait<OutputOr<T>> {
  const printed = pattern === undefined ? undefined : services.stops.output.watch(members, pattern);
  const next = (state: DebugState): OutputOr<T> | undefined => {
    try {
      const found = printed?.();
      if (found !== undefined) return { kind: 'printed', ...found };
    } catch (error) {
      return { kind: 'failed', error };
    }
    const value = select(state);
    return value === undefined ? undefined : { kind: 'other', value };
  };
  return armed(services, next, options);
}

/** How it ended: by a line, or as a wait without a pattern does. @throws where the pattern takes too long */
export function endOfWait<T>(settled: Settled<OutputOr<T>>): PrintedLine | Settled<T> {
  if (settled.kind !== 'found') return settled;
  const { value } = settled;
  if (value.kind === 'failed') throw value.error;
  return value.kind === 'printed' ? value : { kind: 'found', value: value.value };
}

/** The answer about a line that was waited for. */
export function printedOutcome(sessionId: string, { line, cursor, wasThere }: PrintedLine) {
  const message = wasThere
    ? l10n.t(
        'The program had printed a matching line before this call, after the last answer. It is still running.',
      )
    : l10n.t('The program printed a matching line and is still running.');
  return success({ message, session_id: sessionId, matched: { line: line.text, cursor } });
}
