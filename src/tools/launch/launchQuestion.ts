import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { clauses, listed } from '../../results/listing';
import { isFields, type Fields } from '../../debugger/protocol';
import { endQuestion } from '../core/endQuestion';
import { launchLines, taskName } from './launchCard';
import { readLaunches, type LaunchSource } from './launchFile';
import { planFor, type PlannedLaunch, type StartPlan } from './launchPlan';
import { checkTypes } from './planChecks';
import { standardInputLines, type RequestedInput } from './inputOfStart';
import type { StartInput } from './startInput';
import { commandsOf, expandVariables, questionsOf } from './launchVariables';
import { taskLines } from './taskLines';
import { plain, wholeCode, type Question } from '../question';
import { replacedSessions } from './replacedSessions';
import type { ToolServices } from '../services';
import { breakpointLines } from '../core/startBreakpoints';
import { triggerLines } from '../trigger/triggerCard';
import { replacedIn, textsIn, variablesIn, type TemplateVariable } from '../templates';

/** Returns the question about the start that a call requests. @throws Failure if the call would fail too */
export async function launchQuestion(
  services: ToolServices,
  requested: StartInput,
): Promise<Question> {
  const plan = await planFor(services, requested);
  checkTypes(services, plan);
  const { title, message } = await planQuestion(services, requested, plan);
  const breakpoints = await breakpointLines(services, requested.breakpoints ?? []);
  const trigger = await triggerLines(services, requested.trigger);
  const items = [...breakpoints, ...trigger];
  return { title, message: [message, ...items.map(asItem)].join('\n') };
}

/**
 * Whether a question was about this plan. In the message of the question, breakpoints, the trigger and files outside the
 * workspace follow the plan.
 */
export async function isAskedAbout(
  services: ToolServices,
  requested: StartInput,
  plan: StartPlan,
  { message }: Question,
): Promise<boolean> {
  const { message: now } = await planQuestion(services, requested, plan);
  if (!message.startsWith(now)) return false;
  const rest = message.slice(now.length);
  return (
    (rest === '' || rest.startsWith('\n')) &&
    rest.split('\n- ').length - 1 ===
      (requested.breakpoints ?? []).length + (requested.trigger === undefined ? 0 : 1)
  );
}

/**
 * Returns the lines about the programs that a plan starts, for the question of a tool that does more than start the
 * plan.
 */
export async function launchItems(
  services: ToolServices,
  plan: StartPlan,
): Promise<readonly string[]> {
  const sources = await services.workspace.launchSources();
  return [
    ...(await taskLines(services, plan)),
    ...plan.launches.flatMap((launch) => linesOf(services, asItRuns(services, launch), sources)),
  ];
}

function asItem(line: string): string {
  return `- ${line}`;
}

/**
 * Returns the question about a plan. It shows the name of the plan, followed by one line for each fact that matters for
 * the decision.
 * @throws Failure `invalid_input` if it is too long to be shown
 */
export async function planQuestion(
  services: ToolServices,
  requested: Pick<StartInput, 'no_debug' | 'replace'> & RequestedInput,
  plan: StartPlan,
): Promise<Question> {
  const sources = await services.workspace.launchSources();
  const launches = plan.launches.map((launch) => asItRuns(services, launch));
  const asked = questionsOf(
    { all: launches.map((launch) => launch.configuration) },
    sources.flatMap((source) => readLaunches([source]).inputs),
  ).filter(({ id }) => isAnInput(launches, id));
  const lines = [
    ...(requested.replace === true
      ? replacedSessions(services, plan).map((session) => endQuestion(services, session))
      : []),
    ...(plan.overridden.length === 0
      ? []
      : [l10n.t('Set by the agent: {0}', listed(plan.overridden.map((name) => wholeCode(name))))]),
    ...(plan.task === undefined ? [] : [l10n.t('Runs the task {0} first', taskName(plan.task))]),
    ...(await taskLines(services, plan)),
    ...(plan.isCompound
      ? launches.map((launch) => memberLine(services, launch, sources))
      : launches.flatMap((launch) => linesOf(services, launch, sources))),
    ...(await standardInputLines(services, requested)),
    ...(asked.length === 0
      ? []
      : [l10n.t('VS Code asks you for: {0}', listed(asked.map(({ id }) => wholeCode(id))))]),
  ];
  return {
    title: requested.no_debug ? l10n.t('Run without debugging') : l10n.t('Start debugging'),
    message: [headline(plan, requested), ...lines.map(asItem)].join('\n'),
  };
}

/**
 * Returns the launch with the values that VS Code will insert, as far as they are known. Environment variables are
 * shown as names, because they may be secret, unless they contain further variables.
 */
function asItRuns({ workspace }: ToolServices, launch: PlannedLaunch): PlannedLaunch {
  const valueOf = ({ name, argument }: TemplateVariable): string | undefined => {
    const value = workspace.variable(name, argument, launch.folderPath);
    return name === 'env' && value !== undefined && replacedIn(value) === undefined
      ? undefined
      : value;
  };
  return { ...launch, configuration: expandVariables(launch.configuration, valueOf) };
}

/** Whether an id belongs to an `${input:…}` variable. Commands have separate lines. */
function isAnInput(launches: readonly PlannedLaunch[], id: string): boolean {
  return textsIn(launches.map((launch) => launch.configuration))
    .flatMap(variablesIn)
    .some(({ name, argument }) => name === 'input' && argument === id);
}

function headline(plan: StartPlan, requested: Pick<StartInput, 'no_debug'>): string {
  const types = [...new Set(plan.launches.map((launch) => launch.type))].join(', ');
  const named = `**${plain(plan.name)}** (${plain(types)})`;
  const what =
    plan.folderPath === undefined
      ? named
      : l10n.t('{0} in {1}', named, `*${plain(path.basename(plan.folderPath))}*`);
  if (plan.launches.every((launch) => launch.configuration['request'] === 'attach'))
    return l10n.t('Attach with {0}', what);
  return requested.no_debug
    ? l10n.t('Run {0} without debugging', what)
    : l10n.t('Start debugging {0}', what);
}

/**
 * Returns the line about a member of a compound. All members are shown, because a hidden member could run any program.
 */
function memberLine(
  services: ToolServices,
  launch: PlannedLaunch,
  sources: readonly LaunchSource[],
): string {
  const more = linesOf(services, launch, sources);
  const name = `**${plain(launch.name)}** (${plain(launch.type)})`;
  return more.length === 0 ? name : l10n.t('{0}: {1}', name, clauses(more));
}

function linesOf(
  services: ToolServices,
  launch: PlannedLaunch,
  sources: readonly LaunchSource[],
): readonly string[] {
  const commands =
    services.workspace.debuggers().find(({ type }) => type === launch.type)?.commands ?? {};
  return launchLines(
    services,
    launch,
    commandsOf(launch.configuration, inputsFor(services, launch, sources), commands),
  );
}

/**
 * Returns all definitions that an input of this configuration may have. They are in the current launch.json, and in
 * launch.json and the settings as VS Code has read them.
 */
function inputsFor(
  { workspace }: ToolServices,
  { folderPath }: PlannedLaunch,
  sources: readonly LaunchSource[],
): readonly Fields[] {
  const near = sources.filter(
    (source) => source.folder === undefined || source.folder.path === folderPath,
  );
  return [...readLaunches(near).inputs, ...workspace.launchInputs(folderPath).filter(isFields)];
}
