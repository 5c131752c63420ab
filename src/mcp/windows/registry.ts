import { unlinkSync, watch, type FSWatcher } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isOwn, makePrivateFolder, writePrivate } from '../shared/privateFiles';
import { readRegularFile } from '../shared/regularFile';
import { isAlive, isGone } from './windowConnection';

/** How long a window that was lost is waited for: reloading it takes a few seconds, on a busy machine more. */
export const RELOAD_LIMIT_MS = 10_000;

/** How long a window may take to prove itself. Windows tells that nobody listens after two seconds. */
const PROOF_LIMIT_MS = 5000;

/** What a window says about itself to the other windows and to the stdio bridge. */
export interface WindowEntry {
  /** Eight hexadecimal digits, the same as long as the extension host lives. */
  readonly id: string;
  readonly pid: number;
  /** A home folder may be shared by several machines and containers; loopback is not. */
  readonly machine: string;
  /** Its own listener on loopback, of the windows and the bridge alone. */
  readonly port: number;
  /** IPv6's loopback, where IPv4 has none. Default: 127.0.0.1. */
  readonly host?: '::1';
  /** What windows and the bridge prove themselves with on that listener; never sent. */
  readonly secret: string;
  readonly folders: readonly string[];
  readonly name: string;
  readonly editor: string;
  readonly version: string;
  readonly startedAt: string;
  /** The clients' port, which it holds or is about to try for. */
  readonly serves?: number;
}

/** The windows of this person on this machine, as files that only they can read. */
export class WindowRegistry {
  readonly folder: string;

  constructor(
    home: string,
    private readonly machine = hostname(),
    /** How long a window may take to prove itself. */
    private readonly proofLimitMs = PROOF_LIMIT_MS,
  ) {
    this.folder = path.join(home, 'windows');
  }

  async prepare(): Promise<void> {
    await makePrivateFolder(path.dirname(this.folder));
    await makePrivateFolder(this.folder);
  }

  async write(entry: Omit<WindowEntry, 'machine'>): Promise<void> {
    await this.prepare();
    await writePrivate(this.fileOf(entry.id), JSON.stringify({ ...entry, machine: this.machine }));
  }

  async remove(id: string): Promise<void> {
    await rm(this.fileOf(id), { force: true });
  }

  /** In the last moments of a window nothing can be waited for. */
  removeNow(id: string): void {
    try {
      unlinkSync(this.fileOf(id));
    } catch {
      // already gone
    }
  }

  /** The windows that live, oldest first. What ended without a word is cleaned up. */
  async list(): Promise<readonly WindowEntry[]> {
    if (!(await isOwn(this.folder))) return [];
    const names = await readdir(this.folder).catch(() => []);
    const entries = await Promise.all(
      names.filter((name) => /^[0-9a-f]{8}\.json$/.test(name)).map((name) => this.read(name)),
    );
    return entries
      .flatMap((entry) => entry ?? [])
      .sort(
        (one, other) =>
          one.startedAt.localeCompare(other.startedAt) || one.id.localeCompare(other.id),
      );
  }

  private async read(name: string): Promise<WindowEntry | undefined> {
    const entry = entryFrom(
      await readRegularFile(path.join(this.folder, name)).then(String, () => ''),
    );
    if (entry?.machine !== this.machine || `${entry.id}.json` !== name) return undefined;
    // A process id says nothing across sandboxes, and may be another's by now: whether the window is there, its port says.
    if (isAlive(entry.pid) || !(await this.removeIfGone(entry))) return entry;
    return undefined;
  }

  /**
   * Looks whether a window is still there; its entry goes with it. One that is there after all, and could not show it,
   * hears of the entry that it misses and writes it again.
   */
  async removeIfGone(entry: WindowEntry): Promise<boolean> {
    if (!(await isGone(entry, this.proofLimitMs))) return false;
    // Written anew meanwhile, with another port: that one is not the one that was looked at.
    const now = entryFrom(await readRegularFile(this.fileOf(entry.id)).then(String, () => ''));
    if (now?.port === entry.port) await this.remove(entry.id);
    return true;
  }

  /** Tells of every change in the folder. Where the file system cannot, nothing is told: whoever needs certainty lists. */
  watch(changed: () => void): { close(): void } {
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(this.folder, { persistent: false }, () => changed());
      watcher.on('error', () => watcher?.close());
    } catch {
      // not there, or too many watches
    }
    return { close: () => watcher?.close() };
  }

  /** The window that was lost, if only its session was; or one like it, which may be there in a moment under another id: it was reloaded, or its server restarted. */
  async comesBack(lost: WindowEntry, limitMs: number): Promise<WindowEntry | undefined> {
    return await new Promise((resolve) => {
      const end = (found: WindowEntry | undefined): void => {
        watch.close();
        clearTimeout(timer);
        resolve(found);
      };
      const look = (): void => {
        this.list()
          .then(async (windows) => {
            const same = windows.find((each) => each.id === lost.id && each.port === lost.port);
            // A window that closes takes its entry away first: of one that is there, only the session was ended.
            if (same !== undefined && !(await isGone(same, this.proofLimitMs))) return same;
            const [only, ...others] = windows.filter(
              (each) => each !== same && isSameAs(lost, each),
            );
            return others.length === 0 ? only : undefined;
          })
          .then(
            (found) => (found === undefined ? undefined : end(found)),
            () => undefined,
          );
      };
      const timer = setTimeout(() => end(undefined), limitMs);
      const watch = this.watch(look);
      look();
    });
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }
}

/** Whether a window is one that was there before, as far as the person sees: what it has open. */
export function isSameAs(before: WindowEntry, window: WindowEntry): boolean {
  return (
    window.name === before.name &&
    window.editor === before.editor &&
    window.folders.join('\n') === before.folders.join('\n')
  );
}

/** What a person knows a window by. */
export function nameOf(window: Pick<WindowEntry, 'name' | 'editor'>): string {
  return window.name || window.editor;
}

function entryFrom(text: string): WindowEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ['id', 'machine', 'secret', 'name', 'editor', 'version', 'startedAt'] as const;

function isEntry(value: unknown): value is WindowEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = new Map<string, unknown>(Object.entries(value));
  const folders = entry.get('folders');
  const isNumber = (name: string): boolean => Number.isInteger(entry.get(name));
  return (
    TEXTS.every((name) => typeof entry.get(name) === 'string') &&
    isNumber('pid') &&
    isNumber('port') &&
    Array.isArray(folders) &&
    folders.every((each) => typeof each === 'string') &&
    (entry.get('serves') === undefined || isNumber('serves')) &&
    (entry.get('host') === undefined || entry.get('host') === '::1')
  );
}
