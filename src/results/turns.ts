import { setImmediate as turn } from 'node:timers/promises';

/** The maximum duration of one part of the work: long enough to make progress, short enough not to be noticed. */
const MAX_MILLISECONDS = 10;

/** Lets long work yield between its parts, so that the extension host can process other events. */
export class Turns {
  private began = performance.now();

  /** Await this between two parts of the work. */
  async next(): Promise<void> {
    if (performance.now() - this.began < MAX_MILLISECONDS) return;
    await turn();
    this.began = performance.now();
  }
}
