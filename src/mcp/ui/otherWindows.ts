import { homeFolder } from '../windows/home';
import type { Serving, ServingWindow } from '../windows/servingWindow';

const USED = 'agentDebugger.mcp.used';

/** VS Code's memento for all windows, which is kept in memory. */
export interface WindowStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Finds the window that has the server. */
type Finder = Pick<ServingWindow, 'start' | 'stop'>;

/**
 * Tracks which window has the server, for a window that does not take part. If the person has never switched the server
 * on, nothing is loaded, read or watched. A flag records that the server was on. Windows that were already open see the
 * flag as well.
 */
export class OtherWindows {
  private serving: Promise<Finder> | undefined;
  private isOutside = false;

  constructor(
    private readonly memory: WindowStore,
    private readonly onDidChange: (serving: Serving | undefined) => void,
    private readonly load: (
      report: (serving: Serving | undefined) => void,
    ) => Promise<Finder> = loadServingWindow,
  ) {}

  /**
   * Called when the window does not take part. Finds the window that has the server and follows changes. It is called
   * again when the window gets the focus, because earlier there may have been no folder to watch, and because not every
   * file system reports changes.
   */
  async observe(): Promise<void> {
    this.isOutside = true;
    if (this.memory.get(USED) !== true) return;
    this.serving ??= this.load((serving) => {
      if (this.isOutside) this.onDidChange(serving);
    });
    const serving = await this.serving;
    if (this.isStillOutside()) await serving.start();
  }

  async focused(): Promise<void> {
    if (this.isOutside) await this.observe();
  }

  /** Called when the window takes part itself. @param isUsed whether the server is on */
  async leave({ isUsed }: { readonly isUsed: boolean }): Promise<void> {
    this.isOutside = false;
    if (isUsed && this.memory.get(USED) !== true) await this.memory.update(USED, true);
    const serving = await this.serving;
    if (!this.isStillOutside()) serving?.stop();
  }

  /** This is a method, because the value may change during a wait. */
  private isStillOutside(): boolean {
    return this.isOutside;
  }
}

async function loadServingWindow(report: (serving: Serving | undefined) => void): Promise<Finder> {
  // The search does not run during activation, which only registers.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const { ServingWindow } = await import(
    /* webpackChunkName: "windows" */ '../windows/servingWindow.js'
  );
  return new ServingWindow(homeFolder(), report);
}
