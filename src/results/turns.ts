import { setImmediate as turn } from 'node:timers/promises';

/** Long enough to get something done, short enough for nobody to notice. */
const MOST_MILLISECONDS = 10;

/** For work that is long in all: between its parts, whatever else the window has to do has its turn. */
export class Turns {
  private began = performance.now();

  /** To be awaited between two parts of the work. */
  async next(): Promise<void> {
    if (performance.now() - this.began < MOST_MILLISECONDS) return;
    await turn();
    this.began = performance.now();
  }
}
