import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { defined } from '../../util/defined';
import {
  entryFor,
  REACHING,
  SERVER_NAME,
  type Access,
  type Client,
  type ClientEntry,
  type Level,
  type ClientMachine,
  type StdioAccess,
} from './client';
import { edited, readSettings, undone, type Snapshot, type Undo } from './configurationFile';
import { UnusableSettings, type EntryFormat, type EntryPlace } from './entryFormat';
import type { Installed } from './installed';
import { jsonFormat } from './jsonEntry';
import { tomlFormat } from './tomlEntry';

/** A client's settings at one level. */
export interface SettingsLocation {
  readonly client: Client;
  readonly level: Level;
  /** The workspace folder, at the workspace level. */
  readonly folder?: string;
  /** The files that the client reads, the preferred one first. */
  readonly files: readonly string[];
}

/** A change of a file that the person has not confirmed yet. */
export interface PlannedEdit {
  /** The client whose settings are changed; undefined for other files. */
  readonly place?: SettingsLocation;
  readonly before: Snapshot;
  readonly after: string;
  readonly isSecret: boolean;
  /** Texts that must not be shown: the new key, and the one before. */
  readonly secrets: readonly string[];
  /** The change undoes an earlier one, to the byte. */
  readonly undo?: Undo;
  /** The change creates the object that holds servers. */
  readonly madeContainer?: boolean;
}

/** A change of a client's settings. */
export interface PlannedChange extends PlannedEdit {
  readonly place: SettingsLocation;
}

/** The state of our entry. `current`: as it would be written now; `other`: with another address, key or program. */
export type EntryState = 'none' | 'current' | 'other' | 'unusable';

export function placesOf(
  client: Client,
  machine: ClientMachine,
  folders: readonly string[],
): readonly SettingsLocation[] {
  const places: SettingsLocation[] = [];
  if (client.userFiles !== undefined)
    places.push({ client, level: 'user', files: client.userFiles(machine) });
  const { workspaceFiles } = client;
  if (workspaceFiles === undefined) return places;
  for (const folder of folders) {
    const files = workspaceFiles.map((file) => path.join(folder, file));
    places.push({ client, level: 'workspace', folder, files });
  }
  return places;
}

/** How clients reach the server: by its address, or by a program. */
export interface Reach {
  readonly url: string;
  readonly key: string;
  readonly program: (folder?: string) => StdioAccess;
}

/** Whether a key may be written there. Never into a project's file, which may be committed. */
export function canHoldKey({ client, level }: SettingsLocation): boolean {
  return level === 'user' && client.http !== undefined;
}

/**
 * How a client is to reach the server: by a program, so that no key is in a file or sent to a port; by the address with
 * the key only if the person wants that.
 */
export function accessFor(
  place: SettingsLocation,
  { url, key, program }: Reach,
  way: Access['kind'] = 'stdio',
): Access {
  return way === 'http' && canHoldKey(place) ? { kind: 'http', url, key } : program(place.folder);
}

/** What is known of a client's settings at one level, whichever way they reach the server. */
export interface KnownSettings {
  readonly place: SettingsLocation;
  readonly state: EntryState;
  /** How our entry reaches the server; undefined when there is none. */
  readonly way: Access['kind'] | undefined;
  /** How an entry that is `other` differs. */
  readonly differences: readonly EntryDifference[];
}

export async function knownOf(place: SettingsLocation, reach: Reach): Promise<KnownSettings> {
  const ways: Access['kind'][] = canHoldKey(place) ? ['stdio', 'http'] : ['stdio'];
  for (const way of ways) {
    const access = accessFor(place, reach, way);
    const standing = await entryStateOf(place, access);
    if (standing === 'none' || standing === 'unusable')
      return { place, state: standing, way: undefined, differences: [] };
    if (standing === 'current') return { place, state: standing, way, differences: [] };
    const differences = await differencesOf(place, access);
    if (way === ways.at(-1) || !differences.includes('way'))
      return { place, state: standing, way, differences };
  }
  return { place, state: 'none', way: undefined, differences: [] };
}

/** Plans to set our entry; undefined when it is current. @throws UnusableSettings */
export async function planSetUp(
  place: SettingsLocation,
  access: Access,
): Promise<PlannedChange | undefined> {
  const format = await formatOf(place.client);
  const before = await chosen(place, format);
  const entry = entryFor(place.client, access);
  return aboutFile(before.file, () => {
    const old = read(format, before.text, place.client);
    if (isCurrent(old, entry)) return undefined;
    const after = edited(before.text, (text) => format.set(text, entryPlace(place.client), entry));
    if (!isCurrent(read(format, after, place.client), entry))
      throw new UnusableSettings(
        l10n.t('“{0}” cannot be set there: change it by hand.', SERVER_NAME),
      );
    assertOnlyOurs(format, place.client, before.text, after);
    const madeContainer = !format.hasContainer(withoutMark(before.text), entryPlace(place.client));
    return {
      place,
      before,
      after,
      madeContainer,
      isSecret: access.kind === 'http',
      secrets: [...(access.kind === 'http' ? [access.key] : []), ...bearersOf(old)],
    };
  });
}

/**
 * Plans to remove our entry; undefined when there is none. If nobody has written the file since, it becomes what it was
 * before, to the byte; else only our entry is removed. @throws UnusableSettings
 */
export async function planRemoval(
  place: SettingsLocation,
  installed: Installed,
): Promise<PlannedChange | undefined> {
  const format = await formatOf(place.client);
  const before = await chosen(place, format);
  const undo = await installed.find(before.file);
  const exact = undo === undefined ? undefined : await undone(undo);
  return aboutFile(before.file, () => {
    const old = read(format, before.text, place.client);
    if (old === undefined) return undefined;
    const change = { place, before, isSecret: false, secrets: bearersOf(old) };
    // The earlier text may hold an older entry of ours: then it is not restored.
    if (
      undo !== undefined &&
      exact !== undefined &&
      read(format, exact.after, place.client) === undefined
    )
      return { ...change, after: exact.after, undo };
    const after = edited(
      before.text,
      (text) =>
        format.remove(text, entryPlace(place.client), {
          withContainer: undo?.madeContainer === true,
        }) ?? text,
    );
    assertOnlyOurs(format, place.client, before.text, after);
    return { ...change, after };
  });
}

function aboutFile<T>(file: string, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (error instanceof UnusableSettings) error.file = file;
    throw error;
  }
}

export async function entryStateOf(place: SettingsLocation, access: Access): Promise<EntryState> {
  try {
    const format = await formatOf(place.client);
    const old = read(format, (await chosen(place, format)).text, place.client);
    if (old === undefined) return 'none';
    return isCurrent(old, entryFor(place.client, access)) ? 'current' : 'other';
  } catch {
    return 'unusable';
  }
}

export type EntryDifference = 'key' | 'address' | 'program' | 'way';

/** How our entry differs from one that would be written now. `way`: a program in place of an address or the reverse, or none of the others. */
export async function differencesOf(
  place: SettingsLocation,
  access: Access,
): Promise<readonly EntryDifference[]> {
  const format = await formatOf(place.client);
  const [old, now] = [
    read(format, (await chosen(place, format)).text, place.client),
    entryFor(place.client, access),
  ];
  const [reached, reaching] = [waysOf(old), waysOf(now)];
  if (reached.isProgram !== reaching.isProgram) return ['way'];
  const found: EntryDifference[] = [];
  if (!isDeepStrictEqual(bearersOf(old), bearersOf(now))) found.push('key');
  if (!isDeepStrictEqual(reached.address, reaching.address)) found.push('address');
  if (!isDeepStrictEqual(reached.program, reaching.program)) found.push('program');
  return found.length === 0 ? ['way'] : found;
}

const ADDRESS: readonly string[] = ['url', 'httpUrl', 'serverUrl'];
const PROGRAM: readonly string[] = ['command', 'args', 'env', 'environment', 'cwd'];

function waysOf(entry: unknown): {
  readonly isProgram: boolean;
  readonly address: unknown;
  readonly program: unknown;
} {
  const properties = Object.entries(typeof entry === 'object' && entry !== null ? entry : {});
  const [address, program] = [ADDRESS, PROGRAM].map((names) =>
    plain(properties.filter(([name]) => names.includes(name)).sort()),
  );
  return { isProgram: properties.some(([name]) => name === 'command'), address, program };
}

/** The configuration of a client, ready to paste. */
export async function pasteText(client: Client, access: Access): Promise<string> {
  return (await formatOf(client)).set('', entryPlace(client), entryFor(client, access));
}

/** The file to change: the one with our entry, else one that exists, else the first. */
async function chosen(
  { client, folder, files }: SettingsLocation,
  format: EntryFormat,
): Promise<Snapshot> {
  const snapshots = await Promise.all(files.map(async (file) => await readSettings(file, folder)));
  const isOurs = (snapshot: Snapshot): boolean => {
    try {
      return read(format, snapshot.text, client) !== undefined;
    } catch {
      return false;
    }
  };
  const snapshot =
    snapshots.find(isOurs) ??
    snapshots.find((snapshot) => snapshot.bytes !== undefined) ??
    snapshots[0];
  if (snapshot === undefined) throw new Error(`${client.id} has no file.`);
  return snapshot;
}

async function formatOf({ format }: Client): Promise<EntryFormat> {
  return format === 'toml' ? await tomlFormat() : jsonFormat;
}

const entryPlace = ({ container, newFile, entryName }: Client): EntryPlace => ({
  container,
  name: entryName ?? SERVER_NAME,
  ...defined({ newFile }),
});

function read(format: EntryFormat, text: string, client: Client): unknown {
  return format.read(withoutMark(text), entryPlace(client));
}

/** Whether an entry reaches the server in this way; what the person added to it does not count. */
function isCurrent(old: unknown, entry: ClientEntry): boolean {
  if (typeof old !== 'object' || old === null) return false;
  const reaching = Object.fromEntries(Object.entries(old).filter(([name]) => REACHING.has(name)));
  return isDeepStrictEqual(plain(reaching), plain(entry));
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Without prototypes: parsers set different ones. */
const plain = (value: unknown): unknown => JSON.parse(stringify(value)) as unknown;
const stringify = (value: unknown): string =>
  JSON.stringify(value, (_name, item: unknown) => (typeof item === 'bigint' ? String(item) : item));

function assertOnlyOurs(format: EntryFormat, client: Client, before: string, after: string): void {
  const [was, is] = [before, after].map((text) =>
    format.others(withoutMark(text), entryPlace(client)),
  );
  if (!isDeepStrictEqual(was, is) && !isDeepStrictEqual({ ...client.newFile, ...was }, is))
    throw new Error(
      `The change of ${client.name}'s settings would have touched more than our entry.`,
    );
}

/** The keys in an entry: what follows `Bearer `. */
function bearersOf(entry: unknown): readonly string[] {
  if (entry === undefined) return [];
  return [...stringify(entry).matchAll(/Bearer ([^"\\\s]+)/g)].flatMap(([, key]) => key ?? []);
}
