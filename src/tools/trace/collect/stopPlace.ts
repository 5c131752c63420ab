import type { Stopped } from '../../../control/outcome';
import { samePath } from '../../../debugger/sourcePath';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { threadOfStop, type SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { Probe } from './probes';

/** A stop as far as a collection has to know it: the innermost frames of the thread. */
export interface StopPlace {
  readonly session: SessionState;
  readonly threadId: number;
  readonly frames: readonly Frame[];
}

/** How many lines further an adapter may bind a breakpoint of a line without code. */
const LINES_MOVED = 10;

/** Where a stop is; undefined where the program has gone on meanwhile, or its debugger does not say. */
export async function placeOfStop(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  { sessionKey }: Stopped,
  levels: number,
  signal: AbortSignal,
): Promise<StopPlace | undefined> {
  const session = model.state.sessions.get(sessionKey);
  const threadId = session === undefined ? undefined : threadOfStop(session);
  if (session === undefined || threadId === undefined) return undefined;
  try {
    const place = inspector.placeOf(session, threadId);
    const { frames } = await inspector.limited(signal, (limited) =>
      inspector.frames(session, place, 0, levels, limited),
    );
    return { session, threadId, frames };
  } catch {
    return undefined;
  }
}

/** The frame in which the program has stopped at a place of one of the probes; undefined where it has not. */
export async function placeAtProbe(
  services: ToolServices,
  stop: Stopped,
  probes: readonly Probe[],
  signal: AbortSignal,
): Promise<Frame | undefined> {
  if (!stop.stop.reason.includes('breakpoint')) return undefined;
  const top = (await placeOfStop(services, stop, 1, signal))?.frames[0];
  return top !== undefined && probes.some((each) => isAt(top, each)) ? top : undefined;
}

function isAt({ path, line }: Frame, probe: Probe): boolean {
  return (
    path !== undefined &&
    samePath(path, probe.path) &&
    line >= probe.line &&
    line <= probe.line + LINES_MOVED
  );
}
