import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { oneLine } from '../question';
import type { Call, ToolServices } from '../services';
import type { PlannedLaunch, StartPlan } from './launchPlan';
import { timeLimit } from '../../util/timeLimit';

/**
 * Runs every `preLaunchTask`, one after the other. The tasks run here so that a failure becomes an error result instead
 * of a dialog. Tasks that VS Code itself has to run (background and unknown tasks) stay in the configuration.
 */
export async function runTasks(
  services: ToolServices,
  plan: StartPlan,
  call: Call,
  deadline: number,
): Promise<StartPlan> {
  const isLeft =
    plan.task !== undefined &&
    !(await runTask(services, plan.name, plan.task, plan.folderPath, call, deadline));
  const launches: PlannedLaunch[] = [];
  const done = new Set<string>();
  for (const launch of plan.launches) {
    const { preLaunchTask: task, ...configuration } = launch.configuration;
    const key = JSON.stringify([launch.folderPath, task]);
    const isRun =
      task !== undefined &&
      (done.has(key) ||
        (await runTask(services, launch.name, task, launch.folderPath, call, deadline)));
    if (isRun) done.add(key);
    // VS Code has to run the background task of a compound. It is added to each member that has no task.
    if (task === undefined && isLeft)
      launches.push({
        ...launch,
        configuration: { ...launch.configuration, preLaunchTask: plan.task },
      });
    else launches.push(isRun ? { ...launch, configuration } : launch);
  }
  return { ...plan, launches };
}

/** Runs a task. @returns whether the task was run. False if VS Code has to run it. @throws Failure `task_failed` */
async function runTask(
  services: ToolServices,
  name: string,
  task: unknown,
  folderPath: string | undefined,
  call: Call,
  deadline: number,
): Promise<boolean> {
  call.progress?.(l10n.t('Running the task before {0}', oneLine(name)));
  const limit = timeLimit(Math.max(1, Math.ceil(deadline - performance.now())));
  const result = await services.workspace
    .runTask(task, folderPath, AbortSignal.any([call.signal, limit]))
    .catch((error: unknown) => {
      throw limit.aborted && !call.signal.aborted ? taskStillRuns(name) : error;
    });
  if (result === undefined) return false;
  if (result.exitCode === 0) return true;
  throw new Failure(
    'task_failed',
    l10n.t(
      'The preLaunchTask “{0}” ended with exit code {1}.',
      result.name,
      result.exitCode ?? '?',
    ),
    'Fix what the task reports; its terminal in VS Code shows all of its output.',
    defined({
      problems: result.problems.length > 0 ? result.problems : undefined,
      output: result.output.length > 0 ? result.output : undefined,
    }),
  );
}

function taskStillRuns(name: string): Failure {
  return new Failure(
    'task_failed',
    l10n.t(
      'The preLaunchTask of “{0}” has not ended within the time limit; it still runs, and nothing was started.',
      name,
    ),
    'Wait for the task in its terminal, or pass a larger timeout_seconds; a task that never ends needs isBackground in tasks.json.',
  );
}
