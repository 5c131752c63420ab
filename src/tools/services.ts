import type { BreakpointBook } from '../debugger/breakpointBook';
import type { BreakpointViews } from '../debugger/breakpointView';
import type { DebugModel } from '../debugger/debugModel';
import type { ExceptionBreakpoints } from '../debugger/exceptionBreakpoints';
import type { DebugHost } from '../debugger/host';
import type { Inspector } from '../debugger/inspector';
import type { StopPrefetch } from '../debugger/prefetch';
import type { StopReporter } from '../debugger/stopReport';
import type { Redactor } from '../results/redact';
import type { AgentAccess } from './access';
import type { LaunchSource } from './launchFile';
import type { Moves } from './moves';
import type { Prepared } from './preparedCalls';

/** What the tools work with; made once, in `extension.ts`. */
export interface ToolServices {
  readonly model: DebugModel;
  readonly host: DebugHost;
  readonly workspace: Workspace;
  readonly inspector: Inspector;
  readonly breakpoints: BreakpointBook;
  readonly breakpointViews: BreakpointViews;
  readonly exceptions: ExceptionBreakpoints;
  readonly stops: StopReporter;
  readonly prefetch: StopPrefetch;
  readonly moves: Moves;
  readonly redactor: Redactor;
  readonly access: AgentAccess;
}

/** The person's workspace and editor, as far as tools need them: the second port to VS Code. */
export interface Workspace {
  readonly trusted: boolean;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  /** Reads every place that VS Code takes launch configurations from. */
  launchSources(): Promise<readonly LaunchSource[]>;
  /** The `inputs` that VS Code itself has read for configurations of a folder, from whatever file. */
  launchInputs(folderPath: string | undefined): readonly unknown[];
  /** What VS Code puts in for `${config:…}`, `${env:…}` and `${selectedText}`; undefined for others and where there is nothing. */
  variable(name: string, argument: string | undefined, folderPath: string | undefined): string | undefined;
  /** The section of a configuration that counts where debuggers run; undefined on systems that have none. */
  readonly platform: 'windows' | 'osx' | 'linux' | undefined;
  /** The debug types that installed extensions offer. */
  debuggers(): readonly InstalledDebugger[];
  /** VS Code's language id of a file, by its name and the person's associations. */
  languageOf(file: string): Promise<string | undefined>;
  /** The text as the editor has it, unsaved changes included. @throws Failure `file_not_found`, `file_not_text` */
  readText(file: string): Promise<string>;
  /** Whether a debug type is one for a file's language; true where nothing says otherwise. */
  isForLanguage(file: string, debugType: string): Promise<boolean>;
  exists(file: string): Promise<boolean>;
  isFolder(file: string): Promise<boolean>;
  /** The file that a path leads to through links; the path itself where there is none. */
  realPath(file: string): Promise<string>;
  /** Some of the files of that name in the person's folders, those of libraries aside; none where that takes long. */
  filesNamed(name: string): Promise<readonly string[]>;
  /** Runs a configuration's `preLaunchTask`; undefined where VS Code itself has to (background tasks, unknown ones). */
  runTask(task: unknown, folderPath: string | undefined, signal: AbortSignal): Promise<TaskResult | undefined>;
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
  /** What was prepared for it: what it does is what the person was asked about, or nothing. */
  readonly prepared?: Prepared | undefined;
}
