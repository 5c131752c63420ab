import type { CallEnds, LoggedCalls } from '../debugger/adapters/calls';
import { sameAddress } from '../debugger/breakpoints/addressBreakpoint';
import type { AddressBreakpoints } from '../debugger/breakpoints/addressBreakpoints';
import { DebuggerError } from '../debugger/debuggerError';
import type { Frame } from '../debugger/inspection/stackAndVariables';
import { numberOf, textOf, type Fields } from '../debugger/protocol';
import type { AdapterRequests } from '../debugger/requests';
import type { SessionState } from '../debugger/state/state';
import { instructionsOf, resultsIn, type Request } from './returnInstructions';

/** A function at whose ends the program stops. */
export interface StoppedFunction {
  readonly name: string;
  readonly path: string;
  /** Its first and its last line. */
  readonly start: number;
  readonly end: number;
  /** The names of its results. */
  readonly results: readonly string[];
  /** The lines at which it returns values that are known without a stop. */
  readonly known: readonly number[];
}

/** The functions whose values a logpoint cannot evaluate. */
export interface RequestedReturns {
  /** The address of the instruction at which the thread is stopped. */
  readonly instruction: string;
  readonly own: StoppedFunction;
  /** Whether the value of the recorded call itself is requested. */
  readonly isOwnRequested: boolean;
  readonly callees: readonly StoppedFunction[];
}

export interface ReturnServices {
  readonly requests: AdapterRequests;
  readonly addressBreakpoints: AddressBreakpoints;
}

export interface StoppedFrame {
  readonly session: SessionState;
  readonly threadId: number;
  /** The adapter's id of the frame. */
  readonly frameId: number;
}

/** The end of a call at which the program has stopped. */
export interface ReadReturn {
  /** Whether it is the recorded call itself. */
  readonly isOwn: boolean;
  /** The activation and the name of the function that was called. */
  readonly activation: string;
  readonly name: string;
  /** The value that it returns. Undefined if it could not be read. */
  readonly value: string | undefined;
}

interface ReturnStop {
  readonly of: StoppedFunction;
  readonly address: string;
  /** Whether the value of the recorded call itself is read there. */
  readonly isOwn: boolean;
}

/**
 * Stops the program at the return instructions of the recorded call and of functions that it calls, if the debugger
 * shows the results there. The conditions of the breakpoints are true only in these calls.
 */
export class ReturnStops {
  /** All stops that were set. The program may reach one of them before the debugger has removed it. */
  private stops: readonly ReturnStop[] = [];

  private constructor(
    private readonly services: ReturnServices,
    private readonly session: SessionState,
    private readonly ends: CallEnds,
    private readonly own: { readonly activation: string; readonly condition: string },
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Sets the breakpoints.
   * @param own the activation of the recorded call
   * @returns undefined if the debugger cannot do that
   * @throws Interrupted
   */
  static async setIfPossible(
    ...args: Parameters<typeof ReturnStops.set>
  ): Promise<ReturnStops | undefined> {
    try {
      return await ReturnStops.set(...args);
    } catch (error) {
      // The call is recorded without these values.
      if (error instanceof DebuggerError) return undefined;
      throw error;
    }
  }

  private static async set(
    services: ReturnServices,
    { session, threadId, frameId }: StoppedFrame,
    { ends, calleeActivation }: LoggedCalls,
    own: string,
    requested: RequestedReturns,
    signal: AbortSignal,
  ): Promise<ReturnStops | undefined> {
    const { supportsInstructionBreakpoints, supportsDisassembleRequest } = session.capabilities;
    if (ends === undefined || supportsDisassembleRequest !== true) return undefined;
    if (supportsInstructionBreakpoints !== true) return undefined;
    const reading: Request = (command, args) =>
      services.requests.sendUnique(session, command, args, signal);
    const instructions = await instructionsOf(reading, requested.instruction, requested.own);
    const [places, ...addresses] = await Promise.all([
      placesOf(reading, ends, requested, instructions),
      ...calleeActivation.map(async (expression) => {
        const args = { expression, frameId, context: 'watch' };
        const { result } = await services.requests.read(session, 'evaluate', args, signal);
        return parseInt(textOf(result) ?? '', 10);
      }),
    ]);
    const [from = NaN, base = NaN] = addresses;
    if (places.length === 0 || !Number.isFinite(from - base)) return undefined;
    const callee = from - allocatedBy(ends, instructions) - base;
    const activations = [
      ...(requested.isOwnRequested ? [own] : []),
      ...(requested.callees.length > 0 ? [String(callee)] : []),
    ];
    const condition = ends.condition(threadId, [own]);
    const stops = new ReturnStops(services, session, ends, { activation: own, condition }, signal);
    try {
      await stops.place(places, ends.condition(threadId, activations));
    } catch (error) {
      await stops.dispose();
      throw error;
    }
    return stops;
  }

  /**
   * Reads the results if the program has stopped at one of the ends. A result that cannot be read is unknown.
   * @throws Interrupted
   */
  async read(
    session: SessionState,
    { id: frameId, instructionPointerReference: address }: Frame,
    facts: LoggedCalls,
    signal: AbortSignal,
  ): Promise<ReadReturn | undefined> {
    const isAtBreakpoint = session.lastStop?.reason.includes('breakpoint') === true;
    if (address === undefined || session.key !== this.session.key || !isAtBreakpoint)
      return undefined;
    const stop = this.stops.find((other) => sameAddress(other.address, address));
    if (stop === undefined) return undefined;
    const { name, results } = stop.of;
    try {
      const reading: Request = (command, request) =>
        this.services.requests.read(session, command, request, signal);
      const args = { expression: facts.activation, frameId, context: 'watch' };
      const [{ result }, value] = await Promise.all([
        reading('evaluate', args),
        resultsIn(reading, frameId, this.ends, results),
      ]);
      const activation = textOf(result) ?? '';
      return { isOwn: activation === this.own.activation, activation, name, value };
    } catch (error) {
      if (!(error instanceof DebuggerError)) throw error;
      return { isOwn: false, activation: '', name, value: undefined };
    }
  }

  /** Stops no longer in callees. */
  async keepOwn(): Promise<void> {
    const own = this.stops.filter(({ isOwn }) => isOwn);
    await this.send(own, this.own.condition, this.signal).catch(() => undefined);
  }

  /** Removes the breakpoints. If the session has ended, they have ended with it. */
  async dispose(): Promise<void> {
    await this.send([], '', new AbortController().signal).catch(() => undefined);
  }

  private async place(places: readonly ReturnStop[], condition: string): Promise<void> {
    this.stops = places;
    await this.send(places, condition, this.signal);
  }

  private async send(
    places: readonly ReturnStop[],
    condition: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { requests, addressBreakpoints } = this.services;
    const requested = places.map(({ address }) => ({
      ...({ kind: 'instruction', reference: address } as const),
      condition,
    }));
    await addressBreakpoints.inject(this.session, requested, (to, command, args) =>
      requests.send(to, command, args, signal),
    );
  }
}

/** Returns the return instructions of the requested functions. Those of callees are found by the calls in the function. */
async function placesOf(
  request: Request,
  ends: CallEnds,
  { own, isOwnRequested, callees }: RequestedReturns,
  instructions: readonly Fields[],
): Promise<readonly ReturnStop[]> {
  const called = new Map<string, StoppedFunction>();
  for (const found of instructions) {
    const target = ends.called(found);
    if (target === undefined) continue;
    // The name of a generic function ends with its types.
    const last = target.name
      .replace(/\[[^]*/, '')
      .split('.')
      .at(-1);
    const same = callees.filter(({ name }) => name === last);
    // Only the lines show which one of several functions is called.
    const [only] = same.length === 1 ? same : [];
    if (only !== undefined) called.set(target.address, only);
  }
  const inCallees = await Promise.all(
    [...called].map(async ([address, callee]) =>
      returnsIn(ends, callee, await instructionsOf(request, address, callee), false),
    ),
  );
  const inOwn = isOwnRequested ? returnsIn(ends, own, instructions, true) : [];
  // A function that calls itself has the same instructions.
  const all = [...inCallees.flat(), ...inOwn];
  return [...new Map(all.map((stop) => [stop.address, stop])).values()];
}

/** The number of instructions after the beginning of a function, one of which creates its frame. */
const PROLOGUE = 3;

/** Returns the size of the frame, if the thread is stopped before the function has created it. */
function allocatedBy({ allocated }: CallEnds, instructions: readonly Fields[]): number {
  return instructions
    .slice(0, PROLOGUE)
    .reduce((bytes, found) => bytes + allocated(textOf(found['instruction']) ?? ''), 0);
}

function returnsIn(
  { isReturn }: CallEnds,
  of: StoppedFunction,
  instructions: readonly Fields[],
  isOwn: boolean,
): readonly ReturnStop[] {
  // Only the first instruction of a line has the line.
  let line: number | undefined;
  return instructions.flatMap((found) => {
    line = numberOf(found['line']) ?? line;
    const address = textOf(found['address']);
    const isEnd = isReturn(textOf(found['instruction']) ?? '');
    const isKnown = line !== undefined && of.known.includes(line);
    return isEnd && !isKnown && address !== undefined ? [{ of, address, isOwn }] : [];
  });
}
