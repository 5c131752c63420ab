import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { absolute } from '../files/files';
import {
  isProgramName,
  moduleConfiguration,
  namedProgram,
  throughTsx,
  type NamedProgram,
} from './namedProgram';
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
  const there = isProgramName(program) ? await kindOf(services, program) : 'file';
  if (there !== 'file') {
    const from = requested.cwd === undefined ? first : await absolute(services, requested.cwd);
    const named = await programOrNone(services, requested, from, there);
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

/**
 * A name of a program means the program, also where a folder in the workspace has this name. The folder is meant by its
 * path, or if there is no such program.
 */
async function programOrNone(
  services: ToolServices,
  { program = '', args = [] }: StartInput,
  from: string | undefined,
  there: 'folder' | undefined,
): Promise<NamedProgram | undefined> {
  try {
    return await namedProgram(services, program, args, from);
  } catch (error) {
    if (!(error instanceof Failure) || there === undefined) throw error;
    if (error.code === 'program_not_found') return undefined;
    const hint = `${error.hint} For the folder of this name, pass ./${program}.`;
    throw new Failure(error.code, error.message, hint, error.data);
  }
}

/** Whether a file, or a folder that can be run, has this name. */
async function kindOf(
  { workspace }: ToolServices,
  name: string,
): Promise<'file' | 'folder' | undefined> {
  for (const folder of workspace.folders) {
    const file = path.join(folder.path, name);
    if (!(await workspace.exists(file))) continue;
    if (!(await workspace.isFolder(file))) return 'file';
    if (await isProject({ workspace }, file)) return 'folder';
  }
  return undefined;
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
