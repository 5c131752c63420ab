import type { DebugProtocol } from '@vscode/debugprotocol';
import { readMessage, type Fields, type ProtocolMessage } from '../protocol';

/** What is being debugged, as the messages of the Debug Adapter Protocol tell it. Never changed in place. */
export interface DebugState {
  /** By VS Code's session id, in the order of their start; ended ones stay for a while, to answer how they ended. */
  readonly sessions: ReadonlyMap<string, SessionState>;
  /** How many sessions there have been: the number of the next one's short id. */
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
  /** `partial`: it was already running when it was found, and what it did before is not known. */
  readonly knowledge: 'full' | 'partial';
  readonly lifecycle: Lifecycle;
  readonly capabilities: DebugProtocol.Capabilities;
  readonly threads: ReadonlyMap<number, ThreadState>;
  /**
   * Raised by each message that may end the truth of something that was read (`epochs.ts`). It never falls, over a restart
   * neither. Whether something is of now is told by the epoch that was noted with it: the session's, a stop's, or one
   * of `epochOf`.
   */
  readonly epoch: number;
  readonly epochOf: EpochOf;
  /** The number of the newest stop; 0 before the first. It gives stops the names that callers see, and is no measure of time. */
  readonly stopCount: number;
  /** The newest stop, kept after the program went on. */
  readonly lastStop: StopState | undefined;
  /** The newest request that lets the program go on, whoever made it. */
  readonly resume: ResumeState | undefined;
  /** It was asked to pause, and has not stopped since. */
  readonly pauseAsked: boolean;
  readonly exitCode: number | undefined;
  /** The signal that ended the program, such as SIGKILL: then there is no exit code. */
  readonly exitSignal: string | undefined;
  readonly end: SessionEnd | undefined;
  /** The adapter or VS Code said that it is over: what still comes is no life. */
  readonly endAnnounced: boolean;
  /** It was asked to end, or to let the program go, before it had said that it ends: by the person, or by a call. */
  readonly endAsked: boolean;
  readonly process: ProcessState | undefined;
  /** How many modules the adapter has told of. DAP event `module`. */
  readonly modules: number;
  /** What the adapter answered about breakpoints, by the person's path of the source. */
  readonly sourceBreakpoints: ReadonlyMap<string, BreakpointAnswer>;
  readonly functionBreakpoints: BreakpointAnswer | undefined;
  /** Requests whose answers change this state, by `seq`. */
  readonly pending: ReadonlyMap<number, PendingRequest>;
  /** Whether its program runs in a terminal of VS Code's, and whether anything of that terminal's output was given. */
  readonly terminal: 'none' | 'unread' | 'read' | 'ended';
}

/** The epoch in which each of these happened last; the session's first where it has not yet. */
export interface EpochOf {
  /** The program went elsewhere, or began to: what the adapter gave out before means nothing to it any more. */
  readonly move: number;
  /** Somebody asked for the program to go on. */
  readonly resume: number;
  /** The adapter said that variables or stacks are no longer valid. DAP event `invalidated`. */
  readonly invalidation: number;
}

export interface ThreadState {
  readonly id: number;
  readonly name: string | undefined;
  /** The stop that holds it, or undefined while it runs. */
  readonly stop: StopState | undefined;
}

export interface StopState {
  /** 1, 2, 3 … in a session. */
  readonly id: number;
  /** The session's epoch that began with it. */
  readonly epoch: number;
  readonly at: number;
  readonly reason: string;
  readonly description: string | undefined;
  readonly text: string | undefined;
  /** Undefined where the adapter named none. */
  readonly threadId: number | undefined;
  readonly allThreadsStopped: boolean | undefined;
  /** The adapter's own ids, not ours. */
  readonly hitBreakpointIds: readonly number[] | undefined;
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
  /** Counts the answers to this source's requests, so that a waiter knows a newer one. */
  readonly answers: number;
  /** The `seq` of the latest request among those answered: adapters answer lists of one source in any order (js-debug). */
  readonly requestSeq: number;
  readonly breakpoints: readonly AdapterBreakpoint[];
}

/** One breakpoint as VS Code asked for it. */
export interface RequestedBreakpoint {
  readonly requestedLine: number | undefined;
  readonly requestedColumn: number | undefined;
  readonly requestedName: string | undefined;
  readonly requestedCondition: string | undefined;
  readonly requestedHitCondition: string | undefined;
  readonly requestedLogMessage: string | undefined;
  /** What a call added to VS Code's list: a breakpoint of its own, or its part of one that VS Code asked for. */
  readonly injected?: InjectedPart;
}

export interface InjectedPart {
  readonly id: number;
  /** VS Code asked for a breakpoint in the same place, which this one stands for as well. */
  readonly isMerged: boolean;
}

/** One breakpoint as it was asked for and as the adapter holds it. */
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
  /** The session's epoch when it was sent: a stop since then outlives its answer. */
  readonly epoch: number;
}

/** What happens to the state. `at` is milliseconds since 1970. */
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
  /** What the program printed in its terminal, as far as VS Code gives it. */
  | {
      readonly type: 'terminalOutput';
      readonly key: string;
      readonly at: number;
      readonly text: string;
    }
  /** The operating system reported that the session's program runs, or runs again. */
  | {
      readonly type: 'programStarted';
      readonly key: string;
      readonly at: number;
      readonly pid: number | undefined;
    }
  /** The operating system, or the shell of its terminal, reported that the program ended. Both undefined: nobody knows how. */
  | {
      readonly type: 'programExited';
      readonly key: string;
      readonly at: number;
      readonly code: number | undefined;
      readonly signal: string | undefined;
      readonly by: 'process' | 'shell';
    }
  | { readonly type: 'sessionEnded'; readonly key: string; readonly at: number };

export const EMPTY_STATE: DebugState = Object.freeze({
  sessions: new Map<string, SessionState>(),
  sessionCount: 0,
});

/** The message that passed between VS Code and an adapter, where the event is one. */
export function messageOf(event: DebugEvent): ProtocolMessage | undefined {
  return event.type === 'toAdapter' || event.type === 'fromAdapter'
    ? readMessage(event.message)
    : undefined;
}

/** The threads that are held, the newest stop's first. */
export function stoppedThreads(session: SessionState): readonly ThreadState[] {
  return [...session.threads.values()].filter((thread) => thread.stop !== undefined);
}

/** The thread that a stop is about: the one it names, else the first that it holds. */
export function threadOfStop(session: SessionState): number | undefined {
  const named = session.lastStop?.threadId;
  if (named !== undefined && session.threads.get(named)?.stop !== undefined) return named;
  return stoppedThreads(session)[0]?.id;
}

/**
 * The epoch since which a thread's frames and references are good: that of the stop that holds it, or of what the adapter
 * declared invalid since. Undefined while it runs.
 */
export function heldSince(session: SessionState, threadId: number): number | undefined {
  const stop = session.threads.get(threadId)?.stop;
  return stop === undefined ? undefined : Math.max(stop.epoch, session.epochOf.invalidation);
}

export function isLive(session: SessionState): boolean {
  return session.lifecycle !== 'terminated';
}

/** Whether a session did not end as programs do. */
export function isFailure(end: SessionEnd | undefined): boolean {
  return (
    end?.reason === 'adapterGone' || end?.reason === 'programLost' || end?.reason === 'launchFailed'
  );
}

/** Whether an adapter has not answered all lists of breakpoints yet, whoever sent them. */
export function isSettingBreakpoints({ pending }: SessionState): boolean {
  return [...pending.values()].some(({ command }) => command === 'setBreakpoints');
}

/** Whether an adapter has not answered an expression yet: some answer nothing else as long as it runs. */
export function isEvaluating({ pending }: SessionState): boolean {
  return [...pending.values()].some(({ command }) => command === 'evaluate');
}

/** Whether its adapter has not been asked anything yet that changes the state: nobody knows whether there is one. */
export function isUnasked({ lifecycle, knowledge, capabilities, pending }: SessionState): boolean {
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

/** The outermost session of a session's tree: the one that its configuration started. */
export function rootOf(state: DebugState, session: SessionState): SessionState {
  let current = session;
  for (;;) {
    const parent =
      current.parentKey === undefined ? undefined : state.sessions.get(current.parentKey);
    if (parent === undefined) return current;
    current = parent;
  }
}

/** The session and all below it, parents first. */
export function treeOf(state: DebugState, root: SessionState): readonly SessionState[] {
  const members = new Map([[root.key, root]]);
  for (const session of state.sessions.values()) {
    if (session.parentKey !== undefined && members.has(session.parentKey))
      members.set(session.key, session);
  }
  return [...members.values()];
}

/** Whether a tree is over: its root and all below it. A child may outlive its parent. */
export function isOver(state: DebugState, root: SessionState): boolean {
  return treeOf(state, root).every((member) => member.lifecycle === 'terminated');
}

export function sessionById(state: DebugState, id: string): SessionState | undefined {
  for (const session of state.sessions.values()) if (session.id === id) return session;
  return undefined;
}
