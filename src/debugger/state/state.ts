import type { DebugProtocol } from '@vscode/debugprotocol';
import { readMessage, type Fields, type ProtocolMessage } from '../protocol';

/**
 * The state of all debug sessions, as reported by the messages of the Debug Adapter Protocol. It is never changed in
 * place.
 */
export interface DebugState {
  /**
   * The sessions by VS Code's session id, in the order of their start. Some ended sessions are kept (`retention.ts`).
   */
  readonly sessions: ReadonlyMap<string, SessionState>;
  /** The number of sessions so far, which is also the number in the newest session's short id. */
  readonly sessionCount: number;
}

export type Lifecycle = 'starting' | 'running' | 'stopped' | 'terminating' | 'terminated';

export interface SessionState {
  /** VS Code's session id: long, and never shown to a caller. */
  readonly key: string;
  /** The short id that callers see: s1, s2, … */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly parentKey: string | undefined;
  readonly configuration: Fields;
  readonly startedAt: number;
  /** `partial`: the session was already running when it was found, so its earlier messages are missing. */
  readonly knowledge: 'full' | 'partial';
  readonly lifecycle: Lifecycle;
  readonly capabilities: DebugProtocol.Capabilities;
  readonly threads: ReadonlyMap<number, ThreadState>;
  /**
   * Incremented by each message that may outdate data that was read (`epochs.ts`). It never decreases, not even at a
   * restart. The epoch that was stored with the data decides whether the data is current: the session's epoch, a stop's
   * epoch, or one of `epochOf`.
   */
  readonly epoch: number;
  readonly epochOf: EpochOf;
  /**
   * The number of the newest stop; 0 before the first stop. Callers see it as the stop's id. It is not a measure of
   * time.
   */
  readonly stopCount: number;
  /** The newest stop, kept after the program has continued. */
  readonly lastStop: StopState | undefined;
  /** The newest request that resumes the program, regardless of who sent it. */
  readonly resume: ResumeState | undefined;
  /** Whether a pause was requested and the session has not stopped since. */
  readonly pauseRequested: boolean;
  /** Whether that request was given up, because the program did not stop in time. Its stop may still come. */
  readonly pauseGivenUp?: boolean;
  readonly exitCode: number | undefined;
  /** The signal that ended the program, such as SIGKILL. If it is set, there is no exit code. */
  readonly exitSignal: string | undefined;
  readonly end: SessionEnd | undefined;
  /** Whether the adapter or VS Code announced the end. Later messages do not make the session live again. */
  readonly endAnnounced: boolean;
  /** Whether the person or a call requested the end or a detach before the end was announced. */
  readonly endRequested: boolean;
  readonly process: ProcessState | undefined;
  /** The number of loaded modules that the adapter has reported. DAP event `module`. */
  readonly modules: number;
  /** The adapter's answers about breakpoints, by the person's path of the source. */
  readonly sourceBreakpoints: ReadonlyMap<string, BreakpointAnswer>;
  readonly functionBreakpoints: BreakpointAnswer | undefined;
  /** The requests whose responses change this state, by `seq`. */
  readonly pending: ReadonlyMap<number, PendingRequest>;
  /** Whether the program runs in a VS Code terminal, and whether VS Code has provided any of the terminal's output. */
  readonly terminal: 'none' | 'unread' | 'read' | 'ended';
}

/** The epoch in which each of these last happened. Until then, the session's first epoch. */
export interface EpochOf {
  /** The program moved, or began to move. References that the adapter issued earlier are invalid. */
  readonly move: number;
  /** A resume was requested. */
  readonly resume: number;
  /** The adapter reported that variables or stacks are no longer valid. DAP event `invalidated`. */
  readonly invalidation: number;
}

export interface ThreadState {
  readonly id: number;
  readonly name: string | undefined;
  /** The thread's current stop; undefined while the thread runs. */
  readonly stop: StopState | undefined;
  /** The stop that named the thread, since it last ran. A later stop of another thread may stop all threads again. */
  readonly own?: StopState | undefined;
  /** Whether the adapter has listed the thread for VS Code, not only for a request of ours. */
  readonly isListed?: boolean | undefined;
}

export interface StopState {
  /** The stop's number in its session: 1, 2, 3 … */
  readonly id: number;
  /** The session's epoch that began with this stop. */
  readonly epoch: number;
  readonly at: number;
  readonly reason: string;
  readonly description: string | undefined;
  readonly text: string | undefined;
  /** The stopped thread; undefined if the adapter named none. */
  readonly threadId: number | undefined;
  readonly allThreadsStopped: boolean | undefined;
  /** The adapter's own ids of the breakpoints, not our numbers. */
  readonly hitBreakpointIds: readonly number[] | undefined;
  /** Whether the adapter marks another thread as the one that the program stopped for. DAP `preserveFocusHint`. */
  readonly preservesFocus?: boolean;
  /** Whether it is the stop of a pause that was given up. Nobody waits for it, and the program goes on. */
  readonly isGivenUp?: boolean;
}

export interface ResumeState {
  readonly seq: number;
  readonly command: string;
  readonly outcome: 'pending' | 'done' | 'failed';
  readonly message: string | undefined;
}

export interface ProcessState {
  readonly name: string | undefined;
  readonly pid: number | undefined;
}

export type EndReason =
  'exited' | 'terminated' | 'adapterGone' | 'programLost' | 'launchFailed' | 'disconnected';

export interface SessionEnd {
  readonly reason: EndReason;
  readonly at: number;
  readonly message: string | undefined;
}

export interface BreakpointAnswer {
  /** The number of responses to this source's requests, so that a waiting caller recognizes a newer one. */
  readonly answers: number;
  /** The `seq` of the latest answered request. Adapters may answer the lists of one source in any order (js-debug). */
  readonly requestSeq: number;
  readonly breakpoints: readonly AdapterBreakpoint[];
}

/** One breakpoint as VS Code requested it. */
export interface RequestedBreakpoint {
  readonly requestedLine: number | undefined;
  readonly requestedColumn: number | undefined;
  readonly requestedName: string | undefined;
  readonly requestedCondition: string | undefined;
  readonly requestedHitCondition: string | undefined;
  readonly requestedLogMessage: string | undefined;
  /** Set if a call added this breakpoint to VS Code's list, or merged its own into one that VS Code requested. */
  readonly injected?: InjectedPart;
}

export interface InjectedPart {
  readonly id: number;
  /** Whether VS Code requested a breakpoint at the same location. If so, this breakpoint also represents that one. */
  readonly isMerged: boolean;
}

/** One breakpoint as it was requested and as the adapter reported it. */
export interface AdapterBreakpoint extends RequestedBreakpoint {
  readonly id: number | undefined;
  readonly verified: boolean;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string | undefined;
}

export interface PendingRequest {
  readonly command: string;
  readonly arguments: Fields;
  /** The session's epoch when the request was sent. A stop since then is newer than the response. */
  readonly epoch: number;
}

/** An event that may change the state. `at` is in milliseconds since 1970. */
export type DebugEvent =
  | {
      readonly type: 'sessionCreated';
      readonly key: string;
      readonly at: number;
      readonly name: string;
      readonly sessionType: string;
      readonly configuration: Fields;
      readonly parentKey: string | undefined;
      readonly knowledge: 'full' | 'partial';
    }
  | {
      readonly type: 'toAdapter';
      readonly key: string;
      readonly at: number;
      readonly message: unknown;
    }
  | {
      readonly type: 'fromAdapter';
      readonly key: string;
      readonly at: number;
      readonly message: unknown;
    }
  | {
      readonly type: 'adapterFailed';
      readonly key: string;
      readonly at: number;
      readonly message: string;
    }
  | {
      readonly type: 'adapterExited';
      readonly key: string;
      readonly at: number;
      readonly code: number | undefined;
      readonly signal: string | undefined;
    }
  /** The program's output in its terminal, as far as VS Code provides it. */
  | {
      readonly type: 'terminalOutput';
      readonly key: string;
      readonly at: number;
      readonly text: string;
    }
  /** The operating system reported that the session's program started, or started again. */
  | {
      readonly type: 'programStarted';
      readonly key: string;
      readonly at: number;
      readonly pid: number | undefined;
    }
  /**
   * The operating system or the terminal's shell reported the program's end. If code and signal are undefined, neither
   * is known.
   */
  | {
      readonly type: 'programExited';
      readonly key: string;
      readonly at: number;
      readonly code: number | undefined;
      readonly signal: string | undefined;
      readonly by: 'process' | 'shell';
    }
  /** A call that had requested a pause does not wait for it any more. */
  | { readonly type: 'pauseGivenUp'; readonly key: string; readonly at: number }
  | { readonly type: 'sessionEnded'; readonly key: string; readonly at: number };

export const EMPTY_STATE: DebugState = Object.freeze({
  sessions: new Map<string, SessionState>(),
  sessionCount: 0,
});

/** The protocol message of an event; undefined if the event is not a message between VS Code and an adapter. */
export function messageOf(event: DebugEvent): ProtocolMessage | undefined {
  return event.type === 'toAdapter' || event.type === 'fromAdapter'
    ? readMessage(event.message)
    : undefined;
}

/** The stopped threads of a session. */
export function stoppedThreads(session: SessionState): readonly ThreadState[] {
  return [...session.threads.values()].filter((thread) => thread.stop !== undefined);
}

/** The thread of the current stop: the thread that the stop names, otherwise the first stopped thread. */
export function threadOfStop(session: SessionState): number | undefined {
  const named = session.lastStop?.threadId;
  if (named !== undefined && session.threads.get(named)?.stop !== undefined) return named;
  return stoppedThreads(session)[0]?.id;
}

/** A session with the thread of its current stop. */
export interface StoppedThread {
  readonly session: SessionState;
  readonly threadId: number;
}

/** The current stop of a session. Undefined if the session is unknown or has no stopped thread. */
export function stoppedThread(
  { sessions }: Pick<DebugState, 'sessions'>,
  sessionKey: string,
): StoppedThread | undefined {
  const session = sessions.get(sessionKey);
  const threadId = session === undefined ? undefined : threadOfStop(session);
  return session === undefined || threadId === undefined ? undefined : { session, threadId };
}

/**
 * The epoch since which a stopped thread's frames and references are valid: the epoch of its stop, or of a later
 * invalidation by the adapter. Undefined while the thread runs.
 */
export function validSince(session: SessionState, threadId: number): number | undefined {
  const stop = session.threads.get(threadId)?.stop;
  return stop === undefined ? undefined : Math.max(stop.epoch, session.epochOf.invalidation);
}

export function isLive(session: SessionState): boolean {
  return session.lifecycle !== 'terminated';
}

/** Whether a session ended because of a failure of the debugger. */
export function isFailure(end: SessionEnd | undefined): boolean {
  return (
    end?.reason === 'adapterGone' || end?.reason === 'programLost' || end?.reason === 'launchFailed'
  );
}

/** Whether a list of breakpoints has no response yet, regardless of who sent it. */
export function isSettingBreakpoints({ pending }: SessionState): boolean {
  return [...pending.values()].some(({ command }) => command === 'setBreakpoints');
}

/** Whether an evaluation has no response yet. Some adapters answer no other request until then. */
export function isEvaluating({ pending }: SessionState): boolean {
  return [...pending.values()].some(({ command }) => command === 'evaluate');
}

/** Whether no tracked request has been sent to its adapter yet. It is unknown whether an adapter exists. */
export function isUncontacted({
  lifecycle,
  knowledge,
  capabilities,
  pending,
}: SessionState): boolean {
  return (
    lifecycle === 'starting' &&
    knowledge === 'full' &&
    pending.size === 0 &&
    Object.keys(capabilities).length === 0
  );
}

export function liveSessions(state: DebugState): readonly SessionState[] {
  return [...state.sessions.values()].filter(isLive);
}

/** The root of a session's tree: the session that its configuration started. */
export function rootOf(state: DebugState, session: SessionState): SessionState {
  let current = session;
  for (;;) {
    const parent =
      current.parentKey === undefined ? undefined : state.sessions.get(current.parentKey);
    if (parent === undefined) return current;
    current = parent;
  }
}

/** The session and all its descendants, parents first. */
export function treeOf(state: DebugState, root: SessionState): readonly SessionState[] {
  const members = new Map([[root.key, root]]);
  for (const session of state.sessions.values()) {
    if (session.parentKey !== undefined && members.has(session.parentKey))
      members.set(session.key, session);
  }
  return [...members.values()];
}

/** Whether all sessions of a tree have terminated. A child may outlive its parent. */
export function isOver(state: DebugState, root: SessionState): boolean {
  return treeOf(state, root).every((member) => member.lifecycle === 'terminated');
}

export function sessionById(state: DebugState, id: string): SessionState | undefined {
  for (const session of state.sessions.values()) if (session.id === id) return session;
  return undefined;
}
