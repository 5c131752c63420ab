import type { MessageChannel } from './messageChannel';
import type { WindowEntry } from './registry';
import { chooseWindow, type Wish } from './routing';
import { closed, noneFor, several, type NoWindow } from './selectWindow';

/** The windows, as a client's session needs them. */
export interface Windows {
  readonly ownId: string;
  list(): Promise<readonly WindowEntry[]>;
  /** Waits a few seconds for a window that was lost. */
  comesBack(lost: WindowEntry): Promise<WindowEntry | undefined>;
  /** Opens the client's session in another window as well. */
  channelTo(window: WindowEntry): MessageChannel;
  onDidChange(listener: () => void): { dispose(): unknown };
}

export interface ChooserOptions {
  readonly windows: Windows;
  readonly wish: Wish;
  /** The window that opened this session has chosen this window already. */
  readonly isHere?: boolean;
  /** The session is an earlier server's, here or in a window that has closed: the client's capabilities are not known. */
  readonly resumed?: 'here' | 'elsewhere' | undefined;
}

interface LostWindow {
  readonly window: WindowEntry;
  /** Whether the client was told, because a call was open. */
  readonly isReported: boolean;
}

/** Chooses the window that a client's calls are for, at the first call and again after a window was lost. */
export class WindowChooser {
  private lost: LostWindow | undefined;
  /** The client's first window has closed, and the client was not told. */
  private isMoved: boolean;

  constructor(private readonly options: ChooserOptions) {
    this.isMoved = options.resumed === 'elsewhere';
  }

  windowLost(lost: LostWindow): void {
    this.lost = lost;
  }

  /** The client has chosen another window itself. */
  forgetLost(): void {
    this.lost = undefined;
  }

  /** @param askRoots asks the client for its roots; only where they matter */
  async choose(askRoots: () => Promise<readonly string[]>): Promise<WindowEntry | NoWindow> {
    const { lost } = this;
    this.lost = undefined;
    if (lost === undefined) return await this.chooseAnew(askRoots);
    const { windows } = this.options;
    const back = await windows.comesBack(lost.window);
    if (back !== undefined) return back;
    if (lost.isReported) return await this.chooseAnew(askRoots);
    return closed(lost.window.folders, await windows.list());
  }

  private async chooseAnew(
    askRoots: () => Promise<readonly string[]>,
  ): Promise<WindowEntry | NoWindow> {
    const { wish, isHere = false } = this.options;
    const windows = await this.options.windows.list();
    const own = windows.find((window) => window.id === this.options.windows.ownId);
    if (isHere && own !== undefined) return own;
    if (this.isMoved && wish.workspace === undefined) {
      this.isMoved = false;
      return closed(undefined, windows);
    }
    const needsRoots = windows.length > 1 && wish.workspace === undefined;
    const roots = needsRoots ? await askRoots() : [];
    const choice = chooseWindow(windows, { ...wish, roots });
    if (choice.kind === 'several') return several(choice.windows);
    if (choice.kind === 'none') return noneFor(choice.requested, windows);
    return choice.window;
  }
}
