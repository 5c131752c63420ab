import * as vscode from 'vscode';
import type { AddressBreakpoints } from '../debugger/breakpoints/addressBreakpoints';
import type { InjectedOutput } from '../debugger/breakpoints/injectedOutput';
import type { DebugModel } from '../debugger/state/debugModel';
import { fields, isFields } from '../debugger/protocol';
import { traceLine } from '../debugger/texts';
import type { SessionRegistry } from './sessionRegistry';

/**
 * Dispatches every message of every session to the model. VS Code API: DebugAdapterTrackerFactory. VS Code waits one
 * second for the tracker's creation and calls it for each message before delivering the message, so no code here waits
 * or throws.
 */
export function trackSessions(
  model: DebugModel,
  sessions: SessionRegistry,
  output: InjectedOutput,
  breakpoints: AddressBreakpoints,
): vscode.Disposable {
  const factory: vscode.DebugAdapterTrackerFactory = {
    createDebugAdapterTracker(session) {
      const key = session.id;
      sessions.track(session);
      quietly(() => model.dispatch(created(session, 'full')));
      return {
        onWillReceiveMessage: (message: unknown) =>
          quietly(() => model.dispatch({ type: 'toAdapter', key, at: Date.now(), message })),
        onDidSendMessage: (message: unknown) =>
          quietly(() => {
            model.dispatch({ type: 'fromAdapter', key, at: Date.now(), message });
            if (output.isOwn(message)) hide(message);
            if (breakpoints.isInjectedStop(key, message)) asPlainBreakpoint(message);
          }),
        onError: (error) =>
          quietly(() =>
            model.dispatch({ type: 'adapterFailed', key, at: Date.now(), message: error.message }),
          ),
        onExit: (code, signal) =>
          quietly(() =>
            model.dispatch({ type: 'adapterExited', key, at: Date.now(), code, signal }),
          ),
      };
    },
  };
  const found = (session: vscode.DebugSession): void => {
    sessions.add(session);
    quietly(() => model.dispatch(created(session, 'partial')));
  };
  // A session that was running before activation has no tracker of ours, so its state is only partly known.
  if (vscode.debug.activeDebugSession !== undefined) found(vscode.debug.activeDebugSession);
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterTrackerFactory('*', factory),
    vscode.debug.onDidStartDebugSession(found),
    vscode.debug.onDidChangeActiveStackItem((item) =>
      quietly(() => followFocus(model, sessions, item)),
    ),
    vscode.debug.onDidTerminateDebugSession((session) => {
      sessions.remove(session);
      quietly(() => model.dispatch({ type: 'sessionEnded', key: session.id, at: Date.now() }));
    }),
  );
}

/**
 * Keeps VS Code from showing a line in the debug console. Hundreds of lines of a call would hide the person's output,
 * and VS Code would answer no request until it has drawn them. DAP's category `telemetry` is not shown. The text is
 * removed, because VS Code may send such output to a telemetry service of the adapter. The tracker receives the object
 * that VS Code passes on (seen in 1.103 and 1.139). If it receives a copy, the line is shown.
 */
function hide(message: unknown): void {
  if (typeof message === 'object' && message !== null)
    Object.assign(message, { body: { category: 'telemetry', output: '' } });
}

/**
 * Keeps VS Code from opening the disassembly view. It does that for the reason `instruction breakpoint`, and then steps
 * by instructions.
 */
function asPlainBreakpoint(message: unknown): void {
  const { body } = fields(message);
  if (isFields(body)) Object.assign(body, { reason: 'breakpoint' });
}

/**
 * Follows VS Code's focus, which is the only information about a session without a tracker. If the focus is on a thread
 * or frame, the thread is stopped.
 */
function followFocus(
  model: DebugModel,
  sessions: SessionRegistry,
  item: vscode.DebugThread | vscode.DebugStackFrame | undefined,
): void {
  if (item === undefined || sessions.isTracked(item.session.id)) return;
  const { id: key } = item.session;
  const thread = model.state.sessions.get(key)?.threads.get(item.threadId);
  if (thread?.stop !== undefined) return;
  model.dispatch({
    type: 'fromAdapter',
    key,
    at: Date.now(),
    message: {
      type: 'event',
      event: 'stopped',
      body: { reason: 'unknown', threadId: item.threadId },
    },
  });
}

function created(session: vscode.DebugSession, knowledge: 'full' | 'partial') {
  return {
    type: 'sessionCreated',
    key: session.id,
    at: Date.now(),
    name: session.name,
    sessionType: session.type,
    configuration: fields(session.configuration),
    parentKey: session.parentSession?.id,
    knowledge,
  } as const;
}

/** Runs an action and ignores its error. An exception here would stop VS Code from delivering messages. */
function quietly(action: () => void): void {
  try {
    action();
  } catch (error) {
    console.error('Agent Debugger: a message could not be recorded:', traceLine(error));
  }
}
