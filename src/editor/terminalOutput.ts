import * as vscode from 'vscode';
import type { DebugModel } from '../debugger/state/debugModel';
import { countOf, readMessage, type ResponseMessage } from '../debugger/protocol';
import type { DebugEvent } from '../debugger/state/state';

/** A command that runs in a terminal. */
interface Command {
  /** The process id of the terminal's shell. */
  process: number | undefined;
  /** The session whose program the command is; undefined until that is known, null if it belongs to none. */
  session: string | null | undefined;
  /** The command's output until its session is known. */
  texts: string[];
  end: { readonly code: number | undefined } | undefined;
}

/**
 * Reads the output and exit codes of programs in VS Code's integrated terminal. The adapter requests a terminal (DAP
 * `runInTerminal`), and the response names its shell's process. If that shell has shell integration, VS Code provides
 * the output and exit code of its command. No data of other terminals is kept.
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

/** Matches the commands in terminals with the sessions of their programs. */
class Terminals {
  /** The sessions whose program's command has not started yet, by the process id of their terminal's shell. */
  private readonly expected = new Map<number, string>();
  private readonly commands = new Map<vscode.TerminalShellExecution, Command>();
  /** The `runInTerminal` requests that VS Code has not answered yet. */
  private readonly pending = new Set<number>();

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
    if (event.type === 'fromAdapter' && message.type === 'request') this.pending.add(message.seq);
    if (event.type === 'toAdapter' && message.type === 'response')
      this.answered(event.key, message);
  }

  begin(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    if (this.pending.size === 0 && this.expected.size === 0) return;
    const command: Command = { process: undefined, session: undefined, texts: [], end: undefined };
    this.commands.set(execution, command);
    // The output is read immediately, because VS Code does not provide earlier output again.
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
    if (command.session !== undefined || this.pending.size === 0) this.commands.delete(execution);
  }

  /** Called when VS Code has answered a `runInTerminal` request. */
  private answered(key: string, { requestSeq, body }: ResponseMessage): void {
    if (!this.pending.delete(requestSeq)) return;
    const process = countOf(body['shellProcessId']);
    if (process !== undefined) this.expected.set(process, key);
    for (const [execution, command] of this.commands) {
      this.claim(command);
      if (command.end !== undefined && this.pending.size === 0) this.commands.delete(execution);
    }
  }

  private claim(command: Command): void {
    const key = command.process === undefined ? undefined : this.expected.get(command.process);
    if (command.process === undefined || command.session !== undefined) return;
    if (key === undefined) {
      // A pending response may still name its terminal.
      if (this.pending.size === 0) command.session = null;
      return;
    }
    // Later commands in this terminal are the person's.
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
