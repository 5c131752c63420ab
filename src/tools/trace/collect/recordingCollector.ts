import type { Stopped } from '../../../control/outcome';
import type { SessionState } from '../../../debugger/state/state';
import type { PlacedPoint, Recording } from '../../../recording/recording';
import type { RecordingPoint } from '../../../recording/recordingPlan';
import { type Collector, type CollectorOptions, type Hit, type StopVerdict } from './collector';
import { isOfRun } from '../reach';
import { RecordedHits } from './collectedHits';
import { movedLine } from './silentProbes';
import { placeAtProbe } from './stopPlace';
import type { Probe } from './probes';

/** Collects without stopping the program, by means of recording code in the program. */
export class RecordingCollector implements Collector {
  readonly stopsAtHits = false;
  private readonly recorded = new RecordedHits();

  private constructor(
    private readonly options: CollectorOptions,
    private readonly recording: Recording,
  ) {
    recording.onHits((hits) => {
      this.recorded.add(hits);
      options.onHits();
    });
  }

  static async start(options: CollectorOptions): Promise<RecordingCollector> {
    const recording = await options.services.recordings.start({
      isIncluded: (session) => isOfRun(options, session),
      points: options.probes.map(pointOf),
      maxHits: options.maxHits,
      stopAtLimit: options.stopAtLimit,
      stopAtRefuted: options.stopAtRefuted,
      callers: true,
    });
    return new RecordingCollector(options, recording);
  }

  get hits(): readonly Hit[] {
    return this.recorded.hits;
  }

  get isFull(): boolean {
    return this.recording.isFull;
  }

  get lost(): number {
    return this.recording.gaps.lost;
  }

  passes({ id }: Probe): number {
    return this.recording.passes(id);
  }

  hasReached({ id }: Probe): boolean {
    return this.recording.hasReached(id);
  }

  failure({ id }: Probe): string | undefined {
    return this.recording.failure(id);
  }

  placedIn(session: SessionState, probe: Probe): PlacedPoint {
    return this.recording.placedIn(session, pointOf(probe));
  }

  async judge(stop: Stopped): Promise<StopVerdict> {
    await this.recording.settle();
    if (this.recorded.isRefuted) return 'refuted';
    const { services, probes, signal } = this.options;
    const top = await placeAtProbe(services, stop, probes, signal);
    if (top === undefined) return 'foreign';
    if (this.isFull) return 'full';
    const session = services.model.state.sessions.get(stop.sessionKey);
    const isPersons =
      session !== undefined && services.breakpoints.hit(session, stop.stop, top) !== null;
    return isPersons || this.recording.hasBegun ? 'foreign' : 'unrecordable';
  }

  async settle(): Promise<void> {
    await this.recording.settle();
    const { probes, run } = this.options;
    this.recorded.hideCompiledLines((id) => {
      const probe = probes.find((each) => each.id === id);
      return probe && { path: probe.path, line: movedLine(run, this, probe) ?? probe.line };
    });
  }

  async dispose(): Promise<void> {
    await this.recording.dispose();
  }
}

export function pointOf(probe: Probe): RecordingPoint {
  const { id, path, line, column, repeats, expressions, condition, expect } = probe;
  const place = { id, path, line, column, atEntry: repeats };
  return { ...place, values: expressions, when: condition, claim: expect };
}
