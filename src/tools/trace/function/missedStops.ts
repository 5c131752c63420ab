import type { Stops } from './steppingPlan';

/** The maximum number of stops in inner calls. Each one takes as long as a step. */
const MOST_INNER = 40;

/** The breakpoints at places that steps of a traced call miss. Functions that the call calls may stop there, too. */
export class MissedStops {
  /** Whether the breakpoints were removed early, so that lines may be missing. */
  hasGivenUp = false;
  private readonly active = new Set<Stops>();
  private inner = 0;

  /** Whether the program may stop in inner calls because of the breakpoints. */
  get mayStopInside(): boolean {
    return this.active.size > 0 || this.hasGivenUp;
  }

  /** Runs a call or a step while there are breakpoints. */
  async during<T>(stops: Stops | undefined, toEnd: () => Promise<T>): Promise<T> {
    if (stops === undefined) return await toEnd();
    this.active.add(stops);
    try {
      return await toEnd();
    } finally {
      if (this.active.delete(stops)) await stops.dispose();
    }
  }

  /** Notes a stop in an inner call. After many of them, the breakpoints would only slow down the program. */
  async noteInner(): Promise<void> {
    this.inner += 1;
    if (this.inner === MOST_INNER) await this.withdraw();
  }

  /** Removes all breakpoints. */
  async withdraw(): Promise<void> {
    this.hasGivenUp = true;
    const all = [...this.active];
    this.active.clear();
    await Promise.all(all.map((stops) => stops.dispose()));
  }
}
