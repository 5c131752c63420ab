import type { InputContent, InputFile, InputFiles } from '../../../src/tools/services';

/** A standard input in memory. */
export class FakeInputFile implements InputFile {
  readonly path = '/home/ada/.scratch/input';
  state: InputFile['state'];
  written: string[];
  isRead = true;
  isRemoved = false;
  renewals = 0;
  /** What the program does with a text. */
  onWrite: (() => void) | undefined;
  /** The number of bytes that still fit. */
  room = 65_536;

  constructor(readonly content: InputContent) {
    this.state = content.staysOpen ? 'open' : 'fixed';
    this.written = [content.text];
  }

  write(text: string): number | undefined {
    if (!this.isRead) return undefined;
    this.written.push(text);
    this.onWrite?.();
    return Math.min(this.room, Buffer.byteLength(text));
  }

  close(): void {
    this.state = 'closed';
  }

  renew(): Promise<void> {
    this.renewals += 1;
    return Promise.resolve();
  }

  remove(): Promise<void> {
    this.isRemoved = true;
    return Promise.resolve();
  }
}

export class FakeInputFiles implements InputFiles {
  readonly made: FakeInputFile[] = [];

  make(content: InputContent): Promise<InputFile> {
    const file = new FakeInputFile(content);
    this.made.push(file);
    return Promise.resolve(file);
  }
}
