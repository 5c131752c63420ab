import { createHash } from 'node:crypto';
import { lstat, mkdir, readlink, realpath, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { replaceFile } from '../shared/privateFiles';
import { readRegularFile, UnfitFile } from '../shared/regularFile';
import { UnusableSettings } from './entryFormat';

/** The content of a settings file at the time it was read. */
export interface Snapshot {
  /** The path that the client opens. */
  readonly named: string;
  /** The same path with links resolved. The file is written there, so a link stays a link. */
  readonly file: string;
  /** The content of the file. Undefined if the file does not exist. */
  readonly bytes: Buffer | undefined;
  /** The text, including its byte order mark if there is one. */
  readonly text: string;
  readonly mode: number | undefined;
}

/** The data to undo a change. It contains only the text that the change replaced. */
export interface Undo {
  readonly file: string;
  /** The hash of the written file. */
  readonly hash: string;
  readonly offset: number;
  readonly length: number;
  readonly replaced: string;
  readonly mode: number | undefined;
  readonly existed: boolean;
  /** The first of the folders that were created for the file. */
  readonly madeFolder: string | undefined;
  /** The hash of the file before the change. Undefined if it did not exist. */
  readonly hashBefore?: string;
  /** Whether the change created the object with the servers. */
  readonly madeContainer?: boolean;
}

/**
 * The maximum size of a settings file. It is large, because Claude Code also keeps its history in the file with the
 * servers.
 */
const MAX_SETTINGS_BYTES = 32 * 1024 * 1024;

const MARK = '\uFEFF';

/**
 * Reads a settings file.
 * @param folder the folder that must contain the file after links are resolved. No file outside it is opened
 * @throws UnusableSettings
 */
export async function readSettings(file: string, folder?: string): Promise<Snapshot> {
  const real = await target(file);
  if (folder !== undefined && !real.startsWith((await realpath(folder)) + path.sep)) {
    throw new UnusableSettings(
      l10n.t('The file in the workspace is a link to a file outside of it.'),
    );
  }
  const bytes = await readRegularFile(real, MAX_SETTINGS_BYTES).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    if (!(error instanceof UnfitFile)) throw error;
    throw new UnusableSettings(
      error.reason === 'too_large'
        ? l10n.t('The file is larger than {0} MB.', MAX_SETTINGS_BYTES / 1024 ** 2)
        : l10n.t('It is not a regular file.'),
    );
  });
  if (bytes === undefined) return { named: file, file: real, bytes, text: '', mode: undefined };
  try {
    return {
      named: file,
      file: real,
      bytes,
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      mode: (await stat(real)).mode & 0o777,
    };
  } catch (error) {
    if (error instanceof TypeError)
      throw new UnusableSettings(l10n.t('The file is not UTF-8 text.'));
    throw error;
  }
}

/** Applies an edit to the text of a file, without its byte order mark. */
export function edited(text: string, edit: (text: string) => string): string {
  return text.startsWith(MARK) ? MARK + edit(text.slice(1)) : edit(text);
}

/** Thrown if another program has changed the file since it was read. */
export class ChangedMeanwhile extends Error {
  constructor(readonly file: string) {
    super(l10n.t('It has changed in the meantime.'));
  }
}

/**
 * Writes the whole file or nothing. A file with a key can be read only by the person. @throws ChangedMeanwhile
 */
export async function writeSettings(
  before: Snapshot,
  after: string,
  {
    isSecret,
    madeContainer = false,
  }: { readonly isSecret: boolean; readonly madeContainer?: boolean },
): Promise<Undo> {
  const folder = path.dirname(before.file);
  const madeFolder = await mkdir(folder, { recursive: true, ...(isSecret && { mode: 0o700 }) });
  const mode = isSecret ? 0o600 : (before.mode ?? 0o644);
  await replaceFile(before.file, Buffer.from(after), {
    mode,
    isDurable: true,
    check: () => assertUnchanged(before),
  });
  return {
    file: before.file,
    hash: hashOf(Buffer.from(after)),
    ...difference(before.text, after),
    mode: before.mode,
    existed: before.bytes !== undefined,
    madeFolder,
    ...(before.bytes !== undefined && { hashBefore: hashOf(before.bytes) }),
    madeContainer,
  };
}

/**
 * Combines two undos of one file. Both changes are undone together, to the byte, if no other program wrote in between
 * and the later change is within the text of the earlier one. Otherwise only the later change is undone.
 */
export function afterEarlier(earlier: Undo, later: Undo): Undo {
  const madeContainer = earlier.madeContainer === true || later.madeContainer === true;
  const isWithin =
    later.offset >= earlier.offset &&
    later.offset + later.replaced.length <= earlier.offset + earlier.length;
  if (later.hashBefore !== earlier.hash || !isWithin) return { ...later, madeContainer };
  return {
    ...earlier,
    hash: later.hash,
    length: earlier.length + later.length - later.replaced.length,
    madeContainer,
  };
}

/** The text of the file after an undo. Undefined if the file has been changed since the change. */
export async function undone(
  undo: Undo,
): Promise<{ readonly before: Snapshot; readonly after: string } | undefined> {
  const before = await readSettings(undo.file);
  if (before.bytes === undefined || hashOf(before.bytes) !== undo.hash) return undefined;
  return {
    before,
    after:
      before.text.slice(0, undo.offset) +
      undo.replaced +
      before.text.slice(undo.offset + undo.length),
  };
}

/** Undoes a change to the byte. Returns false and does nothing if the file has been changed since the change. */
export async function undoWrite(undo: Undo): Promise<boolean> {
  const change = await undone(undo);
  if (change === undefined) return false;
  const { before, after } = change;
  if (undo.existed) {
    await replaceFile(before.file, Buffer.from(after), {
      mode: undo.mode ?? 0o644,
      isDurable: true,
      check: () => assertUnchanged(before),
    });
    return true;
  }
  await rm(before.file);
  await removeFolders(path.dirname(undo.file), undo.madeFolder);
  return true;
}

async function assertUnchanged({ file, bytes }: Snapshot): Promise<void> {
  const now = await readSettings(file).then(
    (snapshot) => snapshot.bytes,
    () => Buffer.alloc(0),
  );
  const isSame = bytes === undefined ? now === undefined : now !== undefined && bytes.equals(now);
  if (!isSame) throw new ChangedMeanwhile(file);
}

/** Removes the folders that were created for the file, as far as they are empty. */
async function removeFolders(from: string, first: string | undefined): Promise<void> {
  if (first === undefined) return;
  for (let folder = from; folder.startsWith(first); folder = path.dirname(folder)) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone || folder === path.dirname(folder)) return;
  }
}

/** The path with links resolved, even if the file does not exist yet. */
async function target(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  const isLink = await lstat(file).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  const folder = await existing(path.dirname(file));
  // The target and each folder in its path may be links as well. A link to itself is ELOOP.
  return isLink
    ? await target(path.resolve(folder, await readlink(file)))
    : path.join(folder, path.basename(file));
}

/** The path of a folder that may not exist, with links in its existing part resolved. */
async function existing(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = path.dirname(folder);
  return parent === folder ? folder : path.join(await existing(parent), path.basename(folder));
}

/** The range in which two texts differ. */
function difference(before: string, after: string): Pick<Undo, 'offset' | 'length' | 'replaced'> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  return {
    offset: start,
    length: after.length - end - start,
    replaced: before.slice(start, before.length - end),
  };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
