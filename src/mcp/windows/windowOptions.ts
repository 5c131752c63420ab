import type { McpOptions } from '../server/mcpOptions';
import type { KeptKey } from './keyFile';
import type { Sighting } from './keyExposure';
import type { WindowEntry } from './registry';

interface Key {
  /** Another program may know the key, and the person has neither renewed it nor decided to keep it. */
  readonly keySeen?: Sighting;
}

/** A window's part in the server, as its status bar shows it. */
export type State =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | ({ readonly kind: 'on'; readonly port: number; readonly clients: number } & Key)
  /** Clients reach this window through another one, which has the port; `isSilent` while that one does not answer. */
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
  /** For tests: the addresses to listen on. */
  readonly loopback?: readonly string[];
}

/** Adds to a state whether another program may know the key. */
export function withSighting(state: State, keySeen: Sighting | undefined): State {
  if (state.kind === 'off' || state.kind === 'starting') return state;
  const { keySeen: _before, ...rest } = state;
  return keySeen === undefined ? rest : { ...rest, keySeen };
}
