export type Result = {
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
};

/** Notifications and other messages that the server sends without a request. */
export class Heard<T> {
  readonly all: T[] = [];
  private readonly waiting = new Set<() => void>();

  add(each: T): void {
    this.all.push(each);
    for (const read of this.waiting) read();
  }

  async until(condition: (each: T) => boolean): Promise<T> {
    return await new Promise((resolve) => {
      const read = (): void => {
        const found = this.all.find(condition);
        if (found === undefined) return;
        this.waiting.delete(read);
        resolve(found);
      };
      this.waiting.add(read);
      read();
    });
  }
}
