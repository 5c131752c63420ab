import type { BoundedRun } from '../../control/boundedRun';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { rootOf, threadOfStop, type SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';

/** What was read of a stop before. */
interface Seen {
  /** As it was then. */
  readonly session: SessionState;
  readonly threadId: number;
  readonly top: Frame;
}

/**
 * Where the program of a call is now: ended, running, or stopped, and at which place.
 * @param seen the place where it may still be
 */
export async function programPlace(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  run: BoundedRun,
  seen?: Seen,
): Promise<Readonly<Record<string, unknown>>> {
  const program = run.state();
  const [first] = run.sessions;
  const root = first === undefined ? undefined : rootOf(model.state, first);
  const stopped = run.sessions.find((each) => each.lifecycle === 'stopped');
  const thread = stopped === undefined ? undefined : threadOfStop(stopped);
  const about = { program, ...defined({ session_id: (stopped ?? root)?.id }) };
  if (stopped === undefined || thread === undefined)
    return {
      ...about,
      ...defined({ exit_code: program === 'ended' ? root?.exitCode : undefined }),
    };
  const top = isThere(seen, stopped, thread)
    ? seen.top
    : await inspector
        .top(stopped, inspector.placeOf(stopped, thread), new AbortController().signal)
        .catch(() => undefined);
  const at = top && `${top.path ?? top.sourceName ?? ''}:${top.line} ${top.name}`;
  return { ...about, ...defined({ at }), thread_id: thread };
}

function isThere(seen: Seen | undefined, now: SessionState, thread: number): seen is Seen {
  return (
    seen !== undefined &&
    seen.session.key === now.key &&
    seen.threadId === thread &&
    seen.session.threads.get(thread)?.stop?.id === now.threads.get(thread)?.stop?.id
  );
}
