import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import { countOf, readMessage, type ResponseMessage } from '../debugger/protocol';
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
  const terminals = new Terminals(model);
  model.observe((event) => terminals.observe(event), ['runInTerminal', 'sessionEnded']);
  return vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) =>
      terminals.begin(terminal, execution),
    ),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) =>
      terminals.end(execution, exitCode),
    ),
  );
}

/** The commands that run in terminals, and the sessions whose programs they are. */
class Terminals {
  /** Sessions whose program's command has not begun yet, by the process of their terminal's shell. */
  private readonly expected = new Map<number, string>();
  private readonly commands = new Map<vscode.TerminalShellExecution, Command>();
  /** Requests for a terminal that VS Code has not answered yet. */
  private readonly asked = new Set<number>();

  constructor(private readonly model: DebugModel) {}

  observe(event: DebugEvent): void {
    if (event.type === 'sessionEnded') {
      for (const [process, key] of this.expected)
        if (key === event.key) this.expected.delete(process);
      return;
    }
    if (event.type !== 'fromAdapter' && event.type !== 'toAdapter') return;
    const message = readMessage(event.message);
    if (message?.type === 'event' || message?.command !== 'runInTerminal') return;
    if (event.type === 'fromAdapter' && message.type === 'request') this.asked.add(message.seq);
    if (event.type === 'toAdapter' && message.type === 'response')
      this.answered(event.key, message);
  }

  begin(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    if (this.asked.size === 0 && this.expected.size === 0) return;
    const command: Command = { process: undefined, session: undefined, texts: [], end: undefined };
    this.commands.set(execution, command);
    // Read at once: what is printed before is not given again.
    void read(execution.read(), command, (key, text) => this.report(key, text));
    void terminal.processId.then((process) => {
      command.process = process;
      this.claim(command);
    });
  }

  end(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    const command = this.commands.get(execution);
    if (command === undefined) return;
    command.end = { code: exitCode };
    if (typeof command.session === 'string') this.reportEnd(command.session, exitCode);
    if (command.session !== undefined || this.asked.size === 0) this.commands.delete(execution);
  }

  /** VS Code has answered a request for a terminal. */
  private answered(key: string, { requestSeq, body }: ResponseMessage): void {
    if (!this.asked.delete(requestSeq)) return;
    const process = countOf(body['shellProcessId']);
    if (process !== undefined) this.expected.set(process, key);
    for (const [execution, command] of this.commands) {
      this.claim(command);
      if (command.end !== undefined && this.asked.size === 0) this.commands.delete(execution);
    }
  }

  private claim(command: Command): void {
    const key = command.process === undefined ? undefined : this.expected.get(command.process);
    if (command.process === undefined || command.session !== undefined) return;
    if (key === undefined) {
      // Its terminal may be one that an answer has yet to name.
      if (this.asked.size === 0) command.session = null;
      return;
    }
    // What runs there afterwards is the person's.
    this.expected.delete(command.process);
    command.session = key;
    this.report(key, command.texts.splice(0).join(''));
    if (command.end !== undefined) this.reportEnd(key, command.end.code);
  }

  private report(key: string, text: string): void {
    this.model.dispatch({ type: 'terminalOutput', key, at: Date.now(), text });
  }

  private reportEnd(key: string, code: number | undefined): void {
    const at = Date.now();
    this.model.dispatch({ type: 'programExited', key, at, code, signal: undefined, by: 'shell' });
  }
}

async function read(
  stream: AsyncIterable<string>,
  command: Command,
  report: (key: string, text: string) => void,
): Promise<void> {
  for await (const text of stream) {
    if (command.session === null) return;
    if (command.session === undefined) command.texts.push(text);
    else report(command.session, text);
  }
}
