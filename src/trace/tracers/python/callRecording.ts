import type {
  InjectedBreakpoints,
  Injection,
  PointAnswer,
} from '../../../control/injectedBreakpoints';
import type { DebugModel } from '../../../debugger/state/debugModel';
import type { AdapterRequests } from '../../../debugger/requests';
import { liveSessions, threadOfStop, type SessionState } from '../../../debugger/state/state';
import type { CallRecorder, RecordedCallees } from '../../../recording/callRecorder';
import type { RecordedCall, RecordedHit } from '../../../recording/recordedRows';
import { RecorderRemoval } from '../../../recording/recorderRemoval';
import type { RecordingFolder } from '../../../recording/recordingFiles';
import { RecordingReader } from '../../../recording/recordingReader';
import { Listeners, type Subscription } from '../../../util/listeners';
import { conditionLines, recorderCondition, type PythonEntry, type PythonPlace } from './condition';

/** What happens with the program after the call: it stops in the caller, or it goes on. */
export type AfterCall = 'caller' | 'goesOn';

interface Ports {
  readonly model: DebugModel;
  readonly requests: AdapterRequests;
  readonly injected: InjectedBreakpoints;
}

/**
 * The time that a debugger may take to remove the breakpoint of a call that has not ended, in milliseconds. The call may
 * hold the interpreter, so that nobody answers.
 */
const LEFT_LIMIT_MS = 1500;

/**
 * The recording of one call by a recorder in the program itself, which sees the beginning and the end of the call,
 * whoever makes it. It removes itself when the call ends, so a running program need not be paused for that.
 */
export class PythonCallRecording implements CallRecorder {
  readonly seesEnd = true;
  private readonly reader: RecordingReader;
  private readonly removal: RecorderRemoval;
  private readonly disposeListeners = new Listeners();
  private injection: Injection | undefined;
  private disposed: Promise<void> | undefined;
  private isIncluded: (session: SessionState) => boolean = () => false;

  constructor(
    private readonly ports: Ports,
    private readonly place: PythonPlace,
    private readonly entry: PythonEntry,
    private readonly folder: RecordingFolder,
    maxHits: number,
  ) {
    this.reader = new RecordingReader(folder, maxHits);
    this.removal = new RecorderRemoval(ports.model, ports.requests, place.name);
  }

  /** Sets the breakpoint at the beginning of the function. */
  set(isIncluded: (session: SessionState) => boolean): void {
    this.isIncluded = isIncluded;
    const { path } = this.entry;
    const condition = recorderCondition(this.place);
    const points = conditionLines(this.entry).map((line) => ({ path, line, condition }));
    this.injection = this.ports.injected.inject((session) => (isIncluded(session) ? points : []));
  }

  /** Settles when the sessions that were running have accepted the breakpoint. */
  get placed(): Promise<void> | undefined {
    return this.injection?.placed;
  }

  /** The sessions' answers about the breakpoint. */
  answersIn(sessions: readonly SessionState[]): readonly PointAnswer[] {
    return sessions.flatMap((session) => this.injection?.answeredIn(session) ?? []);
  }

  async settle(): Promise<void> {
    await this.reader.settle();
  }

  read(): readonly RecordedHit[] {
    return this.reader.data.hits;
  }

  readCalls(): readonly RecordedCall[] {
    return this.reader.data.calls;
  }

  recordedCalls(): RecordedCallees {
    return this.reader.data.hasLostCalls ? 'some' : 'all';
  }

  onHits(listener: (hits: readonly RecordedHit[]) => void): Subscription {
    return this.reader.onHits(listener);
  }

  /** Called when the recorder has reported something else than lines, such as the end of the call. */
  onReport(listener: () => void): Subscription {
    return this.reader.onReport(listener);
  }

  get isFull(): boolean {
    return this.reader.data.isFull;
  }

  /** The first error of the condition. */
  get conditionError(): string | undefined {
    return this.reader.data.failure(1);
  }

  /** What happens with the program after the call. Undefined if the call has not ended. */
  get after(): AfterCall | undefined {
    const place = this.reader.data.arrival?.place;
    if (place === undefined) return undefined;
    return place === 'caller' ? 'caller' : 'goesOn';
  }

  /** The fault of the recorder itself, if there was one. */
  get fault(): string | undefined {
    return this.reader.data.fault;
  }

  async readLast(): Promise<RecordedHit['locals']> {
    return this.reader.data.lastLocals;
  }

  get lastParts(): RecordedHit['parts'] {
    return this.reader.data.lastParts;
  }

  onDidDispose(listener: () => void): Subscription {
    return this.disposeListeners.add(listener);
  }

  async dispose(): Promise<void> {
    await (this.disposed ??= this.end());
  }

  /** Without its folder, the recorder removes itself at the next line. In a stopped program, it is removed at once. */
  private async end(): Promise<void> {
    this.reader.dispose();
    try {
      const isLeft = this.read().length > 0 && this.after === undefined;
      const limit = isLeft ? LEFT_LIMIT_MS : undefined;
      const restored = this.injection?.dispose(limit) ?? Promise.resolve();
      const stopped = liveSessions(this.ports.model.state).filter(
        (session) => this.isIncluded(session) && threadOfStop(session) !== undefined,
      );
      await Promise.all([
        restored,
        ...(isLeft ? stopped.map((session) => this.removal.removeFrom(session, restored)) : []),
      ]);
      await this.settle();
    } finally {
      await this.folder.dispose();
      this.disposeListeners.notify();
    }
  }
}
