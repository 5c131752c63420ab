import { defined } from '../../util/defined';
import { countOf, flagOf, textOf, type Fields } from '../protocol';
import { keptText } from '../texts';

/** The kinds of breakpoints that VS Code has no API for: data breakpoints and instruction breakpoints. */
export type AddressKind = 'data' | 'instruction';

export type AccessType = 'read' | 'write' | 'readWrite';

/** A breakpoint as it was requested. DAP "DataBreakpoint", "InstructionBreakpoint". */
export interface RequestedAddress {
  readonly kind: AddressKind;
  /** The adapter's id of the data, or the address of an instruction. */
  readonly reference: string;
  readonly offset?: number | undefined;
  readonly accessType?: AccessType | undefined;
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  /** A readable name of the data. */
  readonly description?: string | undefined;
}

export interface AddressBreakpoint {
  /** The small number that callers see. */
  readonly id: number;
  readonly sessionKey: string;
  readonly requested: RequestedAddress;
  readonly verified: boolean;
  readonly message: string | undefined;
  /** The adapter's own id. */
  readonly adapterId: number | undefined;
  /** The address to which the adapter bound it. */
  readonly boundTo: string | undefined;
  readonly hits: number;
}

/** A requested breakpoint in the form of DAP. */
export function asDapBreakpoint({
  kind,
  reference,
  offset,
  accessType,
  condition,
  hitCondition,
}: RequestedAddress): Fields {
  return defined({
    ...(kind === 'data' ? { dataId: reference } : { instructionReference: reference }),
    offset: offset === undefined || offset === 0 ? undefined : offset,
    accessType,
    condition,
    hitCondition,
  });
}

/** Returns the breakpoint, updated from an adapter's report. DAP "Breakpoint". */
export function withReport(
  before: AddressBreakpoint,
  reported: Fields | undefined,
): AddressBreakpoint {
  if (reported === undefined) return before;
  return {
    ...before,
    verified: flagOf(reported['verified']) ?? before.verified,
    message: keptText(reported['message']),
    adapterId: countOf(reported['id']) ?? before.adapterId,
    boundTo: textOf(reported['instructionReference']) ?? before.boundTo,
  };
}

/** Whether two texts are the same address. Adapters write addresses with and without leading zeros. */
export function sameAddress(one: string, other: string): boolean {
  const [first, second] = [asAddress(one), asAddress(other)];
  return first === undefined || second === undefined ? one === other : first === second;
}

function asAddress(text: string): bigint | undefined {
  return /^(?:0x[0-9a-f]{1,32}|\d{1,32})$/i.test(text) ? BigInt(text) : undefined;
}
