import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { fields, isFields, textOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { findConfiguration, membersOf } from '../core/configurations';
import { attachedProcess, type AttachedProcess } from './attachedProcess';
import { planForAttach } from './attachPlan';
import type { LaunchEntry } from './launchFile';
import { expandVariables, fillVariables, refuseVariables } from './launchVariables';
import { overrides, refuseForCompound } from './launchOverrides';
import type { MadeConfiguration } from './programConfiguration';
import type { ToolServices } from '../services';
import { withTestStops } from './testRun';
import { checkStandardInput } from './inputOfStart';
import type { StartInput } from './startInput';
import { madeFor } from './madeConfiguration';

/** A configuration that is passed to VS Code. */
export interface PlannedLaunch {
  readonly name: string;
  readonly type: string;
  readonly folderPath: string | undefined;
  readonly configuration: Fields;
  /** The process that it attaches to, if it is known. */
  readonly process?: AttachedProcess;
}

/** The start that a call requests: a configuration, or all members of a compound. */
export interface StartPlan {
  readonly name: string;
  readonly folderPath: string | undefined;
  readonly launches: readonly PlannedLaunch[];
  readonly isCompound: boolean;
  /** The compound's own `preLaunchTask`. The tasks of its members are in their configurations. */
  readonly task: unknown;
  /** Whether the compound's sessions end together. */
  readonly stopAll: boolean;
  /**
   * The configuration in the result: the made-up configuration, or the properties that the call set in a named
   * configuration.
   */
  readonly shown: Fields | undefined;
  /** Whether the configuration was made up for a program. */
  readonly isMadeUp: boolean;
  /** The properties that the call sets in a named configuration. */
  readonly overridden: readonly string[];
}

/** Plans a start. @throws Failure whose hint says what to pass instead. Nothing has been started. */
export async function planFor(services: ToolServices, requested: StartInput): Promise<StartPlan> {
  const plan = await requestedPlan(services, requested);
  checkStandardInput(services, requested, plan);
  const launches = await Promise.all(
    plan.launches.map(async (launch) => {
      const configuration = expandVariables(launch.configuration, ({ name, argument }) =>
        services.workspace.variable(name, argument, launch.folderPath),
      );
      const process = await attachedProcess(services.processes, configuration);
      return process === undefined ? launch : { ...launch, process };
    }),
  );
  return { ...plan, launches };
}

async function requestedPlan(services: ToolServices, requested: StartInput): Promise<StartPlan> {
  const ways = [
    requested.configuration_name,
    requested.program,
    requested.module,
    requested.attach,
  ];
  if (ways.filter((way) => way !== undefined).length !== 1) {
    throw new Failure(
      'invalid_input',
      l10n.t('Exactly one of configuration_name, program, module and attach is needed.'),
      'Call get_debugger_configurations for the names. Nothing was changed.',
    );
  }
  if (requested.attach !== undefined)
    return await planForAttach(services, requested, requested.attach);
  refuseVariables([
    requested.program,
    requested.args,
    requested.cwd,
    requested.env,
    Object.values(requested.inputs ?? {}),
  ]);
  if (requested.configuration_name === undefined) return await planForProgram(services, requested);
  if (requested.type !== undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('type can be passed only with program. A configuration has its own type.'),
      'Leave out type. Nothing was started.',
    );
  const { configuration_name: name, folder } = requested;
  const { kind, entry } = await findConfiguration(services, name, folder);
  return kind === 'configuration'
    ? await planForConfiguration(services, entry, requested)
    : await planForCompound(services, entry, requested);
}

async function planForConfiguration(
  services: ToolServices,
  entry: LaunchEntry,
  requested: StartInput,
): Promise<StartPlan> {
  const launch = launchOf(services, entry, requested);
  const set = await overrides(services, launch.configuration, requested);
  const overridden = Object.keys(set);
  return {
    name: entry.name,
    folderPath: folderOf(services, entry),
    launches: [{ ...launch, configuration: { ...launch.configuration, ...set } }],
    isCompound: false,
    task: undefined,
    stopAll: false,
    shown: overridden.length === 0 ? undefined : set,
    isMadeUp: false,
    overridden,
  };
}

async function planForCompound(
  services: ToolServices,
  entry: LaunchEntry,
  requested: StartInput,
): Promise<StartPlan> {
  const named = membersOf(entry);
  refuseForCompound(
    requested,
    named.map((member) => member.name),
  );
  const members = await Promise.all(
    named.map((member) =>
      findConfiguration(services, member.name, member.folder ?? entry.folder?.name),
    ),
  );
  if (members.length === 0)
    throw new Failure(
      'launch_failed',
      l10n.t('The compound “{0}” has no configurations.', entry.name),
      'Name its configurations in launch.json.',
    );
  return {
    name: entry.name,
    folderPath: folderOf(services, entry),
    launches: members.map((member) => launchOf(services, member.entry, requested)),
    isCompound: true,
    task: entry.configuration['preLaunchTask'],
    stopAll: entry.configuration['stopAll'] === true,
    shown: undefined,
    isMadeUp: false,
    overridden: [],
  };
}

function folderOf({ workspace }: ToolServices, entry: LaunchEntry): string | undefined {
  return entry.folder?.path ?? workspace.folders[0]?.path;
}

function launchOf(
  services: ToolServices,
  entry: LaunchEntry,
  requested: StartInput,
): PlannedLaunch {
  const configuration = merged(services, entry.configuration);
  const type = textOf(configuration['type']);
  if (type === undefined || textOf(configuration['request']) === undefined) {
    throw new Failure(
      'launch_failed',
      l10n.t('The configuration “{0}” has no “type” or no “request”.', entry.name),
      'Add them in launch.json: type names the debugger, request is "launch" or "attach".',
    );
  }
  return {
    name: entry.name,
    type,
    folderPath: folderOf(services, entry),
    configuration: fillVariables(configuration, requested.inputs ?? {}),
  };
}

/**
 * Merges a configuration in the same way as VS Code does at the start. The properties of the operating system's section
 * replace the general ones. The merge happens here so that the question shows what will run.
 */
function merged({ workspace: { platform } }: ToolServices, configuration: Fields): Fields {
  const { windows, osx, linux, ...common } = configuration;
  const section = platform === undefined ? undefined : { windows, osx, linux }[platform];
  const {
    windows: _windows,
    osx: _osx,
    linux: _linux,
    ...own
  } = isFields(section) ? section : fields(undefined);
  return { ...common, ...own };
}

async function planForProgram(services: ToolServices, requested: StartInput): Promise<StartPlan> {
  const { name, folderPath, cwd, made, holdsArguments } = await madeFor(services, requested);
  const configuration = withTestStops(
    defined({
      request: 'launch',
      name,
      cwd,
      ...made,
      ...(await overrides(
        services,
        made,
        holdsArguments ? { ...requested, args: undefined } : requested,
      )),
    }),
  );
  return madeUpPlan(name, folderPath, configuration);
}

/**
 * Returns the plan for a configuration that was made up for a program or a test.
 * @throws Failure `invalid_input` if the configuration contains a variable. The name of a folder or a test may contain
 * one.
 */
export function madeUpPlan(
  name: string,
  folderPath: string | undefined,
  configuration: MadeConfiguration,
): StartPlan {
  refuseVariables(configuration);
  return planOf(name, folderPath, configuration);
}

/** Returns the plan for a configuration in which VS Code may insert variables. */
export function planOf(
  name: string,
  folderPath: string | undefined,
  configuration: MadeConfiguration,
): StartPlan {
  return {
    name,
    folderPath,
    launches: [{ name, type: configuration.type, folderPath, configuration }],
    isCompound: false,
    task: undefined,
    stopAll: false,
    shown: configuration,
    isMadeUp: true,
    overridden: [],
  };
}
