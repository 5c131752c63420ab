import type { AddressBreakpoint } from '../../debugger/breakpoints/addressBreakpoint';
import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';

/** A data or instruction breakpoint as callers see it. */
export function addressView(
  { id, requested, verified, message, boundTo, hits }: AddressBreakpoint,
  session: Pick<SessionState, 'id'> | undefined,
) {
  return defined({
    id,
    kind: requested.kind,
    verified,
    data_id: requested.kind === 'data' ? requested.reference : undefined,
    description: requested.description,
    access_type: requested.accessType,
    instruction_reference: requested.kind === 'instruction' ? requested.reference : undefined,
    offset: requested.offset === 0 ? undefined : requested.offset,
    bound_to: boundTo,
    condition: requested.condition,
    hit_condition: requested.hitCondition,
    enabled: true,
    owner: 'agent' as const,
    hits: hits === 0 ? undefined : hits,
    session_id: session?.id,
    message,
  });
}
