import { SerialQueue } from '../../util/serialQueue';
import { Attendance } from './attendance';
import { nameOf, WindowRegistry, type WindowEntry } from './registry';

/** The window that has the server. */
export interface Serving {
  readonly port: number;
  /** The name of the window that is shown to the person. */
  readonly holder: string;
}

/**
 * Finds the window that has the clients' port, for a window that does not take part itself. It watches the registry's
 * folder for new windows, and keeps a connection to the serving window, so that it always notices that window's end.
 * Nothing is polled or written.
 */
export class ServingWindow {
  private readonly registry: WindowRegistry;
  private readonly queue = new SerialQueue();
  private watch: { close(): void } | undefined;
  private attendance: Attendance | undefined;
  private reported: { readonly window: WindowEntry | undefined } | undefined;

  constructor(
    home: string,
    private readonly onDidChange: (serving: Serving | undefined) => void,
  ) {
    this.registry = new WindowRegistry(home);
  }

  /**
   * Searches for the window and follows changes. It may be called again, because a folder that did not exist could not
   * be watched.
   */
  async start(): Promise<void> {
    this.watch?.close();
    this.watch = this.registry.watch(() => this.findInBackground());
    await this.queue.run(() => this.find());
  }

  /** Stops reporting. */
  stop(): void {
    this.watch?.close();
    this.watch = undefined;
    this.attendance?.close();
    this.attendance = undefined;
    this.reported = undefined;
  }

  /** Searches one at a time, so that the newest result is reported last. */
  private findInBackground(): void {
    this.queue.run(() => this.find()).catch(() => undefined);
  }

  private async find(): Promise<void> {
    if (this.watch === undefined || this.attendance !== undefined) return;
    for (const window of await this.registry.list()) {
      if (window.serves === undefined) continue;
      const attendance: Attendance = new Attendance(window, window.serves, {
        onAnswer: () => undefined,
        onEnd: () => {
          if (this.attendance === attendance) this.attendance = undefined;
          this.findInBackground();
        },
      });
      const answer = await attendance.answer;
      const isServing = answer === 'attends' || answer === 'silent';
      if (isServing && attendance.state !== 'over' && this.isWatching()) {
        this.attendance = attendance;
        this.report(window);
        return;
      }
      attendance.close();
      if (answer === 'unreachable') await this.registry.removeIfGone(window);
    }
    if (this.isWatching()) this.report(undefined);
  }

  private report(window: WindowEntry | undefined): void {
    const before = this.reported;
    this.reported = { window };
    const isSame = before?.window?.id === window?.id && before?.window?.serves === window?.serves;
    if (before !== undefined && isSame) return;
    this.onDidChange(
      window?.serves === undefined ? undefined : { port: window.serves, holder: nameOf(window) },
    );
  }

  /** This is a method, because the value may change during a wait. */
  private isWatching(): boolean {
    return this.watch !== undefined;
  }
}
