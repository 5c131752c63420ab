import type { Fields } from '../protocol';

/** How an adapter stops at every exception that is thrown. */
export interface EveryException {
  /** The exception filters. */
  readonly filters: readonly string[];
  /** What the adapter calls each exception, if it tells neither the type nor the message. Default: it tells them. */
  readonly namesAll?: string;
  /** Whether a stop is at an exception of the language. Default: all stops at exceptions are. */
  readonly isThrow?: (stop: PauseLike) => boolean;
  /**
   * Set if the adapter was seen to report each exception that nothing handles as unhandled: at the stop where it is
   * thrown, or at a further stop. Default: unknown.
   */
  readonly reportsUnhandled?: 'whereThrown' | 'afterwards';
  /**
   * Whether it stops at no exception in a statement with a breakpoint whose condition is false, and evaluates the
   * condition once more there. Code that records is such a condition.
   */
  readonly passesAtFalseConditions?: boolean;
  /** Returns the exceptions at which a program with this configuration does not stop, as a text for results. */
  readonly unseen?: (configuration: Fields) => string | undefined;
}

/** The properties of a breakpoint in addition to its location. DAP "SourceBreakpoint". */
export interface BreakpointParts {
  readonly condition: string | undefined;
  readonly hitCondition: string | undefined;
  readonly logMessage: string | undefined;
}

/** A running program to attach to. */
export interface AttachTarget {
  /** The process id, if the process is named by it. */
  readonly processId: number | undefined;
  /** The address at which the program's debugger listens. The port is undefined if and only if `processId` is set. */
  readonly host: string;
  readonly port: number | undefined;
  readonly paths: readonly PathMapping[];
}

/** How a program that listens for this adapter is recognized. */
export interface Listening {
  /** The debug type that attaches to it. Default: the first type of the adapter. */
  readonly type?: string;
  /** The names of executables that listen, without `.exe`. */
  readonly executables?: readonly string[];
  /** What command lines of such programs contain. */
  readonly command?: RegExp;
  /** The `Browser` in the version of an inspector (Chrome DevTools Protocol). */
  readonly inspector?: RegExp;
  /** The text with which the protocol of the program begins, in both directions. */
  readonly handshake?: string;
}

/** Maps the folder of a program's files on another machine to their folder on this machine. */
export interface PathMapping {
  readonly local: string;
  readonly remote: string;
}

/** One filter that an adapter offers. DAP "ExceptionBreakpointsFilter". */
export interface OfferedFilter {
  readonly filter: string;
  readonly label: string;
  /** DAP `supportsExceptionFilterOptions`, and `supportsCondition` of the filter itself. */
  readonly takesCondition: boolean;
}

export type HitOperator = '==' | '!=' | '>' | '>=' | '<' | '<=' | '%';

export interface HitCount {
  readonly operator: HitOperator;
  readonly count: number;
}

export interface HitConditions {
  /** Returns the adapter's text for a hit count; undefined if the adapter does not support it. */
  readonly write: (hits: HitCount) => string | undefined;
  /** The supported hit counts, as a text for the person. */
  readonly understands: string;
}

export interface PrintedLine {
  /** The category of the DAP `output` event. */
  readonly category: unknown;
  readonly output: string;
}

export type PrintedExit =
  | { readonly kind: 'exited'; readonly code: number }
  /** The debugger has lost the program, which may still run. */
  | { readonly kind: 'lost'; readonly message: string };

export interface PauseLike {
  readonly reason: string;
  readonly description: string | undefined;
  readonly text?: string | undefined;
}

export interface TestStops {
  /** The exception filters; `conditions` has the condition of each. */
  readonly filters?: readonly string[];
  readonly conditions?: Readonly<Record<string, string>>;
  /** The function in which to set a breakpoint. */
  readonly functionName?: string;
  /** Environment variables of the program. */
  readonly env?: string;
  /** Further requirements. */
  readonly note?: string;
}

/** A filter that supports no condition. */
export function plainFilter(filter: string, label: string): OfferedFilter {
  return { filter, label, takesCondition: false };
}

/** Writes a hit count with its operator, such as `> 5`, `== 3`, `% 2`. */
export function writeOperators({ operator, count }: HitCount): string {
  return `${operator} ${count}`;
}

/** The hit counts of adapters that support all operators except `!=`. */
export const ALL_BUT_UNEQUAL: HitConditions = {
  write: (hits) => (hits.operator === '!=' ? undefined : writeOperators(hits)),
  understands: '"== n", "> n", ">= n", "< n", "<= n" and "% n == 0"',
};

/** How code is written that a debugger evaluates, so that it means what it would mean at its line. */
export interface WrittenAtLine {
  /** Whether the source around the line decides what the code means. */
  readonly needsSource: (code: string) => boolean;
  /** @param lines the lines of the source; none if they are not needed or unknown */
  readonly at: (code: string, lines: readonly string[], line: number) => string;
}
