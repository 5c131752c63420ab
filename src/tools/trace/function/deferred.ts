import type { InjectedPoint } from '../../../control/injectedLists';
import { adapterOf } from '../../../debugger/adapters/registry';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';
import type { AddressStops } from './addressStops';
import type { SourceLines } from './branches';
import type { TracedFunction } from './callModel';
import { evaluated } from './evaluated';
import type { MissedStops } from './missedStops';
import type { Moment } from './moment';
import type { Stops } from './steppingPlan';

/** A function that a call has deferred. */
interface DeferredFunction {
  /** The line of the `defer` statement. */
  readonly line: number;
  readonly name: string;
  /** The address of its first instruction. */
  readonly address: string;
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

  constructor(
    private readonly services: Pick<ToolServices, 'inspector'>,
    private readonly missed: MissedStops,
    private readonly source: SourceLines,
    /** The line at which the call began. That of a closure may be the `defer` statement that contains it. */
    private readonly firstLine: number,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Reads the function that a call has just deferred. Steps may miss it.
   * @param before the last stop in the call
   * @param now the stop after it in the call
   * @param addresses stops the program in the function. Undefined if that is not requested
   */
  async read(before: Moment, now: Moment, addresses: AddressStops | undefined): Promise<void> {
    const { line } = before.top;
    const text = this.source[line - 1];
    const { deferred } = adapterOf(now.session.type);
    if (deferred === undefined || line === this.firstLine || !isDefer(text)) return;
    const { signal } = this;
    const [name, value = ''] = await Promise.all(
      [deferred.name, deferred.address].map((each) => evaluated(this.services, now, each, signal)),
    );
    const address = deferred.read(value);
    if (name === undefined || address === undefined) {
      this.hasMissed = true;
      return;
    }
    this.functions.push({ line, name, address });
    if (addresses === undefined) return;
    const stops = await addresses.inThread(address, now);
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
  withoutUnread(now: Moment): Moment {
    const isFirst = now.top.line === this.firstLine && isClosure(now.top);
    const { deferred } = adapterOf(now.session.type);
    return isFirst && deferred !== undefined ? { ...now, values: new Map() } : now;
  }

  /** The addresses of the functions. */
  get addresses(): readonly string[] {
    return this.functions.map(({ address }) => address);
  }

  /** Whether the call has deferred the function that runs at a stop. */
  has({ name }: Frame): boolean {
    return this.functions.some((each) => each.name === name);
  }

  /**
   * Takes the function that runs at a stop from the list.
   * @param isPanicking whether a panic runs it
   * @returns whether the call has deferred it
   */
  take(running: Frame, isPanicking: boolean): boolean {
    const at = this.functions.findLastIndex(({ name }) => name === running.name);
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
}

/** Whether a line is a `defer` statement. */
export function isDefer(text = ''): boolean {
  return /^\s*defer\b/.test(text);
}

/** Whether a `defer` statement contains the function. */
function isLiteral(text = ''): boolean {
  return /\bdefer\s+func\b/.test(text);
}

/** Whether a frame is of the closure that the compiler adds for a deferred function with arguments. */
export function isAdded(frame: Frame, source: SourceLines): boolean {
  const text = source[frame.line - 1];
  return isClosure(frame) && isDefer(text) && !isLiteral(text);
}

/** Whether a function is a closure, which has a name like `main.load.func1` or `main.load.deferwrap1`. */
function isClosure({ name }: Pick<Frame, 'name'>): boolean {
  return CLOSURE.test(name);
}

/** Returns the name of the function that contains a closure. */
export function nameAround({ name }: Pick<Frame, 'name'>): string | undefined {
  return CLOSURE.test(name) ? name.replace(CLOSURE, '') : undefined;
}

/** Returns the name of a closure without the path of its package. Undefined for other functions. */
export function closureName(frame: Frame): string | undefined {
  return isClosure(frame)
    ? frame.name
        .replace(/^.*\//, '')
        .replace(/^[^.]*\./, '')
        .replace(/\(\*?([^()]*)\)/, '$1')
    : undefined;
}

const CLOSURE = /\.(?:func|deferwrap)\d+(?:\.\d+)*$/;

/** The maximum number of `defer` statements in a function. Each one takes a breakpoint. */
const MOST_PLACES = 60;

/**
 * Returns the lines of the `defer` statements in a function. A breakpoint there is also at the beginning of the closure
 * in the statement.
 */
export function deferredPlaces(
  { path, source, range }: TracedFunction,
  condition: string,
): readonly InjectedPoint[] {
  if (path === undefined || range === undefined) return [];
  const points = source
    .slice(range.start - 1, range.end)
    .flatMap((text, index) =>
      isDefer(text) ? [{ path, line: range.start + index, condition }] : [],
    );
  return points.slice(0, MOST_PLACES);
}
