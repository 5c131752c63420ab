import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';

interface ThreadView {
  readonly id: number;
  readonly name?: string;
  readonly state: 'running' | 'stopped';
}

/** How many threads an answer lists. */
const THREADS_SHOWN = 20;

/** A session's threads, or one of them: the stopped ones first, for they are what can be looked at. The rest is counted. */
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
