import type { AfterException } from './python/pythonBlocks';
import type { Fields } from '../debugger/protocol';
import type { ToolServices } from '../tools/services';

/** The supported test runners. */
export const FRAMEWORK_IDS = [
  'node_test',
  'mocha',
  'jest',
  'vitest',
  'pytest',
  'unittest',
  'go_test',
  'googletest',
  'cargo_test',
  'junit5',
  'junit4',
  'minitest',
  'rspec',
  'phpunit',
  'test_controller',
] as const;

export type FrameworkId = (typeof FRAMEWORK_IDS)[number];

/** A test or a group of tests that was found in a file's text. */
export interface ScannedTest {
  readonly kind: 'suite' | 'test';
  /** The names of the enclosing groups, outermost first, followed by its own name. */
  readonly path: readonly string[];
  /** The line, 1-based. */
  readonly line: number;
  readonly endLine: number;
  /** The names of the tests around it, if it is a subtest. */
  readonly parents?: readonly string[];
  /** Whether the name is created at run time, by a template or for each row of a table. */
  readonly isTemplate: boolean;
  /** Whether the declaration of the test, or of a group around it, says that it is skipped. */
  readonly isSkipped?: boolean;
}

/** The test that a call requests. */
export interface ChosenTest {
  /** The names of the enclosing groups, followed by its own name. */
  readonly path: readonly string[];
  /** The line of the test. Undefined if the file's text does not show it. */
  readonly line: number | undefined;
  readonly endLine?: number | undefined;
  /** The names of the tests around it, if it is a subtest. */
  readonly parents?: readonly string[] | undefined;
  /** Whether parts of `path` match several names. */
  readonly isTemplate: boolean;
  /** Whether the file says that the test is skipped. */
  readonly isSkipped?: boolean | undefined;
}

/** A file of tests and its project. */
export interface TestProject {
  readonly services: ToolServices;
  readonly file: string;
  readonly text: string;
  /** The folder in which the runner starts. */
  readonly folder: string;
  /** The nearest package.json. Empty if there is none. */
  readonly manifest: Fields;
}

/** The data that a runner needs to run one test. */
export interface RunnerPlan {
  /** The debug configuration, without name and request. */
  readonly configuration: { readonly type: string; readonly [property: string]: unknown };
  /** The properties that replace properties of the configuration in the run without a debugger. */
  readonly quick?: Fields;
  /** Whether the test's process pauses before anything else runs. */
  readonly pausesFirst?: boolean;
  /**
   * The function from whose start on exceptions stop the program, because the code before it throws many exceptions.
   */
  readonly stopsFrom?: string;
  /** The files that the scratch folder needs. */
  readonly files: Readonly<Record<string, string>>;
  /** The file in the scratch folder that the runner reports to. */
  readonly report: string;
  /** The build that has to run before the test can be started. */
  readonly build?: TestBuild;
}

/** A build that a test needs. It runs only after the person has agreed to it. */
export interface TestBuild {
  /** The command in the form that is shown to the person. */
  readonly command: string;
  /** The folder in which the build runs. */
  readonly folder: string;
  /**
   * @returns properties to add to the configuration
   * @throws Failure `build_failed` or `runner_not_installed`, Interrupted
   */
  readonly run: (signal: AbortSignal) => Promise<Fields>;
}

export interface RunnerContext {
  readonly project: TestProject;
  readonly test: ChosenTest;
  /** Additional arguments of the call. */
  readonly args: readonly string[];
  /** The scratch folder's path. */
  readonly scratch: string;
  /** The time limit of the call. Undefined if the call has another kind of limit. */
  readonly seconds?: number | undefined;
}

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
}

export interface ReportedVariable {
  readonly name: string;
  readonly value: string;
}

/** A line in a file of a library. */
export interface LibraryLine {
  readonly path: string;
  readonly line: number;
}

export interface ReportedError {
  readonly type: string | undefined;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** The frames, innermost first. */
  readonly frames: readonly ReportedFrame[];
  /** Whether the frames come from the runtime's own stack text, with columns. */
  readonly isRaw?: boolean;
  /** Whether the process ended before the test, without an error of its own. */
  readonly isExit?: boolean;
  /** Whether it was found in the output of the run, so that the output is part of the answer. */
  readonly isPrinted?: boolean;
  readonly causes: readonly { readonly type: string; readonly message: string }[];
  /**
   * The line of the runner's library where it keeps failures instead of throwing them, as `error`. It is unknown whether
   * it has kept this one.
   */
  readonly keptAt?: LibraryLine | undefined;
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
  /** A failure outside of any test. For example, the file does not load, or the runner is not installed. */
  readonly error?: ReportedError | undefined;
  /** The place of the program at the time limit, innermost first. The reporter reads it in the program itself. */
  readonly hanging?: readonly ReportedFrame[] | undefined;
  /** Whether the reporter stops the program at the failure, or is about to. */
  readonly isStopping?: boolean | undefined;
  /** What the extension's own part of the run failed at. It is never the outcome of a test. */
  readonly toolFailure?: string | undefined;
}

/** Evaluates an expression in a frame of a stop. Returns undefined if the evaluation fails. */
export type Evaluate = (expression: string) => Promise<string | undefined>;

/** The information that a stop in a function of the runner's library provides. */
export type Observation =
  | { readonly kind: 'ran'; readonly path: readonly string[] }
  | { readonly kind: 'skipped'; readonly path: readonly string[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly path: readonly string[]; readonly message: string };

/** Observes a runner without a report file, by stops in the functions of its library. */
export interface LibraryObserver {
  readonly functions: readonly string[];
  /** @param callers the names of the calling functions, nearest first */
  readonly observe: (
    functionName: string,
    evaluate: Evaluate,
    callers: readonly string[],
  ) => Promise<Observation | undefined>;
}

/** The data and functions for one test runner. The features of debug adapters are in `debugger/adapters`. */
export interface TestFramework {
  readonly id: FrameworkId;
  /** The name that is shown to people. */
  readonly title: string;
  /** Matches the files of its language. */
  readonly files: RegExp;
  /** Returns how well a project fits, or 0 if it does not fit. */
  readonly detect: (project: TestProject) => number | Promise<number>;
  /** The evidence that `detect` checks. It is shown in the error if no framework fits. */
  readonly evidence: string;
  /** The files that mark the folder in which the runner starts. */
  readonly markers: readonly string[];
  readonly list: (
    text: string,
    file: string,
  ) => readonly ScannedTest[] | Promise<readonly ScannedTest[]>;
  /**
   * Returns the test that a name means, if it is a name as the runner prints it. Undefined for any other name, which is
   * then looked up among the listed tests.
   */
  readonly named?: (
    name: string,
    scanned: readonly ScannedTest[],
    project: TestProject,
  ) => ChosenTest | undefined;
  /** Chooses the test instead of the rules for listed tests. @throws Failure `test_not_found`, `ambiguous_test` */
  readonly chosen?: (
    requested: { readonly name: string | undefined; readonly line: number | undefined },
    project: TestProject,
  ) => ChosenTest;
  /**
   * Whether VS Code's testing UI starts the test, so that its outcome is known only as far as the debugger observes it.
   */
  readonly startsByEditor?: boolean;
  /** Creates the plan of a run. @throws Failure `runner_not_installed` */
  readonly configuration: (context: RunnerContext) => Promise<RunnerPlan>;
  /** Reads what an exception at a line of a source leads to, if the debugger stops only when it leaves the function. */
  readonly afterException?: (source: readonly string[], line: number) => AfterException;
  /**
   * Whether one run without the debugger tells all, because the extension's reporter reads the frames and their values
   * in the program. Default: a failing test runs again under the debugger.
   */
  readonly runsOnce?: boolean;
  /**
   * The exception filters with which the reporter itself stops the program at the failure. Before each such stop it
   * writes `stopping` into its report. Only with `runsOnce`.
   */
  readonly staysBy?: readonly string[];
  /** Whether the runner captures a test's output and includes it in its report. */
  readonly keepsOutput?: boolean;
  /**
   * Selects the output of the test from the output of the run.
   * @param path the names of the test, as the runner reports them, if it ran
   */
  readonly ownOutput?: (lines: readonly string[], path?: readonly string[]) => readonly string[];
  /** Whether the runner stops the program itself when a test fails, so that each exception stop is the failure. */
  readonly stopsItself?: boolean;
  /**
   * A function that runs when a test fails, and also at an expected failure. If the failure is the reported one, its
   * place is on the stack.
   */
  readonly failsIn?: string;
  /** If set, the test is run only once, under the debugger, and is observed. */
  readonly observer?: LibraryObserver;
  /**
   * @param report the text of the report. Undefined if the runner wrote none.
   * @param folder the folder in which the runner was started. Reported paths are relative to it.
   */
  readonly readOutcome: (
    report: string | undefined,
    output: readonly string[],
    test: ChosenTest,
    folder?: string,
  ) => RunReport;
}
