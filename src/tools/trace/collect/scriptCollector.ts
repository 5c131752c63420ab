import { restOfStackRequested } from '../../../control/wholeStack';
import type { Stopped } from '../../../control/outcome';
import {
  isLive,
  threadOfStop,
  type DebugState,
  type SessionState,
} from '../../../debugger/state/state';
import type { ScriptRecording } from '../../../recording/lldb/scriptRecording';
import type { PlacedPoint } from '../../../recording/recording';
import {
  isOfRun,
  type Collector,
  type CollectorOptions,
  type Hit,
  type StopVerdict,
} from './collector';
import type { Probe } from './probes';
import { RecordedHits } from './recordedHits';
import { pointOf } from './recordingCollector';
import { StoppingCollector } from './stoppingCollector';

/** The time that a debugger may take to answer for the probes of a program that starts, in milliseconds. */
const EARLY_LIMIT_MS = 10_000;

/** The limits for one shown value: its length, its number of members, and its depth. */
const SHOWN = { text: 300, items: 10, depth: 2 };

/**
 * Collects by a script in the debugger, which records hits without stopping. In a program that the call starts, the
 * script is loaded as soon as the debugger has breakpoints at the probes, before the program begins. They are removed
 * then. If the script is not loaded by then, the first hit stops the program, and the script is loaded there. If the
 * debugger cannot run scripts, the program stops at each hit.
 */
export class ScriptCollector implements Collector {
  private readonly recorded = new RecordedHits();
  private recording: ScriptRecording | undefined;
  private canRecord = true;
  /** The adapter's answers about the probes by session, from the time when the probes were breakpoints. */
  private readonly placed = new Map<string, ReadonlyMap<number, PlacedPoint>>();
  /** Aborted when the run has ended. */
  private readonly over = new AbortController();
  /** Settles when the script is loaded into a program that has not begun, or will not be. */
  private readonly early: Promise<void>;

  private constructor(
    private readonly options: CollectorOptions,
    private readonly stopping: StoppingCollector,
  ) {
    this.early = options.run.isLaunch ? this.beginEarly() : Promise.resolve();
  }

  static async start(options: CollectorOptions): Promise<ScriptCollector> {
    return new ScriptCollector(options, await StoppingCollector.start(options));
  }

  get hits(): readonly Hit[] {
    return this.recording === undefined ? this.stopping.hits : this.recorded.hits;
  }

  get stopsAtHits(): boolean {
    return !this.canRecord;
  }

  get isFull(): boolean {
    return this.recording?.isFull ?? this.stopping.isFull;
  }

  get lost(): number {
    return this.recording?.recorded.gaps.lost ?? 0;
  }

  passes(probe: Probe): number {
    return this.recording?.recorded.passes(probe.id) ?? this.stopping.passes(probe);
  }

  hasReached(probe: Probe): boolean {
    return this.recording?.recorded.hasReached(probe.id) ?? this.stopping.hasReached(probe);
  }

  failure(probe: Probe): string | undefined {
    return this.recording === undefined
      ? this.stopping.failure(probe)
      : this.recording.recorded.failure(probe.id);
  }

  placedIn(session: SessionState, probe: Probe): PlacedPoint {
    return this.placed.get(session.key)?.get(probe.id) ?? this.stopping.placedIn(session, probe);
  }

  async judge(stop: Stopped): Promise<StopVerdict> {
    await this.early;
    const { recording } = this;
    if (recording !== undefined) {
      await recording.settle();
      // A breakpoint may stop the program once before it is removed. The script has recorded this hit.
      return this.verdict((await this.stopping.isHit(stop)) ? 'taken' : 'foreign');
    }
    if (!this.canRecord) return await this.stopping.judge(stop);
    if (!(await this.stopping.isHit(stop))) return 'foreign';
    await this.beginAt(stop);
    return this.recording === undefined ? await this.stopping.judge(stop) : this.verdict('taken');
  }

  async settle(): Promise<void> {
    this.over.abort();
    await this.early;
    await this.recording?.settle();
  }

  async dispose(): Promise<void> {
    this.over.abort();
    await this.early;
    await Promise.all([this.recording?.dispose(), this.stopping.dispose()]);
  }

  /** Loads the script when the debugger has answered for the probes, while the program has not begun. */
  private async beginEarly(): Promise<void> {
    const { services, run, probes, signal } = this.options;
    const isPlaced = (session: SessionState): boolean =>
      probes.every((probe) => this.stopping.placedIn(session, probe).kind !== 'unanswered');
    const select = ({ sessions }: DebugState): SessionState | undefined =>
      [...sessions.values()].find(
        (session) =>
          isOfRun(this.options, session) &&
          isLive(session) &&
          (run.stopped() !== undefined || isPlaced(session)),
      );
    const limits = {
      timeoutMs: EARLY_LIMIT_MS,
      signal: AbortSignal.any([signal, this.over.signal]),
    };
    const answered = await services.model.wait(select, limits).settled;
    if (answered.kind === 'found' && run.stopped() === undefined)
      await this.begin(answered.value, undefined);
  }

  /** Loads the script at the first hit, which is recorded as well. */
  private async beginAt({ sessionKey }: Stopped): Promise<void> {
    const { services, signal } = this.options;
    const session = services.model.state.sessions.get(sessionKey);
    const thread = session === undefined ? undefined : threadOfStop(session);
    if (session === undefined || thread === undefined) return;
    await restOfStackRequested(services.model, session, thread, signal);
    await this.begin(session, thread);
    this.canRecord = this.recording !== undefined;
  }

  /** Loads the script. The breakpoints are then no longer needed. @param thread the thread that is stopped at a probe */
  private async begin(session: SessionState, thread: number | undefined): Promise<void> {
    const { services, run, probes, maxHits, stopAtLimit, stopAtRefuted, signal } = this.options;
    const limits = {
      maxHits,
      shown: SHOWN,
      points: probes.map(pointOf),
      stopAtLimit,
      stopAtRefuted,
    };
    const begun = await services.recordings
      .beginProbes(session, thread, limits, signal)
      .catch(() => undefined);
    if (begun === undefined) return;
    for (const started of run.sessions)
      this.placed.set(
        started.key,
        new Map(probes.map((probe) => [probe.id, this.stopping.placedIn(started, probe)])),
      );
    this.recording = begun.recording;
    // Nothing is awaited since the beginning: hits that are read before this listener is added are lost.
    begun.recording.onHits((hits) => {
      this.recorded.add(hits);
      this.options.onHits();
    });
    await Promise.all([begun.recording.settle(), this.stopping.dispose()]);
  }

  private verdict(otherwise: StopVerdict): StopVerdict {
    if (this.recorded.isRefuted) return 'refuted';
    return this.isFull ? 'full' : otherwise;
  }
}
