import type { Stopped } from '../../../control/outcome';
import type { ScriptRecording } from '../../../recording/lldb/scriptRecording';
import type { PlacedPoint } from '../../../recording/recording';
import type { RecordedValue } from '../../../recording/recordedRows';
import type { BoundedRun } from '../../../control/boundedRun';
import type { SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { Probe } from './probes';

/** One hit of a probe. */
export interface Hit {
  /** The probe's id. */
  readonly probe: number;
  /** The number of this hit among the hits of its probe: 1, 2, 3 … */
  readonly number: number;
  readonly thread: string;
  /** The id of the process, if the recorder tells it. */
  readonly process?: number | undefined;
  /** The number of the function's call among those that were seen: 1, 2, 3 … Undefined if the recorder cannot tell. */
  readonly call?: number | undefined;
  readonly caller: string | undefined;
  /** The values in the order of the probe's expressions. */
  readonly values: readonly RecordedValue[];
  /** The digests of whole values, of those whose texts show a part. They are in the order of `values`. */
  readonly wholes?: readonly (string | undefined)[] | undefined;
  /**
   * Whether the probe's claim was true, or the error if the claim could not be evaluated. Undefined without a claim.
   */
  readonly claim: boolean | string | undefined;
  /** The stack of the first hit that refuted the claim, innermost frame first. */
  readonly stack: readonly string[] | undefined;
}

/** The meaning of a program stop for the collection. */
export type StopVerdict =
  /** The stop is a hit that was recorded. The program may continue. */
  | 'taken'
  /** The limit of hits is reached. */
  | 'full'
  /** A claim was refuted, and the call requested to stop there. */
  | 'refuted'
  /** The program cannot write to the file from which the extension reads hits. */
  | 'unrecordable'
  /** The call was cancelled or timed out before the hit was read. */
  | 'interrupted'
  /** The stop does not belong to the collection. */
  | 'foreign';

/** Collects hits while the program runs. */
export interface Collector {
  readonly hits: readonly Hit[];
  readonly isFull: boolean;
  /** Whether the program stops at each hit. */
  readonly stopsAtHits: boolean;
  /** Returns the minimum number of times that a probe was reached while its condition was false. */
  passes(probe: Probe): number;
  /** Whether a probe was reached, even if the evaluation of its expressions has not finished. */
  hasReached(probe: Probe): boolean;
  /** Returns the first error of a probe's condition. */
  failure(probe: Probe): string | undefined;
  placedIn(session: SessionState, probe: Probe): PlacedPoint;
  /** The number of hits that are known to be missing. */
  readonly lost: number;
  judge(stop: Stopped): Promise<StopVerdict>;
  /** Reads all hits recorded so far. */
  settle(): Promise<void>;
  /** Removes everything that the collector added to the programs. */
  dispose(): Promise<void>;
}

/** The data of the call that a collector needs. */
export interface CollectorOptions {
  readonly services: ToolServices;
  readonly run: BoundedRun;
  readonly probes: readonly Probe[];
  readonly maxHits: number;
  /** The recording that a launch starts together with its program. */
  readonly prepared?: ScriptRecording | undefined;
  /** Whether the program is to stop at the hit limit. */
  readonly stopAtLimit: boolean;
  /** Whether the program is to stop when a claim is refuted for the first time. */
  readonly stopAtRefuted: boolean;
  /** Aborted when the call is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** Called after hits were added. */
  readonly onHits: () => void;
}

/** Numbers the hits of each probe. */
export class HitNumbers {
  private readonly counts = new Map<number, number>();

  next(probe: number): number {
    const number = (this.counts.get(probe) ?? 0) + 1;
    this.counts.set(probe, number);
    return number;
  }
}
