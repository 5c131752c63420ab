import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { succeed } from '../command';
import { folderOf, type Installed, type Language, type Project } from '../project';
import { installCargo } from './cargo';
import { installDebian } from './debian';
import { installGo } from './go';
import { installMaven } from './maven';
import { installNpm } from './npm';
import { installPython } from './python';

/** Fetches a project into its folder, and installs what its tests need, by its registry's ordinary client. */
export type Installer = (installed: Installed) => Promise<void>;

const INSTALLERS: Readonly<Record<Language, Installer>> = {
  python: installPython,
  javascript: installNpm,
  go: installGo,
  rust: installCargo,
  cpp: installDebian,
  java: installMaven,
};

/** The file that says what is installed in a folder. It is written last. */
const MARK = '.campaign-installed.json';

/** The parts of an entry that the installation depends on. */
function markOf({
  package: name,
  folder,
  with: others,
  runtime,
  files,
  build,
  manifest,
}: Project): string {
  return JSON.stringify({ name, folder, others, runtime, files, build, manifest });
}

export function isInstalled(project: Project): boolean {
  const mark = path.join(folderOf(project), MARK);
  return existsSync(mark) && readFileSync(mark, 'utf8') === markOf(project);
}

/** Installs a project. Nothing is done if it is there in the same version. */
export async function install(project: Project): Promise<Installed> {
  const folder = folderOf(project);
  const installed = { project, folder };
  if (isInstalled(project)) return installed;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (project.folder !== undefined) cpSync(project.folder, folder, { recursive: true });
  else await INSTALLERS[project.language](installed);
  for (const [file, text] of Object.entries(project.files ?? {})) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  for (const command of project.build ?? [])
    await succeed({ program: 'sh', args: ['-c', command], cwd: folder }, 900_000);
  writeFileSync(path.join(folder, MARK), markOf(project));
  return installed;
}
