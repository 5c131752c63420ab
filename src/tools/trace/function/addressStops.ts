import { adapterOf } from '../../../debugger/adapters/registry';
import { sameAddress } from '../../../debugger/breakpoints/addressBreakpoint';
import type { ToolServices } from '../../services';
import type { ThreadStack } from './threadStack';
import type { Stops } from './steppingPlan';

/** An address at which the thread of a trace stops: in one activation of a function, or in each one. */
export interface RequestedStop {
  readonly reference: string;
  readonly activation?: string;
}

/**
 * The breakpoints of a trace at addresses of instructions. They are sent as one list, in which each address appears
 * once. Calls of a recursive function have the same addresses.
 */
export class AddressStops {
  private readonly active = new Set<readonly RequestedStop[]>();
  /** The addresses of the first instructions of deferred functions. */
  private readonly beginnings = new Set<string>();

  constructor(
    private readonly services: Pick<ToolServices, 'addressBreakpoints' | 'inspector'>,
    private readonly entry: Pick<ThreadStack, 'session' | 'threadId'>,
    private readonly signal: AbortSignal,
  ) {}

  /** Stops the program at addresses until they are disposed. @throws DebuggerError if the adapter refuses it */
  async add(requested: readonly RequestedStop[]): Promise<Stops> {
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

  /** Stops the thread of the trace at the first instruction of a deferred function. Undefined if the adapter refuses it. */
  async atBeginning(address: string): Promise<Stops | undefined> {
    this.beginnings.add(address);
    return await this.add([{ reference: address }]).catch(() => undefined);
  }

  /** Whether a stop is at the first instruction of a deferred function. */
  isBeginning({ top: { instructionPointerReference: at } }: ThreadStack): boolean {
    return at !== undefined && [...this.beginnings].some((other) => sameAddress(other, at));
  }

  /** Removes all breakpoints that a cancelled trace has left. */
  async dispose(): Promise<void> {
    if (this.active.size === 0) return;
    this.active.clear();
    await this.send(new AbortController().signal).catch(() => undefined);
  }

  private async send(signal: AbortSignal): Promise<void> {
    const { session, threadId } = this.entry;
    const ends = adapterOf(session.type).loggedCalls?.ends;
    const activations = new Map<string, (string | undefined)[]>();
    for (const { reference, activation } of [...this.active].flat())
      activations.set(reference, [...(activations.get(reference) ?? []), activation]);
    const requested = [...activations].map(([reference, each]) => {
      const chosen = each.filter((activation) => activation !== undefined);
      const isEach = chosen.length < each.length;
      const condition = ends?.condition(threadId, isEach ? [] : [...new Set(chosen)]);
      return { kind: 'instruction', reference, condition } as const;
    });
    await this.services.addressBreakpoints.inject(session, requested, (to, command, args) =>
      this.services.inspector.sendUnique(to, command, args, signal),
    );
  }
}
