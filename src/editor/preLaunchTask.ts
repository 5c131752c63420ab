import { stripVTControlCharacters } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Failure } from '../results/failure';
import { fields, textOf } from '../debugger/protocol';
import { Interrupted } from '../debugger/requests';
import type { TaskResult } from '../tools/services';
import { unlessAborted } from '../util/unlessAborted';

/** The maximum number of reported problems of a failed task. */
const PROBLEMS_SHOWN = 10;

/** The time to wait for the problems and for the end of the output of a failed task, in milliseconds. */
const LATE_LIMIT_MS = 1000;

/** The number of output lines that are reported, and the number of characters that are kept. */
const OUTPUT_SHOWN = 15;
const OUTPUT_KEPT = 20_000;

/** The maximum number of tasks that are listed if the requested one does not exist. */
const TASKS_NAMED = 30;

/**
 * Runs a configuration's `preLaunchTask` to its end. Returns undefined if VS Code itself has to run the task: a
 * background task, or a task that only VS Code may find.
 * @throws Failure `task_failed` if the task does not exist, because VS Code would open a dialog
 */
export async function runPreLaunchTask(
  requested: unknown,
  folderPath: string | undefined,
  signal: AbortSignal,
): Promise<TaskResult | undefined> {
  const tasks = await vscode.tasks.fetchTasks();
  const task = findTask(tasks, requested, folderPath);
  if (task === undefined && isMissing(tasks, requested)) throw noTask(tasks, requested);
  if (task === undefined || task.isBackground) return undefined;
  // Fetching tasks queries every extension that provides tasks, so the call may have been cancelled in the meantime.
  if (signal.aborted) throw new Interrupted();
  const before = new Set(problems());
  const isNew = (problem: string): boolean => !before.has(problem);
  const output = new TaskOutput(task.name);
  try {
    const exitCode = await execute(task, signal);
    if (exitCode !== 0) await Promise.all([firstProblem(isNew), output.complete()]);
    return {
      name: task.name,
      exitCode,
      output: output.lastLines(),
      problems: problems().filter(isNew).slice(0, PROBLEMS_SHOWN),
    };
  } finally {
    output.dispose();
  }
}

function noTask(tasks: readonly vscode.Task[], requested: unknown): Failure {
  const names = [...new Set(tasks.map(({ name }) => name))];
  const omitted =
    names.length > TASKS_NAMED
      ? { omitted: { tasks: names.length - TASKS_NAMED, fetch_tasks: 'tasks.json' } }
      : {};
  return new Failure(
    'task_failed',
    l10n.t(
      'There is no task “{0}”, the preLaunchTask of the configuration. Nothing was started.',
      String(requested),
    ),
    'Correct preLaunchTask, or define the task in tasks.json.',
    { tasks: names.slice(0, TASKS_NAMED), ...omitted },
  );
}

/** Whether no task has that name. tasks.json may also name tasks by an `identifier`. */
function isMissing(tasks: readonly vscode.Task[], requested: unknown): boolean {
  const name = textOf(requested);
  if (name === undefined || name.includes('${')) return false;
  return !tasks.some(
    (task) =>
      task.name === name ||
      `${task.source}: ${task.name}` === name ||
      Object.values(fields(task.definition)).includes(name),
  );
}

/** Returns the task that a configuration or another task names. Returns undefined if it is not certain which one. */
export function findTask(
  tasks: readonly vscode.Task[],
  requested: unknown,
  folderPath: string | undefined,
): vscode.Task | undefined {
  const name = textOf(requested);
  const fits = (task: vscode.Task): boolean => {
    if (name === '${defaultBuildTask}')
      return task.group?.id === vscode.TaskGroup.Build.id && task.group.isDefault === true;
    if (name !== undefined) return task.name === name || `${task.source}: ${task.name}` === name;
    const parts = Object.entries(fields(requested));
    return (
      parts.length > 0 && parts.every(([key, value]) => fields(task.definition)[key] === value)
    );
  };
  const found = tasks.filter(fits);
  const inFolder = found.find(
    (task) => typeof task.scope === 'object' && task.scope.uri.fsPath === folderPath,
  );
  return inFolder ?? (found.length === 1 ? found[0] : undefined);
}

/** Runs a task. Returns the exit code; undefined for a task without a process. @throws Interrupted */
async function execute(task: vscode.Task, signal: AbortSignal): Promise<number | undefined> {
  let execution: vscode.TaskExecution | undefined;
  let exitCode: number | undefined;
  const subscriptions: vscode.Disposable[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      // The listeners are added before the task is started, because a short task may end before `executeTask` resolves.
      const isOurs = (ended: vscode.TaskExecution): boolean =>
        execution === undefined ? ended.task.name === task.name : ended === execution;
      subscriptions.push(
        vscode.tasks.onDidEndTaskProcess((event) => {
          if (isOurs(event.execution)) exitCode = event.exitCode;
        }),
        vscode.tasks.onDidEndTask((event) => {
          if (isOurs(event.execution)) resolve();
        }),
      );
      const cancel = (): void => reject(new Interrupted());
      signal.addEventListener('abort', cancel, { once: true });
      subscriptions.push(new vscode.Disposable(() => signal.removeEventListener('abort', cancel)));
      vscode.tasks.executeTask(task).then((started) => (execution = started), reject);
    });
  } finally {
    for (const subscription of subscriptions) subscription.dispose();
  }
  return exitCode;
}

interface PrintedText {
  readonly terminal: vscode.Terminal;
  text: string;
}

/** The output of a task. Its command runs with shell integration, if the person's shell supports it. */
class TaskOutput implements vscode.Disposable {
  private readonly printed: PrintedText[] = [];
  private readonly subscription: vscode.Disposable;
  private resolveFirst: () => void = () => undefined;
  private readonly first = new Promise<void>((resolve) => (this.resolveFirst = resolve));

  /** @param name the task's name, which is also the name of its terminal */
  constructor(private readonly name: string) {
    this.subscription = vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) =>
      this.collect(terminal, execution),
    );
  }

  /** Resolves when a command of the task's terminal has been read to its end, or at the limit. */
  async complete(): Promise<void> {
    // The task's end may be reported before the end of its output, or before its command.
    await unlessAborted(this.first, AbortSignal.timeout(LATE_LIMIT_MS), () => undefined);
  }

  lastLines(): readonly string[] {
    const text = this.ownTexts()
      .map((printed) => printed.text)
      .join('');
    const lines = stripVTControlCharacters(text)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
    return lines.slice(-OUTPUT_SHOWN);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /**
   * The output of the task's own terminals. A terminal receives its task's name only after it was created. Terminals
   * with other names are the person's.
   */
  private ownTexts(): readonly PrintedText[] {
    return this.printed.filter(({ terminal }) => terminal.name === this.name);
  }

  private collect(terminal: vscode.Terminal, command: vscode.TerminalShellExecution): void {
    const printed: PrintedText = { terminal, text: '' };
    this.printed.push(printed);
    void (async () => {
      for await (const data of command.read())
        printed.text = (printed.text + data).slice(-OUTPUT_KEPT);
      if (terminal.name === this.name) this.resolveFirst();
    })();
  }
}

/** Waits for the first new problem. Problem matchers report shortly after the task's end, or never. */
async function firstProblem(isNew: (problem: string) => boolean): Promise<void> {
  if (problems().some(isNew)) return;
  let subscription: vscode.Disposable | undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LATE_LIMIT_MS);
    subscription = vscode.languages.onDidChangeDiagnostics(() => {
      if (!problems().some(isNew)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  subscription?.dispose();
}

/** All errors in VS Code's Problems view, as `file:line: message`. */
function problems(): string[] {
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) =>
      diagnostics
        .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
        .map(({ range, message }) => `${uri.fsPath}:${range.start.line + 1}: ${message}`),
    );
}
