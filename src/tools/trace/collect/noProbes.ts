import type { PlacedPoint } from '../../../recording/recording';
import type { Collector, StopVerdict } from './collector';

/** The collector of a call without probes. It adds nothing to the program. */
export class NoProbes implements Collector {
  readonly hits = [];
  readonly isFull = false;
  readonly stopsAtHits = true;
  readonly lost = 0;

  passes(): number {
    return 0;
  }

  hasReached(): boolean {
    return false;
  }

  failure(): undefined {
    return undefined;
  }

  placedIn(): PlacedPoint {
    return { kind: 'unanswered' };
  }

  judge(): Promise<StopVerdict> {
    return Promise.resolve('foreign');
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
