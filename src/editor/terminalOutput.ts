import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import { countOf, readMessage } from '../debugger/protocol';
import type { DebugEvent } from '../debugger/state/state';

/** A command that runs in a terminal. */
interface Command {
  /** The process of the terminal's shell. */
  process: number | undefined;
  /** The session whose program it is, as soon as that is known; null: no session's. */
  session: string | null | undefined;
  /** What it has printed while nobody knew whose program it is. */
  texts: string[];
  end: { readonly code: number | undefined } | undefined;
}

/**
 * Reads what programs print in VS Code's integrated terminal, and how they end. The adapter asks VS Code for a terminal
 * (DAP `runInTerminal`), the answer names its shell's process, and where that shell has shell integration, VS Code gives
 * what its command prints, and its exit code. Nothing of other terminals is kept.
 */
export function readTerminals(model: DebugModel): vscode.Disposable {
  /** Sessions whose program's command has not begun yet, by the process of their terminal's shell. */
  const expected = new Map<number, string>();
  const commands = new Map<vscode.TerminalShellExecution, Command>();
  /** Requests for a terminal that VS Code has not answered yet. */
  const asked = new Set<number>();

  const tell = (key: string, text: string): void =>
    model.dispatch({ type: 'terminalOutput', key, at: Date.now(), text });
  const reportEnd = (key: string, code: number | undefined): void =>
    model.dispatch({
      type: 'programExited',
      key,
      at: Date.now(),
      code,
      signal: undefined,
      by: 'shell',
    });

  const claim = (command: Command): void => {
    const key = command.process === undefined ? undefined : expected.get(command.process);
    if (command.process === undefined || command.session !== undefined) return;
    if (key === undefined) {
      // Its terminal may be one that an answer has yet to name.
      if (asked.size === 0) command.session = null;
      return;
    }
    // What runs there afterwards is the person's.
    expected.delete(command.process);
    command.session = key;
    tell(key, command.texts.splice(0).join(''));
    if (command.end !== undefined) reportEnd(key, command.end.code);
  };

  model.observe(
    (event: DebugEvent) => {
      if (event.type === 'sessionEnded') {
        for (const [process, key] of expected) if (key === event.key) expected.delete(process);
        return;
      }
      if (event.type !== 'fromAdapter' && event.type !== 'toAdapter') return;
      const message = readMessage(event.message);
      if (
        event.type === 'fromAdapter' &&
        message?.type === 'request' &&
        message.command === 'runInTerminal'
      )
        asked.add(message.seq);
      if (
        event.type !== 'toAdapter' ||
        message?.type !== 'response' ||
        message.command !== 'runInTerminal' ||
        !asked.delete(message.requestSeq)
      )
        return;
      const process = countOf(message.body['shellProcessId']);
      if (process !== undefined) expected.set(process, event.key);
      for (const [execution, command] of commands) {
        claim(command);
        if (command.end !== undefined && asked.size === 0) commands.delete(execution);
      }
    },
    ['runInTerminal', 'sessionEnded'],
  );

  return vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      if (asked.size === 0 && expected.size === 0) return;
      const command: Command = {
        process: undefined,
        session: undefined,
        texts: [],
        end: undefined,
      };
      commands.set(execution, command);
      // Read at once: what is printed before is not given again.
      void read(execution.read(), command, tell);
      void terminal.processId.then((process) => {
        command.process = process;
        claim(command);
      });
    }),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const command = commands.get(execution);
      if (command === undefined) return;
      command.end = { code: exitCode };
      if (typeof command.session === 'string') reportEnd(command.session, exitCode);
      if (command.session !== undefined || asked.size === 0) commands.delete(execution);
    }),
  );
}

async function read(
  stream: AsyncIterable<string>,
  command: Command,
  tell: (key: string, text: string) => void,
): Promise<void> {
  for await (const text of stream) {
    if (command.session === null) return;
    if (command.session === undefined) command.texts.push(text);
    else tell(command.session, text);
  }
}
