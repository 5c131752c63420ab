import path from 'node:path';
import { isOwnFrame } from '../../../debugger/inspection/foldedFrames';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';

/** Whether a frame is in the person's own code. */
export function isOwn({ stops }: Pick<ToolServices, 'stops'>, frame: Frame): boolean {
  return isOwnFrame(frame, (file) => stops.isOwn(file));
}

/**
 * Whether the function that has made a JavaScript call is in a file on the disk. The runtime makes the calls of
 * microtasks, handlers and resumed functions. js-debug steps out of them line by line through code of Node, or V8 finds no
 * place to stop behind them.
 */
export function hasOwnCaller([caller]: readonly Frame[]): boolean {
  if (caller?.path === undefined || caller.isLabel || caller.subtle) return false;
  return path.isAbsolute(caller.path);
}
