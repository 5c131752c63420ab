/** A frame of a stack that a runner reported. */
export interface ReportedFrame {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  readonly name: string;
  /** The variables that the extension's reporter has read where the error was raised. */
  readonly variables?: readonly ReportedVariable[] | undefined;
  /** The number of variables that the reporter left out. */
  readonly omitted?: number | undefined;
  /** Whether a `finally` or `with` of the frame ran before its variables were read. */
  readonly isLate?: boolean | undefined;
}

export interface ReportedVariable {
  readonly name: string;
  readonly value: string;
}

/** A line in a file. */
export interface LibraryLine {
  readonly path: string;
  readonly line: number;
}

export interface ReportedError {
  readonly type: string | undefined;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** The values that a comparison saw, in the order of the source, if it is unknown which one was expected. */
  readonly sides?: { readonly lhs: string; readonly rhs: string } | undefined;
  /** The place that the runner itself names, if it need not be the innermost frame. */
  readonly place?: LibraryLine | undefined;
  /** What a recorder in the debugger needs to stop at this failure in another run. */
  readonly stopAt?: string | undefined;
  /** The frames, innermost first. */
  readonly frames: readonly ReportedFrame[];
  /** Whether the first frame is the place that the runner itself names, so that no other place replaces it. */
  readonly isPlaced?: boolean;
  /** Whether the process ended before the test, without an error of its own. */
  readonly isExit?: boolean;
  /** Whether it was found in the output of the run, so that the output is part of the answer. */
  readonly isPrinted?: boolean;
  readonly causes: readonly {
    readonly type: string;
    readonly message: string;
    /** The place of an exception in a group. */
    readonly at?: { readonly path: string; readonly line: number };
  }[];
  /** The failures of the same test after this one. */
  readonly further?: readonly ReportedError[] | undefined;
  /** The notes of the exception (PEP 678). */
  readonly notes?: readonly string[] | undefined;
  /** The subtest that failed, as the runner names it. */
  readonly subtest?: string | undefined;
  /** Why the frames have no variables, such as `never_thrown`. */
  readonly withoutValues?: string | undefined;
  /** The number of this error among the errors that the run reported. The earlier errors were caught. */
  readonly occurrence?: number;
}

/**
 * `not_run`: the extension's own part of the run failed, so nothing is known about the test. `unknown`: it ran, but no
 * one tells its result.
 */
export type Outcome =
  'passed' | 'failed' | 'errored' | 'skipped' | 'not_found' | 'not_run' | 'unknown';

/** The result of one test. */
export interface ReportedTest {
  readonly outcome: Outcome;
  readonly path: readonly string[];
  /** The file of the test, if the runner reports it. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly error?: ReportedError | undefined;
  /**
   * Whether the runner itself found that it is the requested test, or a group around it whose own code failed. Then only
   * such results count.
   */
  readonly requested?: 'test' | 'group' | undefined;
  /** Whether it is a group around the requested test, or a hook of one, whose own code failed. */
  readonly isAround?: true;
  /** The reason why the test was skipped. */
  readonly reason?: string | undefined;
  readonly durationMs?: number | undefined;
  /** The project of the runner in which the test ran, if the runner has several. */
  readonly project?: string | undefined;
  /** The output of the test, if the runner stores it separately. */
  readonly output?: readonly string[] | undefined;
}

/** The report of a runner about a run. */
export interface RunReport {
  readonly tests: readonly ReportedTest[];
  /** The one of `tests` that failed first, if that is known. */
  readonly first?: ReportedTest | undefined;
  /** A failure outside of any test. For example, the file does not load, or the runner is not installed. */
  readonly error?: ReportedError | undefined;
  /** The place of the program at the time limit, innermost first. The reporter reads it in the program itself. */
  readonly hanging?: readonly ReportedFrame[] | undefined;
  /** Whether the reporter stops the program at the failure, or is about to. */
  readonly isStopping?: boolean | undefined;
  /** Which place that is, as `ReportedError.stopAt` names it. */
  readonly stoppingAt?: string | undefined;
  /** What the extension's own part of the run failed at. It is never the outcome of a test. */
  readonly toolFailure?: string | undefined;
  /** The options of the project that the run can't keep, such as those for coverage. */
  readonly droppedOptions?: readonly string[] | undefined;
  /** The names of the tests that the runner found, if none of them is requested. */
  readonly collected?: readonly string[] | undefined;
}
