/** Schedules an action; the returned function cancels it. */
export type Schedule = (action: () => void, milliseconds: number) => () => void;

/**
 * The minimum time between two notifications about one resource, in milliseconds. An agent reads them one at a time
 * anyway.
 */
const INTERVAL_MS = 250;

const MAX_SUBSCRIPTIONS = 100;

const scheduleTimer: Schedule = (action, milliseconds) => {
  const timer = setTimeout(action, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * The subscriptions of one client. The first change is reported immediately, rapid further changes are reported
 * together, and the last change is never lost.
 */
export class Subscriptions {
  /** The last reported version of each resource. */
  private readonly reported = new Map<string, string>();
  private cancelScheduled: (() => void) | undefined;

  constructor(
    /** Returns a text that differs when the resource has changed. */
    private readonly versionOf: (name: string) => string,
    private readonly notify: (name: string) => Promise<void>,
    private readonly schedule: Schedule = scheduleTimer,
  ) {}

  /** Adds a subscription. False if there are too many. */
  add(name: string): boolean {
    if (this.reported.has(name)) return true;
    if (this.reported.size >= MAX_SUBSCRIPTIONS) return false;
    this.reported.set(name, this.versionOf(name));
    return true;
  }

  remove(name: string): void {
    this.reported.delete(name);
  }

  /** Called when a resource may have changed. */
  check(): void {
    if (this.cancelScheduled !== undefined || !this.notifyChanged()) return;
    this.cancelScheduled = this.schedule(() => {
      this.cancelScheduled = undefined;
      this.check();
    }, INTERVAL_MS);
  }

  dispose(): void {
    this.cancelScheduled?.();
    this.reported.clear();
  }

  private notifyChanged(): boolean {
    const changed = [...this.reported].flatMap(([name, before]) => {
      const now = this.versionOf(name);
      return now === before ? [] : [{ name, now }];
    });
    for (const { name, now } of changed) {
      this.reported.set(name, now);
      // A client that has disconnected needs no notification.
      this.notify(name).catch(() => undefined);
    }
    return changed.length > 0;
  }
}
