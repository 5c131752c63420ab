import type { McpOptions } from '../server/mcpOptions';
import type { KeptKey } from './keyFile';
import type { Sighting } from './keyExposure';
import type { WindowEntry } from './registry';

/** `keySeen`: another program may know the key, and the person has neither renewed it nor said that they keep it. */
interface Key {
  readonly keySeen?: Sighting;
}

/** What a window's part in the server is now, as its status bar shows it. */
export type State =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | ({ readonly kind: 'on'; readonly port: number; readonly clients: number } & Key)
  /** Clients reach this window through another, which has the port; `isSilent` while that one does not answer. */
  | ({
      readonly kind: 'elsewhere';
      readonly port: number;
      readonly clients: number;
      readonly holder: string;
      readonly isSilent?: true;
    } & Key)
  | ({ readonly kind: 'failed'; readonly error: unknown; readonly isPortTaken: boolean } & Key);

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
