import type { Prefetched } from '../debugger/inspection/prefetch';
import type { StopState } from '../debugger/state/state';

/** The outcome of a wait for the program. It contains only facts. The caller decides how they are reported. */
export type Outcome = Stopped | Ended | TimedOut | Cancelled;

/** The program is stopped. */
export interface Stopped {
  readonly kind: 'stopped';
  readonly sessionKey: string;
  readonly stop: StopState;
}

/** The whole tree of sessions has ended. */
export interface Ended {
  readonly kind: 'ended';
  readonly rootKey: string;
}

/** The deadline has passed. The program still runs. */
export interface TimedOut {
  readonly kind: 'timeout';
}

/** The caller's signal was aborted. The program keeps running. */
export interface Cancelled {
  readonly kind: 'cancelled';
}

/** The program printed the line that the caller waited for. `Line` is the return type of the caller's matcher. */
export interface LinePrinted<Line> {
  readonly kind: 'printed';
  readonly line: Line;
}

export interface Limits {
  /** The deadline on the clock of `performance.now`, in milliseconds. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export interface RunLimits extends Limits {
  /**
   * The data to request from the adapter in the same turn in which the next stop arrives, for a caller that reads it.
   * If it is not set, a step sends no further requests.
   */
  readonly prefetch?: Prefetched | undefined;
}
