import type { Fields } from '../debugger/protocol';
import type { ToolServices } from '../tools/services';
import type { LibraryObserver } from './libraryObserver';
import type { RunReport } from './runReport';

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
  /** Whether a function of the person's own declares it, so that `path` has only parts of the runner's name. */
  readonly isLoose?: boolean;
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
  /** Whether `path` has only parts of the names, in their order. */
  readonly isLoose?: boolean | undefined;
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
  /** The options of the project or of the call that the run leaves out. */
  readonly droppedOptions?: readonly string[];
  /** Asks the test program which tests it has, before it runs. */
  readonly lookup?: TestLookup;
  /** Records the failures in the debugger, so that one run under the debugger tells all. */
  readonly recorder?: RunRecorder | undefined;
}

/** Asks a test program which tests it has. It runs only after the person has agreed, and after the build. */
export interface TestLookup {
  /** The programs that it asks, if it has to find out which one has the test. They are shown to the person. */
  readonly programs: readonly string[];
  /**
   * @param configuration the configuration as the build has completed it
   * @throws Failure `test_not_found`, `ambiguous_test`, `not_supported`, Interrupted
   */
  readonly run: (configuration: Fields, signal: AbortSignal) => Promise<FoundTest>;
}

/** The test that a test program has under the requested name. */
export interface FoundTest {
  readonly test: ChosenTest;
  /** The properties to add to the configuration. */
  readonly configuration: Fields;
}

/**
 * A script in the debugger that records the frames and values of failures during a run. The report of the runner says
 * which of them is the failure of the test.
 */
export interface RunRecorder {
  /** The file in the scratch folder that it writes. */
  readonly report: string;
  /** Whether a frame is code of the runner, whose sources may be in the workspace. */
  readonly isRunner: (frame: { readonly name: string; readonly path: string }) => boolean;
  /**
   * Returns the configuration of a run that is recorded.
   * @param stay what the program remains stopped at: the first place that is certainly a failure, or the place that
   * `ReportedError.stopAt` of an earlier run names. Default: at nothing.
   */
  readonly configure: (
    configuration: Fields,
    test: ChosenTest,
    stay: 'first' | { readonly stopAt: string } | undefined,
  ) => Fields;
}

/** A build that a test needs. It runs only after the person has agreed to it. */
export interface TestBuild {
  /** The command in the form that is shown to the person. */
  readonly command: string;
  /** The folder in which the build runs. */
  readonly folder: string;
  /** Whether it runs scripts of the project. Default: it does. */
  readonly runsScripts?: boolean;
  /**
   * @param progress reports what is being built
   * @returns properties to add to the configuration
   * @throws Failure `build_failed` or `runner_not_installed`, Interrupted
   */
  readonly run: (signal: AbortSignal, progress?: (doing: string) => void) => Promise<Fields>;
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
    services: ToolServices,
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
  /**
   * Returns the test or the group around a line, whatever the runner makes of it. Undefined if there is none; the
   * listed tests are searched then.
   */
  readonly atLine?: (line: number, scanned: readonly ScannedTest[]) => ChosenTest | undefined;
  /**
   * Returns the folder in which the runner starts, by the runner's own rule. Default: the nearest folder with one of
   * `markers`.
   */
  readonly root?: (services: ToolServices, file: string) => Promise<string>;
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
  /**
   * Whether one run without the debugger tells all, because the extension's reporter reads the frames and their values
   * in the program. Default: a failing test runs again under the debugger.
   */
  readonly runsOnce?: boolean;
  /** What counts the lines that run: the reporter in the program, or V8. Default: nothing does. */
  readonly countsLines?: 'reporter' | 'v8';
  /**
   * The exception filters with which the reporter itself stops the program at the failure. Before each such stop it
   * writes `stopping` into its report. Only with `runsOnce`.
   */
  readonly staysBy?: readonly string[];
  /**
   * The condition, an expression of the program, by which the debugger stops at a failure that a run without it has
   * reported. The reporter makes it true at that exception: it is told which one by `ReportedError.stopAt`, in the
   * variable `AGENT_DEBUGGER_STOP`. Only with `runsOnce`.
   */
  readonly staysWhere?: string;
  /**
   * The file, in the folder of the reporters, that halts the debugged program by a `debugger` statement before it loads
   * a test. The stops at exceptions begin there, because the runner throws many before.
   */
  readonly haltsIn?: string;
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
   * @param recorded the text that the recorder in the debugger wrote. Undefined if there is none.
   */
  readonly readOutcome: (
    report: string | undefined,
    output: readonly string[],
    test: ChosenTest,
    folder?: string,
    recorded?: string,
  ) => RunReport;
}
