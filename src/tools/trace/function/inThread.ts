import type { Injection } from '../../../control/injectedBreakpoints';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { ToolServices } from '../../services';
import type { ThreadStack } from './threadStack';
import type { Stops } from './steppingPlan';

/**
 * Limits breakpoints of a trace to the thread of its call, if the adapter can do that. Otherwise they stop each thread.
 * The limit is removed first, because the person may have set a breakpoint at the same place in the meantime. If the
 * debugger needs longer than `most` milliseconds for it, it still does so before it removes the breakpoints, because it
 * handles requests in order.
 */
export async function inThread(
  { inspector }: Pick<ToolServices, 'inspector'>,
  stops: Injection,
  { session, threadId }: ThreadStack,
  signal: AbortSignal,
  most = MAX_MS,
): Promise<Stops> {
  const ids = stops
    .answeredIn(session)
    .flatMap((answer) => (answer.kind === 'answered' ? (answer.adapter.id ?? []) : []));
  const limit = async (thread: number | undefined, during: AbortSignal): Promise<void> => {
    const expression = adapterOf(session.type).limitToThread?.(session.configuration, ids, thread);
    if (expression === undefined || ids.length === 0) return;
    await inspector
      .sendUnique(session, 'evaluate', { expression, context: 'repl' }, during)
      .catch(() => undefined);
  };
  await limit(threadId, signal);
  return {
    dispose: async () => {
      await limit(undefined, AbortSignal.timeout(most));
      await stops.dispose();
    },
  };
}

/** How long a trace waits until a debugger has removed the limit, in milliseconds. A program that runs may delay it. */
const MAX_MS = 1000;
