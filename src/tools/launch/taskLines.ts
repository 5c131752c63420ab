import * as l10n from '@vscode/l10n';
import { unlessAborted } from '../../util/unlessAborted';
import { timeLimit } from '../../util/timeLimit';
import { wholeCode } from '../question';
import type { TaskCommand, ToolServices } from '../services';
import type { PlannedLaunch, StartPlan } from './launchPlan';
import { taskName } from './launchCard';

/** The time that VS Code may take to find the tasks, in milliseconds. Extensions may provide tasks. */
const FIND_LIMIT_MS = 5000;

/** Returns the lines about what the tasks of a plan run, before and after its programs. */
export async function taskLines(
  services: ToolServices,
  { launches, task, folderPath }: Pick<StartPlan, 'launches' | 'task' | 'folderPath'>,
): Promise<readonly string[]> {
  const tasks = [{ task, folderPath }, ...launches.flatMap(tasksOf)];
  const distinct = new Map(
    tasks
      .filter((each) => each.task !== undefined && each.task !== '')
      .map((each) => [JSON.stringify([each.task, each.folderPath]), each]),
  );
  const lines = await Promise.all(
    [...distinct.values()].map(async (each) => await linesOf(services, each)),
  );
  return lines.flat();
}

interface TaskOfFolder {
  readonly task: unknown;
  readonly folderPath: string | undefined;
}

function tasksOf({ configuration, folderPath }: PlannedLaunch): readonly TaskOfFolder[] {
  const { preLaunchTask: first, postDebugTask: last } = configuration;
  return [
    { task: first, folderPath },
    { task: last, folderPath },
  ];
}

async function linesOf(
  { workspace }: ToolServices,
  { task, folderPath }: TaskOfFolder,
): Promise<readonly string[]> {
  const commands = await unlessAborted(
    workspace.taskCommands(task, folderPath).catch(() => undefined),
    timeLimit(FIND_LIMIT_MS),
    () => undefined,
  );
  if (commands === undefined)
    return [l10n.t('What the task {0} runs is not known before it starts', taskName(task))];
  return commands.flatMap(lineOf);
}

function lineOf({ name, command, cwd, env = {}, isByExtension }: TaskCommand): readonly string[] {
  if (isByExtension)
    return [l10n.t('An extension decides what the task {0} runs', wholeCode(name))];
  // A task without a command only has others to run.
  if (command === undefined) return [];
  const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  return [
    cwd === undefined
      ? l10n.t('The task {0} runs {1}', wholeCode(name), wholeCode(command))
      : l10n.t(
          'The task {0} runs {1} in the folder {2}',
          wholeCode(name),
          wholeCode(command),
          wholeCode(cwd),
        ),
    ...(variables.length === 0
      ? []
      : [
          l10n.t(
            'The task {0} has the environment {1}',
            wholeCode(name),
            wholeCode(variables.join(' ')),
          ),
        ]),
  ];
}
