import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import { readRegularFile } from '../shared/regularFile';

/** The maximum size of an index that is read. An index of this size has a few hundred thousand files. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** A settings file of a client. */
export interface NamedFile {
  /** The path that the client opens. */
  readonly named: string;
  /** The same path with links resolved. The file does not have to exist. */
  readonly real: string;
  /** The person's home folder. Links are not resolved. */
  readonly home: string;
}

/**
 * The Git work tree that a file would be committed to, such as a repository of dotfiles. A key in the file would be
 * published with the repository. A link into a work tree always counts. A file in a work tree counts unless Git ignores
 * it. In doubt, a file counts as committed. Git is not run, because a repository's configuration can name programs. A
 * bare repository whose work tree is given on the command line is not found.
 * @returns the work tree's folder
 */
export async function workTreeOf(file: NamedFile): Promise<string | undefined> {
  const root = await workTreeAbove(path.dirname(file.real));
  if (root === undefined) return undefined;
  if (
    (await isLink(file)) ||
    !(await isIgnored(root, file.real)) ||
    (await isTracked(root, file.real))
  )
    return root;
  return undefined;
}

async function workTreeAbove(folder: string): Promise<string | undefined> {
  const isRoot = await lstat(path.join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (isRoot) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : await workTreeAbove(parent);
}

/** Whether a link below the home folder points to the file. The home folder itself may be behind a link. */
async function isLink({ named, real, home }: NamedFile): Promise<boolean> {
  const within = path.relative(home, named);
  if (within.startsWith('..') || path.isAbsolute(within)) return named !== real;
  const realHome = await realpath(home).catch(() => home);
  return path.join(realHome, within) !== real;
}

/** Checks the repository's own ignore files, nearest first. The person's global ignore file is not read. */
async function isIgnored(root: string, file: string): Promise<boolean> {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const verdict = await verdictOf(path.join(folder, '.gitignore'), folder, file);
    if (verdict !== undefined) return verdict;
    if (folder === root || folder === path.dirname(folder)) break;
  }
  return (await verdictOf(path.join(root, '.git', 'info', 'exclude'), root, file)) ?? false;
}

/** Whether an ignore file ignores the file. Undefined if it has no pattern for the file. */
async function verdictOf(list: string, folder: string, file: string): Promise<boolean | undefined> {
  const patterns = await readRegularFile(list).then(String, () => undefined);
  if (patterns === undefined) return undefined;
  const { ignored, unignored } = ignore().add(patterns).test(inGit(folder, file));
  return ignored || unignored ? ignored : undefined;
}

/** Whether the index contains the file. An ignored file may have been added by force. */
async function isTracked(root: string, file: string): Promise<boolean> {
  const index = path.join(await gitFolderOf(root), 'index');
  try {
    const bytes = await readRegularFile(index, MAX_INDEX_BYTES);
    // Names are compressed since version 4.
    const isReadable = bytes.toString('latin1', 0, 4) === 'DIRC' && bytes.readUInt32BE(4) < 4;
    return !isReadable || bytes.includes(`${inGit(root, file)}\0`);
  } catch (error) {
    // Nothing has been added to the repository yet.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

/** In a linked work tree and in a submodule, `.git` is a file with the folder's path. */
async function gitFolderOf(root: string): Promise<string> {
  const git = path.join(root, '.git');
  const text = await readRegularFile(git).then(String, () => '');
  const named = /^gitdir: (.+)$/m.exec(text)?.[1];
  return named === undefined ? git : path.resolve(root, named);
}

const inGit = (folder: string, file: string): string =>
  path.relative(folder, file).split(path.sep).join('/');
