export const SIZE = 15;

/** The stones on the board, by row and column. */
export class Board {
  constructor() {
    this.cells = Array.from({ length: SIZE }, () => Array(SIZE).fill(undefined));
    this.next = 'black';
  }

  /** Places the next stone. Returns its colour, or undefined where one stands already. */
  place(x, y) {
    if (this.cells[y][x] !== undefined) return undefined;
    const colour = this.next;
    this.cells[y][x] = colour;
    this.next = colour === 'black' ? 'white' : 'black';
    return colour;
  }
}
