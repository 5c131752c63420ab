import type { Fields } from '../protocol';

/**
 * What one debug adapter does in its own way. Everything that depends on which adapter a session has is asked here;
 * what an adapter leaves out is the behaviour of the Debug Adapter Protocol.
 */
export interface Adapter {
  /** Types of one name share a choice of exception filters: one debugger serves them. */
  readonly name: string;
  /** The debug types that it serves (launch.json `type`). */
  readonly types: readonly string[];
  /** The version in which this was seen. */
  readonly seenIn: string;
  /** The languages (VS Code's ids; `native` for executables) that it is chosen for, in the order of preference. */
  readonly languages: readonly string[];

  /** What it offers, for the time before a session of it. DAP `exceptionBreakpointFilters`. */
  readonly exceptionFilters?: readonly OfferedFilter[];
  /** Whether a filter that is switched on applies only to functions that are entered afterwards. */
  readonly appliesFiltersLate?: boolean;
  /** Hit counts that it understands; DAP leaves the text of `hitCondition` to the adapter. Default: all operators. */
  readonly hitConditions?: HitConditions;
  /** Whether it heeds only the first of condition, log message and hit count, and silently leaves out the others. */
  readonly heedsOnePart?: boolean;
  /** Whether it verifies a breakpoint by the file on disk, loaded or not. */
  readonly verifiesUnloadedFiles?: boolean;
  /** Whether it reports errors in conditions of files that it does not debug; VS Code sends all breakpoints to all sessions. */
  readonly complainsOfForeignFiles?: boolean;
  /** Whether the output of a logpoint names its place; depends on the configuration. Undefined where nothing is known. */
  readonly placesLogpoints?: (configuration: Fields) => boolean;
  /** Whether a condition that fails counts as false without a message. */
  readonly hidesFailedConditions?: boolean;
  /** Whether only text in braces of a log message is evaluated; where nobody has seen that, any of it may be. */
  readonly evaluatesBracesOnly?: boolean;

  /** How its program ended, from a whole line that the adapter itself printed. */
  readonly printedExit?: (line: PrintedLine) => PrintedExit | undefined;
  /** Whether the exit code of DAP's `exited` event says something. Default: yes. */
  readonly reportsExitCode?: (code: number) => boolean;
  /** Whether a stop after a pause request is that pause, though the adapter gives another reason. */
  readonly isPause?: (stop: PauseLike) => boolean;
  /** Whether its programs are child processes of the extension host, whose exits Node reports. */
  readonly startsInExtensionHost?: boolean;
  /** The process id in a session's name. */
  readonly processIdOf?: (sessionName: string) => number | undefined;
  /** Whether a configuration leaves what the program writes to its own streams unread. */
  readonly leavesStreamsUnread?: (configuration: Fields) => boolean;

  /** Whether listing an object's members runs code of the program, such as properties. */
  readonly runsCodeToListMembers?: boolean;
  /** Whether evaluating in the context `hover` was seen to have no side effects. DAP `supportsEvaluateForHovers`. */
  readonly hoversWithoutSideEffects?: boolean;
  /** The length beyond which it takes the middle out of an evaluated value, but for the context `clipboard`. */
  readonly shortensValuesAt?: number;

  /** What a configuration for a program needs beside its type. Default: `program`. */
  readonly launch?: (program: string) => Fields;
  /** What a configuration for a tool, such as a package's script, needs so that all it writes is read. */
  readonly toolProperties?: Fields;
  /** What stops where a test fails, though its runner catches the exception. */
  readonly testStops?: TestStops;
  /** Whether a configuration runs a test or a test runner that is known by its name. */
  readonly runsTests?: (configuration: Fields) => boolean;
  /** The same configuration, changed so that it can stop where a test fails. */
  readonly forTests?: (configuration: Fields) => Fields;
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
  /** Undefined for what it does not understand. */
  readonly write: (hits: HitCount) => string | undefined;
  /** What it does understand, for the person. */
  readonly understands: string;
}

export interface PrintedLine {
  /** DAP `output` event's category. */
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
}

export interface TestStops {
  /** Exception filters, and the condition of each. */
  readonly filters?: readonly string[];
  readonly conditions?: Readonly<Record<string, string>>;
  /** A function to set a breakpoint in. */
  readonly functionName?: string;
  /** Environment variables of the program. */
  readonly env?: string;
  /** What else has to hold. */
  readonly note?: string;
}

/** A filter that takes no condition. */
export function plainFilter(filter: string, label: string): OfferedFilter {
  return { filter, label, takesCondition: false };
}

/** `> 5`, `== 3`, `% 2`. */
export function writeOperators({ operator, count }: HitCount): string {
  return `${operator} ${count}`;
}

/** The same, for adapters that know no `!=`. */
export const ALL_BUT_UNEQUAL: HitConditions = {
  write: (hits) => (hits.operator === '!=' ? undefined : writeOperators(hits)),
  understands: '"== n", "> n", ">= n", "< n", "<= n" and "% n == 0"',
};
