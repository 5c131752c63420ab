import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { adapterOf } from '../debugger/adapters/registry';
import { fields, listOf, textOf, type Fields } from '../debugger/protocol';
import { Failure } from '../results/failure';
import { defined } from '../util/defined';
import { absolute } from '../tools/files/files';
import { planFor, type PlannedLaunch } from '../tools/launch/launchPlan';
import { startInput } from '../tools/launch/startInput';
import type { ToolServices } from '../tools/services';

/** How a call changes the run of a test. */
export interface RunSettings {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** A launch configuration whose environment, interpreter and other settings the run takes over. */
  readonly configuration_name?: string | undefined;
}

/** The properties of a configuration that say what runs. The test says that itself. */
const OF_THE_PROGRAM: ReadonlySet<string> = new Set([
  ...['name', 'type', 'request', 'program', 'module', 'code', 'args', 'runtimeArgs', 'mode'],
  ...['mainClass', 'projectName', 'classPaths', 'console', 'outputCapture', 'noDebug'],
  ...['stopOnEntry', 'preLaunchTask', 'postDebugTask', 'presentation', 'purpose', 'skipFiles'],
]);

/** Variables with a list of values. The values of the call come behind those of the run. */
const LISTS: Readonly<Record<string, string>> = { PYTHONPATH: path.delimiter, NODE_OPTIONS: ' ' };

/**
 * Applies the settings of a call to the configuration of a test. The properties of the test's own run win, except its
 * environment and folder.
 * @throws Failure `configuration_not_found`, `invalid_input`
 */
export async function withSettings(
  services: ToolServices,
  configuration: Fields,
  { env, cwd, configuration_name: name }: RunSettings,
): Promise<Fields> {
  const base = name === undefined ? {} : await baseOf(services, name, configuration);
  const folder = cwd === undefined ? textOf(base['cwd']) : await absolute(services, cwd);
  const variables = [variablesOf(base['env']), env ?? {}].reduce(
    joined,
    fields(configuration['env']),
  );
  return {
    ...base,
    ...configuration,
    ...defined({
      cwd: folder,
      env: Object.keys(variables).length === 0 ? undefined : variables,
    }),
  };
}

async function baseOf(services: ToolServices, name: string, { type }: Fields): Promise<Fields> {
  const plan = await planFor(services, startInput.parse({ configuration_name: name }));
  const [launch] = plan.launches;
  if (launch === undefined || plan.isCompound || !isFor(launch, type))
    throw new Failure(
      'invalid_input',
      l10n.t('“{0}” is no configuration of the debugger that runs this test.', name),
      'Pass a configuration of the same type, or leave out configuration_name. Nothing was started.',
      { type },
    );
  return Object.fromEntries(
    Object.entries(launch.configuration).filter(([property]) => !OF_THE_PROGRAM.has(property)),
  );
}

/** Reads environment variables. Some debuggers accept a list of `NAME=value` (lldb-dap). */
function variablesOf(env: unknown): Fields {
  if (!Array.isArray(env)) return fields(env);
  const pairs = listOf(env).flatMap((variable) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(textOf(variable) ?? '') ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

function isFor({ type }: PlannedLaunch, other: unknown): boolean {
  return adapterOf(type) === adapterOf(textOf(other) ?? '');
}

/** Adds variables to others. Lists are joined. */
export function joined(variables: Fields, more: Fields): Fields {
  const added = Object.entries(more).map(([name, value]) => {
    const [separator, before] = [LISTS[name], textOf(variables[name])];
    const isList = separator !== undefined && before !== undefined;
    return [name, isList ? `${before}${separator}${String(value)}` : value] as const;
  });
  return { ...variables, ...Object.fromEntries(added) };
}
