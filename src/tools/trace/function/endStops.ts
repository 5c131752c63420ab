import { adapterOf } from '../../../debugger/adapters/registry';
import { sameAddress } from '../../../debugger/breakpoints/addressBreakpoint';
import { textOf } from '../../../debugger/protocol';
import { instructionsOf, resultsIn, type Request } from '../../../recording/returnInstructions';
import type { ToolServices } from '../../services';
import type { AddressStops } from './addressStops';
import type { TracedFunction } from './callModel';
import { isDefer } from './goClosures';
import { evaluated } from './evaluated';
import type { ThreadStack } from './threadStack';
import { isOfRuntime } from './panics';
import type { Stops } from './steppingPlan';

type Services = Pick<ToolServices, 'inspector'>;

/**
 * Stops a Go call at its return instructions, where the debugger shows its results. Deferred functions have run there.
 * A call that recovers from a panic reaches one of them, too, without another stop in its lines.
 */
export class EndStops {
  private constructor(
    private readonly request: Request,
    private readonly called: TracedFunction,
    private readonly addresses: readonly string[],
    private readonly stops: Stops,
  ) {}

  /**
   * Sets the breakpoints, if the source does not tell what the call returns, or if a goroutine ends with it. Steps do not
   * stop then.
   * @param entry the beginning of the call
   * @returns undefined if they are not necessary, or if the debugger cannot do that
   */
  static async set(
    services: Services,
    stops: AddressStops,
    called: TracedFunction,
    entry: ThreadStack,
    signal: AbortSignal,
  ): Promise<EndStops | undefined> {
    const { session, top } = entry;
    const { activation: expression, ends } = adapterOf(session.type).loggedCalls ?? {};
    const { path, range } = called;
    const from = top.instructionPointerReference;
    if (expression === undefined || ends === undefined || from === undefined) return undefined;
    if (path === undefined || range === undefined) return undefined;
    if (!isEndUnknown(called) && !isOutermost(entry)) return undefined;
    const request: Request = (command, args) =>
      services.inspector.sendUnique(session, command, args, signal);
    const [activation, instructions] = await Promise.all([
      evaluated(services, entry, expression, signal),
      instructionsOf(request, from, { path, ...range }).catch(() => []),
    ]);
    if (activation === undefined) return undefined;
    const addresses = instructions.flatMap(({ address, instruction }) => {
      const isEnd = ends.isReturn(textOf(instruction) ?? '');
      return isEnd ? (textOf(address) ?? []) : [];
    });
    const set = await stops
      .add(addresses.map((reference) => ({ reference, activation })))
      .catch(() => undefined);
    return set && new EndStops(request, called, addresses, set);
  }

  /** Whether a thread is at one of the instructions, in this call or in another one of a recursive function. */
  isAt({ top: { instructionPointerReference: at } }: ThreadStack): boolean {
    return at !== undefined && this.addresses.some((end) => sameAddress(end, at));
  }

  /** Reads what the call is about to return. Undefined if it is unknown. */
  async returned({ session, top }: ThreadStack): Promise<string | undefined> {
    const { results = [] } = this.called;
    const ends = adapterOf(session.type).loggedCalls?.ends;
    if (ends === undefined) return undefined;
    return await resultsIn(this.request, top.id, ends, results).catch(() => undefined);
  }

  /** Removes the breakpoints. */
  async dispose(): Promise<void> {
    await this.stops.dispose();
  }
}

/** Whether a call is the first one of a goroutine. */
export function isOutermost({ callers }: ThreadStack): boolean {
  return callers.every(isOfRuntime);
}

/** Whether the call may return a value that is not known at its last line, or may recover from a panic. */
function isEndUnknown({ source, range, hasUnreadReturns }: TracedFunction): boolean {
  if (range === undefined) return false;
  return hasUnreadReturns === true || source.slice(range.start - 1, range.end).some(isDefer);
}
