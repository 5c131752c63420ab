import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fields, textOf } from '../debugger/protocol';
import type { FileContent } from '../tools/files/fileAccess';

/** Files larger than this are not source text. */
const MOST_BYTES = 50 * 1024 * 1024;

/** So much of a file tells whether it is text. */
const LOOKED_AT = 8192;

/** Systems follow no longer chain of links either. */
const MOST_LINKS = 40;

/** Windows has not all flags; without them a number is as good as none. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export async function kindOf(real: string): Promise<'file' | 'folder' | undefined> {
  return await stat(real).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  );
}

/**
 * A path without links. A file that is not there is where its folder really is; a link to what is not there is where
 * it leads, as the same link is to what is: otherwise it would tell the one from the other.
 */
export async function realPathOf(file: string, links = MOST_LINKS): Promise<string> {
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

/**
 * A regular file, read by the path that was judged: one that a link has become part of since is taken as not there. No
 * link is followed, and a pipe is not waited for.
 */
export async function readRegular(real: string): Promise<FileContent> {
  try {
    const handle = await open(real, FLAGS);
    try {
      const found = await handle.stat();
      if ((await realpath(real)) !== real) return { kind: 'absent' };
      if (found.isDirectory()) return { kind: 'folder' };
      if (!found.isFile()) return { kind: 'binary' };
      if (found.size > MOST_BYTES) return { kind: 'too_large' };
      const bytes = await handle.readFile();
      return bytes.subarray(0, LOOKED_AT).includes(0)
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

/** What the system's refusals say of a file. */
const KINDS: Readonly<Record<string, 'absent' | 'folder'>> = {
  ENOENT: 'absent',
  ENOTDIR: 'absent',
  ELOOP: 'absent',
  EISDIR: 'folder',
  ERR_INVALID_ARG_VALUE: 'absent',
};
