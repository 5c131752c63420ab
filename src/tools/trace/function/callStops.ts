import type { ToolServices } from '../../services';
import type { AddressStops } from './addressStops';
import { Deferred } from './deferred';
import { EndStops } from './endStops';
import { StopsWhileLeaving, type MissedStops } from './missedStops';
import type { OpenedCall } from './panicStops';
import type { SteppingPlan, Stops } from './steppingPlan';

/** The breakpoints of one traced call. */
export class CallStops {
  private constructor(
    readonly call: OpenedCall,
    readonly leaving: StopsWhileLeaving,
    readonly ends: EndStops | undefined,
    private readonly missed: MissedStops,
    /** Those in its functions, and those behind it. */
    private readonly inside: Stops | undefined,
    private readonly behind: Stops | undefined,
  ) {}

  /** Sets the breakpoints that are necessary from the beginning of a call on. */
  static async set(
    services: Pick<ToolServices, 'inspector'>,
    plan: SteppingPlan,
    missed: MissedStops,
    addresses: AddressStops,
    { called, entry, depth }: Omit<OpenedCall, 'deferred'>,
  ): Promise<CallStops> {
    const { signal } = plan;
    const stopBehind = (): Promise<Stops | undefined> =>
      plan.stopBehind?.(entry) ?? Promise.resolve(undefined);
    const isMissed = called.mayMissEnd === true && called.suspends === undefined;
    const isDeferred = addresses.isBeginning(entry);
    const deferred = await Deferred.of(services, missed, called, entry, isDeferred, signal);
    const leaving = new StopsWhileLeaving(missed, called, stopBehind);
    const ends = await EndStops.set(services, addresses, called, entry, signal);
    const inside = await plan.stopAtMissed(called, entry, depth);
    const behind = isMissed ? await stopBehind() : undefined;
    return new CallStops({ called, entry, depth, deferred }, leaving, ends, missed, inside, behind);
  }

  /** Traces the call while the breakpoints exist. */
  async during<T>(toEnd: () => Promise<T>): Promise<T> {
    return await this.missed.duringInside(this.inside, () =>
      this.missed.during(this.behind, toEnd),
    );
  }

  /** Removes those that exist only during a part of the call. */
  async dispose(): Promise<void> {
    const { leaving, call, ends } = this;
    await Promise.all([leaving.dispose(), call.deferred.dispose(), ends?.dispose()]);
  }
}
