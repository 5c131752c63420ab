export type Result = {
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
};

/** What comes from the server without being asked for. */
export class Heard<T> {
  readonly all: T[] = [];
  private readonly waiting = new Set<() => void>();

  add(each: T): void {
    this.all.push(each);
    for (const look of this.waiting) look();
  }

  async until(condition: (each: T) => boolean): Promise<T> {
    return await new Promise((resolve) => {
      const look = (): void => {
        const found = this.all.find(condition);
        if (found === undefined) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }
}
