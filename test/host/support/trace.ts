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
        type: 'session_created',
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
          write({ type: 'to_adapter', key, at: Date.now(), message }),
        onDidSendMessage: (message: unknown) =>
          write({ type: 'from_adapter', key, at: Date.now(), message }),
        onWillStopSession: () => write({ type: 'will_stop', key, at: Date.now() }),
        onError: (error) =>
          write({ type: 'adapter_failed', key, at: Date.now(), message: error.message }),
        onExit: (code, signal) =>
          write({ type: 'adapter_exited', key, at: Date.now(), code, signal }),
      };
    },
  });
  vscode.debug.onDidTerminateDebugSession((session) =>
    write({ type: 'session_ended', key: session.id, at: Date.now() }),
  );
}
