export interface Subscription {
  dispose(): void;
}

/** The functions that are called when an event occurs, in the order in which they were added. */
export class Listeners<T = void> {
  private readonly listeners = new Set<(value: T) => void>();

  get size(): number {
    return this.listeners.size;
  }

  add(listener: (value: T) => void): Subscription {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Calls the current listeners. A listener that is added in the meantime is not called. */
  notify(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  clear(): void {
    this.listeners.clear();
  }
}
