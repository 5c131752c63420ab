/** Runs work one piece at a time, in the order in which it was added. */
export class SerialQueue {
  private isTaken = false;
  private readonly waiting: (() => void)[] = [];

  get isBusy(): boolean {
    return this.isTaken;
  }

  /** The number of callers that wait for their turn. */
  get length(): number {
    return this.waiting.length;
  }

  /** Runs an action when all earlier ones have ended, whether or not they failed. */
  async run<T>(action: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await action();
    } finally {
      release();
    }
  }

  /** Waits for a turn. @returns a function that ends the turn. It may be called more than once */
  async acquire(): Promise<() => void>;
  /** Waits for a turn, with a signal. @returns undefined if the signal is aborted before the turn begins */
  async acquire(signal: AbortSignal): Promise<(() => void) | undefined>;
  async acquire(signal?: AbortSignal): Promise<(() => void) | undefined> {
    if (signal?.aborted === true) return undefined;
    if (!this.isTaken) return this.take();
    return await new Promise((resolve) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(this.take());
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        resolve(undefined);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }

  private take(): () => void {
    this.isTaken = true;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.isTaken = false;
      this.waiting.shift()?.();
    };
  }
}
