import { BoundedRun, type RunStep } from '../../control/boundedRun';
import { Superseded } from '../../debugger/inspection/stopRequests';
import { fields, numberOf, textOf } from '../../debugger/protocol';
import { type SessionState, stoppedThread } from '../../debugger/state/state';
import type { Recorder } from '../../investigation/captureRecorder';
import type { CaptureEvent, Stream } from '../../investigation/events';
import type { RunEnd } from '../../investigation/runs';
import { defined } from '../../util/defined';
import { SerialQueue } from '../../util/serialQueue';
import { startFailure } from '../launch/startFailure';
import type { ToolResult } from '../defineTool';
import { planFor, type StartPlan } from '../launch/launchPlan';
import { checkInputs, checkTypes, checkVariables } from '../launch/planChecks';
import { type StartInput } from '../launch/startInput';
import { runTasks } from '../launch/preLaunchTasks';
import { reportEnd } from '../reports/endReport';
import { reportStop } from '../reports/runReport';
import type { Call, ToolServices } from '../services';

/** The maximum number of stops. A program that stops more often is ended. */
const MAX_STOPS = 200;

/** A limit that is longer than any capture. The limit of the capture itself ends a run. */
const NO_LIMIT_MS = 2 * 60 * 60 * 1000;

/**
 * Runs a debug configuration for a capture. The output, stops and exceptions of the program become events, and the
 * program continues after each stop. Thus breakpoints and logpoints add data to the capture. At the end of the capture,
 * no session of the run remains, unless the person has taken it over.
 */
export async function debugRun(
  services: ToolServices,
  start: StartInput,
  recorder: Recorder,
  stop: AbortSignal,
  personPresent: boolean,
): Promise<RunEnd> {
  const call: Call = { signal: stop, maxWaitSeconds: 300, maxChars: 50_000, personPresent };
  const deadline = performance.now() + NO_LIMIT_MS;
  const plan = await planFor(services, start);
  checkTypes(services, plan);
  await checkInputs(services, start);
  if (!personPresent) await checkVariables(services, plan);
  const ready = await runTasks(services, plan, call, deadline);
  const over = new AbortController();
  const limits = { deadline, signal: AbortSignal.any([stop, over.signal]) };
  // The members of a compound run in parallel. Each member is followed separately.
  const runs = ready.launches.map((launch) => {
    const own = { launches: [launch], stopAll: false, noDebug: false };
    return BoundedRun.starting(services.control, own, 'capture_run', limits);
  });
  for (const { mark } of runs) if (mark !== undefined) services.launches.remember(mark, plan);
  const output = new OutputFollower(services, recorder, runs);
  try {
    const ends = await Promise.all(
      runs.map(async (run) => {
        const end = await new FollowedRun(services, call, plan, run, output).follow(recorder);
        if (ready.stopAll && end.endedBy === 'stopped') over.abort();
        return end;
      }),
    );
    return ends.find((end) => end.endedBy !== 'exit' || end.exitCode !== 0) ?? ends[0] ?? NONE;
  } finally {
    await Promise.allSettled(runs.map((run) => run.finish('stopProgram')));
    // A program that is being ended may still print output.
    await output.settle();
    output.dispose();
  }
}

const NONE: RunEnd = { via: 'debugger', endedBy: 'failed', note: 'There is nothing to start.' };

/** Follows one program of the run from its start to its end. */
class FollowedRun {
  private stops = 0;

  constructor(
    private readonly services: ToolServices,
    private readonly call: Call,
    private readonly plan: StartPlan,
    private readonly run: BoundedRun,
    private readonly output: OutputFollower,
  ) {}

  async follow(recorder: Recorder): Promise<RunEnd> {
    let step = await this.run.begin();
    while (step.kind === 'stopped') {
      if (this.stops >= MAX_STOPS)
        return stoppedFor(`The program stopped ${MAX_STOPS} times and was ended.`);
      step = await this.pass(step, recorder);
    }
    return await this.endOf(step);
  }

  /** Records a stop, and continues the program. */
  private async pass(
    { sessionKey }: Extract<RunStep, { kind: 'stopped' }>,
    recorder: Recorder,
  ): Promise<RunStep> {
    try {
      const result = await reportStop(this.services, this.call, sessionKey);
      this.stops += 1;
      await this.output.settle();
      await recorder.event(stopEvent(result));
    } catch (error) {
      // The program continued by itself before the stop could be read.
      if (!(error instanceof Superseded)) throw error;
    }
    const there = stoppedThread(this.services.model.state, sessionKey);
    if (there === undefined) return await this.run.next();
    const { session, threadId: thread } = there;
    return await this.run.move('continue', session, thread);
  }

  private async endOf(step: Exclude<RunStep, { kind: 'stopped' }>): Promise<RunEnd> {
    const { services, run } = this;
    if (step.kind === 'notStarted') {
      const roots = run.sessions.filter((session) => session.parentKey === undefined);
      const { message } = startFailure(services, this.plan, roots, step.message);
      return { via: 'debugger', endedBy: 'failed', note: message };
    }
    if (step.kind === 'lost')
      return stoppedFor('The person moved or ended the program, so the capture ended there.');
    if (step.kind !== 'ended') return { via: 'debugger', endedBy: 'stopped' };
    const result = await reportEnd(services, this.call, step.rootKey);
    if (result.status === 'error')
      return { via: 'debugger', endedBy: 'failed', note: textOf(result.message) };
    const isEndRequested = services.model.state.sessions.get(step.rootKey)?.endRequested === true;
    return {
      via: 'debugger',
      endedBy: isEndRequested ? 'stopped' : 'exit',
      exitCode: numberOf(result.exit_code),
    };
  }
}

function stoppedFor(note: string): RunEnd {
  return { via: 'debugger', endedBy: 'stopped', note };
}

/** Returns the event for a stop. An exception becomes an error. */
function stopEvent(result: ToolResult): CaptureEvent {
  const stop = fields(result['stop_event_data']);
  const exception = fields(stop['exception']);
  const isException = stop['reason'] === 'exception';
  const [top] = Array.isArray(stop['call_stack']) ? stop['call_stack'].map(fields) : [];
  const file = textOf(fields(stop['source'])['path']) ?? '';
  const line = numberOf(stop['line']);
  const message = isException
    ? `${textOf(exception['type']) ?? 'Exception'}: ${textOf(exception['message']) ?? textOf(stop['text']) ?? ''}`
    : `stopped: ${textOf(stop['reason']) ?? ''}`;
  return {
    ts: Date.now(),
    level: isException ? 'error' : 'info',
    module: file,
    func: textOf(top?.['function_name']) ?? '',
    msg: message,
    kv: {
      ...defined({ frame: line === undefined ? undefined : { file, line } }),
      variables: fields(stop['top_frame_variables'])['variables'] ?? [],
      call_stack: stop['call_stack'] ?? [],
    },
    stream: 'debugger',
  };
}

const STREAMS: Readonly<Record<string, Stream>> = {
  stdout: 'stdout',
  stderr: 'stderr',
  terminal: 'terminal',
};

/** Writes the output of a capture's own sessions to the recorder. */
class OutputFollower {
  private readonly cursors = new Map<string, number>();
  private readonly subscription: { dispose(): void };
  private readonly queue = new SerialQueue();

  constructor(
    private readonly services: ToolServices,
    private readonly recorder: Recorder,
    private readonly runs: readonly BoundedRun[],
  ) {
    this.subscription = services.model.onDidChange(() => this.read());
  }

  /** Resolves when all printed output has been written. */
  async settle(): Promise<void> {
    this.read();
    await this.queue.run(async () => undefined);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private read(): void {
    const { model } = this.services;
    const sessions = this.runs.flatMap((run): readonly SessionState[] => run.sessions);
    for (const session of sessions) {
      const log = model.output(session);
      const since = this.cursors.get(session.key) ?? 0;
      if (log.cursor <= since) continue;
      this.cursors.set(session.key, log.cursor);
      const lines = log.read({ since }).filter((line) => line.number <= log.cursor);
      for (const { category, text } of lines)
        // A failed write is reported when the capture ends.
        this.queue
          .run(async () => await this.recorder.sink(STREAMS[category] ?? 'debugger', `${text}\n`))
          .catch(() => undefined);
    }
  }
}
