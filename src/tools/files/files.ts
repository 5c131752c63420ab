import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { listed } from '../../results/listing';
import { Failure } from '../../results/failure';
import { checkLocal } from './localPath';
import type { ToolServices, Workspace } from '../services';

/**
 * Returns the absolute path of a file that a caller named by an absolute path or a path relative to a workspace folder.
 * The existence of the file is checked only in the workspace.
 * @throws Failure `no_folder`, `file_not_found`, `invalid_input`
 */
export async function absolute(
  { workspace }: Pick<ToolServices, 'workspace'>,
  file: string,
): Promise<string> {
  checkLocal(
    file,
    workspace.folders.map((folder) => folder.path),
  );
  if (path.isAbsolute(file)) return path.normalize(file);
  if (workspace.folders.length === 0)
    throw new Failure(
      'no_folder',
      l10n.t('No folder is open, so a relative path cannot be resolved.'),
      'Pass an absolute path.',
    );
  const candidates = workspace.folders.map((folder) => path.resolve(folder.path, file));
  // In a window with several folders, `name/rest` may start with a folder's name.
  for (const folder of workspace.folders)
    if (file.startsWith(`${folder.name}/`))
      candidates.push(path.resolve(folder.path, file.slice(folder.name.length + 1)));
  const found = await Promise.all(
    candidates.map(async (candidate) => ({ candidate, exists: await workspace.exists(candidate) })),
  );
  const best =
    found.find(({ exists }) => exists === true) ?? found.find(({ exists }) => exists === undefined);
  if (best !== undefined) return best.candidate;
  throw await fileNotFound(
    workspace,
    file,
    l10n.t(
      'There is no file {0} in {1}.',
      file,
      listed(workspace.folders.map((folder) => folder.path)),
    ),
  );
}

/** The maximum number of files with the same name that are listed if the named file does not exist. */
const MAX_CANDIDATES = 5;

/**
 * Returns the error for a missing file. It lists the files with the same name. Files whose path has the longest end in
 * common with the requested path come first.
 */
export async function fileNotFound(
  workspace: Pick<Workspace, 'filesNamed'>,
  named: string,
  message: string,
): Promise<Failure> {
  const requested = named.split(/[\\/]/).reverse();
  const alike = (file: string): number => {
    const parts = file.split(path.sep).reverse();
    const differs = requested.findIndex((part, index) => part !== parts[index]);
    return differs === -1 ? requested.length : differs;
  };
  const found = await workspace.filesNamed(requested[0] ?? '');
  const candidates = found
    .map((file) => ({ file, alike: alike(file) }))
    .sort(
      (one, other) =>
        other.alike - one.alike ||
        one.file.length - other.file.length ||
        one.file.localeCompare(other.file),
    )
    .slice(0, MAX_CANDIDATES);
  if (candidates.length === 0)
    return new Failure(
      'file_not_found',
      message,
      'Pass a path that exists, absolute or relative to a workspace folder.',
    );
  return new Failure(
    'file_not_found',
    message,
    'Pass one of candidates, which have that name, or another path that exists.',
    { candidates: candidates.map((candidate) => candidate.file) },
  );
}

/**
 * Returns the path of a file in its workspace folder, as it is shown to the person. If there are several folders, the
 * path begins with the folder's name.
 */
export function shortPath({ workspace }: Pick<ToolServices, 'workspace'>, file: string): string {
  const folder = workspace.folders.find(({ path: root }) => file.startsWith(`${root}${path.sep}`));
  if (folder === undefined) return file;
  const inside = path.relative(folder.path, file);
  return workspace.folders.length > 1 ? path.join(folder.name, inside) : inside;
}

/** Returns the real paths of the files that the person has to approve before the call may read them. */
export async function outsideOf(
  services: Pick<ToolServices, 'workspace'>,
  files: readonly (string | undefined)[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map(async (file) =>
      file === undefined
        ? undefined
        : await services.workspace.outside(await absolute(services, file)),
    ),
  );
  return [...new Set(found.flatMap((file) => file ?? []))];
}

/**
 * Returns the absolute path of a text file that has the line. A file that may not be read is assumed to have the line.
 * @throws Failure `file_not_found`, `file_not_text`, `line_out_of_range`, `invalid_input`
 */
export async function locate(
  services: Pick<ToolServices, 'workspace'>,
  file: string,
  line: number,
): Promise<string> {
  const found = await absolute(services, file);
  if ((await services.workspace.outside(found)) !== undefined) return found;
  const count = (await services.workspace.readText(found)).split(/\r\n|\r|\n/).length;
  if (line > count)
    throw new Failure(
      'line_out_of_range',
      l10n.t('{0} has {1} lines, so there is no line {2}.', found, count, line),
      `Pass line_number between 1 and ${count}. Nothing was changed.`,
    );
  return found;
}
