/** Lets one after the other have their turn, in the order in which they came. */
export class Turns {
  private isTaken = false;

  private readonly waiting: (() => void)[] = [];

  get isBusy(): boolean {
    return this.isTaken;
  }

  /** How many wait for their turn. */
  get length(): number {
    return this.waiting.length;
  }

  /**
   * Resolves when the turn has come, with what ends it; with undefined when the signal is aborted before. Who has the
   * turn has to end it.
   */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (!this.isTaken) return this.begin();
    return await new Promise((resolve) => {
      const come = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(this.begin());
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(come), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(come);
    });
  }

  private begin(): () => void {
    this.isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.isTaken = false;
      this.waiting.shift()?.();
    };
  }
}
