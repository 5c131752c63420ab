import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SessionFolder } from '../../../src/editor/investigation/sessionFolder';
import { Investigations } from '../../../src/investigation/investigations';
import { scrubWith, type Scrub } from '../../../src/investigation/scrub';
import { Redactor } from '../../../src/results/redact';

/** A scrub that changes nothing, for tests whose texts need no redaction. */
export const NO_SCRUB: Scrub = {
  texts: (texts) => Promise.resolve(texts),
  text: (text) => Promise.resolve(text),
  value: (value) => Promise.resolve(value),
};

export const REAL_SCRUB: Scrub = scrubWith(
  new Redactor(() => ({ enabled: true, patterns: ['internal-\\d+'] })),
  () => true,
);

const folders: string[] = [];

/** A new folder, which `removeFolders` removes. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface Kept {
  readonly root: string;
  readonly files: SessionFolder;
  readonly investigations: Investigations;
  /** The entries of the log. */
  readonly log: readonly string[];
  /** Sets the clock. */
  at(time: string): void;
}

/** Investigations on the disk, with a clock that only the test moves. */
export function kept(root = newFolder(), scrub = REAL_SCRUB): Kept {
  let now = new Date('2026-03-01T10:00:00Z');
  const log: string[] = [];
  const files = new SessionFolder(() => root);
  const investigations = new Investigations(files, scrub, {
    timeToLiveDays: () => 7,
    now: () => now,
    log: (line) => log.push(line),
  });
  return {
    root,
    files,
    investigations,
    log,
    at: (time) => {
      now = new Date(time);
    },
  };
}

export function textFrom(data: Uint8Array | undefined): string {
  return new TextDecoder().decode(data);
}
