import type { BoundedRun } from '../../control/boundedRun';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { rootOf, threadOfStop, type SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';

/** A stop that was read earlier. */
interface EarlierStop {
  /** The session at that time. */
  readonly session: SessionState;
  readonly threadId: number;
  readonly top: Frame;
}

/**
 * Returns the current state of a call's program: ended, running, or stopped. For a stop, it includes the place.
 * @param earlier a stop that is reused if the program is still there
 */
export async function programPlace(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  run: BoundedRun,
  earlier?: EarlierStop,
): Promise<Readonly<Record<string, unknown>>> {
  const program = run.state();
  const [first] = run.sessions;
  const root = first === undefined ? undefined : rootOf(model.state, first);
  const { stopped, thread } = stoppedThread(run);
  const about = { program, ...defined({ session_id: (stopped ?? root)?.id }) };
  if (stopped === undefined || thread === undefined)
    return {
      ...about,
      ...defined({ exit_code: program === 'ended' ? root?.exitCode : undefined }),
    };
  const top = isStillAt(earlier, stopped, thread)
    ? earlier.top
    : await topOf(inspector, stopped, thread);
  const at = top && `${top.path ?? top.sourceName ?? ''}:${top.line} ${top.name}`;
  return { ...about, ...defined({ at }), thread_id: thread };
}

/** The innermost frame of a call's program, if it is stopped. */
export async function programTop(
  { inspector }: Pick<ToolServices, 'inspector'>,
  run: BoundedRun,
): Promise<Frame | undefined> {
  const { stopped, thread } = stoppedThread(run);
  if (stopped === undefined || thread === undefined) return undefined;
  return await topOf(inspector, stopped, thread);
}

function stoppedThread({ sessions }: BoundedRun): {
  readonly stopped?: SessionState | undefined;
  readonly thread?: number | undefined;
} {
  const stopped = sessions.find((session) => session.lifecycle === 'stopped');
  return { stopped, thread: stopped && threadOfStop(stopped) };
}

async function topOf(
  inspector: ToolServices['inspector'],
  session: SessionState,
  thread: number,
): Promise<Frame | undefined> {
  return await inspector
    .top(session, inspector.placeOf(session, thread), new AbortController().signal)
    .catch(() => undefined);
}

function isStillAt(
  earlier: EarlierStop | undefined,
  now: SessionState,
  thread: number,
): earlier is EarlierStop {
  return (
    earlier !== undefined &&
    earlier.session.key === now.key &&
    earlier.threadId === thread &&
    earlier.session.threads.get(thread)?.stop?.id === now.threads.get(thread)?.stop?.id
  );
}
