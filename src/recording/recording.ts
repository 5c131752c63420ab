import { randomBytes } from 'node:crypto';
import type { InjectedBreakpoints, Injection, PointAnswer } from '../control/injectedBreakpoints';
import { adapterOf } from '../debugger/adapters/registry';
import type { DebugModel } from '../debugger/state/debugModel';
import { FRAMES_OF_A_STOP } from '../debugger/inspection/inspector';
import { fields, listOf, textOf } from '../debugger/protocol';
import type { AdapterRequests } from '../debugger/requests';
import { liveSessions, threadOfStop, type SessionState } from '../debugger/state/state';
import { Listeners, type Subscription } from '../util/listeners';
import type { RecordingFiles, RecordingFolder } from './recordingFiles';
import {
  choice,
  recordable,
  recorderFiles,
  recordingBreakpoints,
  removal,
  unrecordable,
  type RecordingPlan,
  type RecordingPoint,
} from './recordingPlan';
import { readRow, type RecordedCall, type RecordedHit, type RecordedRow } from './recordedRows';

/** What became of a point in a session. */
export type PlacedPoint = PointAnswer | { readonly kind: 'unrecordable'; readonly why: string };

/** How long a program may take to remove the recorder. */
const REMOVAL_LIMIT_MS = 2000;

/** How long what is written may stay unread. */
const TOGETHER_MS = 50;

interface Writer {
  pid: number;
  seq: number;
}

/** Records values in programs without stopping them: by conditions of injected breakpoints that write to files. */
export class Recordings {
  private readonly open = new Set<Recording>();

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

  /** Begins to record in the sessions that run, and in those that start until it is disposed of. */
  async start(plan: RecordingPlan): Promise<Recording> {
    const recording = await this.begin(plan);
    await recording.placed;
    return recording;
  }

  /** The same, without waiting for the sessions that run: for a program that stays where it is until then. */
  async begin(plan: RecordingPlan): Promise<Recording> {
    const folder = await this.files.create();
    const name = `agent_debugger_${randomBytes(8).toString('hex')}`;
    await folder.write(recorderFiles(plan, { name, folder: folder.path }));
    const recording = new Recording(plan, name, folder, this.model, this.requests, this.injected);
    this.open.add(recording);
    recording.onDidDispose(() => this.open.delete(recording));
    return recording;
  }

  /** The extension is deactivated. */
  async dispose(): Promise<void> {
    await Promise.all([...this.open].map((each) => each.dispose()));
  }
}

/** What one call records. */
export class Recording {
  private readonly injection: Injection;
  private readonly hits: RecordedHit[] = [];
  private readonly calls: RecordedCall[] = [];
  private readonly heard = new Listeners<readonly RecordedHit[]>();
  private readonly ended = new Listeners();
  private readonly watching: Subscription;
  private readonly writers = new Map<string, Writer>();
  private readonly passed = new Map<number, number>();
  private readonly failed = new Map<number, string>();
  private readonly reached = new Set<number>();
  private reading: Promise<void> = Promise.resolve();
  private isAsked = false;
  private lost = 0;
  private beyond = 0;
  private isAtLimit = false;
  private timer: NodeJS.Timeout | undefined;
  private over: Promise<void> | undefined;

  constructor(
    private readonly plan: RecordingPlan,
    /** Of the recorder in the program. */
    private readonly name: string,
    private readonly folder: RecordingFolder,
    private readonly model: DebugModel,
    private readonly requests: AdapterRequests,
    injected: InjectedBreakpoints,
  ) {
    const made = new Map<string, ReturnType<typeof recordingBreakpoints>>();
    this.injection = injected.inject((session) => {
      if (!this.isMeant(session)) return [];
      const known = made.get(session.type);
      if (known !== undefined) return known;
      const points = recordingBreakpoints(session, plan, { name: this.name, folder: folder.path });
      made.set(session.type, points);
      return points;
    });
    this.watching = folder.onDidWrite(() => this.readSoon());
  }

  /** Settles when the sessions that were running have answered. */
  get placed(): Promise<void> {
    return this.injection.placed;
  }

  /** The folder that is written to. */
  get path(): string {
    return this.folder.path;
  }

  /** What has been read so far, at most the plan's number of hits. */
  read(): readonly RecordedHit[] {
    return this.hits;
  }

  /** What the chosen call called, where the program's recorder tells it. */
  readCalls(): readonly RecordedCall[] {
    return this.calls;
  }

  /**
   * Names the call that is recorded: the one in which a thread is stopped at a point, which is recorded at once.
   * @returns whether the program's recorder has it
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

  /** Rows that are missing from what processes wrote, and hits that were read beyond the limit. */
  get gaps(): { readonly lost: number; readonly beyond: number } {
    return { lost: this.lost, beyond: this.beyond };
  }

  /** Whether any process has begun to write: one that is hit and has not cannot write where this side reads. */
  get hasBegun(): boolean {
    return this.writers.size > 0;
  }

  /** Whether as many hits were recorded as may be. */
  get isFull(): boolean {
    return this.isAtLimit || this.hits.length >= this.plan.maxHits;
  }

  /** How often a point was reached while its `when` was false: at least so often. */
  passes(point: number): number {
    return this.passed.get(point) ?? 0;
  }

  /** Whether a point was reached, also where what it evaluates has not come to an end. */
  hasReached(point: number): boolean {
    return this.reached.has(point);
  }

  /** The first error that a point's `when` raised. */
  failure(point: number): string | undefined {
    return this.failed.get(point);
  }

  /** What a session's adapter has made of a point. */
  placedIn(session: SessionState, point: RecordingPoint): PlacedPoint {
    const why = unrecordable(session, point);
    if (why !== undefined) return { kind: 'unrecordable', why };
    const index = recordable(session, this.plan).findIndex((group) =>
      group.some((each) => each.id === point.id),
    );
    return this.injection.answeredIn(session)[index] ?? { kind: 'unanswered' };
  }

  /** Called with new hits as they are read. */
  onHits(listener: (hits: readonly RecordedHit[]) => void): Subscription {
    return this.heard.add(listener);
  }

  onDidDispose(listener: () => void): Subscription {
    return this.ended.add(listener);
  }

  /** Reads all that has been written by now. */
  async settle(): Promise<void> {
    if (!this.isAsked) {
      this.isAsked = true;
      this.reading = this.reading.then(async () => {
        this.isAsked = false;
        await this.readNew();
      });
    }
    await this.reading;
  }

  /** Ends it: what was written is read, and nothing of it is left, but for names in programs that cannot be asked. */
  async dispose(): Promise<void> {
    this.over ??= this.end();
    await this.over;
  }

  /** A program may write thousands of times a second: what it writes is read together. */
  private readSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.settle();
    }, TOGETHER_MS);
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    this.watching.dispose();
    try {
      const sessions = liveSessions(this.model.state).filter(
        // A session without threads only stands for its children.
        (each) => this.isMeant(each) && each.threads.size > 0,
      );
      const gone = this.injection.dispose();
      await Promise.all([gone, ...sessions.map((each) => this.remove(each, gone))]);
      await this.settle();
    } finally {
      await this.folder.dispose();
      this.ended.notify();
    }
  }

  private isMeant(session: SessionState): boolean {
    return adapterOf(session.type).recorder !== undefined && this.plan.isMeant(session);
  }

  private async readNew(): Promise<void> {
    const fresh: RecordedHit[] = [];
    // What cannot be read now is read with what is written next.
    const written = await this.folder.read().catch(() => []);
    for (const { file, lines } of written)
      for (const line of lines) {
        const hit = this.take(file, readRow(line));
        if (hit !== undefined) fresh.push(hit);
      }
    if (fresh.length > 0) this.heard.notify(fresh);
  }

  private take(file: string, row: RecordedRow | undefined): RecordedHit | undefined {
    if (row === undefined) return undefined;
    if (row.kind === 'began') {
      this.writers.set(file, { pid: row.pid, seq: 0 });
      return undefined;
    }
    const writer = this.writers.get(file);
    if (writer === undefined) return undefined;
    this.lost += Math.max(0, row.seq - writer.seq - 1);
    writer.seq = Math.max(writer.seq, row.seq);
    if (row.kind === 'full') this.isAtLimit = true;
    if (row.kind === 'passed') this.passed.set(row.point, this.passes(row.point) + newPasses(row));
    if (row.kind === 'failed' && !this.failed.has(row.point)) this.failed.set(row.point, row.error);
    if (row.kind === 'reached') this.reached.add(row.point);
    if (row.kind === 'call') this.calls.push(row.call);
    if (row.kind !== 'hit') return undefined;
    const hit = { ...row.hit, pid: writer.pid };
    if (this.hits.length >= this.plan.maxHits) {
      this.beyond += 1;
      return undefined;
    }
    this.hits.push(hit);
    return hit;
  }

  /**
   * Asks a program to forget the recorder: one of Python only while it is stopped.
   * @param gone settles when nothing in the program asks for the recorder any more
   */
  private async remove(session: SessionState, gone: Promise<void>): Promise<void> {
    const signal = AbortSignal.timeout(REMOVAL_LIMIT_MS);
    const { evaluatesWhileRunning, recorder } = adapterOf(session.type);
    // A program of JavaScript that is stopped runs nothing else: no condition is evaluated before it goes on.
    const isStill = recorder === 'javascript' && threadOfStop(session) !== undefined;
    try {
      const [frameId] = await Promise.all([
        this.topFrame(session, signal),
        isStill ? undefined : gone,
      ]);
      if (frameId === undefined && evaluatesWhileRunning !== true) return;
      const expression = removal(session, this.name);
      const context = frameId === undefined ? {} : { frameId };
      await this.requests.sendUnique(
        session,
        'evaluate',
        { expression, context: 'repl', ...context },
        signal,
      );
    } catch {
      // It ended, or does not answer: the recorder in it does nothing any more.
    }
  }

  private async topFrame(session: SessionState, signal: AbortSignal): Promise<number | undefined> {
    const threadId = threadOfStop(session);
    if (threadId === undefined) return undefined;
    const whole = { threadId, startFrame: 0, levels: FRAMES_OF_A_STOP };
    const body =
      this.model.answers.known(session.key, 'stackTrace', whole) ??
      (await this.requests.read(session, 'stackTrace', { threadId, levels: 1 }, signal));
    const { id } = fields(listOf(body['stackFrames'])[0]);
    return typeof id === 'number' ? id : undefined;
  }
}

/** Each row tells a power of two: what the last one told is half of it. */
function newPasses({ times }: { readonly times: number }): number {
  return times === 1 ? 1 : times / 2;
}
