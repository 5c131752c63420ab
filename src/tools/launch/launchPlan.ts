import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { listed } from '../../results/listing';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import { fields, isFields, textOf, type Fields } from '../../debugger/protocol';
import { findConfiguration, membersOf } from '../core/configurations';
import { absolute } from '../files/files';
import { readLaunches, type LaunchEntry } from './launchFile';
import { fillVariables, questionsOf, refuseVariables, wrongValue } from './launchVariables';
import { overrides, refuseForCompound } from './launchOverrides';
import { isProgramName, moduleConfiguration, namedProgram, throughTsx } from './namedProgram';
import { configurationFor, isProject, type MadeConfiguration } from './programConfiguration';
import { filePath, maxChars, outputPattern, timeoutSeconds } from '../schemas';
import type { ToolServices } from '../services';
import { withAssertionsSeen } from './testRun';
import { breakpointInput } from '../core/wantedBreakpoint';

export const startInput = z.strictObject({
  configuration_name: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Name of a configuration or compound from get_debugger_configurations.'),
  no_debug: z
    .boolean()
    .default(false)
    .describe('Run without debugging and wait for the end; breakpoints are not hit.'),
  folder: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Workspace folder, where several have a configuration of that name.'),
  program: filePath
    .optional()
    .describe(
      'Without a configuration: a file, or a program\'s name such as "pytest", "vitest", "npm".',
    ),
  module: z
    .string()
    .min(1)
    .max(500)
    .regex(/^[\w.]+$/)
    .optional()
    .describe('Without a configuration: a Python module, as in python -m.'),
  type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Debug type for program, such as "node". Default: by its language.'),
  args: z
    .array(z.string().max(10_000))
    .max(1000)
    .optional()
    .describe("Arguments; replace a configuration's."),
  cwd: filePath.optional().describe('Working directory.'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe("Environment variables, added to a configuration's."),
  inputs: z
    .record(z.string(), z.string().max(10_000))
    .optional()
    .describe(
      "Values for the configuration's ${input:…} variables by id, and for ${command:…} ones by command.",
    ),
  stop_on_entry: z.boolean().optional().describe('Stop at the first line.'),
  breakpoints: z
    .array(breakpointInput)
    .max(50)
    .optional()
    .describe('Set before the start; each as in set_breakpoint.'),
  output_pattern: outputPattern.describe(
    'Regular expression (RE2); a printed line that matches ends the wait.',
  ),
  replace: z.boolean().optional().describe('First end the session that runs this already.'),
  timeout_seconds: timeoutSeconds,
  max_chars: maxChars,
});

export type StartInput = z.output<typeof startInput>;

/** One configuration that is handed to VS Code. */
export interface PlannedLaunch {
  readonly name: string;
  readonly type: string;
  readonly folderPath: string | undefined;
  readonly configuration: Fields;
}

/** What a call starts: one configuration, or all members of a compound. */
export interface StartPlan {
  readonly name: string;
  readonly folderPath: string | undefined;
  readonly launches: readonly PlannedLaunch[];
  readonly isCompound: boolean;
  /** A compound's own `preLaunchTask`; those of its members are in their configurations. */
  readonly task: unknown;
  /** A compound whose sessions end together. */
  readonly stopAll: boolean;
  /** What the caller wants to see: the configuration that was made up, or what was set in the one that was named. */
  readonly shown: Fields | undefined;
  /** Whether the configuration is made up for a program. */
  readonly isMadeUp: boolean;
  /** The properties that the call sets in a configuration of the person's. */
  readonly overridden: readonly string[];
}

/** @throws Failure that says what to pass instead; nothing has been started */
export async function planFor(services: ToolServices, wanted: StartInput): Promise<StartPlan> {
  if (
    [wanted.configuration_name, wanted.program, wanted.module].filter((each) => each !== undefined)
      .length !== 1
  ) {
    throw new Failure(
      'invalid_input',
      l10n.t('Exactly one of configuration_name, program and module is needed.'),
      'Call get_debugger_configurations for the names. Nothing was changed.',
    );
  }
  refuseVariables([
    wanted.program,
    wanted.args,
    wanted.cwd,
    wanted.env,
    Object.values(wanted.inputs ?? {}),
  ]);
  if (wanted.configuration_name === undefined) return await planForProgram(services, wanted);
  if (wanted.type !== undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('type belongs to program; a configuration has its own.'),
      'Leave out type. Nothing was started.',
    );
  const { kind, entry } = await findConfiguration(
    services,
    wanted.configuration_name,
    wanted.folder,
  );
  const folderPath = folderOf(services, entry);
  if (kind === 'configuration') {
    const launch = launchOf(services, entry, wanted);
    const set = await overrides(services, launch.configuration, wanted);
    const overridden = Object.keys(set);
    const launches = [{ ...launch, configuration: { ...launch.configuration, ...set } }];
    return {
      name: entry.name,
      folderPath,
      launches,
      isCompound: false,
      task: undefined,
      stopAll: false,
      shown: overridden.length === 0 ? undefined : set,
      isMadeUp: false,
      overridden,
    };
  }
  refuseForCompound(
    wanted,
    membersOf(entry).map((member) => member.name),
  );
  const members = await Promise.all(
    membersOf(entry).map((each) =>
      findConfiguration(services, each.name, each.folder ?? entry.folder?.name),
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
    folderPath,
    launches: members.map((each) => launchOf(services, each.entry, wanted)),
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

function launchOf(services: ToolServices, entry: LaunchEntry, wanted: StartInput): PlannedLaunch {
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
    configuration: fillVariables(configuration, wanted.inputs ?? {}),
  };
}

/**
 * As VS Code merges it when it starts it: the properties of the operating system's section take the place of those
 * beside it. It is done here so that what a person is asked about is what runs.
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

export function programNotFound(program: string): Failure {
  return new Failure(
    'program_not_found',
    l10n.t('There is no program {0}.', program),
    'Pass the path of an existing file, or the name of a program.',
  );
}

async function planForProgram(services: ToolServices, wanted: StartInput): Promise<StartPlan> {
  const { name, folderPath, cwd, made, holdsArguments } = await madeFor(services, wanted);
  const configuration = withAssertionsSeen({
    request: 'launch',
    name,
    ...(cwd === undefined ? {} : { cwd }),
    ...made,
    ...(await overrides(services, made, holdsArguments ? { ...wanted, args: undefined } : wanted)),
  });
  // A folder or a package.json may hold what VS Code would replace.
  refuseVariables(configuration);
  const launch = { name, type: made.type, folderPath, configuration };
  return {
    name,
    folderPath,
    launches: [launch],
    isCompound: false,
    task: undefined,
    stopAll: false,
    shown: configuration,
    isMadeUp: true,
    overridden: [],
  };
}

interface Made {
  readonly name: string;
  readonly folderPath: string | undefined;
  readonly cwd: string | undefined;
  readonly made: MadeConfiguration;
  /** Whether the arguments are in it already. */
  readonly holdsArguments: boolean;
}

/** A module, a file or a project's folder, or a program by its name. @throws Failure */
async function madeFor(services: ToolServices, wanted: StartInput): Promise<Made> {
  const first = services.workspace.folders[0]?.path;
  const { module, program = '' } = wanted;
  if (module !== undefined)
    return {
      name: module,
      folderPath: first,
      cwd: first,
      made: moduleConfiguration(services, module, wanted.type),
      holdsArguments: false,
    };
  if (isProgramName(program) && !(await isThere(services, program))) {
    const from = wanted.cwd === undefined ? first : await absolute(services, wanted.cwd);
    const named = await namedProgram(services, program, wanted.args ?? [], from);
    const made = { ...named?.configuration, type: wanted.type ?? named?.configuration.type ?? '' };
    if (named !== undefined)
      return {
        name: program,
        folderPath: first,
        cwd: first,
        made,
        holdsArguments: named.holdsArguments,
      };
  }
  return await madeForFile(services, wanted, program);
}

/** Whether a name is that of a file, or of a folder that can be run. */
async function isThere(services: ToolServices, name: string): Promise<boolean> {
  for (const folder of services.workspace.folders) {
    const file = path.join(folder.path, name);
    if (
      (await services.workspace.exists(file)) &&
      (!(await services.workspace.isFolder(file)) || (await isProject(services, file)))
    )
      return true;
  }
  return false;
}

async function madeForFile(
  services: ToolServices,
  wanted: StartInput,
  file: string,
): Promise<Made> {
  const { workspace } = services;
  const program = await absolute(services, file);
  // Whether there is one outside the workspace, its debugger says.
  if ((await workspace.exists(program)) === false) throw programNotFound(program);
  const folder =
    workspace.folders.find((each) => program.startsWith(`${each.path}${path.sep}`)) ??
    workspace.folders[0];
  const made = await configurationFor(services, program, wanted.type);
  const byTsx = await throughTsx(services, made, wanted.args ?? []);
  return {
    name: path.basename(program),
    folderPath: folder?.path,
    cwd: folder?.path ?? path.dirname(program),
    made: byTsx ?? made,
    holdsArguments: byTsx !== undefined,
  };
}

/** An unknown type would open a dialog: it is refused before VS Code sees it. */
export function checkTypes({ workspace }: ToolServices, plan: StartPlan): void {
  const installed = new Set(workspace.debuggers().map((each) => each.type));
  const unknown = plan.launches.find((each) => !installed.has(each.type));
  if (unknown === undefined) return;
  throw new Failure(
    'debugger_not_installed',
    l10n.t(
      'No installed debugger has the type “{0}” that “{1}” asks for.',
      unknown.type,
      unknown.name,
    ),
    'Ask the person to install the extension for it, or use one of installed.',
    { installed: [...installed] },
  );
}

/** A person could pick only from the list. @throws Failure `invalid_input` */
export async function checkInputs(
  { workspace }: ToolServices,
  { inputs = {} }: StartInput,
): Promise<void> {
  const wrong =
    Object.keys(inputs).length === 0
      ? undefined
      : wrongValue(inputs, readLaunches(await workspace.launchSources()).inputs);
  if (wrong === undefined) return;
  throw new Failure(
    'invalid_input',
    l10n.t(
      '“{0}” is none of the values that the input “{1}” offers: {2}.',
      inputs[wrong.id] ?? '',
      wrong.id,
      listed(wrong.options ?? []),
    ),
    'Pass one of them in inputs. Nothing was started.',
    { questions: [wrong] },
  );
}

/** Where nobody is there to answer, a configuration that asks is refused with what it asks, rather than left waiting. */
export async function checkVariables({ workspace }: ToolServices, plan: StartPlan): Promise<void> {
  const asked = questionsOf(
    { all: plan.launches.map((each) => each.configuration) },
    readLaunches(await workspace.launchSources()).inputs,
  );
  if (asked.length === 0) return;
  throw new Failure(
    'input_needed',
    l10n.t('“{0}” asks for input: {1}.', plan.name, listed(asked.map((each) => each.id))),
    'Pass inputs with a value for each id in questions.',
    { questions: asked },
  );
}
