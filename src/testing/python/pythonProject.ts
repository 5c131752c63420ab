import { scannedIfAny } from '../../tools/files/scannedText';
import path from 'node:path';
import { listOf, textOf } from '../../debugger/protocol';
import type { ToolServices } from '../../tools/services';

type Services = Pick<ToolServices, 'workspace'>;

/** The files in which pytest looks for its configuration, in its order, and the section that makes a file count. */
const PYTEST_FILES: readonly (readonly [file: string, section: RegExp | undefined])[] = [
  ['pytest.toml', undefined],
  ['.pytest.toml', undefined],
  ['pytest.ini', undefined],
  ['.pytest.ini', undefined],
  ['pyproject.toml', /^[ \t]*\[tool\.pytest(?:\.ini_options)?\]/m],
  ['tox.ini', /^[ \t]*\[pytest\]/m],
  ['setup.cfg', /^[ \t]*\[tool:pytest\]/m],
];

/** The files of a project. A list of requirements is also common in folders of tests. */
const PROJECT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'manage.py'];

/** Whether a folder has a configuration of pytest. */
export async function isPytestConfigured(
  { workspace }: Services,
  folder: string,
): Promise<boolean> {
  for (const [file, section] of PYTEST_FILES) {
    const whole = path.join(folder, file);
    if (section === undefined ? await workspace.exists(whole) : await contains(whole, section))
      return true;
  }
  return false;

  async function contains(file: string, section: RegExp): Promise<boolean> {
    return section.test((await scannedIfAny(workspace, file)) ?? '');
  }
}

/** Returns the folder in which pytest is started: that of its configuration, otherwise that of the project. */
export async function pytestFolder(services: Services, file: string): Promise<string> {
  const set = settingOf(services, file, 'python.testing.cwd');
  if (set !== undefined) return set;
  const folders = foldersAbove(services, file);
  for (const folder of folders) if (await isPytestConfigured(services, folder)) return folder;
  return await projectFolder(services, folders);
}

/** Returns the folder in which unittest is started. Modules are found from there. */
export async function unittestFolder(services: Services, file: string): Promise<string> {
  return (
    settingOf(services, file, 'python.testing.cwd') ??
    (await projectFolder(services, foldersAbove(services, file)))
  );
}

async function projectFolder({ workspace }: Services, folders: readonly string[]): Promise<string> {
  for (const names of [PROJECT_FILES, ['requirements.txt']])
    for (const folder of folders)
      for (const name of names)
        if ((await workspace.exists(path.join(folder, name))) === true) return folder;
  return folders.at(-1) ?? '';
}

/** Returns the folders from that of a file up to the folder of the workspace. */
function foldersAbove(services: Services, file: string): readonly string[] {
  const top = workspaceFolder(services, file);
  const folders = [path.dirname(file)];
  for (let at = path.dirname(file); top !== undefined && at !== top; at = path.dirname(at))
    folders.push(path.dirname(at));
  return folders;
}

/** Returns a folder that a setting names, if the file is in it. */
function settingOf(services: Services, file: string, name: string): string | undefined {
  const value = textOf(settingFor(services, file, name)) ?? '';
  return value === '' ? undefined : folderAround(services, file, value);
}

function folderAround(services: Services, file: string, value: string): string | undefined {
  const folder = workspaceFolder(services, file) ?? '';
  const whole = path.resolve(folder, value.replace(/^\$\{workspaceFolder\}/, folder));
  return file.startsWith(whole + path.sep) ? whole : undefined;
}

/** Returns the value of a setting of VS Code for a file. */
export function settingFor(services: Services, file: string, name: string): unknown {
  return services.workspace.setting(name, workspaceFolder(services, file));
}

function workspaceFolder({ workspace }: Services, file: string): string | undefined {
  return workspace.folders.find((each) => file.startsWith(each.path + path.sep))?.path;
}

/** Returns the arguments that the settings of VS Code pass to a runner. */
export function settingArguments(
  services: Services,
  file: string,
  runner: 'pytest' | 'unittest',
): readonly string[] {
  const found = listOf(settingFor(services, file, `python.testing.${runner}Args`));
  return found.flatMap((argument) => textOf(argument) ?? []);
}

/** Returns the folder from which the settings of VS Code find the modules of unittest (`-t`, or `-s`). */
export function topFolder(services: Services, file: string): string | undefined {
  const args = settingArguments(services, file, 'unittest');
  for (const names of [/^(?:-t|--top-level-directory)$/, /^(?:-s|--start-directory)$/]) {
    const value = args[args.findIndex((argument) => names.test(argument)) + 1];
    if (value !== undefined && args.some((argument) => names.test(argument)))
      return folderAround(services, file, value);
  }
  return undefined;
}
