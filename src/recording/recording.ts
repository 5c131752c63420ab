import type { InjectedBreakpoints, Injection, PointAnswer } from '../control/injectedBreakpoints';
import type { InjectedPoint } from '../control/injectedLists';
import { adapterOf } from '../debugger/adapters/registry';
import type { DebugModel } from '../debugger/state/debugModel';
import { textOf } from '../debugger/protocol';
import type { AdapterRequests } from '../debugger/requests';
import { liveSessions, type SessionState } from '../debugger/state/state';
import { Listeners, type Subscription } from '../util/listeners';
import type { RecordedCall, RecordedHit } from './recordedRows';
import { RecorderRemoval } from './recorderRemoval';
import type { RecordingFolder } from './recordingFiles';
import { RecordingReader } from './recordingReader';
import {
  choice,
  isCallee,
  lastLocals,
  recordable,
  recordingBreakpoints,
  recordsCalls,
  unrecordable,
  type RecordingPlan,
  type RecordingPoint,
} from './recordingPlan';
import type { CallRecorder, RecordedCallees, StopAtEnd } from './callRecorder';

/** The result of placing a point in a session. */
export type PlacedPoint = PointAnswer | { readonly kind: 'unrecordable'; readonly why: string };

interface InjectedIn {
  readonly groups: ReturnType<typeof recordable>;
  readonly points: readonly InjectedPoint[];
}

/** A running recording of one tool call. */
export class Recording implements CallRecorder {
  private readonly injection: Injection;
  private readonly reader: RecordingReader;
  private readonly removal: RecorderRemoval;
  private readonly byType = new Map<string, InjectedIn>();
  /** The breakpoints that only report calls of other functions. */
  private readonly ofCallees = new Set<InjectedPoint>();
  private readonly disposeListeners = new Listeners();
  valueStops = 0;
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
    // The conditions would slow down a program that calls the functions very often.
    this.reader.onLostCalls(() => void this.injection.withdraw(this.ofCallees));
    this.removal = new RecorderRemoval(model, requests, name);
    this.injection = injected.inject((session) =>
      plan.atStop !== true && this.isIncluded(session) ? this.injectedIn(session).points : [],
    );
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

  async readValue({ shown }: StopAtEnd): Promise<'continue' | undefined> {
    await this.settle();
    const { calls } = this.reader.data;
    const last = calls.at(-1);
    if (last?.kind !== 'ended' || last.isShown !== true) return undefined;
    const value = await shown();
    // The recorder writes texts as JSON. The debugger shows them in single quotes.
    const text = value?.replace(/^'([^'"\\]*)'$/, '"$1"');
    calls[calls.length - 1] = { ...last, value: text, isShown: false };
    this.valueStops += 1;
    return 'continue';
  }

  recordedCalls(session: SessionState): RecordedCallees {
    if (!recordsCalls(session) || this.plan.suspends === true) return 'none';
    const isWhole =
      this.plan.hasAllCallees !== false &&
      !this.reader.data.hasLostCalls &&
      this.plan.points.filter(isCallee).every((point) => {
        const placed = this.placedIn(session, point);
        return placed.kind === 'answered' && placed.adapter.verified;
      });
    return isWhole ? 'all' : 'some';
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

  get lastParts(): RecordedHit['parts'] {
    return this.reader.data.lastParts;
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

  /** Whether a point was hit once more after the maximum number of hits. */
  get isAtLimit(): boolean {
    return this.reader.data.isAtLimit;
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
    const { groups } = this.injectedIn(session);
    const index = groups.findIndex((group) => group.some(({ id }) => id === point.id));
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
        (session) => this.isIncluded(session) && session.threads.size > 0,
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

  /** The breakpoints in sessions of a debugger, with the points that each of them records. */
  private injectedIn(session: SessionState): InjectedIn {
    const existing = this.byType.get(session.type);
    if (existing !== undefined) return existing;
    const { oneCall: isOneCall } = this.plan;
    const place = { name: this.name, folder: this.folder.path, isOneCall };
    const groups = recordable(session, this.plan);
    const points = recordingBreakpoints(session, groups, place);
    groups.forEach((group, index) => {
      const point = points[index];
      if (point !== undefined && group.every(isCallee)) this.ofCallees.add(point);
    });
    const injected = { groups, points };
    this.byType.set(session.type, injected);
    return injected;
  }

  private isIncluded(session: SessionState): boolean {
    return adapterOf(session.type).recorder !== undefined && this.plan.isIncluded(session);
  }
}
