import type { OfferedFilter } from '../adapters/adapter';
import { adapterOf } from '../adapters/registry';
import { fields, listOf, textOf } from '../protocol';
import { liveSessions, type DebugState, type SessionState } from '../state/state';

/** Where it is known from which filters a debugger has. */
export type FilterSource = 'session' | 'lastSession' | 'table';

export interface KnownFilters {
  readonly filters: readonly OfferedFilter[];
  readonly from: FilterSource;
}

/** The filters that a session's adapter offers; none before it has answered `initialize`. */
export function offered(session: SessionState): readonly OfferedFilter[] {
  const takesOptions = session.capabilities.supportsExceptionFilterOptions === true;
  return listOf(session.capabilities.exceptionBreakpointFilters).flatMap((each) => {
    const { filter, label, supportsCondition } = fields(each);
    const name = textOf(filter);
    return name === undefined
      ? []
      : [
          {
            filter: name,
            label: textOf(label) ?? name,
            takesCondition: takesOptions && supportsCondition === true,
          },
        ];
  });
}

/** The debug type under which all types of an adapter share one choice of filters. */
export function filterType(debugType: string): string {
  return adapterOf(debugType).name;
}

/** Which exception filters each debugger has: from a session that runs, else the last one, else the table. */
export class ExceptionFilters {
  private readonly last = new Map<string, readonly OfferedFilter[]>();

  /** Remembers what a session's adapter offers, for the time after it. */
  remember(session: SessionState): void {
    if (Object.keys(session.capabilities).length > 0)
      this.last.set(filterType(session.type), offered(session));
  }

  /** Undefined where nobody knows before a session of that type. */
  of(state: DebugState, type: string): KnownFilters | undefined {
    const named = filterType(type);
    const running = liveSessions(state).find(
      (session) =>
        filterType(session.type) === named && Object.keys(session.capabilities).length > 0,
    );
    if (running !== undefined) return { filters: offered(running), from: 'session' };
    const last = this.last.get(named);
    if (last !== undefined) return { filters: last, from: 'lastSession' };
    const known = adapterOf(named).exceptionFilters;
    return known === undefined ? undefined : { filters: known, from: 'table' };
  }
}
