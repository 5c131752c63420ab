import { restOfStackRequested } from '../../../control/wholeStack';
import type { Stopped } from '../../../control/outcome';
import { type SessionState, stoppedThread } from '../../../debugger/state/state';
import type { ProbeLimits, ScriptRecording } from '../../../recording/lldb/scriptRecording';
import type { PlacedPoint } from '../../../recording/recording';
import type { Collector, CollectorOptions, Hit, StopVerdict } from './collector';
import type { Probe } from './probes';
import { RecordedHits } from './collectedHits';
import { pointOf } from './recordingCollector';
import { StoppingCollector } from './stoppingCollector';

/** The limits for one shown value: its length, its number of members, and its depth. */
const SHOWN = { text: 300, items: 10, depth: 2 };

export type ProbeOptions = Pick<
  CollectorOptions,
  'probes' | 'maxHits' | 'stopAtLimit' | 'stopAtRefuted'
>;

/** Returns the limits of the script for a collection. */
export function probeLimits({
  probes,
  maxHits,
  stopAtLimit,
  stopAtRefuted,
}: ProbeOptions): ProbeLimits {
  return { maxHits, shown: SHOWN, points: probes.map(pointOf), stopAtLimit, stopAtRefuted };
}

/**
 * Collects by a script in the debugger. The script records hits without stopping. A launch loads it before its program
 * starts. Otherwise the first hit stops the program, because the script can be loaded only at a stop, and the script
 * records this hit as well. If the debugger cannot run scripts, the program stops at each hit.
 */
export class ScriptCollector implements Collector {
  private readonly recorded = new RecordedHits();
  /** The recording that was started at the first hit. */
  private begun: ScriptRecording | undefined;
  private canRecord = true;
  /** The adapter's answers about the probes by session, from the time when the probes were breakpoints. */
  private readonly placed = new Map<string, ReadonlyMap<number, PlacedPoint>>();

  private constructor(
    private readonly options: CollectorOptions,
    private readonly stopping: StoppingCollector,
  ) {
    if (options.prepared !== undefined) this.follow(options.prepared);
  }

  static async start(options: CollectorOptions): Promise<ScriptCollector> {
    const { prepared, run, signal } = options;
    if (!run.isLaunch) await prepared?.loadNow(signal).catch(() => undefined);
    const stopping = await StoppingCollector.start(options, () => prepared?.hasBegun === true);
    return new ScriptCollector(options, stopping);
  }

  private get recording(): ScriptRecording | undefined {
    const { prepared } = this.options;
    return this.begun ?? (prepared?.hasBegun === true ? prepared : undefined);
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
    const { recording } = this;
    if (recording !== undefined) {
      await recording.settle();
      return this.verdict((await this.isStray(stop)) ? 'taken' : 'foreign');
    }
    if (!this.canRecord) return await this.stopping.judge(stop);
    if (!(await this.stopping.isHit(stop))) return 'foreign';
    await this.begin(stop);
    return this.recording === undefined ? await this.stopping.judge(stop) : this.verdict('taken');
  }

  async settle(): Promise<void> {
    await this.recording?.settle();
  }

  async dispose(): Promise<void> {
    const { prepared } = this.options;
    await Promise.all([prepared?.dispose(), this.begun?.dispose(), this.stopping.dispose()]);
  }

  /**
   * Whether a stop is at a breakpoint of a probe, whose hit the script has recorded. If the debugger loaded the script
   * only after it had accepted breakpoints, the first hit stops.
   */
  private async isStray(stop: Stopped): Promise<boolean> {
    if (this.placed.size > 0 || this.stopping.isSilencedIn(stop.sessionKey)) return false;
    if (!(await this.stopping.isHit(stop))) return false;
    await this.removeBreakpoints();
    return true;
  }

  /** Removes the breakpoints at the probes, and keeps the adapter's answers about them. */
  private async removeBreakpoints(): Promise<void> {
    const { run, probes } = this.options;
    for (const started of run.sessions)
      this.placed.set(
        started.key,
        new Map(probes.map((probe) => [probe.id, this.stopping.placedIn(started, probe)])),
      );
    await this.stopping.dispose();
  }

  private follow(recording: ScriptRecording): void {
    recording.onHits((hits) => {
      this.recorded.add(hits);
      this.options.onHits();
    });
  }

  /** Loads the script at the first hit. The script records this hit, and the breakpoints are then no longer needed. */
  private async begin({ sessionKey }: Stopped): Promise<void> {
    const { services, signal } = this.options;
    const there = stoppedThread(services.model.state, sessionKey);
    if (there === undefined) return;
    const { session, threadId: thread } = there;
    const limits = probeLimits(this.options);
    await restOfStackRequested(services.model, session, thread, signal);
    const begun = await services.recordings
      .beginProbes(session, thread, limits, signal)
      .catch(() => undefined);
    this.canRecord = begun !== undefined;
    if (begun === undefined) return;
    this.begun = begun;
    // Nothing is awaited since the beginning: hits that are read before this listener is added are lost.
    this.follow(begun);
    await Promise.all([begun.settle(), this.removeBreakpoints()]);
  }

  private verdict(otherwise: StopVerdict): StopVerdict {
    if (this.recorded.isRefuted) return 'refuted';
    return this.isFull ? 'full' : otherwise;
  }
}
