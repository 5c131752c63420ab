import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';

/**
 * Creates a folder that only its owner can open. @throws Error with a message for the person, if it cannot be created
 * or belongs to another user
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new Error(
      l10n.t(
        'the folder {0} cannot be created ({1}). Make its parent folder writable, or set another folder in the environment variable AGENT_DEBUGGER_HOME.',
        folder,
        reasonOf(error),
      ),
    );
  });
  if (process.getuid === undefined) return; // Windows: the profile folder's own access list
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid())
    throw new Error(l10n.t('the folder {0} belongs to another user', folder));
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** The system's error code, such as `EACCES`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

/** Whether this person owns a folder. Its files are trusted only in that case. */
export async function isOwn(folder: string): Promise<boolean> {
  if (process.getuid === undefined) return true;
  return await stat(folder).then(
    ({ uid }) => uid === process.getuid?.(),
    () => false,
  );
}

/** Replaces a file that only its owner can read. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await replaceFile(file, Buffer.from(text), { mode: 0o600 });
}

export interface ReplaceOptions {
  readonly mode: number;
  /** Whether to wait until the draft is on the disk. */
  readonly isDurable?: boolean;
  /** The last check before the file is replaced. @throws Error to leave the file unchanged */
  readonly check?: () => Promise<void>;
}

/** Writes a whole file or nothing. It writes a draft and renames it, so that no program reads a partial file. */
export async function replaceFile(
  file: string,
  bytes: Buffer,
  { mode, isDurable = false, check }: ReplaceOptions,
): Promise<void> {
  const draft = draftOf(file);
  try {
    await writeDraft(draft, bytes, { mode, isDurable });
    await check?.();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A new name for a draft next to a file. */
export function draftOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
}

/** Writes a new file. The mode is set only when the file is complete, so others cannot read a part of it. */
export async function writeDraft(
  draft: string,
  bytes: Buffer,
  { mode, isDurable = false }: ReplaceOptions,
): Promise<void> {
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    if (mode !== 0o600) await handle.chmod(mode);
    if (isDurable) await handle.sync();
  } finally {
    await handle.close();
  }
}
