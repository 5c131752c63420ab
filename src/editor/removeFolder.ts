import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Removes a folder of ours and its files, also while a program still creates files in it: by its new name, nobody finds
 * it. If its files cannot be removed, they stay until a later window removes them (`removeLeft`).
 */
export async function removeFolder(folder: string): Promise<void> {
  const gone = path.join(path.dirname(folder), `${process.pid}-${randomUUID()}`);
  const isMoved = await rename(folder, gone).then(
    () => true,
    () => false,
  );
  await rm(isMoved ? gone : folder, { recursive: true, force: true, maxRetries: 3 }).catch(
    () => undefined,
  );
}
