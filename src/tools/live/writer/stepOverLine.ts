import type { BoundedRun, RunStep } from '../../../control/boundedRun';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { SessionState } from '../../../debugger/state/state';
import { samePath } from '../../../debugger/sourcePath';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { ToolServices } from '../../services';
import { isOfRun } from '../../trace/reach';

/** A stopped thread with its stack. */
export interface StoppedAt {
  readonly session: SessionState;
  readonly threadId: number;
  readonly frames: readonly Frame[];
}

export interface Stepping {
  readonly services: ToolServices;
  readonly run: BoundedRun;
  readonly framesAt: (sessionKey: string) => Promise<StoppedAt | undefined>;
  /** The lines at which the function returns whose call is the value of the line. */
  readonly returns: readonly RecordingPoint[];
  /** Reads what is needed at that line. */
  readonly atReturn: (at: StoppedAt) => Promise<void>;
}

/** The maximum number of steps that leave calls. */
const MAX_STEPS = 50;

/** Steps over the line at which a thread is stopped. On the way, it stops once where the called function returns. */
export async function stepOverLine(stepping: Stepping, from: StoppedAt): Promise<RunStep> {
  const { run, returns } = stepping;
  if (returns.length === 0) return await run.move('next', from.session, from.threadId);
  const { moved, isAtReturn } = await toReturn(stepping, from);
  if (moved.kind !== 'stopped' || !isAtReturn) return moved;
  const inside = await stepping.framesAt(moved.sessionKey);
  if (inside !== undefined && isReturnOf(from, inside, returns)) await stepping.atReturn(inside);
  return await leave(stepping, from, moved);
}

async function toReturn(
  { services, run, returns }: Stepping,
  { session, threadId }: StoppedAt,
): Promise<{ readonly moved: RunStep; readonly isAtReturn: boolean }> {
  const recording = await services.recordings.start({
    isIncluded: (each) => isOfRun({ services, run }, each),
    points: returns,
    maxHits: 0,
    stopAtLimit: true,
  });
  try {
    const moved = await run.move('next', session, threadId);
    await recording.settle();
    return { moved, isAtReturn: recording.isAtLimit };
  } finally {
    await recording.dispose();
  }
}

/** Whether a thread is in a call that the line itself makes, at one of the lines. */
function isReturnOf(
  from: StoppedAt,
  { frames }: StoppedAt,
  returns: readonly RecordingPoint[],
): boolean {
  const [top, caller] = frames;
  const [line] = from.frames;
  return (
    frames.length === from.frames.length + 1 &&
    caller?.name === line?.name &&
    caller?.line === line?.line &&
    returns.some((each) => each.line === top?.line && samePath(each.path, top.path ?? ''))
  );
}

/** Leaves the calls that the line makes, and the line. */
async function leave({ run, framesAt }: Stepping, from: StoppedAt, at: RunStep): Promise<RunStep> {
  let moved = at;
  for (let steps = 0; moved.kind === 'stopped' && steps < MAX_STEPS; steps += 1) {
    const now = await framesAt(moved.sessionKey);
    if (now === undefined || now.frames.length < from.frames.length) return moved;
    const isInside = now.frames.length > from.frames.length;
    if (!isInside && now.frames[0]?.line !== from.frames[0]?.line) return moved;
    moved = await run.move(isInside ? 'stepOut' : 'next', now.session, now.threadId);
  }
  return moved;
}
