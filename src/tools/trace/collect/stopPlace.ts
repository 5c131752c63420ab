import type { Stopped } from '../../../control/outcome';
import { samePath } from '../../../debugger/sourcePath';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import { type SessionState, stoppedThread } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { Probe } from './probes';

/** The data of a stop that a collection needs: the innermost frames of its thread. */
export interface StopPlace {
  readonly session: SessionState;
  readonly threadId: number;
  readonly frames: readonly Frame[];
}

/** The number of frames that a hit shows: its own and its caller's. */
export const FRAMES_OF_A_HIT = 2;

/** The maximum number of lines by which an adapter may move a breakpoint that was set on a line without code. */
const LINES_MOVED = 10;

/**
 * Returns the place of a stop. Returns undefined if the program has continued in the meantime, or if its debugger does
 * not report the place.
 */
export async function placeOfStop(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  { sessionKey }: Stopped,
  levels: number,
  signal: AbortSignal,
): Promise<StopPlace | undefined> {
  const there = stoppedThread(model.state, sessionKey);
  if (there === undefined) return undefined;
  const { session, threadId } = there;
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

/** Returns the top frame if the program has stopped at one of the probes, otherwise undefined. */
export async function placeAtProbe(
  services: ToolServices,
  stop: Stopped,
  probes: readonly Probe[],
  signal: AbortSignal,
): Promise<Frame | undefined> {
  if (!stop.stop.reason.includes('breakpoint')) return undefined;
  const top = (await placeOfStop(services, stop, 1, signal))?.frames[0];
  return top !== undefined && probes.some((probe) => isAt(top, probe)) ? top : undefined;
}

function isAt({ path, line }: Frame, probe: Probe): boolean {
  return (
    path !== undefined &&
    samePath(path, probe.path) &&
    line >= probe.line &&
    line <= probe.line + LINES_MOVED
  );
}
