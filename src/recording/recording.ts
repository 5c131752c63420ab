import { randomBytes } from 'node:crypto';
import type { InjectedBreakpoints, Injection, PointAnswer } from '../control/injectedBreakpoints';
import { adapterOf } from '../debugger/adapters/registry';
import type { DebugModel } from '../debugger/state/debugModel';
import { textOf } from '../debugger/protocol';
import type { AdapterRequests } from '../debugger/requests';
import { liveSessions, type SessionState } from '../debugger/state/state';
import { Listeners, type Subscription } from '../util/listeners';
import type { RecordedCall, RecordedHit } from './recordedRows';
import { RecorderRemoval } from './recorderRemoval';
import type { RecordingFiles, RecordingFolder } from './recordingFiles';
import { RecordingReader } from './recordingReader';
import {
  choice,
  lastLocals,
  recordable,
  recorderFiles,
  recordingBreakpoints,
  recordsCalls,
  unrecordable,
  type RecordingPlan,
  type RecordingPoint,
} from './recordingPlan';
import type { CallLimits, CallRecorder } from './callRecorder';
import { LogRecording, type LoggedCall, type StoppedCall } from './logRecording';
import { ScriptRecording, type ProbeLimits, type StartedScript } from './lldb/scriptRecording';

/** The result of placing a point in a session. */
export type PlacedPoint = PointAnswer | { readonly kind: 'unrecordable'; readonly why: string };

/**
 * Records values in programs without stopping them. The conditions of injected breakpoints write the values to files.
 */
export class Recordings {
  private readonly open = new Set<{ dispose(): Promise<void> }>();

  constructor(
    private readonly model: DebugModel,
    private readonly injected: InjectedBreakpoints,
    private readonly files: RecordingFiles,
    private readonly requests: AdapterRequests,
  ) {}

  /** Whether a session's debugger can record. */
  canRecord({ type }: SessionState): boolean {
    return adapterOf(type).recorder !== undefined;
  }

  /** Starts a recording in the running sessions, and in sessions that start before the recording is disposed. */
  async start(plan: RecordingPlan): Promise<Recording> {
    const recording = await this.begin(plan);
    await recording.placed;
    return recording;
  }

  /**
   * Does the same as `start` without waiting until the points are placed, for a program that stays stopped until then.
   */
  async begin(plan: RecordingPlan): Promise<Recording> {
    const folder = await this.files.create();
    const name = recorderName();
    await folder.write(recorderFiles(plan, { name, folder: folder.path }));
    const recording = new Recording(plan, name, folder, this.model, this.requests, this.injected);
    this.open.add(recording);
    recording.onDidDispose(() => this.open.delete(recording));
    return recording;
  }

  /**
   * Begins to record the call in which a thread is stopped. A script in the thread's debugger records it.
   * @returns undefined if the debugger cannot do that
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async beginScript(
    session: SessionState,
    threadId: number,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<CallRecorder | undefined> {
    return await this.script(session, threadId, (started) =>
      ScriptRecording.ofCall(this.requests, started, limits, signal),
    );
  }

  /**
   * Begins to record values at probes. A script in the debugger of a stopped thread records them.
   * @returns undefined if the debugger cannot do that
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async beginProbes(
    session: SessionState,
    threadId: number,
    limits: ProbeLimits,
    signal: AbortSignal,
  ): Promise<{ readonly recording: ScriptRecording; readonly stops: boolean } | undefined> {
    let stops = false;
    const recording = await this.script(session, threadId, async (started) => {
      const begun = await ScriptRecording.ofProbes(this.requests, started, limits, signal);
      stops = begun?.stops === true;
      return begun?.recording;
    });
    return recording === undefined ? undefined : { recording, stops };
  }

  private async script(
    session: SessionState,
    threadId: number,
    begin: (started: StartedScript) => Promise<ScriptRecording | undefined>,
  ): Promise<ScriptRecording | undefined> {
    if (adapterOf(session.type).lldbCommand === undefined) return undefined;
    const folder = await this.files.create();
    try {
      const recording = await begin({ session, threadId, folder, name: recorderName() });
      if (recording !== undefined) return this.opened(recording);
    } catch (error) {
      await folder.dispose();
      throw error;
    }
    await folder.dispose();
    return undefined;
  }

  /**
   * Begins to record, with logpoints, the call in which a thread is stopped.
   * @returns undefined if the debugger's logpoints do not distinguish calls, or a logpoint cannot be set
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async beginLog(
    stopped: StoppedCall,
    call: LoggedCall,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<CallRecorder | undefined> {
    const { requests, injected } = this;
    const recording = await LogRecording.begin(
      { requests, injected },
      stopped,
      call,
      limits,
      signal,
    );
    return recording === undefined ? undefined : this.opened(recording);
  }

  private opened<T extends ScriptRecording | LogRecording>(recording: T): T {
    this.open.add(recording);
    recording.onDidDispose(() => this.open.delete(recording));
    return recording;
  }

  /** Called when the extension is deactivated. */
  async dispose(): Promise<void> {
    await Promise.all([...this.open].map((recording) => recording.dispose()));
  }
}

/** Returns a unique name for a recorder in a program or a debugger. */
function recorderName(): string {
  return `agent_debugger_${randomBytes(8).toString('hex')}`;
}

/** A running recording of one tool call. */
export class Recording implements CallRecorder {
  private readonly injection: Injection;
  private readonly reader: RecordingReader;
  private readonly removal: RecorderRemoval;
  private readonly disposeListeners = new Listeners();
  private disposed: Promise<void> | undefined;

  constructor(
    private readonly plan: RecordingPlan,
    /** The recorder's name in the program. */
    private readonly name: string,
    private readonly folder: RecordingFolder,
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
    injected: InjectedBreakpoints,
  ) {
    this.reader = new RecordingReader(folder, plan.maxHits);
    this.removal = new RecorderRemoval(model, requests, name);
    const byType = new Map<string, ReturnType<typeof recordingBreakpoints>>();
    this.injection = injected.inject((session) => {
      if (!this.isMeant(session)) return [];
      const existing = byType.get(session.type);
      if (existing !== undefined) return existing;
      const points = recordingBreakpoints(session, plan, { name: this.name, folder: folder.path });
      byType.set(session.type, points);
      return points;
    });
  }

  /** Settles when the sessions that were running have responded. */
  get placed(): Promise<void> {
    return this.injection.placed;
  }

  /** The folder to which the recorders write. */
  get path(): string {
    return this.folder.path;
  }

  /** The hits that have been read so far, at most the plan's number of hits. */
  read(): readonly RecordedHit[] {
    return this.reader.data.hits;
  }

  /** The calls that the chosen call made, if the program's recorder reports them. */
  readCalls(): readonly RecordedCall[] {
    return this.reader.data.calls;
  }

  recordsCalls(session: SessionState): boolean {
    return recordsCalls(session);
  }

  /**
   * Selects the call that is recorded: the call in which a thread is stopped at a point. The point is recorded
   * immediately.
   * @returns whether the program's recorder found the call
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async choose(
    session: SessionState,
    frameId: number,
    point: RecordingPoint,
    signal: AbortSignal,
  ): Promise<boolean> {
    const expression = choice(session, point, { name: this.name, folder: this.folder.path });
    const args = { expression, frameId, context: 'repl' };
    const { result } = await this.requests.sendUnique(session, 'evaluate', args, signal);
    return /^true$/i.test(textOf(result) ?? '');
  }

  /** @throws DebuggerError and Interrupted, as `AdapterRequests.send` */
  async readLast(
    session: SessionState,
    frameId: number,
    signal: AbortSignal,
  ): Promise<RecordedHit['locals']> {
    const expression = lastLocals(session, this.name);
    if (expression === undefined) return undefined;
    const args = { expression, frameId, context: 'repl' };
    await this.requests.sendUnique(session, 'evaluate', args, signal);
    await this.settle();
    return this.reader.data.lastLocals;
  }

  /** The number of rows that are missing from the files, and of hits beyond the limit. */
  get gaps(): { readonly lost: number; readonly beyond: number } {
    return this.reader.data.gaps;
  }

  /** Whether any process has written a row. A process that has hits and writes nothing cannot write to this folder. */
  get hasBegun(): boolean {
    return this.reader.data.hasBegun;
  }

  /** Whether the maximum number of hits has been recorded. */
  get isFull(): boolean {
    return this.reader.data.isFull;
  }

  /** The minimum number of times that a point was reached while its `when` was false. */
  passes(point: number): number {
    return this.reader.data.passes(point);
  }

  /** Whether a point was reached, even if an evaluation there has not ended. */
  hasReached(point: number): boolean {
    return this.reader.data.hasReached(point);
  }

  /** The first error that a point's `when` raised. */
  failure(point: number): string | undefined {
    return this.reader.data.failure(point);
  }

  /** The result of placing a point in a session. */
  placedIn(session: SessionState, point: RecordingPoint): PlacedPoint {
    const why = unrecordable(session, point);
    if (why !== undefined) return { kind: 'unrecordable', why };
    const index = recordable(session, this.plan).findIndex((group) =>
      group.some(({ id }) => id === point.id),
    );
    return this.injection.answeredIn(session)[index] ?? { kind: 'unanswered' };
  }

  /** Called with new hits as they are read. */
  onHits(listener: (hits: readonly RecordedHit[]) => void): Subscription {
    return this.reader.onHits(listener);
  }

  onDidDispose(listener: () => void): Subscription {
    return this.disposeListeners.add(listener);
  }

  /** Reads everything that has been written so far. */
  async settle(): Promise<void> {
    await this.reader.settle();
  }

  /**
   * Ends the recording: reads the remaining rows, and removes everything except recorders in programs that do not
   * answer.
   */
  async dispose(): Promise<void> {
    this.disposed ??= this.end();
    await this.disposed;
  }

  private async end(): Promise<void> {
    this.reader.dispose();
    try {
      const sessions = liveSessions(this.model.state).filter(
        // A session without threads only represents its children.
        (session) => this.isMeant(session) && session.threads.size > 0,
      );
      const restored = this.injection.dispose();
      const removed = sessions.map((session) => this.removal.removeFrom(session, restored));
      await Promise.all([restored, ...removed]);
      await this.settle();
    } finally {
      await this.folder.dispose();
      this.disposeListeners.notify();
    }
  }

  private isMeant(session: SessionState): boolean {
    return adapterOf(session.type).recorder !== undefined && this.plan.isMeant(session);
  }
}
