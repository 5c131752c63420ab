import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import { fields } from '../debugger/protocol';
import { traceLine } from '../debugger/texts';
import type { SessionRegistry } from './sessionRegistry';

/**
 * Feeds every message of every session into the model. VS Code API: DebugAdapterTrackerFactory; it has one second to
 * answer and runs on the path of the messages, so nothing here waits and nothing throws.
 */
export function trackSessions(model: DebugModel, sessions: SessionRegistry): vscode.Disposable {
  const factory: vscode.DebugAdapterTrackerFactory = {
    createDebugAdapterTracker(session) {
      const key = session.id;
      sessions.track(session);
      quietly(() => model.dispatch(created(session, 'full')));
      return {
        onWillReceiveMessage: (message: unknown) =>
          quietly(() => model.dispatch({ type: 'toAdapter', key, at: Date.now(), message })),
        onDidSendMessage: (message: unknown) =>
          quietly(() => model.dispatch({ type: 'fromAdapter', key, at: Date.now(), message })),
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
  // A session that already ran when the extension was activated has no tracker of ours: it is known only in part.
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
 * Of a session without a tracker, VS Code's focus is all that is told: on a thread or a frame, it is stopped there.
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

/** An exception here would stop VS Code from delivering messages. */
function quietly(action: () => void): void {
  try {
    action();
  } catch (error) {
    console.error('Agent Debugger: a message could not be recorded:', traceLine(error));
  }
}
