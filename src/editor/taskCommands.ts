import * as vscode from 'vscode';
import { fields, listOf, textOf, type Fields } from '../debugger/protocol';
import type { TaskCommand } from '../tools/services';
import { defined } from '../util/defined';
import { findTask } from './preLaunchTask';

/** The maximum number of tasks of which one task consists. */
const MAX_TASKS = 50;

/** The sections of a task for operating systems. */
const SECTIONS = ['windows', 'osx', 'linux'];

/**
 * Returns what a task and the tasks that it depends on run, in this order. Returns undefined if one of them cannot be
 * found.
 */
export async function commandsOfTask(
  requested: unknown,
  folderPath: string | undefined,
): Promise<readonly TaskCommand[] | undefined> {
  const tasks = await vscode.tasks.fetchTasks();
  const found = new Set<vscode.Task>();
  const wanted: unknown[] = [requested];
  // A list visits what is added while it is visited.
  for (const each of wanted) {
    const task = findTask(tasks, each, folderPath);
    if (task === undefined || found.size > MAX_TASKS) return undefined;
    if (found.has(task)) continue;
    found.add(task);
    wanted.push(...dependenciesOf(task.name, folderPath));
  }
  return [...found].map(commandOf);
}

/** Returns the tasks that a task depends on, in any section and file. VS Code's API does not tell them. */
function dependenciesOf(name: string, folderPath: string | undefined): readonly unknown[] {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === folderPath);
  const files = vscode.workspace.getConfiguration('tasks', folder?.uri).inspect<unknown>('tasks');
  return [files?.globalValue, files?.workspaceValue, files?.workspaceFolderValue]
    .flatMap(listOf)
    .map(fields)
    .filter((task) => labelsOf(task).includes(name))
    .flatMap((task) => [task, ...SECTIONS.map((section) => fields(task[section]))])
    .flatMap(({ dependsOn }) => (Array.isArray(dependsOn) ? listOf(dependsOn) : [dependsOn]))
    .filter((task) => task !== undefined && task !== null);
}

/** Returns the names under which a task of tasks.json is known. Without a label, VS Code makes one of its parts. */
function labelsOf(task: Fields): readonly unknown[] {
  const { label, taskName, type, script, command } = task;
  return [label, taskName, `${textOf(type)}: ${textOf(script ?? command)}`, script ?? command];
}

function commandOf({ name, execution }: vscode.Task): TaskCommand {
  if (execution instanceof vscode.ProcessExecution)
    return withOptions(name, [execution.process, ...execution.args], execution.options);
  if (execution instanceof vscode.ShellExecution) {
    const { commandLine, command, args, options } = execution;
    const parts = commandLine === undefined ? [command, ...(args ?? [])] : [commandLine];
    const shell = [options?.executable, ...(options?.shellArgs ?? [])];
    return withOptions(
      name,
      [...(options?.executable === undefined ? [] : shell), ...parts].map(partOf),
      options,
    );
  }
  return { name, command: undefined, isByExtension: execution !== undefined };
}

function partOf(part: string | vscode.ShellQuotedString | undefined): string {
  return typeof part === 'object' ? part.value : (part ?? '');
}

function withOptions(
  name: string,
  parts: readonly string[],
  options: vscode.ProcessExecutionOptions | undefined,
): TaskCommand {
  const [only] = parts;
  return {
    name,
    // A command line is shown as it is. Parts with blanks are quoted.
    command:
      parts.length === 1 && only !== undefined
        ? only
        : parts.map((part) => (/\s|^$/.test(part) ? JSON.stringify(part) : part)).join(' '),
    isByExtension: false,
    ...defined({ cwd: options?.cwd, env: options?.env }),
  };
}
