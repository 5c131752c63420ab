import type { InjectedBreakpoints } from '../control/injectedBreakpoints';
import type { RunControl } from '../control/runControl';
import type { Triggers } from '../control/triggers/triggers';
import type { AddressBreakpoints } from '../debugger/breakpoints/addressBreakpoints';
import type { BreakpointBook } from '../debugger/breakpoints/breakpointBook';
import type { BreakpointViews } from '../results/views/breakpointView';
import type { DebugModel } from '../debugger/state/debugModel';
import type { ExceptionBreakpoints } from '../debugger/breakpoints/exceptionBreakpoints';
import type { DebugHost } from '../debugger/host';
import type { NamedSources } from '../debugger/inspection/namedSources';
import type { Inspector } from '../debugger/inspection/inspector';
import type { StopReporter } from '../results/views/stopReport';
import type { SourceText } from '../results/views/stopSource';
import type { Recordings } from '../recording/recordings';
import type { PythonTracer } from '../trace/tracers/python/pythonTracer';
import type { Redactor } from '../results/redact';
import type { Heaps } from './live/heap/heapSummary';
import type { WriterAnswers } from './live/writer/writerAnswers';
import type { Collections } from './trace/collect/collections';
import type { Recorded } from './trace/recorded';
import type { Listeners } from '../util/listeners';
import type { AgentAccess } from './access';
import type { InvestigationServices, PersonsChoice } from './investigation/investigationServices';
import type { ChunkRecord } from '../investigation/record';
import type { LaunchMemory } from './launch/launchMemory';
import type { ComingStarts } from './launch/comingStarts';
import type { ProgramInputs } from './launch/programInputs';
import type { LaunchSource } from './launch/launchFile';
import type { Prepared } from './preparedCalls';
import type { Processes } from '../debugger/processes/processes';

/** All services that the tools use. They are created once, in `extension.ts`. */
export interface ToolServices {
  readonly model: DebugModel;
  readonly host: DebugHost;
  readonly workspace: Workspace;
  readonly inspector: Inspector;
  /** The files that debuggers have named. A named file is not automatically readable. */
  readonly named: NamedSources;
  readonly breakpoints: BreakpointBook;
  readonly addressBreakpoints: AddressBreakpoints;
  readonly breakpointViews: BreakpointViews;
  readonly exceptions: ExceptionBreakpoints;
  readonly stops: StopReporter;
  readonly control: RunControl;
  readonly triggers: Triggers;
  readonly injected: InjectedBreakpoints;
  readonly recordings: Recordings;
  /** What records one call of a function, for each debugger that has a room of its own. */
  readonly tracers: { readonly python: PythonTracer };
  readonly collections: Collections;
  /** Receives what a call has recorded, for the views of the person. Listeners only keep it. */
  readonly recorded: Listeners<Recorded>;
  readonly heaps: Heaps;
  readonly writers: WriterAnswers;
  /** The plans that calls have launched. */
  readonly launches: LaunchMemory;
  readonly starts: ComingStarts;
  /** The standard inputs that calls have given to programs. */
  readonly inputs: ProgramInputs;
  readonly redactor: Redactor;
  readonly access: AgentAccess;
  readonly investigation: InvestigationServices;
  readonly scratch: Scratch;
  /** The folder of the extension's reporters, which run in the processes of test runners (`reporters/`). */
  readonly reporters: string;
  /** The folder of the extension's code that runs in debugged programs (`recorders/`). */
  readonly recorders: string;
  readonly cargo: Cargo;
  /** Go's own tool. It builds test programs. */
  readonly go: Cargo;
  readonly testPrograms: TestPrograms;
  readonly processes: Processes;
  readonly threadDumps: ThreadDumps;
}

/** Lists of the threads of programs with their locks, as the programs' own runtimes write them. */
export interface ThreadDumps {
  /**
   * Asks the JDK that runs a program, which need not be paused for that.
   * @param java the path of the program `java`, if it is known
   * @returns undefined if the JDK has no tools, or a program does not answer: one that is stopped might not
   */
  ofJava(
    processId: number,
    program: { readonly java: string | undefined; readonly isStopped: boolean },
  ): Promise<string | undefined>;
}

/**
 * The build tool of a language: cargo, or go. They are the only programs other than debuggers and a JDK's own tool
 * (`ThreadDumps`) that a call may run, after the person has approved it.
 */
export interface Cargo {
  /**
   * Runs the tool. Returns undefined if it is not installed.
   * @param env variables that are added to the environment
   * @throws Interrupted
   */
  run(
    args: readonly string[],
    folder: string,
    signal: AbortSignal,
    env?: Readonly<Record<string, string>>,
    onLine?: (line: string) => void,
  ): Promise<CargoEnd | undefined>;
}

/** Test programs that were built from the project. The person has approved their run. */
export interface TestPrograms {
  /** Runs a program that lists its tests. Returns undefined if it does not exist. @throws Interrupted */
  run(
    program: string,
    args: readonly string[],
    folder: string,
    signal: AbortSignal,
  ): Promise<CargoEnd | undefined>;
}

export interface CargoEnd {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Private temporary folders of this window, for the reports of test runners. */
export interface Scratch {
  /** Returns the path of the folder with this name. The folder may not exist. */
  pathOf(name: string): string;
  /** Creates the folder with exactly these files. */
  make(name: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Reads a file. Returns undefined if it does not exist. */
  read(name: string, file: string): Promise<string | undefined>;
  /** Returns the names of the files in a folder of it. There are none if it does not exist. */
  names(name: string, folder: string): Promise<readonly string[]>;
  /** Reads a file of any size in parts, from a byte on. There are none if it does not exist. */
  parts(name: string, file: string, from: number): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
}

/** What a program finds on its standard input. */
export interface InputContent {
  /** The text at the beginning. */
  readonly text: string;
  /** The absolute path of a file that it reads instead. */
  readonly file?: string | undefined;
  /** Whether more can be written while the program runs. Otherwise the end follows. */
  readonly staysOpen: boolean;
}

/** Private files and named pipes from which programs read their standard input. */
export interface InputFiles {
  /** @throws Error of the file system */
  make(content: InputContent): Promise<InputFile>;
}

export interface InputFile {
  readonly path: string;
  /** `fixed`: nothing can be added. `closed`: the end was written. */
  readonly state: 'fixed' | 'open' | 'closed';
  /**
   * Adds a text.
   * @returns the number of bytes that were written, fewer than the text has if the program has not read the earlier ones;
   * undefined if no program has it open
   */
  write(text: string): number | undefined;
  /** Writes the end. */
  close(): void;
  /** Makes it as it was at first, for the next program. */
  renew(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * The person's workspace and editor, as far as tools need them. It is the second interface to VS Code. It provides
 * information only about files that may be read without a question to the person (`fileAccess.ts`), and about files
 * that the person has approved for the call.
 */
export interface Workspace {
  readonly trusted: boolean;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  /**
   * Returns the real path of a file that may not be read for this call. Returns undefined for a file that may be read.
   * @throws Failure `invalid_input`
   */
  outside(file: string): Promise<string | undefined>;
  /** Returns the workspace for an approved call whose question named these files by their real paths. */
  approving(files: readonly string[]): Workspace;
  /** Reads every source from which VS Code takes launch configurations. */
  launchSources(): Promise<readonly LaunchSource[]>;
  /** Returns the `inputs` that VS Code has read for the configurations of a folder, from any file. */
  launchInputs(folderPath: string | undefined): readonly unknown[];
  /**
   * Returns the value that VS Code inserts for `${config:…}`, `${env:…}` and `${selectedText}`. Returns undefined for
   * other variables, and if there is no value.
   */
  variable(
    name: string,
    argument: string | undefined,
    folderPath: string | undefined,
  ): string | undefined;
  /** Returns the value of any setting, such as `go.testFlags`, which may be a list or an object. */
  setting(name: string, folderPath: string | undefined): unknown;
  /**
   * The platform section of a configuration that applies to the system on which debuggers run. Undefined on systems
   * without such a section.
   */
  readonly platform: 'windows' | 'osx' | 'linux' | undefined;
  /** Returns the debug types that installed extensions contribute. */
  debuggers(): readonly InstalledDebugger[];
  /** Returns VS Code's language id of a file, from its name and the person's file associations. */
  languageOf(file: string): Promise<string | undefined>;
  /**
   * Returns the text in the editor, including unsaved changes.
   * @throws Failure `file_not_found`, `file_not_text`, `file_outside_workspace`
   */
  readText(file: string): Promise<string>;
  /** Returns a file as the editor shows it. Returns undefined if the file cannot or may not be read. */
  readSource(file: string): Promise<SourceText | undefined>;
  /** Whether a debug type supports a file's language. True if this is unknown. */
  isForLanguage(file: string, debugType: string): Promise<boolean>;
  /** Whether a file exists. Undefined if the call may not determine this. */
  exists(file: string): Promise<boolean | undefined>;
  isFolder(file: string): Promise<boolean>;
  /**
   * Returns the executable or script for a program's name. It is on the PATH, in `node_modules/.bin`, or named by a
   * script there. Its text is not quoted. Only its beginning is read, to determine the program that runs it. Returns
   * undefined if there is none.
   */
  program(file: string): Promise<ProgramFile | undefined>;
  /**
   * Returns some of the files with this name in the workspace, without libraries. Returns none if the search takes too
   * long.
   */
  filesNamed(name: string): Promise<readonly string[]>;
  /** Returns some of the files with these extensions (without dots) in the workspace, without libraries. */
  filesWith(extensions: readonly string[]): Promise<readonly string[]>;
  /**
   * Runs the `preLaunchTask` of a configuration. Returns undefined if VS Code itself has to run it (background and
   * unknown tasks).
   */
  runTask(
    task: unknown,
    folderPath: string | undefined,
    signal: AbortSignal,
  ): Promise<TaskResult | undefined>;
  /**
   * Returns what a task and the tasks that it depends on run. Returns undefined if this is unknown, because VS Code
   * finds one of them only when it runs it.
   */
  taskCommands(
    task: unknown,
    folderPath: string | undefined,
  ): Promise<readonly TaskCommand[] | undefined>;
}

export interface ProgramFile {
  /** The real path of the file. */
  readonly path: string;
  /** The beginning of its text. Undefined for a binary. */
  readonly head: string | undefined;
}

export interface InstalledDebugger {
  readonly type: string;
  readonly label: string;
  readonly languages: readonly string[];
  /** The commands for `${command:…}` in its configurations, by the name that is used there. */
  readonly commands?: Readonly<Record<string, string>>;
}

/** What a task runs. */
export interface TaskCommand {
  readonly name: string;
  /** Its command line. Undefined for a task that only depends on others, and for a task of an extension. */
  readonly command: string | undefined;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether code of an extension runs the task. */
  readonly isByExtension: boolean;
}

export interface TaskResult {
  readonly name: string;
  readonly exitCode: number | undefined;
  /** The problems that its problem matchers found, as `file:line: message`. */
  readonly problems: readonly string[];
  /** The end of its output, if its terminal provides it. */
  readonly output: readonly string[];
}

/** One call of a tool. */
export interface Call {
  readonly signal: AbortSignal;
  /** The maximum time that a call may wait, in seconds: 300 in VS Code, 45 through MCP. */
  readonly maxWaitSeconds: number;
  /** The maximum number of characters in the result. */
  readonly maxChars: number;
  /** Whether VS Code can ask the person a question during the call. */
  readonly personPresent: boolean;
  /**
   * Reports the current activity of the call to the person and a waiting client. A call with many steps reports it
   * often.
   */
  readonly progress?: ((doing: string) => void) | undefined;
  /** The preparation of the call. The call does exactly what the person was asked about, or nothing. */
  readonly prepared?: Prepared | undefined;
  /** The functions that the MCP client itself offers for a call, if the client declares them. */
  readonly client?: CallingClient | undefined;
}

export interface CallingClient {
  readonly name: string;
  /** Lets the client's model answer a prompt (MCP "Sampling"). */
  readonly sample?: ((prompt: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** Lets the client ask the person which chunks matter (MCP "Elicitation"). */
  readonly choose?:
    | ((chunks: readonly ChunkRecord[], signal: AbortSignal) => Promise<PersonsChoice | undefined>)
    | undefined;
}
