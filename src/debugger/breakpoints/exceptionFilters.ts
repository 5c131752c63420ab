import type { OfferedFilter } from '../adapters/adapterParts';
import { adapterOf } from '../adapters/registry';
import { fields, listOf, textOf } from '../protocol';
import { liveSessions, type DebugState, type SessionState } from '../state/state';

/** The source of a debugger's list of filters. */
export type FilterSource = 'session' | 'lastSession' | 'table';

export interface AvailableFilters {
  readonly filters: readonly OfferedFilter[];
  readonly from: FilterSource;
}

/** The filters that a session's adapter offers. Empty before its response to `initialize`. */
export function offered(session: SessionState): readonly OfferedFilter[] {
  const takesOptions = session.capabilities.supportsExceptionFilterOptions === true;
  return listOf(session.capabilities.exceptionBreakpointFilters).flatMap((entry) => {
    const { filter, label, supportsCondition } = fields(entry);
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

/** The name under which all debug types of an adapter share one choice of filters. */
export function filterType(debugType: string): string {
  return adapterOf(debugType).name;
}

/**
 * The exception filters of each debugger: from a live session, otherwise from the last session, otherwise from the
 * adapter table.
 */
export class ExceptionFilters {
  private readonly last = new Map<string, readonly OfferedFilter[]>();

  /** Stores the filters of a session's adapter for use after the session has ended. */
  remember(session: SessionState): void {
    if (Object.keys(session.capabilities).length > 0)
      this.last.set(filterType(session.type), offered(session));
  }

  /** The filters of a debug type; undefined if they are unknown until a session of that type exists. */
  of(state: DebugState, type: string): AvailableFilters | undefined {
    const named = filterType(type);
    const running = liveSessions(state).find(
      (session) =>
        filterType(session.type) === named && Object.keys(session.capabilities).length > 0,
    );
    if (running !== undefined) return { filters: offered(running), from: 'session' };
    const last = this.last.get(named);
    if (last !== undefined) return { filters: last, from: 'lastSession' };
    const documented = adapterOf(named).exceptionFilters;
    return documented === undefined ? undefined : { filters: documented, from: 'table' };
  }
}
