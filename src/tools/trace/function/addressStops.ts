import { adapterOf } from '../../../debugger/adapters/registry';
import type { ToolServices } from '../../services';
import type { Moment } from './moment';
import type { Stops } from './steppingPlan';
import type { Arrival } from './steps';

/** A request for breakpoints at addresses of instructions. */
export type RequestedStops = readonly { readonly reference: string; readonly condition: string }[];

/**
 * The breakpoints of a trace at addresses of instructions, in the language of Go. They are sent as one list, in which
 * each address appears once. Calls of a recursive function have the same addresses.
 */
export class AddressStops {
  private readonly active = new Set<RequestedStops>();

  constructor(
    private readonly services: Pick<ToolServices, 'addressBreakpoints' | 'inspector'>,
    private readonly session: Moment['session'],
    private readonly signal: AbortSignal,
  ) {}

  /** Stops the program at addresses until they are disposed. @throws DebuggerError if the adapter refuses it */
  async add(requested: RequestedStops): Promise<Stops> {
    this.active.add(requested);
    try {
      await this.send(this.signal);
    } catch (error) {
      this.active.delete(requested);
      throw error;
    }
    return {
      dispose: async () => {
        if (!this.active.delete(requested)) return;
        await this.send(new AbortController().signal).catch(() => undefined);
      },
    };
  }

  /** Stops the thread of a stop at an address. Undefined if the adapter cannot do that. */
  async inThread(address: string, { threadId }: Moment): Promise<Stops | undefined> {
    const ends = adapterOf(this.session.type).loggedCalls?.ends;
    if (ends === undefined) return undefined;
    const condition = ends.condition(threadId, []);
    return await this.add([{ reference: address, condition }]).catch(() => undefined);
  }

  /** Removes all breakpoints that a cancelled trace has left. */
  async dispose(): Promise<void> {
    if (this.active.size === 0) return;
    this.active.clear();
    await this.send(new AbortController().signal).catch(() => undefined);
  }

  private async send(signal: AbortSignal): Promise<void> {
    const byAddress = new Map<string, Set<string>>();
    for (const { reference, condition } of [...this.active].flat())
      byAddress.set(reference, (byAddress.get(reference) ?? new Set()).add(condition));
    await this.services.addressBreakpoints.inject(
      this.session,
      [...byAddress].map(([reference, conditions]) => ({
        ...({ kind: 'instruction', reference } as const),
        condition: [...conditions].map((each) => `(${each})`).join(' || '),
      })),
      (to, command, args) => this.services.inspector.sendUnique(to, command, args, signal),
    );
  }
}

/**
 * Whether a step from a breakpoint at an address has stopped at it again. Delve does that if the list of breakpoints has
 * changed in between.
 */
export function isHitAgain(
  before: Moment,
  arrival: Arrival,
): arrival is Extract<Arrival, { kind: 'at' }> {
  if (arrival.kind === 'over') return false;
  const { session, top, total } = arrival.moment;
  const at = top.instructionPointerReference;
  return (
    session.lastStop?.reason === 'instruction breakpoint' &&
    at !== undefined &&
    at === before.top.instructionPointerReference &&
    total === before.total
  );
}
