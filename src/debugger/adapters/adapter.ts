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
  /** The extension that brings it; undefined where VS Code itself does. */
  readonly extension?: string;

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

  /** The language of the code that a condition may run to record values without stopping. Default: nothing is recorded. */
  readonly recorder?: 'python' | 'javascript';
  /** An expression for whether another one counts as true in its language, which is not told by how a value is shown. */
  readonly truth?: (expression: string) => string;
  /**
   * The condition of a breakpoint that records and also stops where another on its line would; undefined where there is no
   * such condition. Of two breakpoints on one line, adapters heed one.
   */
  readonly mergedCondition?: (recording: string, other: BreakpointParts) => string | undefined;

  /** Whether its logpoints were seen to fill in plain variables at each hit, without stopping. */
  readonly logsPlainVariables?: boolean;

  /** Whether it lets a program go though breakpoints that it was sent before are not set yet: VS Code awaits its own. */
  readonly setsBreakpointsLate?: boolean;

  /** How its program ended, from a whole line that the adapter itself printed. */
  readonly printedExit?: (line: PrintedLine) => PrintedExit | undefined;
  /** Whether the exit code of DAP's `exited` event says something. Default: yes. */
  readonly reportsExitCode?: (code: number) => boolean;
  /** Whether a stop after a pause request is that pause, though the adapter gives another reason. */
  readonly isPause?: (stop: PauseLike) => boolean;
  /** Whether a stop is one at a data breakpoint, though the adapter neither gives that reason nor names it. */
  readonly isDataStop?: (stop: PauseLike) => boolean;
  /** Whether its programs are child processes of the extension host, whose exits Node reports. */
  readonly startsInExtensionHost?: boolean;
  /** The process id in a session's name. */
  readonly processIdOf?: (sessionName: string) => number | undefined;
  /** Whether a configuration leaves what the program writes to its own streams unread. */
  readonly leavesStreamsUnread?: (configuration: Fields) => boolean;

  /** Whether it evaluates an expression without a frame, while the program runs. */
  readonly evaluatesWhileRunning?: boolean;
  /** Whether listing an object's members runs code of the program, such as properties. */
  readonly runsCodeToListMembers?: boolean;
  /** Whether evaluating in the context `hover` was seen to have no side effects. DAP `supportsEvaluateForHovers`. */
  readonly hoversWithoutSideEffects?: boolean;
  /** Whether it answers in order, and was seen to number frames and scopes at each stop as at the one before. */
  readonly repeatsReferences?: boolean;
  /** The length beyond which it takes the middle out of an evaluated value, but for the context `clipboard`. */
  readonly shortensValuesAt?: number;

  /**
   * The function whose return value a variable holds, which adapters put among the locals after a step; empty where it
   * does not say which. Undefined for any other variable.
   */
  readonly returnedBy?: (variable: string) => string | undefined;

  /** What a configuration for a program needs beside its type. Default: `program`. */
  readonly launch?: (program: string) => Fields;
  /**
   * What a configuration needs beside its type to attach to a program that runs; undefined for a target, or for mappings
   * of paths, that it cannot take. Default: `processId`, or `host` and `port`, without mappings.
   */
  readonly attach?: (target: AttachTarget) => Fields | undefined;
  /** What a configuration for a tool, such as a package's script, needs so that all it writes is read. */
  readonly toolProperties?: Fields;
  /** What stops where a test fails, though its runner catches the exception. */
  readonly testStops?: TestStops;
  /** What a configuration for one test needs so that nothing of it is skipped and its output is read. */
  readonly testProperties?: Fields;
  /** What spares a test run the time that following its child processes takes. */
  readonly withoutChildren?: Fields;
  /** What attaches to the one process that waits for a debugger at a port of this machine, and to no other. */
  readonly atPort?: (port: number) => Fields;
  /** What the debugger makes the program's runtime print, beside the program itself. */
  readonly printsBeside?: RegExp;
  /** What stops where this failure arises. Default: the filters of `testStops`. */
  readonly stopsAt?: (failure: KnownFailure) => TestStops;
  /** Whether a configuration runs a test or a test runner that is known by its name. */
  readonly runsTests?: (configuration: Fields) => boolean;
  /** The same configuration, changed so that it can stop where a test fails. */
  readonly forTests?: (configuration: Fields) => Fields;
}

/** What a breakpoint has beside its place. DAP "SourceBreakpoint". */
export interface BreakpointParts {
  readonly condition: string | undefined;
  readonly hitCondition: string | undefined;
  readonly logMessage: string | undefined;
}

/** A program that runs. */
export interface AttachTarget {
  /** The process, where it is named by its id. */
  readonly processId: number | undefined;
  /** Where its debugger listens; the port is undefined exactly where a process is named. */
  readonly host: string;
  readonly port: number | undefined;
  readonly paths: readonly PathMapping[];
}

/** Where the files of a program that runs elsewhere are on this machine. */
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

/** A failure of a test that an earlier run has shown. */
export interface KnownFailure {
  readonly message: string;
  /** Where it was thrown, as the runtime itself writes it in a stack: `cart.js:12:7`. */
  readonly rawPlace: string | undefined;
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
