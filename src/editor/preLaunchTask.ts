import * as vscode from 'vscode';
import { fields, textOf } from '../debugger/protocol';
import { Interrupted } from '../debugger/requests';
import type { TaskResult } from '../tools/services';

/** How many problems of a failed task are told. */
const PROBLEMS_SHOWN = 10;

/**
 * Runs a configuration's `preLaunchTask` to its end. Undefined where VS Code itself has to: a task that goes on in the
 * background, or one that is not found (VS Code knows more ways to name a task).
 */
export async function runPreLaunchTask(wanted: unknown, folderPath: string | undefined, signal: AbortSignal): Promise<TaskResult | undefined> {
  const task = await findTask(wanted, folderPath);
  if (task === undefined || task.isBackground) return undefined;
  const before = new Set(problems());
  const exitCode = await execute(task, signal);
  return { name: task.name, exitCode, problems: problems().filter((each) => !before.has(each)).slice(0, PROBLEMS_SHOWN) };
}

async function findTask(wanted: unknown, folderPath: string | undefined): Promise<vscode.Task | undefined> {
  const tasks = await vscode.tasks.fetchTasks();
  const name = textOf(wanted);
  const fits = (task: vscode.Task): boolean => {
    if (name === '${defaultBuildTask}') return task.group?.id === vscode.TaskGroup.Build.id && task.group.isDefault === true;
    if (name !== undefined) return task.name === name || `${task.source}: ${task.name}` === name;
    const parts = Object.entries(fields(wanted));
    return parts.length > 0 && parts.every(([key, value]) => fields(task.definition)[key] === value);
  };
  const found = tasks.filter(fits);
  const inFolder = found.find((task) => typeof task.scope === 'object' && task.scope.uri.fsPath === folderPath);
  return inFolder ?? (found.length === 1 ? found[0] : undefined);
}

/** The exit code; undefined for a task that has no process. @throws Interrupted */
async function execute(task: vscode.Task, signal: AbortSignal): Promise<number | undefined> {
  let execution: vscode.TaskExecution | undefined;
  let exitCode: number | undefined;
  const subscriptions: vscode.Disposable[] = [];
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      // Armed before the task is started: a short one may end before `executeTask` resolves.
      const isOurs = (each: vscode.TaskExecution): boolean => (execution === undefined ? each.task.name === task.name : each === execution);
      subscriptions.push(
        vscode.tasks.onDidEndTaskProcess((event) => {
          if (isOurs(event.execution)) exitCode = event.exitCode;
        }),
        vscode.tasks.onDidEndTask((event) => {
          if (isOurs(event.execution)) resolve(exitCode);
        }),
      );
      const cancel = (): void => reject(new Interrupted());
      signal.addEventListener('abort', cancel, { once: true });
      subscriptions.push(new vscode.Disposable(() => signal.removeEventListener('abort', cancel)));
      vscode.tasks.executeTask(task).then((started) => (execution = started), reject);
    });
  } finally {
    for (const each of subscriptions) each.dispose();
  }
}

/** All errors that VS Code shows, as `file:line: message`. */
function problems(): string[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) =>
    diagnostics.filter((each) => each.severity === vscode.DiagnosticSeverity.Error).map((each) => `${uri.fsPath}:${each.range.start.line + 1}: ${each.message}`),
  );
}
