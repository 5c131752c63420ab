import { DebuggerError } from '../../../debugger/debuggerError';
import { Interrupted, AdapterRequests } from '../../../debugger/requests';
import type { SessionState } from '../../../debugger/state/state';
import { textOf } from '../../../debugger/protocol';
import { keptValue } from '../../../debugger/texts';
import { Failure } from '../../../results/failure';
import * as l10n from '@vscode/l10n';
import type { Call, ToolServices } from '../../services';
import type { HeapSummary } from './heapSummary';

/** The maximum number of grown types whose holders are searched, and that an answer has. */
export const MAX_GROWN = 12;

/** The longest time for the program's part and for ours, in seconds. */
const MAX_SECONDS = 120;

/** What holds the new objects of a type. */
export interface Holding {
  /** The number of new objects. */
  readonly fresh: number;
  /** The number of these that the path's last object, or the one before it, holds. */
  readonly held: number;
  readonly path: readonly string[];
  readonly allocatedAt?: string | undefined;
}

/** What was read from a heap. */
export interface TakenHeap {
  readonly summary: HeapSummary;
  /** What holds the new objects of the types that have grown most, if this was compared. */
  readonly holders: ReadonlyMap<string, Holding>;
  /** What was not counted. */
  readonly left: Readonly<Record<string, number>>;
  readonly unknown: readonly string[];
  readonly haltedMs: number | undefined;
}

/** The limits of one call. */
export interface HeapLimits {
  readonly seconds: number;
  /** @throws Interrupted, Failure `call_timeout` */
  readonly check: () => void;
}

export function limitsOf({ signal, maxWaitSeconds }: Call): HeapLimits {
  // The rest of the time of the call is for our own part.
  const seconds = Math.max(1, Math.min(MAX_SECONDS, maxWaitSeconds) - 5);
  const deadline = performance.now() + seconds * 1000;
  return {
    seconds,
    check: () => {
      if (signal.aborted) throw new Interrupted();
      if (performance.now() <= deadline) return;
      throw new Failure(
        'call_timeout',
        l10n.t('The heap was not read in {0} seconds.', seconds),
        'Nothing was kept; the program goes on as before. Compare at moments when the heap is smaller, for example with fewer requests between two calls.',
      );
    },
  };
}

/**
 * Makes the program evaluate an expression that may take long. The result is a text.
 * @throws DebuggerError, Interrupted, Failure `call_timeout`
 */
export async function evaluateLong(
  { host, model }: ToolServices,
  session: SessionState,
  args: { readonly expression: string; readonly context: string },
  { seconds }: HeapLimits,
  signal: AbortSignal,
): Promise<string> {
  const requests = new AdapterRequests(host, model, seconds * 1000);
  const { result } = await requests
    .send(session, 'evaluate', args, signal)
    .catch((error: unknown) => {
      throw error instanceof DebuggerError && error.problem.kind === 'adapterTimeout'
        ? notWritten(session, seconds)
        : error;
    });
  return textOf(keptValue(result)) ?? '';
}

function notWritten(session: SessionState, seconds: number): Failure {
  return new Failure(
    'call_timeout',
    l10n.t('The heap was not read in {0} seconds.', seconds),
    'Nothing was kept. The program may still be halted by it, for minutes with millions of objects, and then goes on by itself. Restart it, and compare after fewer requests: a leak shows early.',
    { session_id: session.id },
  );
}
