import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Files } from './plugin';

/** Marks a folder that we wrote and may replace. */
const MARK = '.generated-by-agent-debugger';

/**
 * Writes a package's folder, completely or not at all: it is written beside its target and renamed. Links, and folders
 * that we did not write, are not replaced.
 * @param executable the files to make executable
 */
export function writeFiles(folder: string, files: Files, executable: readonly string[] = []): void {
  assertOurs(folder);
  mkdirSync(path.dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.new-`);
  try {
    for (const [name, text] of [...files, [MARK, ''] as const]) {
      const file = path.join(fresh, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: executable.includes(name) ? 0o755 : 0o644 });
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

function assertOurs(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw new Error(`${folder} is a link: remove it first.`);
  try {
    readFileSync(path.join(folder, MARK));
  } catch {
    throw new Error(`${folder} was not written by this script: remove it first.`);
  }
}
