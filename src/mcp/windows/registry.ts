import { unlinkSync, watch, type FSWatcher } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isOwn, makePrivateFolder, writePrivate } from '../shared/privateFiles';
import { readRegularFile } from '../shared/regularFile';
import { isAlive, isGone } from './windowConnection';

/** The time to wait for a lost window, in milliseconds. A reload takes a few seconds, or more on a busy machine. */
export const RELOAD_LIMIT_MS = 10_000;

/**
 * The time that a window may take to authenticate itself, in milliseconds. The Windows system takes two seconds to
 * report a closed port.
 */
const PROOF_LIMIT_MS = 5000;

/** A window's entry, for the other windows and the stdio bridge. */
export interface WindowEntry {
  /** Eight hexadecimal digits, unchanged during the life of the extension host. */
  readonly id: string;
  readonly pid: number;
  /**
   * The machine's host name. Several machines and containers may share a home folder, but they do not share loopback.
   */
  readonly machine: string;
  /** The window's own port on loopback, for other windows and the bridge only. */
  readonly port: number;
  /** The loopback address of IPv6, if there is none of IPv4. Default: 127.0.0.1. */
  readonly host?: '::1';
  /** The secret with which windows and the bridge prove that they may connect. It is never sent. */
  readonly secret: string;
  readonly folders: readonly string[];
  readonly name: string;
  readonly editor: string;
  readonly version: string;
  readonly startedAt: string;
  /** The clients' port, which the window has or is about to bind. */
  readonly serves?: number;
}

/** The windows of this person on this machine, as files that only this person can read. */
export class WindowRegistry {
  readonly folder: string;

  constructor(
    home: string,
    private readonly machine = hostname(),
    /** The time that a window may take to authenticate itself, in milliseconds. */
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

  /** Removes an entry. If that fails, the next window that finds that this window has ended removes it. */
  async remove(id: string): Promise<void> {
    await rm(this.fileOf(id), { force: true }).catch(() => undefined);
  }

  /** Removes an entry synchronously, while its window closes. */
  removeNow(id: string): void {
    try {
      unlinkSync(this.fileOf(id));
    } catch {
      // There is no entry.
    }
  }

  /** The open windows, oldest first. Removes the entries of windows that have ended without removing them. */
  async list(): Promise<readonly WindowEntry[]> {
    if (!(await isOwn(this.folder))) return [];
    const names = await readdir(this.folder).catch(() => []);
    const entries = await Promise.all(
      names.filter((name) => /^[0-9a-f]{8}\.json$/.test(name)).map((name) => this.read(name)),
    );
    return entries.filter((entry) => entry !== undefined).sort(byStart);
  }

  private async read(name: string): Promise<WindowEntry | undefined> {
    const entry = await this.readEntry(path.join(this.folder, name));
    if (entry?.machine !== this.machine || `${entry.id}.json` !== name) return undefined;
    // A missing process proves nothing, because the window may be in another sandbox. So its port is probed.
    if (isAlive(entry.pid) || !(await this.removeIfGone(entry))) return entry;
    return undefined;
  }

  /**
   * Removes the entry of a window if the window has ended. If a window still exists but could not authenticate itself,
   * it notices that its entry is missing and writes it again.
   */
  async removeIfGone(entry: WindowEntry): Promise<boolean> {
    if (!(await isGone(entry, this.proofLimitMs))) return false;
    // An entry that was written in the meantime has another port, which was not probed.
    const now = await this.readEntry(this.fileOf(entry.id));
    if (now?.port === entry.port) await this.remove(entry.id);
    return true;
  }

  /**
   * Reports changes in the folder. Some file systems report no changes, so a caller that must be certain lists the
   * entries.
   */
  watch(changed: () => void): { close(): void } {
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(this.folder, { persistent: false }, () => changed());
      watcher.on('error', () => watcher?.close());
    } catch {
      // The folder does not exist, or there are too many watches.
    }
    return { close: () => watcher?.close() };
  }

  /**
   * Waits for a lost window: the same window if only its session has ended, or its successor after a reload or a
   * restart of the server, which has another id.
   */
  async comesBack(lost: WindowEntry, limitMs: number): Promise<WindowEntry | undefined> {
    return await new Promise((resolve) => {
      const end = (found: WindowEntry | undefined): void => {
        watcher.close();
        clearTimeout(timer);
        resolve(found);
      };
      const search = (): void => {
        this.findAgain(lost).then(
          (found) => {
            if (found !== undefined) end(found);
          },
          () => undefined,
        );
      };
      const timer = setTimeout(() => end(undefined), limitMs);
      const watcher = this.watch(search);
      search();
    });
  }

  private async findAgain(lost: WindowEntry): Promise<WindowEntry | undefined> {
    const windows = await this.list();
    const same = windows.find((window) => window.id === lost.id && window.port === lost.port);
    // A closing window removes its entry first. If the entry exists and the port responds, only the session has ended.
    if (same !== undefined && !(await isGone(same, this.proofLimitMs))) return same;
    const [only, ...others] = windows.filter((window) => window !== same && isSameAs(lost, window));
    return others.length === 0 ? only : undefined;
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }

  private async readEntry(file: string): Promise<WindowEntry | undefined> {
    try {
      const value: unknown = JSON.parse(String(await readRegularFile(file)));
      return isEntry(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

function byStart(one: WindowEntry, other: WindowEntry): number {
  return one.startedAt.localeCompare(other.startedAt) || one.id.localeCompare(other.id);
}

/** Whether a window replaces an earlier one from the person's point of view: the same editor with the same folders. */
export function isSameAs(before: WindowEntry, window: WindowEntry): boolean {
  return (
    window.name === before.name &&
    window.editor === before.editor &&
    window.folders.join('\n') === before.folders.join('\n')
  );
}

/** The name of a window that is shown to the person. */
export function nameOf(window: Pick<WindowEntry, 'name' | 'editor'>): string {
  return window.name || window.editor;
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
    folders.every((folder) => typeof folder === 'string') &&
    (entry.get('serves') === undefined || isNumber('serves')) &&
    (entry.get('host') === undefined || entry.get('host') === '::1')
  );
}
