import type { RecordedHit } from '../../../recording/recordedRows';
import { HitNumbers, type Hit } from './collector';

/** Numbers the hits that a recording reports. */
export class RecordedHits {
  readonly hits: Hit[] = [];
  /** Whether the recorder stopped the program because a claim was refuted. */
  isRefuted = false;
  private readonly numbers = new HitNumbers();

  add(recorded: readonly RecordedHit[]): void {
    for (const { point, thread, caller, values, claim, stack, stopped } of recorded) {
      this.isRefuted ||= stopped;
      const number = this.numbers.next(point);
      this.hits.push({ probe: point, number, thread, caller, values, claim, stack });
    }
  }
}
