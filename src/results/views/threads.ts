import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';

interface ThreadView {
  readonly id: number;
  readonly name?: string;
  readonly state: 'running' | 'stopped';
}

/** The maximum number of threads in a result. */
const THREADS_SHOWN = 20;

/**
 * The threads of a session, or one of them. Stopped threads are first, because only they can be inspected. The other
 * threads are counted.
 */
export function threadList(
  session: SessionState,
  only?: number,
): { readonly shown: readonly ThreadView[]; readonly omitted: number } {
  const threads = [...session.threads.values()].filter(
    (thread) => only === undefined || thread.id === only,
  );
  const ordered = [
    ...threads.filter((thread) => thread.stop !== undefined),
    ...threads.filter((thread) => thread.stop === undefined),
  ];
  const shown = ordered.slice(0, THREADS_SHOWN).map((thread): ThreadView =>
    defined({
      id: thread.id,
      name: thread.name,
      state: thread.stop === undefined ? 'running' : 'stopped',
    }),
  );
  return { shown, omitted: ordered.length - shown.length };
}
