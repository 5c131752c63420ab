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

/** Marks a folder as one of ours, which may be replaced. */
const MARK = '.generated-by-agent-debugger';

/**
 * Writes a package's folder, whole or not at all: it is written beside its place and renamed. A folder of somebody else
 * and a link are left alone.
 * @param executable the files that can be started
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
