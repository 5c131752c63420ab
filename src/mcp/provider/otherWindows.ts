import * as vscode from 'vscode';
import { homeFolder } from '../windows/home';
import type { ServingWindow } from '../windows/servingWindow';

const USED = 'agentDebugger.mcp.used';

export interface Serving {
  readonly port: number;
  readonly holder: string;
}

/**
 * What a window that takes no part knows of the one that serves. For who never had the server on, nothing is loaded,
 * read or watched: VS Code keeps one mark, which it has in memory, and hands to windows that were open before as well.
 */
export class OtherWindows {
  private serving: Promise<ServingWindow> | undefined;
  private isLooking = false;
  /** Whether the window takes no part. */
  private isOutside = false;
  private readonly focus: vscode.Disposable;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly onDidChange: (serving: Serving | undefined) => void,
  ) {
    // A window from before the first start has heard of nothing to watch; and not every file system tells of changes.
    this.focus = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && this.isOutside) this.look();
    });
  }

  /** The window takes no part: from now on it is told which one serves. */
  look(): void {
    this.isOutside = true;
    if (this.memory.get<boolean>(USED) !== true) return;
    this.isLooking = true;
    this.serving ??= this.load();
    void this.serving.then(async (serving) => (this.isLooking ? await serving.start() : undefined)).catch(() => undefined);
  }

  /** The window takes part itself; `isUsed` when the server is on. */
  leave({ isUsed }: { readonly isUsed: boolean }): void {
    this.isOutside = false;
    this.isLooking = false;
    void this.serving?.then((serving) => serving.stop());
    if (isUsed && this.memory.get<boolean>(USED) !== true) void this.memory.update(USED, true);
  }

  dispose(): void {
    this.focus.dispose();
    this.leave({ isUsed: false });
  }

  private async load(): Promise<ServingWindow> {
    // Not within the activation, which does nothing but register.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const { ServingWindow } = await import(/* webpackChunkName: "windows" */ '../windows/servingWindow.js');
    return new ServingWindow(homeFolder(), (window) => {
      if (this.isLooking) this.onDidChange(window?.serves === undefined ? undefined : { port: window.serves, holder: window.name || window.editor });
    });
  }
}
