import type { Fields } from './protocol';

/**
 * The type of a configuration that is no configuration of a debugger: VS Code itself starts the test at a `line` of a
 * `file`, by the extension that has registered tests there. Its sessions get the marks of the configuration.
 */
export const TEST_AT_LINE = 'agentDebuggerTestAtLine';

/**
 * The functions that the debugger needs from VS Code. This interface lets everything except `editor/` and `mcp/ui/` run
 * in plain Node.
 */
export interface DebugHost {
  /**
   * Sends a request to a session's adapter (VS Code `DebugSession.customRequest`).
   * @throws Error with the adapter's message
   */
  request(sessionKey: string, command: string, args: object): Promise<unknown>;

  /**
   * Resumes or pauses a thread by VS Code's own command, so that VS Code's views are updated with every adapter.
   * Resolves when VS Code has received the adapter's response. The model shows whether a request was sent at all.
   */
  move(sessionKey: string, threadId: number, command: MoveCommand): Promise<void>;

  /**
   * VS Code `debug.startDebugging`, or its testing UI (`TEST_AT_LINE`): false if nothing was started. May not settle
   * while VS Code shows a dialog.
   */
  start(
    folderPath: string | undefined,
    configuration: Fields,
    options: { readonly noDebug: boolean },
  ): Promise<boolean>;

  /** Ends a session. The program ends too, unless `detach` is true. Then the program keeps running. */
  stop(sessionKey: string, options: { readonly detach: boolean }): Promise<void>;

  /**
   * Restarts a session's program through its adapter with the given configuration. The person's files are saved first,
   * as before any start. VS Code's own command would use the current launch.json. DAP `restart`.
   * @throws Error with the adapter's message
   */
  restart(sessionKey: string, configuration: Fields): Promise<void>;

  /** The adapter's id of the frame that VS Code's views show; undefined if the frame belongs to another session. */
  focusedFrame(sessionKey: string): number | undefined;

  breakpoints(): readonly HostBreakpoint[];
  addBreakpoint(requested: RequestedHostBreakpoint): HostBreakpoint;
  removeBreakpoints(hostIds: readonly string[]): void;
}

export type MoveCommand =
  'continue' | 'next' | 'stepIn' | 'stepOut' | 'pause' | 'stepBack' | 'reverseContinue';

interface BreakpointConditions {
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

export type RequestedHostBreakpoint = BreakpointConditions & {
  /** Default: true. */
  readonly enabled?: boolean;
} & (
    | {
        readonly kind: 'source';
        readonly path: string;
        readonly line: number;
        readonly column?: number | undefined;
      }
    | { readonly kind: 'function'; readonly functionName: string }
  );

/** A breakpoint in VS Code's list. Lines and columns are 1-based. */
export type HostBreakpoint = RequestedHostBreakpoint & {
  /** VS Code's own id: long, and never shown to a caller. */
  readonly hostId: string;
  readonly enabled: boolean;
};
