import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import {
  entryFor,
  REACHING,
  SERVER_NAME,
  type Access,
  type Client,
  type Entry,
  type Level,
  type Machine,
  type StdioAccess,
} from './client';
import { edited, readSettings, undone, type Snapshot, type Undo } from './configurationFile';
import { UnusableSettings, type EntryFormat, type EntryPlace } from './entryFormat';
import type { Installed } from './installed';
import { jsonFormat } from './jsonEntry';
import { tomlFormat } from './tomlEntry';

/** A client's settings at one level. */
export interface Place {
  readonly client: Client;
  readonly level: Level;
  /** The workspace folder, at the workspace level. */
  readonly folder?: string;
  /** Where the client looks, best first. */
  readonly files: readonly string[];
}

/** A change that waits for the person's word. */
export interface PlannedChange {
  readonly place: Place;
  readonly before: Snapshot;
  readonly after: string;
  readonly isSecret: boolean;
  /** What must not show on a screen: the key that is written, and the one that was. */
  readonly secrets: readonly string[];
  /** Where the change takes back another, to the byte. */
  readonly undo?: Undo;
  /** The object that holds servers is not there yet. */
  readonly madeContainer?: boolean;
}

/** `current`: as it would be written now; `other`: with another address, key or program. */
export type Standing = 'none' | 'current' | 'other' | 'unusable';

export function placesOf(
  client: Client,
  machine: Machine,
  folders: readonly string[],
): readonly Place[] {
  const user: Place[] =
    client.userFiles === undefined
      ? []
      : [{ client, level: 'user', files: client.userFiles(machine) }];
  const relative = client.workspaceFiles;
  return [
    ...user,
    ...(relative === undefined
      ? []
      : folders.map((folder): Place => ({
          client,
          level: 'workspace',
          folder,
          files: relative.map((file) => path.join(folder, file)),
        }))),
  ];
}

/** What the server is reached by. */
export interface Reach {
  readonly url: string;
  readonly key: string;
  readonly program: (folder?: string) => StdioAccess;
}

/** A file in a project may be committed: no key is ever written there. */
export function canHoldKey({ client, level }: Place): boolean {
  return level === 'user' && client.http !== undefined;
}

/**
 * A program that reads the key itself, so that none is in a file or sent to a port; an address with the key where the
 * person wants that.
 */
export function accessFor(
  place: Place,
  { url, key, program }: Reach,
  way: Access['kind'] = 'stdio',
): Access {
  return way === 'http' && canHoldKey(place) ? { kind: 'http', url, key } : program(place.folder);
}

/** What is known of a place, whichever way it is set up. */
export interface Known {
  readonly place: Place;
  readonly standing: Standing;
  /** How our entry reaches the server; undefined where there is none. */
  readonly way: Access['kind'] | undefined;
  /** Of one that is `other`. */
  readonly differences: readonly Difference[];
}

export async function knownOf(place: Place, reach: Reach): Promise<Known> {
  const ways: Access['kind'][] = canHoldKey(place) ? ['stdio', 'http'] : ['stdio'];
  for (const way of ways) {
    const access = accessFor(place, reach, way);
    const standing = await standingOf(place, access);
    if (standing === 'none' || standing === 'unusable')
      return { place, standing, way: undefined, differences: [] };
    if (standing === 'current') return { place, standing, way, differences: [] };
    const differences = await differencesOf(place, access);
    if (way === ways.at(-1) || !differences.includes('way'))
      return { place, standing, way, differences };
  }
  return { place, standing: 'none', way: undefined, differences: [] };
}

/** Undefined when the file says it already. @throws UnusableSettings */
export async function planSetUp(place: Place, access: Access): Promise<PlannedChange | undefined> {
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
 * Undefined when our entry is not there. Where nobody has written since we did, the file becomes what it was to the
 * byte; else our entry alone goes. @throws UnusableSettings
 */
export async function planRemoval(
  place: Place,
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
    // What was there before us may have been an older entry of ours.
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

export async function standingOf(place: Place, access: Access): Promise<Standing> {
  try {
    const format = await formatOf(place.client);
    const old = read(format, (await chosen(place, format)).text, place.client);
    return old === undefined
      ? 'none'
      : isCurrent(old, entryFor(place.client, access))
        ? 'current'
        : 'other';
  } catch {
    return 'unusable';
  }
}

export type Difference = 'key' | 'address' | 'program' | 'way';

/** In what an entry of ours is another than would be written now; `way`: none of the three, or a program in place of an address. */
export async function differencesOf(place: Place, access: Access): Promise<readonly Difference[]> {
  const format = await formatOf(place.client);
  const [old, now] = [
    read(format, (await chosen(place, format)).text, place.client),
    entryFor(place.client, access),
  ];
  const [reached, reaching] = [waysOf(old), waysOf(now)];
  if (reached.isProgram !== reaching.isProgram) return ['way'];
  const found: Difference[] = [];
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

/** Ready to paste. */
export async function pasteText(client: Client, access: Access): Promise<string> {
  return (await formatOf(client)).set('', entryPlace(client), entryFor(client, access));
}

/** The file that is meant: the one with our entry, else one that is there, else the first. */
async function chosen({ client, folder, files }: Place, format: EntryFormat): Promise<Snapshot> {
  const snapshots = await Promise.all(files.map(async (file) => await readSettings(file, folder)));
  const isOurs = (each: Snapshot): boolean => {
    try {
      return read(format, each.text, client) !== undefined;
    } catch {
      return false;
    }
  };
  const snapshot =
    snapshots.find(isOurs) ?? snapshots.find((each) => each.bytes !== undefined) ?? snapshots[0];
  if (snapshot === undefined) throw new Error(`${client.id} has no file.`);
  return snapshot;
}

async function formatOf({ format }: Client): Promise<EntryFormat> {
  return format === 'toml' ? await tomlFormat() : jsonFormat;
}

const entryPlace = ({ container, newFile }: Client): EntryPlace => ({
  container,
  name: SERVER_NAME,
  ...(newFile === undefined ? {} : { newFile }),
});

function read(format: EntryFormat, text: string, client: Client): unknown {
  return format.read(withoutMark(text), entryPlace(client));
}

/** Whether it reaches the server just so; what the person added to it does not count. */
function isCurrent(old: unknown, entry: Entry): boolean {
  if (typeof old !== 'object' || old === null) return false;
  const reaching = Object.fromEntries(Object.entries(old).filter(([name]) => REACHING.has(name)));
  return isDeepStrictEqual(plain(reaching), plain(entry));
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Without prototypes, which parsers set differently. */
const plain = (value: unknown): unknown => JSON.parse(stringify(value)) as unknown;
const stringify = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

function assertOnlyOurs(format: EntryFormat, client: Client, before: string, after: string): void {
  const [was, is] = [before, after].map((text) =>
    format.others(withoutMark(text), entryPlace(client)),
  );
  if (!isDeepStrictEqual(was, is) && !isDeepStrictEqual({ ...client.newFile, ...was }, is))
    throw new Error(
      `The change of ${client.name}'s settings would have touched more than our entry.`,
    );
}

/** Keys that stand in an entry as `Bearer …`. */
function bearersOf(entry: unknown): readonly string[] {
  return entry === undefined
    ? []
    : [...stringify(entry).matchAll(/Bearer ([^"\\\s]+)/g)].flatMap((match) =>
        match[1] === undefined ? [] : [match[1]],
      );
}
