/** A client's entry, in the client's own format. */
export type EntryValue =
  string | boolean | number | readonly EntryValue[] | { readonly [name: string]: EntryValue };
export type ClientEntry = Readonly<Record<string, EntryValue>>;

/** The server's address and key. The key is written into the entry. */
export interface HttpAccess {
  readonly kind: 'http';
  readonly url: string;
  readonly key: string;
}

/** A program that the client starts. It needs no key, so none is written. */
export interface StdioAccess {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type Access = HttpAccess | StdioAccess;

/** The level of a settings file: the person's file for all projects, or the file of one project. */
export type Level = 'user' | 'workspace';

/** The machine that has the files and runs the extension host. In a remote window, it is not the person's machine. */
export interface ClientMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that contains the storage folders of all extensions. */
  readonly extensionsStorage: string;
  /** The names in a folder. Empty if the folder does not exist. */
  readonly names: (folder: string) => readonly string[];
}

export interface Client {
  readonly id: string;
  /** The client's own name, the same in every language. */
  readonly name: string;
  readonly format: 'json' | 'toml';
  /** The name of the object with one entry per server. */
  readonly container: string;
  /** The name of our entry, if the person has renamed it. */
  readonly entryName?: string;
  /** Further content of a new file. */
  readonly newFile?: ClientEntry;
  /** The files at the user level. An existing file is preferred to the first. */
  readonly userFiles?: (machine: ClientMachine) => readonly string[];
  /** The files at the workspace level, relative to the workspace folder. */
  readonly workspaceFiles?: readonly string[];
  /** Creates an entry for HTTP. Undefined if the client's file supports only stdio. */
  readonly http?: (url: string, headers: Readonly<Record<string, string>>) => ClientEntry;
  readonly stdio: (program: StdioAccess) => ClientEntry;
}

/** The server's name in every client. Gemini CLI's policies misread names with underscores. */
export const SERVER_NAME = 'agent-debugger';

export function entryFor(client: Client, access: Access): ClientEntry {
  if (access.kind === 'stdio') return client.stdio(access);
  if (client.http === undefined) throw new Error(`${client.name} speaks stdio only.`);
  return client.http(access.url, { Authorization: `Bearer ${access.key}` });
}

/**
 * The properties by which clients reach a server. Only these are set and removed in an existing entry. Other properties
 * that the person has added (`disabled`, `autoApprove`, a timeout) are kept.
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
