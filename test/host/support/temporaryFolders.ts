import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { privateFolder } from '../../../src/editor/privateFolder';

/** The temporary folders of an extension host. Others have their own at the same time. */
export function temporaryFolders(pid = process.pid): readonly string[] {
  return readdirSync(privateFolder()).filter((each) => each.startsWith(`${pid}-`));
}

/** Resolves when the extension host has no temporary folder. Those of a session are removed soon after its end. */
export async function temporaryFoldersRemoved(): Promise<void> {
  const changes = watch(privateFolder());
  try {
    while (temporaryFolders().length > 0) await once(changes, 'change');
  } finally {
    changes.close();
  }
}
