import { createHash } from 'node:crypto';
import { lstat, mkdir, readlink, realpath, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { replaceFile } from '../shared/privateFiles';
import { readRegularFile, UnfitFile } from '../shared/regularFile';
import { UnusableSettings } from './entryFormat';

/** A settings file as it was when it was read. */
export interface Snapshot {
  /** Where the client looks for it. */
  readonly named: string;
  /** Where the file really is: a link to it is followed, and stays. */
  readonly file: string;
  /** Undefined when there is no file. */
  readonly bytes: Buffer | undefined;
  /** With its byte order mark, if it has one. */
  readonly text: string;
  readonly mode: number | undefined;
}

/** What takes a change back; it holds nothing of the file but what the change replaced. */
export interface Undo {
  readonly file: string;
  /** Of the file as it was written. */
  readonly hash: string;
  readonly offset: number;
  readonly length: number;
  readonly replaced: string;
  readonly mode: number | undefined;
  readonly existed: boolean;
  /** The first of the folders that were made for the file. */
  readonly madeFolder: string | undefined;
  /** Of the file before it was written; undefined where there was none. */
  readonly hashBefore?: string;
  /** The object that holds servers was not there before. */
  readonly madeContainer?: boolean;
}

/** Claude Code keeps its history in the file that names servers, too. */
const MOST_SETTINGS_BYTES = 32 * 1024 * 1024;

const MARK = '\uFEFF';

/**
 * @param folder what the file has to lie in, links followed; nothing outside of it is opened
 * @throws UnusableSettings
 */
export async function readSettings(file: string, folder?: string): Promise<Snapshot> {
  const real = await target(file);
  if (folder !== undefined && !real.startsWith((await realpath(folder)) + path.sep)) {
    throw new UnusableSettings(l10n.t('The workspace’s file is a link to one outside of it.'));
  }
  const bytes = await readRegularFile(real, MOST_SETTINGS_BYTES).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    if (!(error instanceof UnfitFile)) throw error;
    throw new UnusableSettings(
      error.reason === 'too_large'
        ? l10n.t('The file is larger than {0} MB.', MOST_SETTINGS_BYTES / 1024 ** 2)
        : l10n.t('It is no regular file.'),
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

/** Applies an edit to what a file says, its byte order mark aside. */
export function edited(text: string, edit: (text: string) => string): string {
  return text.startsWith(MARK) ? MARK + edit(text.slice(1)) : edit(text);
}

/** The file was written by somebody else since it was read. */
export class ChangedMeanwhile extends Error {
  constructor(readonly file: string) {
    super(l10n.t('It was changed meanwhile.'));
  }
}

/**
 * Writes the whole or nothing, for the person's eyes only where it holds a key. @throws ChangedMeanwhile
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
  const madeFolder = await mkdir(folder, { recursive: true, ...(isSecret ? { mode: 0o700 } : {}) });
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
    ...(before.bytes === undefined ? {} : { hashBefore: hashOf(before.bytes) }),
    madeContainer,
  };
}

/**
 * What takes back a change of a file that we had changed before. Both at once, to the byte, where nobody wrote between
 * them and the later one is within the earlier one's stretch; else the later one alone.
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

/** What the file would say after an undo; undefined when it is no longer what was written. */
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

/** Takes a change back to the byte; false, with nothing done, when the file is no longer what was written. */
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
  if (bytes === undefined ? now !== undefined : now === undefined || !bytes.equals(now))
    throw new ChangedMeanwhile(file);
}

/** Only what was made for us, and only while nothing else is in it. */
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

/** The file that a link leads to, also when it is not there yet. */
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
  // What it leads to may be a link as well, and so may each folder on the way; one that comes back to itself is ELOOP.
  return isLink
    ? await target(path.resolve(folder, await readlink(file)))
    : path.join(folder, path.basename(file));
}

/** A folder, with the links on the way to what is there of it followed. */
async function existing(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  return (
    real ??
    (folder === path.dirname(folder)
      ? folder
      : path.join(await existing(path.dirname(folder)), path.basename(folder)))
  );
}

/** The one stretch in which two texts differ. */
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
