import { adapterOf } from '../../../debugger/adapters/registry';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';
import type { AddressStops } from './addressStops';
import type { SourceLines } from './branches';
import type { TracedFunction } from './callModel';
import { evaluated } from './evaluated';
import { deferAround, isClosure, isDefer } from './goClosures';
import type { MissedStops } from './missedStops';
import type { ThreadStack } from './threadStack';
import { deferredAt } from './panics';
import type { Stops } from './steppingPlan';

type Services = Pick<ToolServices, 'inspector'>;

/** A function that a call has deferred. */
interface DeferredFunction {
  /** The line of the `defer` statement. */
  readonly line: number;
  readonly name: string;
  /** The address of its first instruction. */
  readonly address: string;
  /** Its record, and the newest one before it. */
  readonly record: string;
  readonly before: string | undefined;
}

/** A deferred function that runs. */
export interface RunningFunction {
  readonly frame: Frame;
  /** The newest record of the thread. */
  readonly record: string | undefined;
}

/** The functions that a Go call has deferred and that have not run yet. */
export class Deferred {
  /** The last one runs first. */
  private readonly functions: DeferredFunction[] = [];
  private readonly stops: Stops[] = [];
  /** The line of the `defer` statement of the function that a panic ran last. If the call recovers, it has recovered. */
  last: number | undefined;
  /** Whether one of the functions has run. The call returns then, or a panic leaves it. */
  hasRun = false;
  /** Whether a function ran without being seen. */
  hasMissed = false;

  private constructor(
    private readonly services: Services,
    private readonly missed: MissedStops,
    private readonly source: SourceLines,
    private readonly entry: ThreadStack,
    /** The newest record at the beginning of the call. Undefined if it was not read. */
    private readonly first: string | undefined,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param entry the beginning of the call
   * @param isDeferred whether the function of the call may be a deferred one
   */
  static async of(
    services: Services,
    missed: MissedStops,
    { source, range }: TracedFunction,
    entry: ThreadStack,
    isDeferred: boolean,
    signal: AbortSignal,
  ): Promise<Deferred> {
    const hasSome = range !== undefined && source.slice(range.start - 1, range.end).some(isDefer);
    const first = hasSome || isDeferred ? await recordAt(services, entry, signal) : undefined;
    return new Deferred(services, missed, source, entry, first, signal);
  }

  /**
   * Reads the function that a call has just deferred. Steps may miss it.
   * @param before the last stop in the call
   * @param now the stop after it in the call
   * @param addresses stops the program in the function. Undefined if that is not requested
   */
  async read(
    before: ThreadStack,
    now: ThreadStack,
    addresses: AddressStops | undefined,
  ): Promise<void> {
    const { deferred } = adapterOf(now.session.type);
    if (deferred === undefined || this.isFirstOfClosure(before)) return;
    const line = deferAround(this.source, before.top.line);
    if (line === undefined) return;
    const { services, signal } = this;
    const [record, name, value = ''] = await Promise.all([
      recordAt(services, now, signal),
      evaluated(services, now, deferred.name, signal),
      evaluated(services, now, deferred.address, signal),
    ]);
    const newest = this.functions.at(-1)?.record ?? this.first;
    // A statement over several lines has several stops.
    if (record === newest && record !== undefined) {
      const isBehind = deferAround(this.source, now.top.line) !== line;
      // An optimized program has no records of some functions.
      if (isBehind && !this.functions.some((each) => each.line === line)) this.hasMissed = true;
      return;
    }
    const address = deferred.read(value);
    if (record === undefined || name === undefined || address === undefined) {
      this.hasMissed = true;
      return;
    }
    this.functions.push({ line, name, address, record, before: newest });
    if (addresses === undefined) return;
    const stops = await addresses.atBeginning(address);
    if (stops === undefined) return;
    this.stops.push(stops);
    this.missed.add(stops, true);
  }

  /** Removes the breakpoints. */
  async dispose(): Promise<void> {
    await Promise.all(this.stops.map((stops) => this.missed.remove(stops)));
  }

  /**
   * Returns a stop without values that are not known yet. A closure copies the variables around it in its first line,
   * and Delve shows older values before.
   */
  withoutUnread(now: ThreadStack): ThreadStack {
    return this.isFirstOfClosure(now) ? { ...now, values: new Map() } : now;
  }

  /**
   * Whether the function of the call, a deferred one, has begun again after its end. The runtime calls it in the same
   * place. The first instruction of one call may also be executed twice, because the stack grows there.
   * @param now a stop at its first instruction
   */
  async hasBegunAgain(now: ThreadStack): Promise<boolean> {
    return (await recordAt(this.services, now, this.signal)) !== this.first;
  }

  /** The addresses of the functions. */
  get addresses(): readonly string[] {
    return this.functions.map(({ address }) => address);
  }

  /** Whether the call has deferred the function that a panic runs. */
  has(running: RunningFunction): boolean {
    return this.indexOf(running, true) >= 0;
  }

  /**
   * Takes the function that runs from the list.
   * @param isPanicking whether a panic runs it
   * @returns whether the call has deferred it
   */
  take(running: RunningFunction, isPanicking: boolean): boolean {
    const at = this.indexOf(running, isPanicking);
    if (at < 0) return false;
    // Those behind it have run before.
    const [first, ...missed] = this.functions.splice(at);
    if (isPanicking) this.last = first?.line;
    this.hasRun = true;
    this.hasMissed ||= missed.length > 0;
    return true;
  }

  /** Notes that the call has ended, so all of its functions have run. */
  end(): void {
    this.hasMissed ||= this.functions.length > 0;
  }

  private indexOf({ frame, record }: RunningFunction, isPanicking: boolean): number {
    const last = this.functions.at(-1);
    return this.functions.findLastIndex((each) => {
      const isOwn = isPanicking && each.record === record;
      const isNext = (!isPanicking || each === last) && each.before === record;
      return each.name === frame.name && (isOwn || isNext);
    });
  }

  /** Whether a stop is in the first line of a closure. It may be the `defer` statement that contains the closure. */
  private isFirstOfClosure({ session, top }: ThreadStack): boolean {
    const isGo = adapterOf(session.type).deferred !== undefined;
    return isGo && top.line === this.entry.top.line && isClosure(top);
  }
}

/** Returns the deferred function that runs at a stop. Undefined if the runtime has called none. */
export async function runningAt(
  services: Services,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<RunningFunction | undefined> {
  const frame = deferredAt(now);
  return frame && { frame, record: await recordAt(services, now, signal) };
}

/** Reads the newest record of deferred functions of a thread. Undefined if it is unknown. */
async function recordAt(
  services: Services,
  now: ThreadStack,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { deferred } = adapterOf(now.session.type);
  if (deferred === undefined) return undefined;
  const values = await Promise.all(
    deferred.record.map((expression) => evaluated(services, now, expression, signal)),
  );
  return deferred.readRecord(values.map((value = '') => value));
}
