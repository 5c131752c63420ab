import { constants, existsSync, watch, type FSWatcher } from 'node:fs';
import { mkdtemp, open, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { RecordingFiles, RecordingFolder, WrittenLines } from '../recording/recordingFiles';
import { Turns } from '../results/turns';
import { privateFolder } from './privateFolder';
import { removeFolder } from './removeFolder';
import { Listeners, type Subscription } from '../util/listeners';

/** The number of bytes of a file that are read at a time. Other work can run in between. */
const CHUNK = 256 * 1024;
const MAX_OF_A_LINE = 1024 * 1024;

/**
 * The maximum number of processes that may write, and of bytes that are read of all files of a recording together. The
 * limits are higher than the amount that any recorder writes. Rows take about ten times as much memory.
 */
const MAX_FILES = 200;
const MAX_BYTES = 32 * 1024 * 1024;

/** Folders in the private folder of this user's windows, to which recorders in programs write. */
export class TemporaryRecordingFolders implements RecordingFiles {
  private cleared: Promise<void> | undefined;
  private parent: string | undefined;

  /**
   * @param place returns the private folder. It is called when the first folder is needed.
   * @param mostBytes the number of bytes that are read of a recording
   */
  constructor(
    private readonly place: () => string = privateFolder,
    private readonly mostBytes = MAX_BYTES,
  ) {}

  private get folder(): string {
    return (this.parent ??= this.place());
  }

  /** Removes folders of extension hosts that were killed during a recording. */
  async removeLeft(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const pid = FOLDER.exec(name)?.[1];
      if (pid === undefined || isAlive(Number(pid))) continue;
      await rm(path.join(this.folder, name), { recursive: true, force: true }).catch(
        () => undefined,
      );
    }
  }

  async create(): Promise<RecordingFolder> {
    this.cleared ??= this.removeLeft();
    await this.cleared;
    // Only the owner may enter the folder (mode 0700).
    const folder = await mkdtemp(path.join(this.folder, `${process.pid}-`));
    return new TemporaryFolder(folder, this.mostBytes);
  }
}

/** The names of the folders of recorders and of test runners (`scratchFolders.ts`). */
const FOLDER = /^(\d+)-(?:\w{6}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // If the process belongs to another user, it exists.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

class TemporaryFolder implements RecordingFolder {
  private readonly listeners = new Listeners();
  private readonly watcher: FSWatcher | undefined;
  private readonly files = new Map<string, ReadState>();

  private bytes = 0;
  private hasMore = false;

  constructor(
    readonly path: string,
    private readonly mostBytes: number,
  ) {
    this.watcher = watched(path, () => this.listeners.notify());
    this.watcher?.on('error', () => undefined);
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(this.path, name), text, { mode: 0o600, flag: 'wx' });
  }

  has(name: string): boolean {
    return existsSync(path.join(this.path, name));
  }

  onDidWrite(listener: () => void): Subscription {
    return this.listeners.add(listener);
  }

  get isCut(): boolean {
    return this.hasMore;
  }

  async *read(): AsyncGenerator<WrittenLines> {
    const present = (await readdir(this.path).catch(() => [])).filter((name) =>
      name.endsWith('.jsonl'),
    );
    for (const name of present) {
      if (this.files.has(name)) continue;
      if (this.files.size < MAX_FILES) this.files.set(name, { position: 0, rest: Buffer.alloc(0) });
      else this.hasMore = true;
    }
    const turns = new Turns();
    for (const [file, state] of this.files)
      for await (const lines of this.linesOf(file, state)) {
        yield { file, lines };
        await turns.next();
      }
  }

  async dispose(): Promise<void> {
    this.listeners.clear();
    this.watcher?.close();
    await removeFolder(this.path);
  }

  private async *linesOf(name: string, state: ReadState): AsyncGenerator<readonly string[]> {
    const handle = await openRegular(path.join(this.path, name));
    if (handle === undefined) return;
    try {
      const buffer = Buffer.alloc(CHUNK);
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK, state.position);
        if (bytesRead === 0) return;
        if (this.bytes + bytesRead > this.mostBytes) {
          this.hasMore = true;
          return;
        }
        this.bytes += bytesRead;
        state.position += bytesRead;
        const lines = completeLines(state, buffer.subarray(0, bytesRead));
        if (lines.length > 0) yield lines;
      }
    } finally {
      await handle.close();
    }
  }
}

/** The progress of a file, and the beginning of a line that is not complete yet. */
interface ReadState {
  position: number;
  rest: Buffer;
}

function completeLines(state: ReadState, read: Buffer): readonly string[] {
  const text = Buffer.concat([state.rest, read]);
  const end = text.lastIndexOf(10);
  state.rest = Buffer.from(text.subarray(end + 1));
  // No recorder writes such a long line.
  if (state.rest.length > MAX_OF_A_LINE) state.rest = Buffer.alloc(0);
  return end < 0
    ? []
    : text
        .subarray(0, end)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
}

/** Watches a folder. If the system has no watchers left, files are read only on request. */
function watched(path: string, listener: () => void): FSWatcher | undefined {
  try {
    return watch(path, listener);
  } catch {
    return undefined;
  }
}

/** Opens a regular file. The program may have replaced it by a link, or by a pipe that never ends. */
async function openRegular(file: string): Promise<FileHandle | undefined> {
  try {
    // On Windows, O_NOFOLLOW and O_NONBLOCK are undefined and count as 0.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch {
    // The file is missing or is not a regular file.
  }
  return undefined;
}
