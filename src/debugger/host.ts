import type { Fields } from './protocol';

/** What the debugger needs of VS Code: a port, so that all but the editor room runs in plain Node. */
export interface DebugHost {
  /**
   * Sends a request to a session's adapter (VS Code `DebugSession.customRequest`).
   * @throws Error with the adapter's words
   */
  request(sessionKey: string, command: string, args: object): Promise<unknown>;

  /**
   * Lets a thread go on, or pauses it, by VS Code's own command, so that VS Code's views follow with every adapter.
   * Resolves when VS Code has had the adapter's answer; whether a request was sent at all shows in the model.
   */
  move(sessionKey: string, threadId: number, command: MoveCommand): Promise<void>;

  /** VS Code `debug.startDebugging`: false when nothing was started. May stay open as long as a dialog does. */
  start(
    folderPath: string | undefined,
    configuration: Fields,
    options: { readonly noDebug: boolean },
  ): Promise<boolean>;

  /** Ends a session: its program too, or, with `detach`, letting the program go on. */
  stop(sessionKey: string, options: { readonly detach: boolean }): Promise<void>;

  /**
   * Has a session's adapter start its program anew with a configuration, once the person's files are saved as before any
   * start. VS Code's own command would take launch.json as it is now. DAP `restart`.
   * @throws Error with the adapter's words
   */
  restart(sessionKey: string, configuration: Fields): Promise<void>;

  /** The adapter's id of the frame that VS Code's views show, where it is one of this session's. */
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

/** A breakpoint as VS Code holds it. Lines and columns are 1-based. */
export type HostBreakpoint = RequestedHostBreakpoint & {
  /** VS Code's own id: long, and never shown to a caller. */
  readonly hostId: string;
  readonly enabled: boolean;
};
