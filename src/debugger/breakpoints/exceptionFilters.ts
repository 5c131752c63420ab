import { fields, listOf, textOf } from '../protocol';
import { liveSessions, type DebugState, type SessionState } from '../state/state';

/** One filter that an adapter offers. DAP "ExceptionBreakpointsFilter". */
export interface OfferedFilter {
  readonly filter: string;
  readonly label: string;
  /** DAP `supportsExceptionFilterOptions`, and `supportsCondition` of the filter itself. */
  readonly takesCondition: boolean;
}

/** Where it is known from which filters a debugger has. */
export type FilterSource = 'session' | 'last_session' | 'table';

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

/** Debug types that one adapter serves; the first stands for all of them. */
const SERVED_TOGETHER: readonly (readonly [string, ...string[]])[] = [
  [
    'node',
    'pwa-node',
    'node-terminal',
    'chrome',
    'pwa-chrome',
    'msedge',
    'pwa-msedge',
    'extensionHost',
    'pwa-extensionHost',
  ],
  ['debugpy', 'python'],
];

/** The debug type under which all types of an adapter share one choice of filters. */
export function filterType(debugType: string): string {
  return SERVED_TOGETHER.find((types) => types.includes(debugType))?.[0] ?? debugType;
}

const plain = (filter: string, label: string): OfferedFilter => ({
  filter,
  label,
  takesCondition: false,
});

/** What the tested adapters answer to `initialize`, for the time before a session of theirs. */
const TABLE: Readonly<Record<string, readonly OfferedFilter[]>> = {
  node: [
    { filter: 'all', label: 'Caught Exceptions', takesCondition: true },
    { filter: 'uncaught', label: 'Uncaught Exceptions', takesCondition: true },
  ],
  debugpy: [
    plain('raised', 'Raised Exceptions'),
    plain('uncaught', 'Uncaught Exceptions'),
    plain('userUnhandled', 'User Uncaught Exceptions'),
  ],
  'lldb-dap': [
    plain('cpp_catch', 'C++ Catch'),
    plain('cpp_throw', 'C++ Throw'),
    plain('objc_catch', 'Objective-C Catch'),
    plain('objc_throw', 'Objective-C Throw'),
  ],
  go: [],
  java: [plain('uncaught', 'Uncaught Exceptions'), plain('caught', 'Caught Exceptions')],
};

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
      (each) => filterType(each.type) === named && Object.keys(each.capabilities).length > 0,
    );
    if (running !== undefined) return { filters: offered(running), from: 'session' };
    const last = this.last.get(named);
    if (last !== undefined) return { filters: last, from: 'last_session' };
    const known = Object.hasOwn(TABLE, named) ? TABLE[named] : undefined;
    return known === undefined ? undefined : { filters: known, from: 'table' };
  }
}
