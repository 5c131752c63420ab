import type { Page } from 'playwright-core';

export interface ChatOptions {
  /** The workspace. */
  readonly folder: string;
  /** The VSIX to install. */
  readonly extension: string;
  /** Where the model answers: `http://127.0.0.1:<port>`. */
  readonly model: string;
  /** Another language than English: a locale, and VS Code's own words in it, by their English text. */
  readonly language?:
    { readonly locale: string; readonly words: Readonly<Record<string, string>> } | undefined;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where the agent runs: in the extension host, or in Copilot's Agent Host. Default: `local`. */
  readonly harness?: 'local' | 'copilot';
  /** The window's, in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

export interface ChatHost {
  readonly page: Page;
  /** Ends the browser, the server and all that they started, and removes their files; so does the end of this process. */
  close(): Promise<void>;
}

export function openChat(options: ChatOptions): Promise<ChatHost>;
