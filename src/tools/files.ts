import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../debugger/failure';
import type { ToolServices } from './services';

/**
 * The absolute path of a file that a caller named, absolute or relative to a workspace folder.
 * @throws Failure `no_folder`, `file_not_found`
 */
export async function absolute({ workspace }: Pick<ToolServices, 'workspace'>, file: string): Promise<string> {
  if (path.isAbsolute(file)) return path.normalize(file);
  if (workspace.folders.length === 0) throw new Failure('no_folder', l10n.t('No folder is open, so a relative path has no meaning.'), 'Pass an absolute path.');
  const candidates = workspace.folders.map((folder) => path.resolve(folder.path, file));
  // In a window of several folders, `name/rest` may start with a folder's name.
  for (const folder of workspace.folders) if (file.startsWith(`${folder.name}/`)) candidates.push(path.resolve(folder.path, file.slice(folder.name.length + 1)));
  for (const candidate of candidates) if (await workspace.exists(candidate)) return candidate;
  throw new Failure('file_not_found', l10n.t('There is no file {0} in {1}.', file, workspace.folders.map((folder) => folder.path).join(', ')), 'Pass a path that exists, absolute or relative to a workspace folder.');
}

/** How a person knows a file: its path in its workspace folder, after the folder's name where there are several. */
export function shortPath({ workspace }: Pick<ToolServices, 'workspace'>, file: string): string {
  const folder = workspace.folders.find((each) => file.startsWith(`${each.path}${path.sep}`));
  if (folder === undefined) return file;
  const inside = path.relative(folder.path, file);
  return workspace.folders.length > 1 ? path.join(folder.name, inside) : inside;
}

/**
 * The absolute path of a text file that has the line.
 * @throws Failure `file_not_found`, `file_not_text`, `line_out_of_range`
 */
export async function locate(services: Pick<ToolServices, 'workspace'>, file: string, line: number): Promise<string> {
  const found = await absolute(services, file);
  const count = (await services.workspace.readText(found)).split(/\r\n|\r|\n/).length;
  if (line > count) throw new Failure('line_out_of_range', l10n.t('{0} has {1} lines, so there is no line {2}.', found, count, line), `Pass line_number between 1 and ${count}. Nothing was changed.`);
  return found;
}
