import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import type { InputContent, InputFile, InputFiles, Scratch } from '../tools/services';

const run = promisify(execFile);

/** The time that the system's own program may take to make a named pipe, in milliseconds. */
const PIPE_LIMIT_MS = 20_000;

/** Private files and named pipes, each in a temporary folder of its own. */
export class TemporaryInputFiles implements InputFiles {
  constructor(private readonly scratch: Scratch) {}

  async make({ text, file, staysOpen }: InputContent): Promise<InputFile> {
    const name = `input-${randomUUID()}`;
    const isText = file === undefined && !staysOpen;
    await this.scratch.make(name, isText ? { input: text } : {});
    const place = path.join(this.scratch.pathOf(name), 'input');
    const remove = async (): Promise<void> => await this.scratch.remove(name);
    try {
      if (!staysOpen) {
        // A debugger gets a path that needs no quotes, whatever the file is called.
        if (file !== undefined) await symlink(file, place);
        return new FixedInput(place, remove);
      }
      await run('mkfifo', ['-m', '600', place], { timeout: PIPE_LIMIT_MS });
      return new OpenInput(place, text, remove);
    } catch (error) {
      await remove();
      throw error;
    }
  }
}

/** A text or a file, and then the end. */
class FixedInput implements InputFile {
  readonly state = 'fixed';

  constructor(
    readonly path: string,
    readonly remove: () => Promise<void>,
  ) {}

  write(): undefined {
    return undefined;
  }

  close(): void {
    // Its end is the end of the file.
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }
}

/** A named pipe. As long as it is open here, the program waits for more. */
class OpenInput implements InputFile {
  private end: number | undefined;

  constructor(
    readonly path: string,
    private readonly first: string,
    private readonly removeFolder: () => Promise<void>,
  ) {
    this.open();
  }

  get state(): 'open' | 'closed' {
    return this.end === undefined ? 'closed' : 'open';
  }

  write(text: string): number | undefined {
    if (this.end === undefined) return undefined;
    try {
      return writeSync(this.end, text);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return undefined;
      if (code === 'EAGAIN') return 0;
      throw error;
    }
  }

  close(): void {
    if (this.end !== undefined) closeSync(this.end);
    this.end = undefined;
  }

  renew(): Promise<void> {
    this.close();
    this.open();
    return Promise.resolve();
  }

  async remove(): Promise<void> {
    this.close();
    await this.removeFolder();
  }

  /**
   * Opens the end for writing, which stays open until the program has opened the other one. That end is opened here for
   * a moment only: as long as it is open, a write would succeed that no program reads.
   */
  private open(): void {
    const both = openSync(this.path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      this.end = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
      if (this.first !== '') writeSync(this.end, this.first);
    } finally {
      closeSync(both);
    }
  }
}
