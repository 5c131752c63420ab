import { constants, realpathSync } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fields, textOf } from '../debugger/protocol';
import { shareOf } from '../debugger/sourcePath';
import type { FileContent } from '../tools/files/fileAccess';

/** The maximum size of a source file. Larger files are not source text. */
const MAX_BYTES = 50 * 1024 * 1024;

/** The number of bytes of a file that decide whether it is text. */
const CHECKED_BYTES = 8192;

/** The size of the parts in which a large file is read. A part is valid until the next one is read. */
const PART_BYTES = 1024 * 1024;

/** The maximum length of a chain of links, as in operating systems. */
const MAX_LINKS = 40;

/** The flags for opening files. Windows lacks some of them. There they are undefined and count as 0. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export async function kindOf(real: string): Promise<'file' | 'folder' | undefined> {
  return await stat(real).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  );
}

/**
 * The path without links. For a missing file, the links of its folder are resolved. A link to a missing file is
 * resolved in the same way as a link to an existing one. Otherwise the difference would reveal which files exist.
 */
export async function realPathOf(file: string, links = MAX_LINKS): Promise<string> {
  const found = await realpath(file).catch(() => undefined);
  if (found !== undefined) return found;
  const folder = path.dirname(file);
  if (folder === file || links === 0) return path.parse(file).root;
  const real = await realPathOf(folder, links);
  const target = await readlink(file).catch(() => undefined);
  return target === undefined
    ? path.join(real, path.basename(file))
    : await realPathOf(path.resolve(real, target), links - 1);
}

/** The number of paths whose links are remembered. */
const MAX_PATHS = 20_000;

/**
 * Resolves links for comparisons of files, and remembers the results: each stop compares many paths. Network shares are
 * not accessed.
 */
export class KnownLinks {
  private readonly real = new Map<string, string>();

  /** Called when a program starts, because a build may have changed links. */
  forget(): void {
    this.real.clear();
  }

  resolve(file: string): string {
    if (!path.isAbsolute(file) || shareOf(file) !== undefined) return file;
    const known = this.real.get(file);
    if (known !== undefined) return known;
    if (this.real.size >= MAX_PATHS) this.real.clear();
    const real = resolved(file);
    this.real.set(file, real);
    return real;
  }

  /** Whether a file is in a folder, and what its path there is. */
  within(file: string, folder: string): string | undefined {
    const inside = path.relative(this.resolve(folder), this.resolve(file));
    return inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)
      ? undefined
      : inside;
  }
}

/** The path without links. For a missing file, the links of its folder are resolved. */
function resolved(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(resolved(folder), path.basename(file));
  }
}

/**
 * Reads a regular file by the path that was checked. If a part of the path has become a link since, the file counts as
 * missing. No link is followed, and a pipe does not block.
 */
export async function readRegular(real: string): Promise<FileContent> {
  try {
    const handle = await open(real, FLAGS);
    try {
      const found = await handle.stat();
      if ((await realpath(real)) !== real) return { kind: 'absent' };
      if (found.isDirectory()) return { kind: 'folder' };
      if (!found.isFile()) return { kind: 'binary' };
      if (found.size > MAX_BYTES) return { kind: 'too_large' };
      const bytes = await handle.readFile();
      return bytes.subarray(0, CHECKED_BYTES).includes(0)
        ? { kind: 'binary' }
        : { kind: 'text', text: new TextDecoder().decode(bytes), changedAt: found.mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = textOf(fields(error)['code']) ?? '';
    return { kind: KINDS[code] ?? 'unreadable' };
  }
}

/** The kinds of files that the system's error codes indicate. */
const KINDS: Readonly<Record<string, 'absent' | 'folder'>> = {
  ENOENT: 'absent',
  ENOTDIR: 'absent',
  ELOOP: 'absent',
  EISDIR: 'folder',
  ERR_INVALID_ARG_VALUE: 'absent',
};

/** Reads a regular file of any size in parts, with the same care. There are no parts if it is none. */
export async function* regularParts(real: string, from: number): AsyncIterable<Uint8Array> {
  const handle = await open(real, FLAGS);
  try {
    if (!(await handle.stat()).isFile() || (await realpath(real)) !== real) return;
    const buffer = Buffer.alloc(PART_BYTES);
    for (let at = from; ;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
