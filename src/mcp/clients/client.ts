/** What a client's entry says, in the client's own words. */
export type EntryValue =
  string | boolean | number | readonly EntryValue[] | { readonly [name: string]: EntryValue };
export type Entry = Readonly<Record<string, EntryValue>>;

/** The server itself; the key is in what is written. */
export interface HttpAccess {
  readonly kind: 'http';
  readonly url: string;
  readonly key: string;
}

/** A program that the client starts; it reads the key itself, so none is in what is written. */
export interface StdioAccess {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type Access = HttpAccess | StdioAccess;

/** Whom a file is for: the person, in all their projects, or one project. */
export type Level = 'user' | 'workspace';

/** The machine that the files are on: the extension host's, which a remote window has elsewhere than its screen. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the editor gives each extension a folder of its own. */
  readonly extensionsStorage: string;
  /** Names in a folder; none where there is no such folder. */
  readonly names: (folder: string) => readonly string[];
}

export interface Client {
  readonly id: string;
  /** The client's own name, the same in every language. */
  readonly name: string;
  readonly format: 'json' | 'toml';
  /** The way to the object that holds one entry for each server. */
  readonly container: string;
  /** What a new file holds besides. */
  readonly newFile?: Entry;
  /** Where the client looks at the user level; what is there already is preferred, then the first. */
  readonly userFiles?: (machine: Machine) => readonly string[];
  /** The same in a workspace folder, as paths relative to it. */
  readonly workspaceFiles?: readonly string[];
  /** Undefined for a client that speaks only stdio through its file. */
  readonly http?: (url: string, headers: Readonly<Record<string, string>>) => Entry;
  readonly stdio: (program: StdioAccess) => Entry;
}

/** Under which the server stands in every client. Gemini CLI's policies misread names with underscores. */
export const SERVER_NAME = 'agent-debugger';

export function entryFor(client: Client, access: Access): Entry {
  if (access.kind === 'stdio') return client.stdio(access);
  if (client.http === undefined) throw new Error(`${client.name} speaks stdio only.`);
  return client.http(access.url, { Authorization: `Bearer ${access.key}` });
}

/**
 * How a server is reached, in every client's words. In an entry that is there already these are ours to set and to
 * take away; what else the person has put into it (`disabled`, `autoApprove`, a time-out) stays.
 */
export const REACHING: ReadonlySet<string> = new Set([
  'type',
  'transport',
  'url',
  'httpUrl',
  'serverUrl',
  'headers',
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
  'requestOptions',
  'command',
  'args',
  'env',
  'environment',
  'cwd',
]);
