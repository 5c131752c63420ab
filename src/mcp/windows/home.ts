import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** What of a machine says where the folder is. */
export interface HomeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * The folder through which windows, editors and the stdio bridge of one person find each other on one machine. It lies
 * in the home folder and not in the editor's storage: the bridge is started by clients that know no editor, and VS Code
 * and Cursor side by side share one address. `AGENT_DEBUGGER_HOME` names another; a relative one lies in the home
 * folder, because the current folder may be anybody's, and an empty one names nothing.
 */
export function homeFolder({
  env = process.env,
  home = homedir(),
  platform = process.platform,
}: HomeOptions = {}): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  return paths
    .resolve(home, env['AGENT_DEBUGGER_HOME']?.trim() || '.agent-debugger')
    .replace(/(?<=[^\\/:])[\\/]+$/, '');
}

/** Makes a folder that only its owner can look into. @throws Error where it belongs to somebody else */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (process.getuid === undefined) return; // Windows: the profile folder's own access list
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid()) throw new Error(`${folder} belongs to another user`);
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Whether what lies in a folder was written by this person: what it says is connected to. */
export async function isOwn(folder: string): Promise<boolean> {
  if (process.getuid === undefined) return true;
  return await stat(folder).then(
    ({ uid }) => uid === process.getuid?.(),
    () => false,
  );
}

/** Replaces a file at once, so that nobody reads half of it; only its owner can read it. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const draft = path.join(path.dirname(file), `.${randomUUID()}`);
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
