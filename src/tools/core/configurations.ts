import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { listed } from '../../results/listing';
import { Failure } from '../../results/failure';
import { fields, listOf, textOf } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { readLaunches, type LaunchEntry } from '../launch/launchFile';
import { maxChars, resultSchema } from '../schemas';
import type { ToolServices } from '../services';

const anyEntry = z.looseObject({ name: z.string(), folder: z.string().optional() });

export const getDebuggerConfigurations = defineTool({
  name: 'get_debugger_configurations',
  set: 'core',
  effect: 'read',
  title: 'List Debug Configurations',
  userDescription: 'Reads the launch configurations of the workspace',
  modelDescription:
    'List the debug configurations of the workspace (launch.json, workspace file, settings) with all their properties. Call it before start_debugging.',
  icon: 'list-unordered',
  input: z.strictObject({ max_chars: maxChars }),
  output: resultSchema(['success'], {
    configurations: z.array(anyEntry).optional(),
    compounds: z.array(anyEntry).optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Reading the debug configurations'),
  run: async ({ services }) => {
    const sources = await services.workspace.launchSources();
    const launches = readLaunches(sources);
    const unread = sources.flatMap(({ content }) => ('unread' in content ? content.unread : []));
    const message = l10n.t('Not read, because it leads outside the workspace: {0}', listed(unread));
    if (launches.configurations.length === 0 && launches.compounds.length === 0) {
      throw unread.length === 0
        ? noConfigurations(services)
        : new Failure(
            'file_outside_workspace',
            message,
            'Ask the person for a launch.json of the workspace’s own, or call start_debugging with program.',
          );
    }
    return success(
      defined({
        message: unread.length === 0 ? undefined : message,
        configurations: launches.configurations.map(shown),
        compounds: launches.compounds.length > 0 ? launches.compounds.map(shown) : undefined,
      }),
    );
  },
});

function shown({ name, folder, configuration }: LaunchEntry): z.input<typeof anyEntry> {
  return { ...configuration, name, ...defined({ folder: folder?.name }) };
}

function noConfigurations({ workspace }: ToolServices): Failure {
  if (workspace.folders.length === 0)
    return new Failure(
      'no_folder',
      l10n.t('No folder is open.'),
      'Ask the person to open a folder, or call start_debugging with program (an absolute path).',
    );
  return new Failure(
    'no_configurations',
    l10n.t(
      'There is no debug configuration: no .vscode/launch.json in {0}.',
      listed(workspace.folders.map((folder) => folder.path)),
    ),
    'Call start_debugging with program instead, or add a launch.json.',
  );
}

/** The configuration or compound that `start_debugging` starts. */
export type FoundConfiguration = {
  readonly kind: 'configuration' | 'compound';
  readonly entry: LaunchEntry;
};

/**
 * Finds a configuration or compound by name.
 * @throws Failure `configuration_not_found` with the available names, `ambiguous_configuration` with the folders
 */
export async function findConfiguration(
  services: ToolServices,
  name: string,
  folder: string | undefined,
): Promise<FoundConfiguration> {
  const launches = readLaunches(await services.workspace.launchSources());
  const fits = (entry: LaunchEntry): boolean =>
    entry.name === name &&
    (folder === undefined || entry.folder?.name === folder || entry.folder?.path === folder);
  const found: FoundConfiguration[] = [
    ...launches.configurations
      .filter(fits)
      .map((entry) => ({ kind: 'configuration' as const, entry })),
    ...launches.compounds.filter(fits).map((entry) => ({ kind: 'compound' as const, entry })),
  ];
  const [only, second] = found;
  if (only === undefined) {
    const names = [
      ...new Set([...launches.configurations, ...launches.compounds].map((entry) => entry.name)),
    ];
    if (names.length === 0) throw noConfigurations(services);
    throw new Failure(
      'configuration_not_found',
      l10n.t('There is no debug configuration named “{0}”.', name),
      `Pass one of the names in available${folder === undefined ? '' : ', or leave out folder'}.`,
      { available: names },
    );
  }
  if (second !== undefined) {
    throw new Failure(
      'ambiguous_configuration',
      l10n.t('Several debug configurations are named “{0}”.', name),
      'Pass folder.',
      { folders: found.map(({ entry }) => entry.folder?.name ?? 'workspace') },
    );
  }
  return only;
}

/** Returns the members of a compound. In launch.json, they are names, or objects with `name` and `folder`. */
export function membersOf(
  entry: LaunchEntry,
): readonly { readonly name: string; readonly folder: string | undefined }[] {
  return listOf(entry.configuration['configurations']).flatMap((configuration) => {
    const name = textOf(configuration) ?? textOf(fields(configuration)['name']);
    return name === undefined ? [] : [{ name, folder: textOf(fields(configuration)['folder']) }];
  });
}
