import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';

/** Records every message of every session as JSON lines in the file that AGENT_DEBUGGER_TRACE names. */
const file = process.env['AGENT_DEBUGGER_TRACE'];
if (file !== undefined) {
  const write = (entry: object): void => appendFileSync(file, `${JSON.stringify(entry)}\n`);
  vscode.debug.registerDebugAdapterTrackerFactory('*', {
    createDebugAdapterTracker: (session) => {
      const key = session.id;
      write({
        type: 'sessionCreated',
        key,
        at: Date.now(),
        name: session.name,
        sessionType: session.type,
        configuration: {},
        parentKey: session.parentSession?.id,
        knowledge: 'full',
      });
      return {
        onWillReceiveMessage: (message: unknown) =>
          write({ type: 'toAdapter', key, at: Date.now(), message }),
        onDidSendMessage: (message: unknown) =>
          write({ type: 'fromAdapter', key, at: Date.now(), message }),
        onWillStopSession: () => write({ type: 'will_stop', key, at: Date.now() }),
        onError: (error) =>
          write({ type: 'adapterFailed', key, at: Date.now(), message: error.message }),
        onExit: (code, signal) =>
          write({ type: 'adapterExited', key, at: Date.now(), code, signal }),
      };
    },
  });
  vscode.debug.onDidTerminateDebugSession((session) =>
    write({ type: 'sessionEnded', key: session.id, at: Date.now() }),
  );
}
