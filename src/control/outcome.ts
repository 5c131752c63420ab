import type { Prefetched } from '../debugger/inspection/prefetch';
import type { StopState } from '../debugger/state/state';

/** What a wait for the program found: facts only. How they are reported is the caller's. */
export type Outcome = Stopped | Ended | TimedOut | Cancelled;

/** The program is stopped. */
export interface Stopped {
  readonly kind: 'stopped';
  readonly sessionKey: string;
  readonly stop: StopState;
}

/** The whole tree of sessions is over. */
export interface Ended {
  readonly kind: 'ended';
  readonly rootKey: string;
}

/** The deadline passed; the program still runs. */
export interface TimedOut {
  readonly kind: 'timeout';
}

/** The caller's signal was aborted; the program goes on. */
export interface Cancelled {
  readonly kind: 'cancelled';
}

/** The program printed what the caller waited for. `Line` is what the caller's matcher returns. */
export interface LinePrinted<Line> {
  readonly kind: 'printed';
  readonly line: Line;
}

export interface Limits {
  /** By `performance.now`, in milliseconds. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export interface RunLimits extends Limits {
  /**
   * What of the next stop is requested in the turn in which it arrives: for a caller that reads it. A passed step costs
   * the step alone without it.
   */
  readonly prefetch?: Prefetched | undefined;
}
