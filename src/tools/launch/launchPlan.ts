import * as l10n from '@vscode/l10n';
import { extensionOfType } from '../../debugger/adapters/registry';
import { listed } from '../../results/listing';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import { fields, isFields, textOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { findConfiguration, membersOf } from '../core/configurations';
import { attachInput, planForAttach } from './attachPlan';
import { readLaunches, type LaunchEntry } from './launchFile';
import { fillVariables, questionsOf, refuseVariables, wrongValue } from './launchVariables';
import { overrides, refuseForCompound } from './launchOverrides';
import { debuggerNotInstalled } from './missingDebugger';
import { type MadeConfiguration } from './programConfiguration';
import { filePath, maxChars, outputPattern, timeoutSeconds } from '../schemas';
import type { ToolServices } from '../services';
import { withAssertionsSeen } from './testRun';
import { breakpointInput } from '../core/wantedBreakpoint';
import { madeFor } from './madeConfiguration';

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
  attach: attachInput.optional(),
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
export async function planFor(services: ToolServices, requested: StartInput): Promise<StartPlan> {
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
      l10n.t('type belongs to program; a configuration has its own.'),
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

async function planForProgram(services: ToolServices, requested: StartInput): Promise<StartPlan> {
  const { name, folderPath, cwd, made, holdsArguments } = await madeFor(services, requested);
  const configuration = withAssertionsSeen(
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
 * Starts one configuration that is made up for a program or a test.
 * @throws Failure `invalid_input` where it holds what VS Code would replace: a folder's name or a test's may
 */
export function madeUpPlan(
  name: string,
  folderPath: string | undefined,
  configuration: MadeConfiguration,
): StartPlan {
  refuseVariables(configuration);
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

/** An unknown type would open a dialog: it is refused before VS Code sees it. */
export function checkTypes({ workspace }: ToolServices, plan: StartPlan): void {
  const debuggers = workspace.debuggers();
  const installed = new Set(debuggers.map(({ type }) => type));
  const unknown = plan.launches.find((launch) => !installed.has(launch.type));
  if (unknown === undefined) return;
  throw debuggerNotInstalled(
    l10n.t(
      'No installed debugger has the type “{0}” that “{1}” asks for.',
      unknown.type,
      unknown.name,
    ),
    debuggers,
    extensionOfType(unknown.type),
    'Or use one of installed.',
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
    { all: plan.launches.map((launch) => launch.configuration) },
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
