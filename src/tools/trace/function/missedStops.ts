import type { TracedFunction } from './callModel';
import type { ThreadStack } from './threadStack';
import type { Stops } from './steppingPlan';
import { awaitsFrom, isReturn, returnsAt } from './steps';

/** The maximum number of stops in inner calls. Each one takes as long as a step. */
const MAX_INNER = 40;

/**
 * The breakpoints at places that steps of a traced call miss: behind calls, where exceptions are caught, and in
 * generators. Functions that the call calls may stop there, too.
 */
export class MissedStops {
  /** Whether the breakpoints in functions were removed early, so that lines may be missing. */
  hasLost = false;
  private readonly active = new Set<Stops>();
  /** Those in functions that other calls may reach. */
  private readonly inside = new Set<Stops>();
  private inner = 0;

  /** Whether the program may stop in inner calls because of the breakpoints. */
  get mayStopInside(): boolean {
    return this.active.size > 0;
  }

  /** Runs a call or a step while there are breakpoints. */
  async during<T>(stops: Stops | undefined, toEnd: () => Promise<T>): Promise<T> {
    if (stops === undefined) return await toEnd();
    this.active.add(stops);
    try {
      return await toEnd();
    } finally {
      await this.remove(stops);
    }
  }

  /** Runs a call while there are breakpoints in functions. Many stops of other calls there remove them. */
  async duringInside<T>(stops: Stops | undefined, toEnd: () => Promise<T>): Promise<T> {
    if (stops !== undefined) this.inside.add(stops);
    return await this.during(stops, toEnd);
  }

  /** Keeps breakpoints until they are removed. @param isInside whether they are in functions */
  add(stops: Stops, isInside = false): void {
    this.active.add(stops);
    if (isInside) this.inside.add(stops);
  }

  async remove(stops: Stops): Promise<void> {
    this.inside.delete(stops);
    if (this.active.delete(stops)) await stops.dispose();
  }

  /** Notes a stop in an inner call. After many of them, the breakpoints would only slow down the program. */
  async noteInner(): Promise<void> {
    this.inner += 1;
    if (this.inner !== MAX_INNER) return;
    this.hasLost = this.inside.size > 0;
    await this.withdraw();
  }

  /** Removes the breakpoints in functions. */
  async withdraw(): Promise<void> {
    await Promise.all([...this.inside].map((stops) => this.remove(stops)));
  }
}

/**
 * The breakpoints behind an asynchronous call in JavaScript that is about to return where steps miss its end. They exist
 * from its `return` on, but not while it is suspended, because its caller continues then.
 */
export class StopsWhileLeaving {
  private stops: Stops | undefined;
  /**
   * The line of a `return` that the call has reached. The call may be suspended once more there, or in a `finally`. It
   * goes on if it is at an earlier line again.
   */
  private returnLine: number | undefined;

  constructor(
    private readonly missed: MissedStops,
    private readonly called: TracedFunction,
    /** Sets the breakpoints. */
    private readonly stopBehind: () => Promise<Stops | undefined>,
  ) {}

  /** Sets or removes the breakpoints before the step from a stop in the call. */
  async update(now: ThreadStack): Promise<void> {
    const { called } = this;
    if (called.suspends !== 'async' || called.mayMissEnd !== true) return;
    const { line } = now.top;
    if (isReturn(called, line)) this.returnLine = line;
    else if (line < (this.returnLine ?? 0)) this.returnLine = undefined;
    if (awaitsFrom(called, now)) await this.dispose();
    else if (
      this.stops === undefined &&
      (this.returnLine !== undefined || returnsAt(called, now))
    ) {
      this.stops = await this.stopBehind();
      if (this.stops !== undefined) this.missed.add(this.stops);
    }
  }

  async dispose(): Promise<void> {
    const { stops } = this;
    this.stops = undefined;
    if (stops !== undefined) await this.missed.remove(stops);
  }
}
