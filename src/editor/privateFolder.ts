import { lstatSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** The bits of a mode that let the group or others in, and the bit that lets only owners move entries of a folder. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Returns the folder for all temporary files of this user's windows: recordings and reports of test runs. It belongs to
 * the user, nobody else may enter it, and nobody else can move it. So everything in it can be removed by its path.
 * @param base the system's folder for temporary files
 * @throws Error of the file system if no folder can be made
 */
export function privateFolder(base = temporaryFolder(), home = homedir()): string {
  const shared = path.join(base, `agent-debugger-${process.getuid?.() ?? 'user'}`);
  if (isKept(base) && isOurs(shared)) return shared;
  const own = path.join(home, '.agent-debugger', 'tmp');
  if (isOurs(own)) return own;
  return mkdtempSync(path.join(base, 'agent-debugger-'));
}

/** Whether others cannot move or replace what we make in a folder. */
function isKept(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(folder);
  if (uid !== 0 && uid !== process.getuid()) return false;
  return (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0;
}

/** Makes a private folder. Returns false if there is another file, or a folder that others own or may enter. */
function isOurs(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const entry = lstatSync(folder);
    if (!entry.isDirectory()) return false;
    if (process.getuid === undefined) return true;
    return entry.uid === process.getuid() && (entry.mode & OTHERS) === 0;
  } catch {
    return false;
  }
}

/** The real path of the temporary folder, which is a link on macOS. */
function temporaryFolder(): string {
  try {
    return realpathSync(tmpdir());
  } catch {
    return tmpdir();
  }
}
