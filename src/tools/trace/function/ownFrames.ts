import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';

const LIBRARY = /[\\/](?:node_modules|(?:site|dist)-packages)[\\/]/;

/** Whether a frame is in the person's own code. */
export function isOwn({ workspace }: Pick<ToolServices, 'workspace'>, frame: Frame): boolean {
  const { path: file } = frame;
  if (file === undefined || frame.subtle || LIBRARY.test(file)) return false;
  return workspace.folders.some((folder) => file.startsWith(folder.path));
}
