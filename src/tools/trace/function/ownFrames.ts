import path from 'node:path';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';

const LIBRARY = /[\\/](?:node_modules|(?:site|dist)-packages)[\\/]/;

/** Matches a relative path that leads out of its folder, or to another drive. */
const OUTSIDE = /^\.\.(?:[\\/]|$)|^[A-Za-z]:/;

/** Whether a frame is in the person's own code. */
export function isOwn({ workspace }: Pick<ToolServices, 'workspace'>, frame: Frame): boolean {
  const { path: file } = frame;
  if (file === undefined || !path.isAbsolute(file)) return false;
  if (frame.subtle || LIBRARY.test(file)) return false;
  return workspace.folders.some((folder) => !OUTSIDE.test(path.relative(folder.path, file)));
}
