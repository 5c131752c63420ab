import * as vscode from 'vscode';
import { textOf, wholeOf, type Fields } from '../debugger/protocol';
import { LAUNCH_MARK } from '../debugger/state/launchMark';

/** VS Code's own commands. The first resolves when the run of the tests has ended. */
const DEBUG_AT_CURSOR = 'testing.debugAtCursor';
const REFRESH = 'testing.refreshTests';

/**
 * Lets VS Code debug the test at a line of a file. Its command acts on the active editor, so the file is shown until
 * the first session has started. Then the person's editor is shown again.
 * @returns false if no debug session was started, because no extension knows a test there
 */
export async function startTestAtLine(configuration: Fields): Promise<boolean> {
  const run = new MarkedRun(textOf(configuration[LAUNCH_MARK]) ?? '');
  const restore = await showLine(
    textOf(configuration['file']) ?? '',
    wholeOf(configuration['line']) ?? 1,
  );
  try {
    if (await run.start()) return true;
    // An extension may look for the tests of a file only when it is asked to.
    await vscode.commands.executeCommand(REFRESH);
    return await run.start();
  } finally {
    await restore();
  }
}

/** A run of tests whose debug sessions get a mark, because another extension starts them. */
class MarkedRun {
  constructor(private readonly mark: string) {}

  /** Returns when the first session has started, or when the run has ended without one. */
  async start(): Promise<boolean> {
    const marking = vscode.debug.registerDebugConfigurationProvider('*', {
      resolveDebugConfiguration: (_folder, configuration): vscode.DebugConfiguration => ({
        [LAUNCH_MARK]: this.mark,
        ...configuration,
      }),
    });
    const first = this.firstSession();
    const ended = Promise.resolve(vscode.commands.executeCommand(DEBUG_AT_CURSOR)).finally(() => {
      marking.dispose();
      first.dispose();
    });
    ended.catch(() => undefined);
    return await Promise.race([first.started, ended.then(() => false)]);
  }

  private firstSession(): { readonly started: Promise<true>; dispose(): void } {
    let subscription: vscode.Disposable | undefined;
    const started = new Promise<true>((resolve) => {
      subscription = vscode.debug.onDidStartDebugSession(({ configuration }) => {
        if (configuration[LAUNCH_MARK] === this.mark) resolve(true);
      });
    });
    return { started, dispose: () => void subscription?.dispose() };
  }
}

/** Shows a line without taking the focus. @returns what shows the person's editor again */
async function showLine(file: string, line: number): Promise<() => Promise<void>> {
  const before = vscode.window.activeTextEditor;
  const own = before?.selection;
  const start = new vscode.Position(line - 1, 0);
  const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(start, start),
    preserveFocus: true,
  });
  return async () => {
    // The person may have gone on, and a program that has stopped is shown where it is.
    const isThere = vscode.window.activeTextEditor?.document === document;
    if (before === undefined || !isThere || vscode.debug.activeStackItem !== undefined) return;
    await vscode.window.showTextDocument(before.document, {
      preserveFocus: true,
      ...(own === undefined ? {} : { selection: own }),
      ...(before.viewColumn === undefined ? {} : { viewColumn: before.viewColumn }),
    });
  };
}
