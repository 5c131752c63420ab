import type { Page } from 'playwright-core';

export interface ChatOptions {
  /** The workspace. */
  readonly folder: string;
  /** The VSIX to install. */
  readonly extension: string;
  /** The address of the model: `http://127.0.0.1:<port>`. */
  readonly model: string;
  /** A language other than English: a locale, and translations of VS Code's own texts by their English text. */
  readonly language?:
    | { readonly locale: string; readonly translations: Readonly<Record<string, string>> }
    | undefined;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether the agent runs in the extension host or in Copilot's Agent Host. Default: `local`. */
  readonly harness?: 'local' | 'copilot';
  /** The size of the window in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

export interface ChatHost {
  readonly page: Page;
  /** Ends the browser and the server, and removes their files. The end of this process does the same. */
  close(): Promise<void>;
}

export function openChat(options: ChatOptions): Promise<ChatHost>;
