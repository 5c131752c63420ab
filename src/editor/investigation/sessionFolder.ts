import { randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import {
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { fields, textOf } from '../../debugger/protocol';
import type { FileEntry, GrowingFile, SessionFiles } from '../../investigation/files';
import { isInside, isSessionId } from '../../investigation/paths';

const PIECE_BYTES = 1024 * 1024;
const MAX_DEPTH = 4;

/** The flags for opening files. Windows lacks some of them. There they are undefined and count as 0. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Stores investigations on the disk, each in a folder that only its owner can read. The folder may be in the workspace,
 * where others write as well, so no file is read or written through a link.
 */
export class SessionFolder implements SessionFiles {
  /**
   * @param root the folder of all investigations
   * @param base the parent folder that may be reached through links: the person's own folder
   */
  constructor(
    private readonly root: () => string,
    private readonly base: () => string = root,
  ) {}

  async sessions(): Promise<readonly string[]> {
    if (!(await this.isReal(this.root()))) return [];
    const entries = await readdir(this.root(), { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  async entries(sid: string): Promise<readonly FileEntry[]> {
    const folder = this.folderOf(sid);
    return (await this.isReal(folder)) ? await entriesOf(folder, '', MAX_DEPTH) : [];
  }

  async read(sid: string, file: string, mostBytes: number): Promise<Uint8Array | undefined> {
    const handle = await this.opened(sid, file);
    if (handle === undefined) return undefined;
    try {
      const { size } = await handle.stat();
      const data = new Uint8Array(Math.min(size, mostBytes));
      const { bytesRead } = await handle.read(data, 0, data.byteLength, 0);
      return data.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async write(sid: string, file: string, data: string | Uint8Array): Promise<void> {
    const target = await this.place(sid, file);
    const draft = `${target}.${randomUUID()}.tmp`;
    const handle = await open(draft, CREATE, 0o600);
    try {
      await handle.writeFile(data);
    } finally {
      await handle.close();
    }
    await rename(draft, target).catch(async (error: unknown) => {
      await rm(draft, { force: true });
      throw error;
    });
  }

  async grow(sid: string, file: string): Promise<GrowingFile> {
    const handle = await open(await this.place(sid, file), CREATE, 0o600);
    return {
      append: async (text) => await handle.appendFile(text),
      close: async () => await handle.close(),
    };
  }

  async *pieces(sid: string, file: string): AsyncIterable<Uint8Array> {
    const handle = await this.opened(sid, file);
    if (handle === undefined) return;
    try {
      const buffer = new Uint8Array(PIECE_BYTES);
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, null);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  async remove(sid: string): Promise<void> {
    const folder = this.folderOf(sid);
    if (await this.isReal(folder)) await rm(folder, { recursive: true, force: true });
  }

  /** Opens a regular file that is not reached through a link; undefined if there is none. */
  private async opened(sid: string, file: string): Promise<FileHandle | undefined> {
    if (!isInside(file)) return undefined;
    const target = path.join(this.folderOf(sid), file);
    const handle = await open(target, READ).catch(() => undefined);
    if (handle === undefined) return undefined;
    const isOwn = (await handle.stat()).isFile() && (await this.isReal(target));
    if (isOwn) return handle;
    await handle.close();
    return undefined;
  }

  /** Returns the path for writing a file. The file's folder is created, and no link leads out of it. @throws Error */
  private async place(sid: string, file: string): Promise<string> {
    const target = path.join(this.folderOf(sid), file);
    if (!isInside(file)) throw new Error(`${file} is outside the folder of investigation ${sid}`);
    await this.make(path.dirname(target));
    return target;
  }

  private folderOf(sid: string): string {
    if (!isSessionId(sid)) throw new Error(`${sid} is not an investigation`);
    return path.join(this.root(), sid);
  }

  /** Creates a folder step by step, so that no folder is created behind a link. */
  private async make(folder: string): Promise<void> {
    const base = this.base();
    await mkdir(base, { recursive: true, mode: 0o700 });
    let made = base;
    for (const part of path.relative(base, folder).split(path.sep).filter(Boolean)) {
      made = path.join(made, part);
      await mkdir(made, { mode: 0o700 }).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      if (!(await this.isReal(made))) throw new Error(`${made} is a link`);
    }
  }

  /** Whether no part of a path below the base is a link. */
  private async isReal(target: string): Promise<boolean> {
    const base = this.base();
    const real = await realpath(base).catch(() => undefined);
    if (real === undefined) return false;
    const expected = path.join(real, path.relative(base, target));
    return (await realpath(target).catch(() => undefined)) === expected;
  }
}

function codeOf(error: unknown): string | undefined {
  return textOf(fields(error)['code']);
}

async function entriesOf(
  folder: string,
  prefix: string,
  depth: number,
): Promise<readonly FileEntry[]> {
  if (depth === 0) return [];
  const entries: readonly Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly FileEntry[]> => {
      const name = prefix + entry.name;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return await entriesOf(file, `${name}/`, depth - 1);
      if (!entry.isFile() || entry.name.endsWith('.tmp')) return [];
      const { size, mtimeMs } = await stat(file);
      return [{ path: name, size, changedAt: mtimeMs }];
    }),
  );
  return found.flat().sort((one, other) => one.path.localeCompare(other.path));
}
