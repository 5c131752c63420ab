import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/debugModel';
import { countOf, readMessage } from '../debugger/protocol';
import type { DebugEvent } from '../debugger/state';

/**
 * Reads what programs print in VS Code's integrated terminal. The adapter asks VS Code for a terminal (DAP
 * `runInTerminal`), the answer names its shell's process, and where that shell has shell integration, VS Code gives what
 * its command prints. Nothing of other terminals is kept.
 */
export function readTerminals(model: DebugModel): vscode.Disposable {
  /** Sessions by the process of their terminal's shell. */
  const sessions = new Map<number, string>();
  /** Commands of terminals whose process nobody has named yet, while an adapter's request is under way. */
  const unclaimed = new Map<number, string[]>();
  const asked = new Set<number>();

  const tell = (key: string, text: string): void => model.dispatch({ type: 'terminal_output', key, at: Date.now(), text });

  model.observe((event: DebugEvent) => {
    if (event.type === 'session_ended') {
      for (const [process, key] of sessions) if (key === event.key) sessions.delete(process);
      return;
    }
    if (event.type !== 'from_adapter' && event.type !== 'to_adapter') return;
    const message = readMessage(event.message);
    if (event.type === 'from_adapter' && message?.type === 'request' && message.command === 'runInTerminal') asked.add(message.seq);
    if (event.type !== 'to_adapter' || message?.type !== 'response' || message.command !== 'runInTerminal' || !asked.delete(message.requestSeq)) return;
    const process = countOf(message.body['shellProcessId']);
    if (process !== undefined) {
      sessions.set(process, event.key);
      for (const text of unclaimed.get(process) ?? []) tell(event.key, text);
    }
    if (asked.size === 0) unclaimed.clear();
  }, ['runInTerminal', 'session_ended']);

  return vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
    if (asked.size === 0 && sessions.size === 0) return;
    // Read at once: what is printed before is not given again.
    const stream = execution.read();
    void terminal.processId.then(async (process) => {
      if (process === undefined || (asked.size === 0 && !sessions.has(process))) return;
      // Known from here on: what it prints last may come when its session has ended.
      let key = sessions.get(process);
      for await (const text of stream) {
        key ??= sessions.get(process);
        if (key !== undefined) tell(key, text);
        else if (asked.size > 0) unclaimed.set(process, [...(unclaimed.get(process) ?? []), text]);
        else return;
      }
    });
  });
}
