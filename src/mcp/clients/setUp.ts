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
  /** The files that the client reads, preferred file first. */
  readonly files: readonly string[];
}

/** A change of a file that the person has not confirmed yet. */
export interface PlannedEdit {
  /** The client whose settings are changed. Undefined for other files. */
  readonly place?: SettingsLocation;
  readonly before: Snapshot;
  readonly after: string;
  readonly isSecret: boolean;
  /** Texts that must not be shown: the new key and the previous one. */
  readonly secrets: readonly string[];
  /** Set if the change undoes an earlier one, to the byte. */
  readonly undo?: Undo;
  /** Whether the change creates the object with the servers. */
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

/** The ways in which clients reach the server: by its address, or with a program. */
export interface Reach {
  readonly url: string;
  readonly key: string;
  readonly program: (folder?: string) => StdioAccess;
}

/**
 * Whether a key may be written to the settings. A key is never written to a project's file, because the file may be
 * committed.
 */
export function canHoldKey({ client, level }: SettingsLocation): boolean {
  return level === 'user' && client.http !== undefined;
}

/**
 * The way in which a client should reach the server. The default is a program, so that no key is written to a file or
 * sent to a port. The address with the key is used only if the person chooses it.
 */
export function accessFor(
  place: SettingsLocation,
  { url, key, program }: Reach,
  way: Access['kind'] = 'stdio',
): Access {
  return way === 'http' && canHoldKey(place) ? { kind: 'http', url, key } : program(place.folder);
}

/** The state of a client's settings at one level, for either way of reaching the server. */
export interface SettingsStatus {
  readonly place: SettingsLocation;
  readonly state: EntryState;
  /** The way in which our entry reaches the server. Undefined if there is no entry. */
  readonly way: Access['kind'] | undefined;
  /** The differences if the state is `other`. */
  readonly differences: readonly EntryDifference[];
}

export async function settingsStatusOf(
  place: SettingsLocation,
  reach: Reach,
): Promise<SettingsStatus> {
  const ways: Access['kind'][] = canHoldKey(place) ? ['stdio', 'http'] : ['stdio'];
  for (const way of ways) {
    const access = accessFor(place, reach, way);
    const state = await entryStateOf(place, access);
    if (state === 'none' || state === 'unusable')
      return { place, state, way: undefined, differences: [] };
    if (state === 'current') return { place, state, way, differences: [] };
    const differences = await differencesOf(place, access);
    if (way === ways.at(-1) || !differences.includes('way'))
      return { place, state, way, differences };
  }
  return { place, state: 'none', way: undefined, differences: [] };
}

/** Plans to set our entry. Undefined if it is current. @throws UnusableSettings */
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
        l10n.t('“{0}” cannot be set there. Change it by hand.', SERVER_NAME),
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
 * Plans to remove our entry. Undefined if there is none. If the file has not been changed since the set-up, its
 * previous content is restored to the byte. Otherwise only our entry is removed.
 * @throws UnusableSettings
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
    // If the earlier text contains an older entry of ours, it is not restored.
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

/**
 * The differences between our entry and the one that would be written now. `way`: a program instead of an address or
 * the reverse, or any difference that no other value describes.
 */
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

/** The file to change: the file with our entry, otherwise an existing file, otherwise the first one. */
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

/** Whether an entry reaches the server in this way. Properties that the person added are ignored. */
function isCurrent(old: unknown, entry: ClientEntry): boolean {
  if (typeof old !== 'object' || old === null) return false;
  const reaching = Object.fromEntries(Object.entries(old).filter(([name]) => REACHING.has(name)));
  return isDeepStrictEqual(plain(reaching), plain(entry));
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** A copy without prototypes, because parsers set different ones. */
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

/** The keys in an entry: the texts after `Bearer `. */
function bearersOf(entry: unknown): readonly string[] {
  if (entry === undefined) return [];
  return [...stringify(entry).matchAll(/Bearer ([^"\\\s]+)/g)].flatMap(([, key]) => key ?? []);
}
