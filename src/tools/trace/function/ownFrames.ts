import { isOwnFrame } from '../../../debugger/inspection/foldedFrames';
import type { Frame } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';

/** Whether a frame is in the person's own code. */
export function isOwn({ stops }: Pick<ToolServices, 'stops'>, frame: Frame): boolean {
  return isOwnFrame(frame, (file) => stops.isOwn(file));
}
