import type { MessageChannel } from './messageChannel';
import type { WindowEntry } from './registry';
import { chooseWindow, type Wish } from './routing';
import { closed, noneFor, several, type NoWindow } from './selectWindow';

/** The windows that are available to a client's session. */
export interface Windows {
  readonly ownId: string;
  list(): Promise<readonly WindowEntry[]>;
  /** Waits a few seconds for a lost window. */
  comesBack(lost: WindowEntry): Promise<WindowEntry | undefined>;
  /** Creates a channel for the client's session in another window. */
  channelTo(window: WindowEntry): MessageChannel;
  onDidChange(listener: () => void): { dispose(): unknown };
}

export interface ChooserOptions {
  readonly windows: Windows;
  readonly wish: Wish;
  /** Whether the window that opened this session has already chosen this window. */
  readonly isHere?: boolean;
  /**
   * Set if the session is from an earlier server, here or in a closed window, so that the client's capabilities are
   * unknown.
   */
  readonly resumed?: 'here' | 'elsewhere' | undefined;
}

interface LostWindow {
  readonly window: WindowEntry;
  /** Whether an open call has reported the loss to the client. */
  readonly isReported: boolean;
}

/** Chooses the window that a client's calls are for, at the first call and again after a window was lost. */
export class WindowChooser {
  private lost: LostWindow | undefined;
  /** Whether the client's first window has closed and this was not reported to the client. */
  private isMoved: boolean;

  constructor(private readonly options: ChooserOptions) {
    this.isMoved = options.resumed === 'elsewhere';
  }

  windowLost(lost: LostWindow): void {
    this.lost = lost;
  }

  /** Called when the client has chosen another window itself. */
  forgetLost(): void {
    this.lost = undefined;
  }

  /** @param askRoots asks the client for its roots. It is called only if they are needed */
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
