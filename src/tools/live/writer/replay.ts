import { BoundedRun, type AtEnd, type RunStep } from '../../../control/boundedRun';
import type { Stopped } from '../../../control/outcome';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import {
  isSettingBreakpoints,
  type SessionState,
  stoppedThread,
} from '../../../debugger/state/state';
import type { Recording } from '../../../recording/recording';
import type { RecordedHit } from '../../../recording/recordedRows';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import type { StartPlan } from '../../launch/launchPlan';
import { runTasks } from '../../launch/preLaunchTasks';
import { startInput } from '../../launch/startInput';
import type { Call, ToolServices } from '../../services';
import { EntryHold } from '../../trace/entryHold';
import { checkStarted, isOfRun, type Reach } from '../../trace/reach';
import { RunTrigger } from '../../trigger/runTrigger';
import type { ReadTrigger } from '../../trigger/triggerInput';

/** The limits for one value. They are wide, because only complete values are known to be the same. */
export const SHOWN = { text: 2000, items: 60, depth: 4 };

/** The time that a debugger may take to set the probes, in milliseconds. */
const PLACING_LIMIT_MS = 10_000;

/** The maximum number of stops that are passed, such as those at the person's own breakpoints. */
const MAX_STOPS = 1000;

export interface ReplayContext {
  readonly services: ToolServices;
  readonly call: Call;
  /** The launch of the first run, under another name. */
  readonly plan: StartPlan;
  readonly type: string;
  readonly points: readonly RecordingPoint[];
  /** The tool that starts it. Refusals of other calls name it. */
  readonly holder?: string;
  /** What is sent to it, as in the first run. */
  readonly trigger?: ReadTrigger | undefined;
  /** The launch as a person was asked about it, if the program stays. */
  readonly shown?: StartPlan;
}

/** A further run of the program, at its end or at the hit after the last one that it was to record. */
export interface Replayed {
  readonly run: BoundedRun;
  readonly recording: Recording;
  readonly hits: readonly RecordedHit[];
  readonly step: Exclude<RunStep, { kind: 'notStarted' }>;
  /** What was sent to it. The run is over when that has ended. */
  readonly trigger: RunTrigger;
  /** Leaves the program stopped where it is, instead of ending it. */
  readonly keep: () => void;
}

/**
 * Starts the program again and records hits of the points until it ends, or until it stops at the hit that follows
 * `maxHits` others. The program is ended after `use`, unless it was kept.
 */
export async function replay<T>(
  context: ReplayContext,
  maxHits: number,
  deadline: number,
  use: (replayed: Replayed) => Promise<T>,
): Promise<T> {
  const { services, call, type, points } = context;
  const plan = await runTasks(services, context.plan, call, deadline);
  const input = startInput.parse({ program: plan.name });
  const files = [...new Set(points.map(({ path }) => path))];
  const hold = await EntryHold.of(services, { kind: 'launch', plan, input }, type, files);
  const { reach } = hold;
  const started = reach.kind === 'launch' ? reach.plan : plan;
  const limits = { deadline, signal: call.signal };
  const run = BoundedRun.starting(
    services.control,
    { ...started, noDebug: false },
    context.holder ?? 'find_writer',
    limits,
  );
  if (context.shown !== undefined && run.mark !== undefined)
    services.launches.remember(run.mark, context.shown);
  const trigger = RunTrigger.again(services, context.trigger);
  let recording: Recording | undefined;
  let atEnd: AtEnd = 'stopProgram';
  const keep = (): void => {
    atEnd = 'stayStopped';
  };
  try {
    recording = await services.recordings.start({
      isIncluded: (session) => isOfRun({ services, run }, session),
      ...{ points, maxHits, stopAtLimit: true, callers: true, activations: true, shown: SHOWN },
    });
    hold.set();
    trigger.arm(run);
    const step = await follow(services, call, { run, recording, points, reach, trigger });
    return await use({ run, recording, hits: recording.read(), step, trigger, keep });
  } finally {
    trigger.dispose();
    hold.dispose();
    await run.finish(atEnd);
    await recording?.dispose();
    run.dispose();
  }
}

interface Following {
  readonly run: BoundedRun;
  readonly recording: Recording;
  readonly points: readonly RecordingPoint[];
  readonly reach: Reach;
  readonly trigger: RunTrigger;
}

/** Passes stops until the recording is full or the run ends. */
async function follow(
  services: ToolServices,
  call: Call,
  { run, recording, points, reach, trigger }: Following,
): Promise<Replayed['step']> {
  let step = checkStarted(services, reach, run, await run.begin(trigger.signal));
  for (let stops = 0; step.kind === 'stopped' && stops < MAX_STOPS; stops += 1) {
    if (stops === 0) await placed(services, call, step, recording, points);
    await recording.settle();
    if (recording.isAtLimit) return step;
    step = checkStarted(services, reach, run, await resumed(services, run, step, trigger.signal));
  }
  await recording.settle();
  return step;
}

/** Continues a stopped program. */
export async function resumed(
  { model }: Pick<ToolServices, 'model'>,
  run: BoundedRun,
  { sessionKey }: Stopped,
  until?: AbortSignal,
): Promise<RunStep> {
  const there = stoppedThread(model.state, sessionKey);
  if (there === undefined) return await run.next(undefined, until);
  const { session, threadId: thread } = there;
  return await run.move('continue', session, thread, undefined, undefined, until);
}

/** Waits until the debugger has answered for all probes. At the first stop, it may not have. */
async function placed(
  { model }: ToolServices,
  call: Call,
  { sessionKey }: Stopped,
  recording: Recording,
  points: readonly RecordingPoint[],
): Promise<void> {
  const isPlaced = (): true | undefined => {
    const session = model.state.sessions.get(sessionKey);
    if (session === undefined) return true;
    const isOpen = (point: RecordingPoint): boolean =>
      recording.placedIn(session, point).kind === 'unanswered';
    return isSettingBreakpoints(session) || points.some(isOpen) ? undefined : true;
  };
  await model.wait(isPlaced, { timeoutMs: PLACING_LIMIT_MS, signal: call.signal }).settled;
}

/**
 * Reads values in a frame of a stopped program as a probe would record them there, so that they can be compared with
 * those of a probe. Returns undefined if they cannot be read.
 */
export async function snapshot(
  services: Pick<ToolServices, 'recordings'>,
  session: SessionState,
  frame: Pick<Frame, 'id' | 'line'>,
  path: string,
  values: readonly string[],
  signal: AbortSignal,
): Promise<RecordedHit | undefined> {
  const [read] = await snapshots(services, session, frame, path, [values], signal);
  return read;
}

/** Reads several lists of values, each as one probe would record it. The recorder is loaded once for all of them. */
export async function snapshots(
  { recordings }: Pick<ToolServices, 'recordings'>,
  session: SessionState,
  frame: Pick<Frame, 'id' | 'line'>,
  path: string,
  lists: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<readonly (RecordedHit | undefined)[]> {
  if (lists.length === 0) return [];
  const points = lists.map((values, index) => ({ id: index + 1, path, line: frame.line, values }));
  const recording = await recordings.begin({
    isIncluded: ({ key }) => key === session.key,
    points,
    atStop: true,
    maxHits: points.length,
    callers: true,
    shown: SHOWN,
  });
  try {
    const chosen = points.map((point) => recording.choose(session, frame.id, point, signal));
    const areRead = await Promise.all(chosen);
    await recording.settle();
    const hits = recording.read();
    return points.map(({ id }, index) =>
      areRead[index] === true ? hits.find(({ point }) => point === id) : undefined,
    );
  } finally {
    await recording.dispose();
  }
}
