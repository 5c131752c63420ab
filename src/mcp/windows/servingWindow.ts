import { Attendance } from './attendance';
import { nameOf, WindowRegistry, type WindowEntry } from './registry';

/** Where the server is on. */
export interface Serving {
  readonly port: number;
  /** What the person knows the window by. */
  readonly holder: string;
}

/**
 * Which other window has the clients' port, for a window that takes no part itself: the registry's folder tells of
 * windows that come, a connection to the one that serves tells of its end, however it ends. Nothing is polled or written.
 */
export class ServingWindow {
  private readonly registry: WindowRegistry;
  private watch: { close(): void } | undefined;
  private attendance: Attendance | undefined;
  private told: { readonly window: WindowEntry | undefined } | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    home: string,
    private readonly onDidChange: (serving: Serving | undefined) => void,
  ) {
    this.registry = new WindowRegistry(home);
  }

  /** Looks, and goes on looking; again from the start where it had begun, because a folder that is not there cannot be watched. */
  async start(): Promise<void> {
    this.watch?.close();
    this.watch = this.registry.watch(() => void this.look().catch(() => undefined));
    await this.look();
  }

  /** Nothing is told any more. */
  stop(): void {
    this.watch?.close();
    this.watch = undefined;
    this.attendance?.close();
    this.attendance = undefined;
    this.told = undefined;
  }

  /** One look after the other, so that the last word is the newest. */
  private async look(): Promise<void> {
    const turn = this.last.then(async () => await this.lookNow());
    this.last = turn.catch(() => undefined);
    await turn;
  }

  private async lookNow(): Promise<void> {
    if (this.watch === undefined || this.attendance !== undefined) return;
    for (const each of await this.registry.list()) {
      if (each.serves === undefined) continue;
      const attendance: Attendance = new Attendance(each, each.serves, {
        onAnswer: () => undefined,
        onEnd: () => {
          if (this.attendance === attendance) this.attendance = undefined;
          void this.look().catch(() => undefined);
        },
      });
      const answer = await attendance.answer;
      if (
        (answer === 'attends' || answer === 'silent') &&
        attendance.state !== 'over' &&
        this.isWatching
      ) {
        this.attendance = attendance;
        this.tell(each);
        return;
      }
      attendance.close();
      if (answer === 'unreachable') await this.registry.removeIfGone(each);
    }
    if (this.isWatching) this.tell(undefined);
  }

  private tell(window: WindowEntry | undefined): void {
    if (
      this.told !== undefined &&
      this.told.window?.id === window?.id &&
      this.told.window?.serves === window?.serves
    )
      return;
    this.told = { window };
    this.onDidChange(
      window?.serves === undefined ? undefined : { port: window.serves, holder: nameOf(window) },
    );
  }

  /** Asked anew after each wait: it may have been stopped meanwhile. */
  private get isWatching(): boolean {
    return this.watch !== undefined;
  }
}
