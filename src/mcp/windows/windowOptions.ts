import type { McpOptions } from '../server/mcpOptions';
import type { KeptKey } from './keyFile';
import type { Sighting } from './keyExposure';
import type { WindowEntry } from './registry';

interface Key {
  /** Set if another program may know the key, and the person has neither renewed it nor decided to keep it. */
  readonly keySeen?: Sighting;
}

/** A window's state in the server, as its status bar shows it. */
export type State =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | ({ readonly kind: 'on'; readonly port: number; readonly clients: number } & Key)
  /** Clients reach this window through another one, which has the port. `isSilent`: that window does not respond. */
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
  /** The folder that the windows share. See `home.ts`. */
  readonly home: string;
  readonly port: () => number;
  readonly key: KeptKey;
  readonly describe: () => Pick<WindowEntry, 'folders' | 'name' | 'editor'>;
  /** The path of this version's stdio bridge. */
  readonly bridge: string | undefined;
  readonly onDidChange: (state: State) => void;
  readonly reloadLimitMs?: number;
  readonly answerLimitMs?: number;
  /** For tests: the addresses to listen on. */
  readonly loopback?: readonly string[];
}

/** Returns the state with the information whether another program may know the key. */
export function withSighting(state: State, keySeen: Sighting | undefined): State {
  if (state.kind === 'off' || state.kind === 'starting') return state;
  const { keySeen: _before, ...rest } = state;
  return keySeen === undefined ? rest : { ...rest, keySeen };
}
