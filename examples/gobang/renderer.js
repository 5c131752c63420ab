import { SIZE } from './board.js';
import { log } from './log.js';

export const CELL = 20;
export const MARGIN = 15;

/** Where the crossing of a column and a row is drawn. */
export function gridToPixel(x, y) {
  const px = [MARGIN + x * CELL, CELL + y * CELL];
  log('debug', 'renderer.js', 'gridToPixel', 'mapped', { x, y, cellSize: CELL, px });
  return px;
}

/** The crossing that is nearest to a point. */
export function pixelToGrid(px, py) {
  const nearest = (value) => Math.min(SIZE - 1, Math.max(0, Math.round((value - MARGIN) / CELL)));
  return [nearest(px), nearest(py)];
}

export function drawBoard(context) {
  const end = MARGIN + (SIZE - 1) * CELL;
  for (let line = 0; line < SIZE; line += 1) {
    const at = MARGIN + line * CELL;
    context.line(MARGIN, at, end, at);
    context.line(at, MARGIN, at, end);
  }
}

export function drawStone(context, x, y, colour) {
  const [px, py] = gridToPixel(x, y);
  assertOnCrossing(px, py, x, y);
  context.circle(px, py, CELL / 2 - 1, colour);
}

/** A stone beside its crossing is a mistake of this file. */
function assertOnCrossing(px, py, x, y) {
  const [right, below] = [MARGIN + x * CELL, MARGIN + y * CELL];
  if (px === right && py === below) return;
  throw new RangeError(`stone ${x},${y} is drawn at ${px},${py}, off its crossing at ${right},${below}`);
}
