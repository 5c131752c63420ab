import { homeFolder } from '../windows/home';
import type { Serving, ServingWindow } from '../windows/servingWindow';

const USED = 'agentDebugger.mcp.used';

/** VS Code's memento for all windows, which is in memory. */
export interface WindowStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Finds the window that serves. */
type Finder = Pick<ServingWindow, 'start' | 'stop'>;

/**
 * What a window that takes no part knows about the window that serves. For a person who never had the server on, nothing
 * is loaded, read or watched: a mark records that they had, and reaches windows that were open before as well.
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
   * The window takes no part: finds the window that serves, and follows changes. Called again when the window gets the
   * focus: there may have been nothing to watch before, and not every file system reports changes.
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

  /** The window takes part itself; `isUsed` when the server is on. */
  async leave({ isUsed }: { readonly isUsed: boolean }): Promise<void> {
    this.isOutside = false;
    if (isUsed && this.memory.get(USED) !== true) await this.memory.update(USED, true);
    const serving = await this.serving;
    if (!this.isStillOutside()) serving?.stop();
  }

  /** A method, because the value may change during a wait. */
  private isStillOutside(): boolean {
    return this.isOutside;
  }
}

async function loadServingWindow(report: (serving: Serving | undefined) => void): Promise<Finder> {
  // Not during the activation, which only registers.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const { ServingWindow } = await import(
    /* webpackChunkName: "windows" */ '../windows/servingWindow.js'
  );
  return new ServingWindow(homeFolder(), report);
}
