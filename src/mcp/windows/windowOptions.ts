import type { McpOptions } from '../mcpOptions';
import type { KeptKey } from './keyFile';
import type { WindowEntry } from './registry';

/** What a window's part in the server is now, as its status bar shows it. */
export type State =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'on'; readonly port: number; readonly clients: number }
  /** Clients reach this window through another, which has the port; `isSilent` while that one does not answer. */
  | { readonly kind: 'elsewhere'; readonly port: number; readonly clients: number; readonly holder: string; readonly isSilent?: true }
  | { readonly kind: 'failed'; readonly error: unknown; readonly isPortTaken: boolean };

export interface WindowOptions {
  readonly mcp: McpOptions;
  /** The folder that windows share; see `home.ts`. */
  readonly home: string;
  readonly port: () => number;
  readonly key: KeptKey;
  readonly describe: () => Pick<WindowEntry, 'folders' | 'name' | 'editor'>;
  /** The stdio bridge that comes with this version. */
  readonly bridge: string | undefined;
  readonly onDidChange: (state: State) => void;
  readonly reloadLimitMs?: number;
  readonly answerLimitMs?: number;
  /** For tests: where it listens. */
  readonly loopback?: readonly string[];
}
