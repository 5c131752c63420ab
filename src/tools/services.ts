import type { InjectedBreakpoints } from '../control/injectedBreakpoints';
import type { RunControl } from '../control/runControl';
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
import type { Recordings } from '../recording/recording';
import type { Redactor } from '../results/redact';
import type { Collections } from './trace/collect/collections';
import type { AgentAccess } from './access';
import type { InvestigationServices, PersonsChoice } from './investigation/services';
import type { ChunkRecord } from '../investigation/record';
import type { LaunchMemory } from './launch/launchMemory';
import type { LaunchSource } from './launch/launchFile';
import type { Prepared } from './preparedCalls';

/** What the tools work with; made once, in `extension.ts`. */
export interface ToolServices {
  readonly model: DebugModel;
  readonly host: DebugHost;
  readonly workspace: Workspace;
  readonly inspector: Inspector;
  /** What debuggers have named: it gives no right to read. */
  readonly named: NamedSources;
  readonly breakpoints: BreakpointBook;
  readonly addressBreakpoints: AddressBreakpoints;
  readonly breakpointViews: BreakpointViews;
  readonly exceptions: ExceptionBreakpoints;
  readonly stops: StopReporter;
  readonly control: RunControl;
  readonly injected: InjectedBreakpoints;
  readonly recordings: Recordings;
  readonly collections: Collections;
  /** What calls have launched. */
  readonly launches: LaunchMemory;
  readonly redactor: Redactor;
  readonly access: AgentAccess;
  readonly investigation: InvestigationServices;
  readonly scratch: Scratch;
  readonly cargo: Cargo;
}

/** Rust's build tool: the only program beside debuggers that a call may run, once the person has agreed to it. */
export interface Cargo {
  /** Undefined where it is not installed. @throws Interrupted */
  run(args: readonly string[], folder: string, signal: AbortSignal): Promise<CargoEnd | undefined>;
}

export interface CargoEnd {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Private temporary folders of this window, for what a test runner reports. */
export interface Scratch {
  /** Where the folder of that name is, or will be. */
  pathOf(name: string): string;
  /** Makes it, with these files and no others. */
  make(name: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Undefined where there is no such file. */
  read(name: string, file: string): Promise<string | undefined>;
  remove(name: string): Promise<void>;
}

/**
 * The person's workspace and editor, as far as tools need them: the second port to VS Code. What it says of files it
 * says of those that may be read without asking (`fileAccess.ts`), and of those that the person has approved for the call.
 */
export interface Workspace {
  readonly trusted: boolean;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  /** The real path of a file that may not be read for this call; undefined for one that may. @throws Failure `invalid_input` */
  outside(file: string): Promise<string | undefined>;
  /** The same for a call that the person has approved, whose question named these files by their real paths. */
  approving(files: readonly string[]): Workspace;
  /** Reads every place that VS Code takes launch configurations from. */
  launchSources(): Promise<readonly LaunchSource[]>;
  /** The `inputs` that VS Code itself has read for configurations of a folder, from whatever file. */
  launchInputs(folderPath: string | undefined): readonly unknown[];
  /** What VS Code puts in for `${config:…}`, `${env:…}` and `${selectedText}`; undefined for others and where there is nothing. */
  variable(
    name: string,
    argument: string | undefined,
    folderPath: string | undefined,
  ): string | undefined;
  /** The section of a configuration that counts where debuggers run; undefined on systems that have none. */
  readonly platform: 'windows' | 'osx' | 'linux' | undefined;
  /** The debug types that installed extensions offer. */
  debuggers(): readonly InstalledDebugger[];
  /** VS Code's language id of a file, by its name and the person's associations. */
  languageOf(file: string): Promise<string | undefined>;
  /** The text as the editor has it, unsaved changes included. @throws Failure `file_not_found`, `file_not_text`, `file_outside_workspace` */
  readText(file: string): Promise<string>;
  /** A file as the person has it before them; undefined where it cannot be read, or may not. */
  readSource(file: string): Promise<SourceText | undefined>;
  /** Whether a debug type is one for a file's language; true where nothing says otherwise. */
  isForLanguage(file: string, debugType: string): Promise<boolean>;
  /** Undefined where that may not be looked for. */
  exists(file: string): Promise<boolean | undefined>;
  isFolder(file: string): Promise<boolean>;
  /**
   * An executable or a script that a program's name stands for: on the PATH, in `node_modules/.bin`, or named by a
   * script there. Nothing of it is quoted: its beginning says what runs it. Undefined where there is none.
   */
  program(file: string): Promise<ProgramFile | undefined>;
  /** Some of the files of that name in the person's folders, those of libraries aside; none where that takes long. */
  filesNamed(name: string): Promise<readonly string[]>;
  /** Some of the files with these extensions (without dots) in the person's folders, those of libraries aside. */
  filesWith(extensions: readonly string[]): Promise<readonly string[]>;
  /** Runs a configuration's `preLaunchTask`; undefined where VS Code itself has to (background tasks, unknown ones). */
  runTask(
    task: unknown,
    folderPath: string | undefined,
    signal: AbortSignal,
  ): Promise<TaskResult | undefined>;
}

export interface ProgramFile {
  /** Its path without links. */
  readonly path: string;
  /** The beginning of its text; undefined for a binary. */
  readonly head: string | undefined;
}

export interface InstalledDebugger {
  readonly type: string;
  readonly label: string;
  readonly languages: readonly string[];
  /** The commands that `${command:…}` stands for in its configurations, by the name that is written there. */
  readonly commands?: Readonly<Record<string, string>>;
}

export interface TaskResult {
  readonly name: string;
  readonly exitCode: number | undefined;
  /** What its problem matchers found, `file:line: message`. */
  readonly problems: readonly string[];
  /** The tail of what it printed, where its terminal tells. */
  readonly output: readonly string[];
}

/** One call of a tool. */
export interface Call {
  readonly signal: AbortSignal;
  /** The longest that a call may wait, in seconds: 300 in VS Code, 45 through MCP. */
  readonly maxWaitSeconds: number;
  /** Most characters of the result. */
  readonly maxChars: number;
  /** Whether somebody is there whom VS Code can ask something in between. */
  readonly personPresent: boolean;
  /** Says what the call is doing now, for the person and for a client that waits: a call of many steps says it often. */
  readonly progress?: ((doing: string) => void) | undefined;
  /** What was prepared for it: what it does is what the person was asked about, or nothing. */
  readonly prepared?: Prepared | undefined;
  /** What the client itself can do for a call, where it is an MCP client that says so. */
  readonly client?: CallingClient | undefined;
}

export interface CallingClient {
  readonly name: string;
  /** Has the client's model answer a prompt. MCP "Sampling". */
  readonly sample?: ((prompt: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** Has the client ask the person which chunks matter. MCP "Elicitation". */
  readonly choose?:
    | ((chunks: readonly ChunkRecord[], signal: AbortSignal) => Promise<PersonsChoice | undefined>)
    | undefined;
}
