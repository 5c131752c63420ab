import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { absolute } from '../files/files';
import { isProgramName, moduleConfiguration, namedProgram, throughTsx } from './namedProgram';
import { configurationFor, isProject, type MadeConfiguration } from './programConfiguration';
import type { ToolServices } from '../services';
import type { StartInput } from './startInput';

/** A configuration that was made up for a program. */
interface Made {
  readonly name: string;
  readonly folderPath: string | undefined;
  readonly cwd: string | undefined;
  readonly made: MadeConfiguration;
  /** Whether the configuration already contains the arguments. */
  readonly holdsArguments: boolean;
}

/**
 * Makes up a configuration for a module, a file, a project's folder, or a program by name.
 * @throws Failure if there is no such program, or if it cannot be debugged
 */
export async function madeFor(services: ToolServices, requested: StartInput): Promise<Made> {
  const first = services.workspace.folders[0]?.path;
  const { module, program = '' } = requested;
  if (module !== undefined)
    return {
      name: module,
      folderPath: first,
      cwd: first,
      made: moduleConfiguration(services, module, requested.type),
      holdsArguments: false,
    };
  if (isProgramName(program) && !(await isThere(services, program))) {
    const from = requested.cwd === undefined ? first : await absolute(services, requested.cwd);
    const named = await namedProgram(services, program, requested.args ?? [], from);
    const made = {
      ...named?.configuration,
      type: requested.type ?? named?.configuration.type ?? '',
    };
    if (named !== undefined)
      return {
        name: program,
        folderPath: first,
        cwd: first,
        made,
        holdsArguments: named.holdsArguments,
      };
  }
  return await madeForFile(services, requested, program);
}

/** Whether a file, or a folder that can be run, has this name. */
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
  requested: StartInput,
  file: string,
): Promise<Made> {
  const { workspace } = services;
  const program = await absolute(services, file);
  // Outside the workspace, the debugger reports a missing program.
  if ((await workspace.exists(program)) === false) throw programNotFound(program);
  const folder =
    workspace.folders.find(({ path: root }) => program.startsWith(`${root}${path.sep}`)) ??
    workspace.folders[0];
  const made = await configurationFor(services, program, requested.type);
  const byTsx = await throughTsx(services, made, requested.args ?? []);
  return {
    name: path.basename(program),
    folderPath: folder?.path,
    cwd: folder?.path ?? path.dirname(program),
    made: byTsx ?? made,
    holdsArguments: byTsx !== undefined,
  };
}

export function programNotFound(program: string): Failure {
  return new Failure(
    'program_not_found',
    l10n.t('There is no program {0}.', program),
    'Pass the path of an existing file, or the name of a program.',
  );
}
