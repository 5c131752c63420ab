import { stripVTControlCharacters } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Failure } from '../results/failure';
import { fields, textOf } from '../debugger/protocol';
import { Interrupted } from '../debugger/requests';
import type { TaskResult } from '../tools/services';

/** How many problems of a failed task are told. */
const PROBLEMS_SHOWN = 10;

/** How long a failed task's problems are waited for. */
const PROBLEMS_LIMIT_MS = 1000;

/** How many lines of its output are told, and how many characters are kept to find them in. */
const OUTPUT_SHOWN = 15;
const OUTPUT_KEPT = 20_000;

/** How many tasks are named to who asks for one that is none. */
const TASKS_NAMED = 30;

/**
 * Runs a configuration's `preLaunchTask` to its end. Undefined where VS Code itself has to: a task that goes on in the
 * background, or one that it may find in a way of its own.
 * @throws Failure `task_failed` for one that there is not: VS Code would ask in a dialog what to do
 */
export async function runPreLaunchTask(
  wanted: unknown,
  folderPath: string | undefined,
  signal: AbortSignal,
): Promise<TaskResult | undefined> {
  const tasks = await vscode.tasks.fetchTasks();
  const task = findTask(tasks, wanted, folderPath);
  if (task === undefined && isMissing(tasks, wanted)) {
    const names = [...new Set(tasks.map((each) => each.name))];
    const omitted =
      names.length > TASKS_NAMED
        ? { omitted: { tasks: names.length - TASKS_NAMED, fetch_tasks: 'tasks.json' } }
        : {};
    throw new Failure(
      'task_failed',
      l10n.t(
        'There is no task “{0}”, which the configuration wants to be run first (preLaunchTask). Nothing was started.',
        String(wanted),
      ),
      'Correct preLaunchTask, or define the task in tasks.json.',
      { tasks: names.slice(0, TASKS_NAMED), ...omitted },
    );
  }
  if (task === undefined || task.isBackground) return undefined;
  // Finding it asks every extension that has tasks; who asked may have gone meanwhile.
  if (signal.aborted) throw new Interrupted();
  const before = new Set(problems());
  const { exitCode, output } = await execute(task, signal);
  const isNew = (each: string): boolean => !before.has(each);
  if (exitCode !== 0) await firstProblem(isNew);
  return {
    name: task.name,
    exitCode,
    output,
    problems: problems().filter(isNew).slice(0, PROBLEMS_SHOWN),
  };
}

/** Whether no task has that name in any way that is known: tasks.json may give an `identifier`, too. */
function isMissing(tasks: readonly vscode.Task[], wanted: unknown): boolean {
  const name = textOf(wanted);
  if (name === undefined || name.includes('${')) return false;
  return !tasks.some(
    (task) =>
      task.name === name ||
      `${task.source}: ${task.name}` === name ||
      Object.values(fields(task.definition)).includes(name),
  );
}

function findTask(
  tasks: readonly vscode.Task[],
  wanted: unknown,
  folderPath: string | undefined,
): vscode.Task | undefined {
  const name = textOf(wanted);
  const fits = (task: vscode.Task): boolean => {
    if (name === '${defaultBuildTask}')
      return task.group?.id === vscode.TaskGroup.Build.id && task.group.isDefault === true;
    if (name !== undefined) return task.name === name || `${task.source}: ${task.name}` === name;
    const parts = Object.entries(fields(wanted));
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

/** The exit code (none for a task without a process) and the tail of the output. @throws Interrupted */
async function execute(
  task: vscode.Task,
  signal: AbortSignal,
): Promise<Pick<TaskResult, 'exitCode' | 'output'>> {
  let execution: vscode.TaskExecution | undefined;
  let exitCode: number | undefined;
  const subscriptions: vscode.Disposable[] = [];
  const printed: TaskOutput[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      // Armed before the task is started: a short one may end before `executeTask` resolves.
      const isOurs = (each: vscode.TaskExecution): boolean =>
        execution === undefined ? each.task.name === task.name : each === execution;
      subscriptions.push(
        vscode.tasks.onDidEndTaskProcess((event) => {
          if (isOurs(event.execution)) exitCode = event.exitCode;
        }),
        vscode.tasks.onDidEndTask((event) => {
          if (isOurs(event.execution)) resolve();
        }),
        // A task's command runs with shell integration, where the person's shell has it.
        vscode.window.onDidStartTerminalShellExecution(({ terminal, execution: command }) =>
          printed.push(collect(terminal, command)),
        ),
      );
      const cancel = (): void => reject(new Interrupted());
      signal.addEventListener('abort', cancel, { once: true });
      subscriptions.push(new vscode.Disposable(() => signal.removeEventListener('abort', cancel)));
      vscode.tasks.executeTask(task).then((started) => (execution = started), reject);
    });
  } finally {
    for (const each of subscriptions) each.dispose();
  }
  // A terminal has its task's name only once it is up; those of other names are the person's.
  const text = printed
    .filter((each) => each.terminal.name === task.name)
    .map((each) => each.text)
    .join('');
  const lines = stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  return { exitCode, output: lines.slice(-OUTPUT_SHOWN) };
}

interface TaskOutput {
  readonly terminal: vscode.Terminal;
  text: string;
}

function collect(terminal: vscode.Terminal, command: vscode.TerminalShellExecution): TaskOutput {
  const printed: TaskOutput = { terminal, text: '' };
  void (async () => {
    for await (const data of command.read())
      printed.text = (printed.text + data).slice(-OUTPUT_KEPT);
  })();
  return printed;
}

/** What a task's problem matchers find arrives a little after its end, or never. */
async function firstProblem(isNew: (problem: string) => boolean): Promise<void> {
  if (problems().some(isNew)) return;
  let subscription: vscode.Disposable | undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PROBLEMS_LIMIT_MS);
    subscription = vscode.languages.onDidChangeDiagnostics(() => {
      if (!problems().some(isNew)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  subscription?.dispose();
}

/** All errors that VS Code shows, as `file:line: message`. */
function problems(): string[] {
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) =>
      diagnostics
        .filter((each) => each.severity === vscode.DiagnosticSeverity.Error)
        .map((each) => `${uri.fsPath}:${each.range.start.line + 1}: ${each.message}`),
    );
}
