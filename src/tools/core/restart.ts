import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { RunLimits } from '../../control/outcome';
import { RUN_VARIABLE } from '../../debugger/processes/endProcesses';
import { fields, isFields, textOf, type Fields } from '../../debugger/protocol';
import { isAgentStarted, LAUNCH_MARK, STOP_ALL_MARK } from '../../debugger/state/launchMark';
import { rootOf, type SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';
import { defineTool } from '../defineTool';
import { launchItems } from '../launch/launchQuestion';
import type { StartPlan } from '../launch/launchPlan';
import { runTasks } from '../launch/preLaunchTasks';
import { movedMeanwhile } from '../preparedCalls';
import { plain } from '../question';
import { limitsOf, reportRun } from '../reports/runReport';
import type { Call, ToolServices } from '../services';
import { startOutcome, type StartOutcome } from './startBreakpoints';
import { launch } from './startProgram';

export const restartDebugging = defineTool({
  name: 'restart_debugging',
  set: 'core',
  effect: 'control',
  title: 'Restart Debugging',
  userDescription: 'Starts the program again with the same configuration',
  modelDescription: 'Restart the program; answers like start_debugging.',
  icon: 'debug-restart',
  // This tool uses part of every agent's context, so its parameters are described only in other tools.
  input: z.strictObject({
    session_id: z.string().optional(),
    timeout_seconds: z.number().min(1).max(300).default(30),
  }),
  output: startOutcome,
  needs: 'session',
  doing: () => l10n.t('Restarting'),
  question: async ({ target, services }) => ({
    title: l10n.t('Restart debugging'),
    message: await messageAbout(services, rootOf(services.model.state, target.session)),
  }),
  run: async ({ input, target, services, call }) => {
    const root = rootOf(services.model.state, target.session);
    await checkAsked(services, root, call);
    const limits = limitsOf(input.timeout_seconds, call);
    const ready = await runTasks(services, planOf(services, root), call, limits.deadline);
    // Only a new program gets all that was written to the earlier one at first.
    const isFixed = (services.inputs.of(root)?.state ?? 'fixed') === 'fixed';
    if (!isFixed || !canRestart(root, ready))
      return await startAgain(services, call, root, ready, limits);
    const outcome = await services.control.restart(root, limits);
    return await reportRun(services, call, root.key, outcome, limits);
  },
});

/** Returns the message about what a restart runs: the tasks, and the program as VS Code resolved its configuration. */
async function messageAbout(services: ToolServices, root: SessionState): Promise<string> {
  const lines = await launchItems(services, shownPlanOf(services, root));
  return [headline(services, root), ...lines.map((line) => `- ${line}`)].join('\n');
}

/** Checks that the restart runs what the person was asked about, because a task may change at any time. */
async function checkAsked(
  services: ToolServices,
  root: SessionState,
  { prepared }: Call,
): Promise<void> {
  if (prepared?.kind !== 'asked') return;
  if (!prepared.question.message.startsWith(await messageAbout(services, root)))
    throw movedMeanwhile();
}

function headline({ model }: Pick<ToolServices, 'model'>, root: SessionState): string {
  const name = `**${plain(root.name)}**`;
  return isAgentStarted(model.state, root)
    ? l10n.t('Restart {0}', name)
    : l10n.t('Restart {0}, which **you** started', name);
}

/**
 * Whether a `restart` request can be used. It cannot be used with a task that VS Code would have to run, because a
 * failure of the task would open a dialog.
 */
function canRestart(
  { capabilities, configuration }: SessionState,
  { launches }: StartPlan,
): boolean {
  return (
    capabilities.supportsRestartRequest === true &&
    configuration['preLaunchTask'] === undefined &&
    launches.every((launch) => launch.configuration['preLaunchTask'] === undefined)
  );
}

/**
 * Ends the session and starts the configuration again. It uses the configuration that VS Code resolved, so that the
 * person is not asked for inputs again.
 */
async function startAgain(
  services: ToolServices,
  call: Call,
  root: SessionState,
  plan: StartPlan,
  limits: RunLimits,
): Promise<StartOutcome> {
  const noDebug = root.configuration['noDebug'] === true;
  const input = services.inputs.hold(root);
  try {
    await services.control.endAll([root], call.signal);
    await input?.renew();
  } catch (error) {
    services.inputs.release(input);
    throw error;
  }
  const launching = services.control.launching({ ...plan, noDebug, endsSurely: true });
  services.launches.remember(launching.mark, shownPlanOf(services, root));
  services.inputs.keep(input, launching);
  return await launch(services, call, {
    ...{ plan, launching, noDebug, limits },
    ...{ pattern: undefined, trigger: undefined },
  }).finally(() => services.inputs.release(input));
}

/** Removes the variable that marks the processes of an earlier launch. */
function withoutMark({ [RUN_VARIABLE]: _mark, ...env }: Fields): Fields {
  return env;
}

/** Returns the plan of a running session, with the task that its start ran first. */
export function planOf({ launches, workspace }: ToolServices, root: SessionState): StartPlan {
  const remembered = launches.of(root);
  const { [LAUNCH_MARK]: _mark, [STOP_ALL_MARK]: _stopAll, ...resolved } = root.configuration;
  const task = fields(remembered?.configuration)['preLaunchTask'];
  const name = textOf(resolved['name']) ?? root.name;
  const type = textOf(resolved['type']) ?? root.type;
  const folderPath = remembered?.folderPath ?? workspace.folders[0]?.path;
  const env = isFields(resolved['env']) ? withoutMark(resolved['env']) : undefined;
  const configuration = { ...resolved, name, type, ...defined({ preLaunchTask: task, env }) };
  return {
    name,
    folderPath,
    launches: [{ name, type, folderPath, configuration }],
    isCompound: false,
    task: undefined,
    stopAll: false,
    shown: undefined,
    isMadeUp: false,
    overridden: [],
  };
}

/**
 * Returns that plan as a question shows it: if a call has started the session, without the properties that its debugger's
 * extension has added to the configuration. It adds them to each start.
 */
export function shownPlanOf(services: ToolServices, root: SessionState): StartPlan {
  const plan = planOf(services, root);
  const asked = services.launches.of(root);
  if (asked === undefined) return plan;
  const launches = plan.launches.map((launch) => ({
    ...launch,
    configuration: Object.fromEntries(
      Object.entries(launch.configuration).filter(([name]) =>
        Object.hasOwn(asked.configuration, name),
      ),
    ),
  }));
  return { ...plan, launches };
}
