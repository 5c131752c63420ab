import { homeFolder } from '../windows/home';
import type { Serving, ServingWindow } from '../windows/servingWindow';

const USED = 'agentDebugger.mcp.used';

/** VS Code's memento for all windows, which is in memory. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

type Look = Pick<ServingWindow, 'start' | 'stop'>;

/**
 * What a window that takes no part knows of the one that serves. For who never had the server on, nothing is loaded,
 * read or watched: one mark says that they had, which reaches windows that were open before as well.
 */
export class OtherWindows {
  private serving: Promise<Look> | undefined;
  private isOutside = false;

  constructor(
    private readonly memory: Memory,
    private readonly onDidChange: (serving: Serving | undefined) => void,
    private readonly load: (
      told: (serving: Serving | undefined) => void,
    ) => Promise<Look> = loadServingWindow,
  ) {}

  /**
   * The window takes no part: from now on it is told which one serves. Again when the person comes to it: it may be
   * from before the first start, when there was nothing to watch, and not every file system tells of changes.
   */
  async look(): Promise<void> {
    this.isOutside = true;
    if (this.memory.get(USED) !== true) return;
    this.serving ??= this.load((serving) => {
      if (this.isOutside) this.onDidChange(serving);
    });
    const serving = await this.serving;
    if (this.isStillOutside()) await serving.start();
  }

  async focused(): Promise<void> {
    if (this.isOutside) await this.look();
  }

  /** The window takes part itself; `isUsed` when the server is on. */
  async leave({ isUsed }: { readonly isUsed: boolean }): Promise<void> {
    this.isOutside = false;
    if (isUsed && this.memory.get(USED) !== true) await this.memory.update(USED, true);
    const serving = await this.serving;
    if (!this.isStillOutside()) serving?.stop();
  }

  /** Asked after each wait. */
  private isStillOutside(): boolean {
    return this.isOutside;
  }
}

async function loadServingWindow(told: (serving: Serving | undefined) => void): Promise<Look> {
  // Not within the activation, which does nothing but register.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const { ServingWindow } = await import(
    /* webpackChunkName: "windows" */ '../windows/servingWindow.js'
  );
  return new ServingWindow(homeFolder(), told);
}
