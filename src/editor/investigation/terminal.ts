import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandLine } from '../../investigation/runs';
import type { OpenTerminal, TerminalExecution } from '../../investigation/terminalRunner';

/** Opens a terminal of VS Code for one command. */
export function openTerminal({ cwd, env }: CommandLine): OpenTerminal {
  return new CommandTerminal(
    vscode.window.createTerminal({
      name: 'Agent Debugger',
      cwd,
      env,
      // The terminal receives only the variables of the allow list. In a remote window, VS Code does not obey this.
      strictEnv: true,
      isTransient: true,
    }),
  );
}

/** The shells to which VS Code adds shell integration when it starts them. */
const INTEGRATED: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish', 'pwsh']);

class CommandTerminal implements OpenTerminal {
  readonly started: Promise<void>;
  readonly ready: Promise<void>;
  readonly closed: Promise<void>;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly ends = new Map<vscode.TerminalShellExecution, number | undefined>();
  private onEnd: () => void = () => undefined;
  private isDisposed = false;

  constructor(private readonly terminal: vscode.Terminal) {
    const started = (): void => undefined;
    this.started = Promise.resolve(terminal.processId).then(started, started);
    this.ready = new Promise((resolve) => {
      this.subscriptions.push(
        vscode.window.onDidChangeTerminalShellIntegration((event) => {
          if (event.terminal === terminal) resolve();
        }),
      );
      if (terminal.shellIntegration !== undefined) resolve();
    });
    this.closed = new Promise((resolve) => {
      this.subscriptions.push(
        vscode.window.onDidCloseTerminal((other) => {
          if (other === terminal) resolve();
        }),
      );
    });
    this.subscriptions.push(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.terminal !== terminal) return;
        // VS Code may report the end before our execution is known.
        this.ends.set(event.execution, event.exitCode);
        this.onEnd();
      }),
    );
  }

  get shell(): string | undefined {
    return this.terminal.state.shell ?? path.parse(vscode.env.shell).name;
  }

  get isIntegrated(): boolean {
    const settings = vscode.workspace.getConfiguration('terminal.integrated');
    return (
      settings.get<boolean>('shellIntegration.enabled') !== false &&
      INTEGRATED.has(this.shell ?? '')
    );
  }

  execute(text: string): TerminalExecution {
    const { shellIntegration } = this.terminal;
    if (shellIntegration === undefined) throw new Error('The shell of the terminal has ended.');
    const execution = shellIntegration.executeCommand(text);
    const ended = new Promise<number | undefined>((resolve) => {
      this.onEnd = () => {
        if (this.ends.has(execution)) resolve(this.ends.get(execution));
      };
      this.onEnd();
    });
    return { output: execution.read(), ended };
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.terminal.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
