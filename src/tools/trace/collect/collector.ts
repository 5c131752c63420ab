import type { Stopped } from '../../../control/outcome';
import type { PlacedPoint } from '../../../recording/recording';
import type { RecordedValue } from '../../../recording/recordedRows';
import type { BoundedRun } from '../../../control/boundedRun';
import { LAUNCH_MARK } from '../../../debugger/state/launchMark';
import { rootOf, type SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { Probe } from './probes';

/** One hit of a probe. */
export interface Hit {
  /** The probe's id. */
  readonly probe: number;
  /** 1, 2, 3 … of its probe. */
  readonly number: number;
  readonly thread: string;
  readonly caller: string | undefined;
  /** In the order of the probe's expressions. */
  readonly values: readonly RecordedValue[];
  /** Whether the probe's claim held, or why that could not be told. */
  readonly claim: boolean | string | undefined;
  /** Of the first hit that refuted it, the innermost first. */
  readonly stack: readonly string[] | undefined;
}

/** What a stop of the program means for the collection. */
export type StopVerdict =
  /** A hit that has been taken: the program may go on. */
  | 'taken'
  /** As many hits as may be. */
  | 'full'
  /** A claim was refuted, at which the call is to stop. */
  | 'refuted'
  /** The program cannot write where this side reads. */
  | 'unrecordable'
  /** The call was cancelled, or its time was up, before the hit could be read. */
  | 'interrupted'
  /** It has nothing to do with the collection. */
  | 'foreign';

/** Collects hits while the program runs. */
export interface Collector {
  readonly hits: readonly Hit[];
  readonly isFull: boolean;
  /** How often a probe was reached at least while its condition was false. */
  passes(probe: Probe): number;
  /** Whether a probe was reached, also where its expressions have not come to an end. */
  hasReached(probe: Probe): boolean;
  /** The first error of a probe's condition. */
  failure(probe: Probe): string | undefined;
  placedIn(session: SessionState, probe: Probe): PlacedPoint;
  /** Hits that are known to be missing. */
  readonly lost: number;
  judge(stop: Stopped): Promise<StopVerdict>;
  /** Takes all hits that there are by now. */
  settle(): Promise<void>;
  /** Takes everything of the collection out of the programs. */
  dispose(): Promise<void>;
}

/** What a collector needs to know of the call. */
export interface CollectorOptions {
  readonly services: ToolServices;
  readonly run: BoundedRun;
  readonly probes: readonly Probe[];
  readonly maxHits: number;
  /** Whether the program is to stop where the limit is reached. */
  readonly stopAtLimit: boolean;
  /** Whether it is to stop where a claim is refuted for the first time. */
  readonly stopAtRefuted: boolean;
  /** Aborted when the call is cancelled, or when its time is up. */
  readonly signal: AbortSignal;
  /** Called when hits have been taken. */
  readonly onHits: () => void;
}

/** Whether a session belongs to the program of a run, also before it is known to it. */
export function isOfRun({ services, run }: CollectorOptions, session: SessionState): boolean {
  const root = rootOf(services.model.state, session);
  return run.mark === undefined
    ? run.includes(session)
    : root.configuration[LAUNCH_MARK] === run.mark || run.includes(session);
}

/** Numbers hits of each probe. */
export class HitNumbers {
  private readonly counts = new Map<number, number>();

  next(probe: number): number {
    const number = (this.counts.get(probe) ?? 0) + 1;
    this.counts.set(probe, number);
    return number;
  }
}
