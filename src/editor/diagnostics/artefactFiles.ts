import { createWriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import {
  artefactName,
  kindOfArtefact,
  type Artefact,
  type ArtefactKind,
} from '../../diagnostics/artefacts';

/** The maximum size of a profile in a report. Larger profiles are not added. */
const MAX_OF_A_PROFILE = 20_000_000;

/**
 * The files that diagnostics write, in a folder of the extension's storage that only its owner can open. Only regular
 * files with these names are read or deleted there.
 */
export class ArtefactFiles {
  constructor(readonly folder: string) {}

  /** Writes a file. @returns its path */
  async write(kind: ArtefactKind, content: string | Uint8Array | Readable): Promise<string> {
    const file = await this.newFile(kind);
    if (typeof content === 'string' || content instanceof Uint8Array) {
      const handle = await open(file, 'wx', 0o600);
      try {
        await handle.writeFile(content);
      } finally {
        await handle.close();
      }
    } else await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return file;
  }

  /** The existing files, newest first. */
  async list(): Promise<readonly Artefact[]> {
    const names = await readdir(this.folder).catch(() => []);
    const found: Artefact[] = [];
    for (const name of names) {
      const kind = kindOfArtefact(name);
      const facts = await lstat(path.join(this.folder, name)).catch(() => undefined);
      if (kind === undefined || facts?.isFile() !== true) continue;
      found.push({ name, kind, bytes: facts.size, changedAt: facts.mtimeMs });
    }
    return found.sort((one, other) => other.changedAt - one.changedAt);
  }

  async delete(artefacts: readonly Artefact[]): Promise<void> {
    for (const { name } of artefacts) {
      if (kindOfArtefact(name) === undefined) continue;
      await rm(path.join(this.folder, name), { force: true });
    }
  }

  /** The newest CPU profile, if it is not too large. */
  async newestProfile(): Promise<{ readonly name: string; readonly text: string } | undefined> {
    const newest = (await this.list()).find(({ kind }) => kind === 'profile');
    if (newest === undefined || newest.bytes > MAX_OF_A_PROFILE) return undefined;
    const text = await readFile(path.join(this.folder, newest.name), 'utf8');
    return { name: newest.name, text };
  }

  private async newFile(kind: ArtefactKind): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return path.join(this.folder, artefactName(kind, new Date()));
  }
}

/** Writes a file that the person has chosen, local or remote. */
export async function writeChosen(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
}
