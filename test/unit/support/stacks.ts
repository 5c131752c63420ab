import type { Frame } from '../../../src/debugger/inspection/stackAndVariables';
import type { ThreadStack } from '../../../src/tools/trace/function/threadStack';
import { created } from './events';
import { bench, FILE, type Bench } from './services';

/** A frame at a line and column. */
export const frameAt = (
  name: string,
  { path = FILE, line = 1, column = 1 }: { path?: string; line?: number; column?: number } = {},
): Frame => ({
  ...{ id: 1, name, path, line, column, sourceName: undefined, subtle: false },
  ...{ isLabel: false, instructionPointerReference: undefined },
});

/** A thread of a session that is stopped in these frames, the innermost first. */
export function stackIn(
  frames: readonly Frame[],
  sessionType = 'test',
  on: Bench = bench(),
): ThreadStack {
  if (!on.model.state.sessions.has('a')) on.model.dispatch(created('a', { sessionType }));
  const [top = frameAt(''), ...callers] = frames;
  const session = on.session();
  const total = frames.length;
  return { session, threadId: 1, top, callers, total, values: new Map(), returned: [] };
}
