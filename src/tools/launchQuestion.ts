import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { fields, listOf, textOf, type Fields } from '../debugger/protocol';
import { shortPath } from './files';
import { readLaunches } from './launchFile';
import { checkTypes, planFor, type Launch, type Plan, type StartInput } from './launchPlan';
import { questionsOf } from './launchVariables';
import { code, plain, type Question } from './question';
import type { ToolServices } from './services';

/** Members of a compound that a question tells in detail; the others are counted. */
const MEMBERS_SHOWN = 8;

/**
 * What would be started, with everything of it that a person decides by: one line each, below the name.
 * @throws Failure where the call would fail, too
 */
export async function launchQuestion(services: ToolServices, wanted: StartInput): Promise<Question> {
  const plan = await planFor(services, wanted);
  checkTypes(services, plan);
  const asked = questionsOf({ all: plan.launches.map((each) => each.configuration) }, readLaunches(await services.workspace.launchSources()).inputs);
  const lines = [
    ...(plan.task === undefined ? [] : [l10n.t('Runs the task {0} first', taskName(plan.task))]),
    ...(plan.isCompound ? memberLines(services, plan) : plan.launches.flatMap((each) => details(services, each))),
    ...(asked.length === 0 ? [] : [l10n.t('VS Code asks you for: {0}', asked.slice(0, MEMBERS_SHOWN).map((each) => code(each.id)).join(', '))]),
  ];
  return { title: wanted.no_debug ? l10n.t('Run without debugging') : l10n.t('Start debugging'), message: [headline(plan, wanted), ...lines.map((line) => `- ${line}`)].join('\n') };
}

function headline(plan: Plan, wanted: StartInput): string {
  const types = [...new Set(plan.launches.map((each) => each.type))].join(', ');
  const named = `**${plain(plan.name)}** (${plain(types)})`;
  const what = plan.folderPath === undefined ? named : l10n.t('{0} in {1}', named, `*${plain(path.basename(plan.folderPath))}*`);
  if (plan.launches.every((each) => isAttach(each.configuration))) return l10n.t('Attach with {0}', what);
  return wanted.no_debug ? l10n.t('Run {0} without debugging', what) : l10n.t('Start debugging {0}', what);
}

function memberLines(services: ToolServices, { launches }: Plan): string[] {
  const shown = launches.slice(0, MEMBERS_SHOWN).map((each) => {
    const more = details(services, each);
    const name = `**${plain(each.name)}** (${plain(each.type)})`;
    return more.length === 0 ? name : l10n.t('{0}: {1}', name, more.join('; '));
  });
  return launches.length > shown.length ? [...shown, l10n.t('Further configurations: {0}', launches.length - shown.length)] : shown;
}

/** What a configuration runs, or attaches to, and what around it. Each debugger has names of its own for that. */
function details(services: ToolServices, { configuration, folderPath }: Launch): string[] {
  const told = (value: unknown): string => code(written(services, value, folderPath));
  const has = (name: string): boolean => written(services, configuration[name], folderPath) !== '';
  const ran = ['program', 'module', 'mainClass', 'command', 'file', 'url'].filter(has);
  const [runs] = ran;
  const target = attachedTo(configuration);
  const runtime = [configuration['runtimeExecutable'] ?? configuration['python'] ?? configuration['javaExec'], ...listOf(configuration['runtimeArgs'])].filter((each) => each !== undefined);
  const environment = [...Object.entries(fields(configuration['env'])).map(([name, value]) => `${name}=${scalar(value) ?? ''}`), ...argsOf(configuration['envFile'])];
  const cwd = written(services, configuration['cwd'], folderPath);
  return [
    ...(isAttach(configuration) ? [l10n.t('Attaches to {0}', told(target))] : []),
    ...(runs === undefined ? [] : [l10n.t('Runs {0}', told([configuration[runs], ...argsOf(configuration['args'])]))]),
    ...(runtime.length === 0 ? [] : [l10n.t('With {0}', told(runtime))]),
    ...(cwd === '' || cwd === folderPath ? [] : [l10n.t('In the folder {0}', told(cwd))]),
    ...(environment.length === 0 ? [] : [l10n.t('With the environment {0}', told(environment))]),
    ...(has('preLaunchTask') ? [l10n.t('Runs the task {0} first', taskName(configuration['preLaunchTask']))] : []),
    ...(has('postDebugTask') ? [l10n.t('Runs the task {0} at the end', taskName(configuration['postDebugTask']))] : []),
  ];
}

function isAttach(configuration: Fields): boolean {
  return configuration['request'] === 'attach';
}

/** Where a configuration attaches: a process, an address, or what else it names. */
function attachedTo(configuration: Fields): unknown {
  const process = scalar(configuration['processId'] ?? configuration['pid']);
  if (process !== undefined) return `pid ${process}`;
  const place = { ...configuration, ...fields(configuration['connect']), ...fields(configuration['listen']) };
  const host = textOf(place['address']) ?? textOf(place['host']) ?? textOf(place['hostName']) ?? textOf(place['hostname']);
  const port = scalar(place['port']);
  if (port !== undefined) return `${host ?? 'localhost'}:${port}`;
  return host ?? configuration['websocketAddress'] ?? configuration['url'] ?? configuration['urlFilter'] ?? configuration['program'] ?? configuration['name'];
}

function scalar(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value);
}

function argsOf(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [value] : listOf(value);
}

/** A task by its label, or a definition as it stands. */
function taskName(task: unknown): string {
  return code(textOf(task) ?? JSON.stringify(task));
}

/** A value as a person reads it: words with blanks in quotes, and paths in the workspace as they know them. */
function written(services: ToolServices, value: unknown, folderPath: string | undefined): string {
  if (Array.isArray(value)) return value.map((each: unknown) => written(services, each, folderPath)).map((each) => (/\s|^$/.test(each) ? JSON.stringify(each) : each)).join(' ');
  if (typeof value === 'string') return shortPath(services, folderPath === undefined ? value : value.replace(/\$\{workspace(?:Folder|Root)\}/g, () => folderPath));
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
