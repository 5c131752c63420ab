import type { Fields } from '../../../debugger/protocol';
import type { ToolServices } from '../../services';

/** The runners of tests that are known. */
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
] as const;

export type FrameworkId = (typeof FRAMEWORK_IDS)[number];

/** A test or a group of tests that a file's text shows. */
export interface ScannedTest {
  readonly kind: 'suite' | 'test';
  /** Its own name last, after those of the groups around it. */
  readonly path: readonly string[];
  /** 1-based. */
  readonly line: number;
  readonly endLine: number;
  /** Whether its name is made when it runs: by a template, or for each row of a table. */
  readonly isTemplate: boolean;
}

/** The test that a call means. */
export interface ChosenTest {
  /** Its own name last. */
  readonly path: readonly string[];
  /** Undefined where the file's text does not show it. */
  readonly line: number | undefined;
  readonly endLine?: number | undefined;
  /** Whether parts of `path` stand for several names. */
  readonly isTemplate: boolean;
}

/** A file of tests and what is around it. */
export interface TestProject {
  readonly services: ToolServices;
  readonly file: string;
  readonly text: string;
  /** The folder in which its runner starts. */
  readonly folder: string;
  /** The nearest package.json; empty where there is none. */
  readonly manifest: Fields;
}

/** What a runner needs to run one test. */
export interface RunnerPlan {
  /** Of the debug session, without name and request. */
  readonly configuration: { readonly type: string; readonly [property: string]: unknown };
  /** What the run without the debugger has in its place. */
  readonly quick?: Fields;
  /** Whether its process pauses before anything else runs. */
  readonly pausesFirst?: boolean;
  /** The function from which on exceptions stop it: what runs before it throws many. */
  readonly stopsFrom?: string;
  /** Files that have to be in the scratch folder first. */
  readonly files: Readonly<Record<string, string>>;
  /** The file in the scratch folder that the runner reports to. */
  readonly report: string;
  /** What has to be built before it can be started. */
  readonly build?: TestBuild;
}

/** A build that a test needs; it runs only once the person has agreed to it. */
export interface TestBuild {
  /** As the person reads it. */
  readonly command: string;
  /** The folder that it runs in. */
  readonly folder: string;
  /** @returns what it adds to the configuration. @throws Failure `build_failed`, `runner_not_installed`; Interrupted */
  readonly run: (signal: AbortSignal) => Promise<Fields>;
}

export interface RunnerContext {
  readonly project: TestProject;
  readonly test: ChosenTest;
  /** Further arguments of the call. */
  readonly args: readonly string[];
  /** The scratch folder's path. */
  readonly scratch: string;
}

/** A frame of a stack that a runner reported. */
export interface ReportedFrame {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  readonly name: string;
}

export interface ReportedError {
  readonly type: string | undefined;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** Innermost first. */
  readonly frames: readonly ReportedFrame[];
  /** Whether its frames are as the runtime itself writes them in a stack, with columns. */
  readonly isRaw?: boolean;
  readonly causes: readonly { readonly type: string; readonly message: string }[];
  /** Which one it was of those that the run has told: those before it were caught. */
  readonly occurrence?: number;
}

export type Outcome = 'passed' | 'failed' | 'errored' | 'skipped' | 'not_found';

/** How one test ended. */
export interface ReportedTest {
  readonly outcome: Outcome;
  readonly path: readonly string[];
  readonly line?: number | undefined;
  readonly error?: ReportedError | undefined;
  /** Why it was skipped. */
  readonly reason?: string | undefined;
  readonly durationMs?: number | undefined;
  /** What it printed, where the runner keeps that apart. */
  readonly output?: readonly string[] | undefined;
}

/** What a run of a runner has shown. */
export interface RunReport {
  readonly tests: readonly ReportedTest[];
  /** A failure outside of any test: the file does not load, the runner is not installed. */
  readonly error?: ReportedError | undefined;
}

/** Evaluates an expression in a frame of a stop; undefined where that fails. */
export type Look = (expression: string) => Promise<string | undefined>;

/** What a stop in a function of the runner's library says. */
export type Seen =
  | { readonly kind: 'ran'; readonly path: readonly string[] }
  | { readonly kind: 'skipped'; readonly path: readonly string[]; readonly reason: string }
  | { readonly kind: 'failed'; readonly path: readonly string[]; readonly message: string };

/** How a runner is observed that reports nowhere but in its output: by the functions of its library. */
export interface Watch {
  readonly functions: readonly string[];
  /** @param callers the functions further out, the nearest first */
  readonly see: (
    functionName: string,
    look: Look,
    callers: readonly string[],
  ) => Promise<Seen | undefined>;
}

/** What is known of one runner of tests. What is particular to a debug adapter is asked of the adapter. */
export interface TestFramework {
  readonly id: FrameworkId;
  /** Its name for people. */
  readonly title: string;
  /** Files of its language. */
  readonly files: RegExp;
  /** How well a project fits: 0 for not at all. */
  readonly detect: (project: TestProject) => number | Promise<number>;
  /** What `detect` looks for, for the error of a project that fits none. */
  readonly lookedFor: string;
  /** Files that mark the folder in which it starts. */
  readonly markers: readonly string[];
  readonly list: (text: string) => readonly ScannedTest[];
  /** @throws Failure `runner_not_installed` */
  readonly configuration: (context: RunnerContext) => Promise<RunnerPlan>;
  /** Whether it keeps what a test prints, and tells it in its report. */
  readonly keepsOutput?: boolean;
  /** What a test printed, of all that was printed. */
  readonly ownOutput?: (lines: readonly string[]) => readonly string[];
  /** Whether it stops itself where a test fails, and each stop at an exception is that one. */
  readonly stopsItself?: boolean;
  /** A function that runs where a test fails, and where a failure is expected: with it on the stack stands the failure's place. */
  readonly failsIn?: string;
  /** It is run once, under the debugger, and observed. */
  readonly watch?: Watch;
  /**
   * @param report the text of its report; undefined where it wrote none
   * @param folder where it was started: places are told from there
   */
  readonly readOutcome: (
    report: string | undefined,
    output: readonly string[],
    test: ChosenTest,
    folder?: string,
  ) => RunReport;
}
