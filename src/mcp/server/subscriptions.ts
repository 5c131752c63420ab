/** Does something later; the returned function takes it back. */
export type Later = (action: () => void, milliseconds: number) => () => void;

/** Clients hear of changes of one thing so often at the most: an agent reads them one after the other anyway. */
const AT_MOST_EVERY_MS = 250;

const MOST_SUBSCRIPTIONS = 100;

const later: Later = (action, milliseconds) => {
  const timer = setTimeout(action, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * What one client wants to hear the changes of. The first change is told at once, what follows closely is told
 * together, and the last change is never lost.
 */
export class Subscriptions {
  private readonly told = new Map<string, string>();
  private takeBack: (() => void) | undefined;

  constructor(
    /** Another text when the thing has changed. */
    private readonly versionOf: (name: string) => string,
    private readonly tell: (name: string) => Promise<void>,
    private readonly doLater: Later = later,
  ) {}

  /** False where there are too many. */
  add(name: string): boolean {
    if (this.told.has(name)) return true;
    if (this.told.size >= MOST_SUBSCRIPTIONS) return false;
    this.told.set(name, this.versionOf(name));
    return true;
  }

  remove(name: string): void {
    this.told.delete(name);
  }

  /** Something may have changed. */
  look(): void {
    if (this.takeBack !== undefined || !this.tellChanged()) return;
    this.takeBack = this.doLater(() => {
      this.takeBack = undefined;
      this.look();
    }, AT_MOST_EVERY_MS);
  }

  dispose(): void {
    this.takeBack?.();
    this.told.clear();
  }

  private tellChanged(): boolean {
    const changed = [...this.told].flatMap(([name, told]) => {
      const now = this.versionOf(name);
      return now === told ? [] : [{ name, now }];
    });
    for (const { name, now } of changed) {
      this.told.set(name, now);
      // The client may be gone: then nobody has to be told.
      this.tell(name).catch(() => undefined);
    }
    return changed.length > 0;
  }
}
