import type { ExceptionDetails } from '../debugger/inspection/exceptionDetails';
import type { Frame } from '../debugger/inspection/stackAndVariables';
import type { ReportedTest, RunReport } from './runReport';
import type { ChosenTest } from './testFramework';

/** A stop of a test's program, as an observer reads it. */
export interface ObservedStop {
  /** The function of the runner's library at which the program stopped. Undefined at an exception. */
  readonly functionName: string | undefined;
  /** The frames, innermost first. */
  readonly frames: readonly Frame[];
  readonly exception?: ExceptionDetails | undefined;
  /** Evaluates an expression in a frame, by default in the innermost one. Returns undefined if that fails. */
  readonly evaluate: (expression: string, frame?: Frame) => Promise<string | undefined>;
  readonly framesOf: (threadId: number) => Promise<readonly Frame[]>;
  readonly threads: () => Promise<readonly number[]>;
}

/** The information that a stop provides about a test. */
export interface Observation {
  /** Whether the test fails here. Otherwise it has ended. */
  readonly isFailure: boolean;
  readonly test: ReportedTest;
  /** Identifies what the test has logged up to here, see `LibraryObserver.later`. */
  readonly mark?: string;
}

/** A function of a runner's library at which the run stops. */
export interface LibraryStop {
  readonly functionName: string;
  readonly condition?: string;
}

/** A run under the debugger, as far as it was observed. */
export interface ObservedRun {
  readonly observations: readonly Observation[];
  /** The values of the logpoint for later failures, in the order in which they were printed. */
  readonly later: readonly (readonly string[])[];
  /** The lines that the program printed. */
  readonly printed: readonly string[];
}

/** Observes a runner without a report file, by stops in the functions of its library. */
export interface LibraryObserver {
  readonly stops: (test: ChosenTest) => readonly LibraryStop[];
  /** The exception filters that stop the program at a failure. */
  readonly filters: readonly string[];
  readonly observe: (
    stop: ObservedStop,
    test: ChosenTest,
    file: string,
  ) => Promise<Observation | undefined>;
  /** Returns a logpoint that meets the failures after the first one, and its expressions. */
  readonly later?: (
    top: Frame,
  ) =>
    | { readonly path: string; readonly line: number; readonly expressions: readonly string[] }
    | undefined;
  /** Returns the thread that runs the test, in a program that was paused or has come to a standstill. */
  readonly threadOf: (stop: ObservedStop, test: ChosenTest) => Promise<number | undefined>;
  /** Returns what the thread of a stop waits for, such as `chan receive`. */
  readonly waitsFor?: (stop: ObservedStop) => Promise<string | undefined>;
  readonly report: (run: ObservedRun, test: ChosenTest, file: string) => RunReport;
}
