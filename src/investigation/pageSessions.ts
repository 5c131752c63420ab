import type { Subscription } from '../util/listeners';
import type { RunEnd } from './runs';

/** The part of VS Code's debug API that is used. */
export interface SessionHost<Session> {
  /** Starts the browser. @returns false if VS Code refuses */
  start(): PromiseLike<boolean>;
  onDidStart(listener: (session: Session) => void): Subscription;
  onDidEnd(listener: (session: Session) => void): Subscription;
  /** Whether a session is the session of the started browser. */
  isRoot(session: Session): boolean;
  isChild(session: Session, root: Session): boolean;
  isSame(session: Session, other: Session): boolean;
  stop(session: Session): PromiseLike<void>;
}

/**
 * The time to wait for a requested browser after the capture has ended, in order to end the browser, in milliseconds.
 */
const LATE_MS = 60_000;

/** The debug sessions of one capture: the browser's and its page's. */
export class PageSessions<Session> {
  end: RunEnd | undefined;
  private root: Session | undefined;
  private hasAsked = false;
  private isOver = false;
  private ending: Promise<void> | undefined;
  private readonly subscriptions: Subscription[];
  private readonly over: Promise<RunEnd>;
  private settle: (end: RunEnd) => void = () => undefined;
  private onPage: (page: Session | undefined) => void = () => undefined;

  constructor(
    private readonly host: SessionHost<Session>,
    stop: AbortSignal,
  ) {
    this.over = new Promise((resolve) => {
      this.settle = (end) => {
        this.end ??= end;
        resolve(this.end);
        this.onPage(undefined);
      };
    });
    const cancel = (): void => this.settle({ via: 'browser', endedBy: 'stopped' });
    stop.addEventListener('abort', cancel, { once: true });
    this.subscriptions = [
      { dispose: () => stop.removeEventListener('abort', cancel) },
      host.onDidStart((session) => this.started(session)),
      host.onDidEnd((session) => {
        if (this.root !== undefined && host.isSame(session, this.root))
          this.settle({ via: 'browser', endedBy: 'exit' });
      }),
    ];
    if (stop.aborted) cancel();
  }

  /** Starts the browser. Returns the page's session; undefined if the capture ended earlier. */
  async start(): Promise<Session | undefined> {
    if (this.end !== undefined) return undefined;
    const page = new Promise<Session | undefined>((resolve) => {
      this.onPage = resolve;
    });
    this.hasAsked = true;
    this.host.start().then(
      (hasStarted) => {
        if (!hasStarted) this.fail('VS Code did not start the browser.');
      },
      (error: unknown) => this.fail(error instanceof Error ? error.message : String(error)),
    );
    return await page;
  }

  async ended(): Promise<RunEnd> {
    return await this.over;
  }

  /** Ends the browser, even if it starts later. */
  async dispose(): Promise<void> {
    this.ending ??= this.endBrowser();
    await this.ending;
  }

  private async endBrowser(): Promise<void> {
    this.isOver = true;
    if (this.root === undefined && this.hasAsked) {
      // A start that was requested from VS Code cannot be cancelled.
      const timer = setTimeout(() => this.forget(), LATE_MS);
      timer.unref();
      return;
    }
    try {
      if (this.root !== undefined) await this.host.stop(this.root);
    } finally {
      this.forget();
    }
  }

  private started(session: Session): void {
    if (this.root === undefined && this.host.isRoot(session)) {
      this.root = session;
      if (!this.isOver) return;
      this.forget();
      this.host.stop(session).then(undefined, () => undefined);
    } else if (this.root !== undefined && this.host.isChild(session, this.root))
      this.onPage(session);
  }

  private fail(note: string): void {
    this.hasAsked = false;
    this.settle({ via: 'browser', endedBy: 'failed', note });
    if (this.isOver) this.forget();
  }

  private forget(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
