import type { BoundedRun } from '../../control/boundedRun';
import { rootOf, threadOfStop } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';

/** Where the program of a call is now: ended, running, or stopped, and at which place. */
export async function programPlace(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  run: BoundedRun,
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
  const place = inspector.placeOf(stopped, thread);
  const top = await inspector
    .top(stopped, place, new AbortController().signal)
    .catch(() => undefined);
  const at = top && `${top.path ?? top.sourceName ?? ''}:${top.line} ${top.name}`;
  return { ...about, ...defined({ at }), thread_id: thread };
}
