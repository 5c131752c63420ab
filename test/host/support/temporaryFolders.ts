import { readdirSync } from 'node:fs';
import { privateFolder } from '../../../src/editor/privateFolder';

/** The temporary folders of an extension host. Others have their own at the same time. */
export function temporaryFolders(pid = process.pid): readonly string[] {
  return readdirSync(privateFolder()).filter((each) => each.startsWith(`${pid}-`));
}
