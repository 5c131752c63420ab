import { Board } from './board.js';
import { log } from './log.js';
import { drawBoard, drawStone, pixelToGrid } from './renderer.js';

/** Plays on a canvas, or on whatever draws lines and circles. */
export class Game {
  constructor(context) {
    this.context = context;
    this.board = new Board();
    drawBoard(context);
  }

  click(px, py) {
    const [x, y] = pixelToGrid(px, py);
    const colour = this.board.place(x, y);
    log('info', 'game.js', 'click', colour === undefined ? 'occupied' : 'placed', { x, y, colour });
    if (colour !== undefined) drawStone(this.context, x, y, colour);
  }
}
