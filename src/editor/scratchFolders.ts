import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scratch } from '../tools/services';
import { SerialQueue } from '../util/serialQueue';
import { privateFolder } from './privateFolder';
import { readRegular, regularParts } from './realFiles';
import { removeFolder } from './removeFolder';

/**
 * Private temporary folders for the reports of test runners. All of them are in one folder that belongs to this window.
 */
export class ScratchFolders implements Scratch {
  private readonly made = new Set<string>();
  private readonly turns = new SerialQueue();
  private place: string | undefined;

  private get root(): string {
    this.place ??= path.join(privateFolder(), `${process.pid}-${randomUUID()}`);
    return this.place;
  }

  pathOf(name: string): string {
    return path.join(this.root, name);
  }

  async make(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    await this.turns.run(async () => {
      await this.removeNow(name);
      // The folder's name is new and random. If the folder exists, it is not ours, and `mkdir` fails.
      if (this.made.size === 0) await mkdir(this.root, { mode: 0o700 });
      this.made.add(name);
      await mkdir(this.pathOf(name), { mode: 0o700 });
      for (const [file, text] of Object.entries(files))
        await writeFile(path.join(this.pathOf(name), file), text, { mode: 0o600, flag: 'wx' });
    });
  }

  async read(name: string, file: string): Promise<string | undefined> {
    const real = await this.realOf(name, file);
    if (real === undefined) return undefined;
    const content = await readRegular(real);
    return content.kind === 'text' ? content.text : undefined;
  }

  async names(name: string, folder: string): Promise<readonly string[]> {
    const real = await this.realOf(name, folder);
    return real === undefined ? [] : await readdir(real).catch(() => []);
  }

  async *parts(name: string, file: string, from: number): AsyncIterable<Uint8Array> {
    const real = await this.realOf(name, file);
    if (real !== undefined) yield* regularParts(real, from);
  }

  private async realOf(name: string, file: string): Promise<string | undefined> {
    const real = await realpath(path.join(this.pathOf(name), file)).catch(() => undefined);
    return real?.startsWith(this.pathOf(name) + path.sep) === true ? real : undefined;
  }

  async remove(name: string): Promise<void> {
    await this.turns.run(() => this.removeNow(name));
  }

  private async removeNow(name: string): Promise<void> {
    if (!this.made.delete(name)) return;
    const folder = this.made.size === 0 ? this.root : this.pathOf(name);
    await removeFolder(folder);
  }

  /** Removes the remaining folders when the window closes. */
  dispose(): void {
    if (this.made.size === 0) return;
    this.made.clear();
    void removeFolder(this.root);
  }
}
