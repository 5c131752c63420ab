import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** What files may hold that others can write as well: more is an attack, or not what it is taken for. */
export const MOST_BYTES = 5 * 1024 * 1024;

/** A file that is not read, because reading it may never end or fills the memory. */
export class UnfitFile extends Error {
  constructor(
    file: string,
    readonly reason: 'not_regular' | 'too_large',
    readonly mostBytes: number,
  ) {
    super(
      reason === 'not_regular'
        ? `${file} is no regular file.`
        : `${file} is larger than ${mostBytes} bytes.`,
    );
    this.name = 'UnfitFile';
  }
}

/** Neither waits for the writer of a FIFO nor follows a link that was put there since its target was looked up. Windows has neither flag. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- Windows lacks them, whatever the types say.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * The whole of a regular file, of bounded size. All that others may have put where we read goes through here: a link
 * to a device, a FIFO or a directory is refused. The caller resolves links that it wants to follow.
 * @param mostBytes default: 5 MB
 * @throws UnfitFile; NodeJS.ErrnoException as `open` has it (`ENOENT`, `ELOOP`, …)
 */
export async function readRegularFile(file: string, mostBytes = MOST_BYTES): Promise<Buffer> {
  // Opening a device may already do something, so it is looked at before; what counts is the file that was opened.
  assertFit(file, await lstat(file), mostBytes);
  const handle = await open(file, FLAGS);
  try {
    const found = await handle.stat();
    assertFit(file, found, mostBytes);
    const reading = new BoundedBuffer(file, found.size, mostBytes);
    while (reading.add((await handle.read(reading.buffer, reading.length)).bytesRead)) continue;
    return reading.content;
  } finally {
    await handle.close();
  }
}

/** The same where nothing can be waited for. @throws UnfitFile, NodeJS.ErrnoException */
export function readRegularFileNow(file: string, mostBytes = MOST_BYTES): Buffer {
  assertFit(file, lstatSync(file), mostBytes);
  const descriptor = openSync(file, FLAGS);
  try {
    const found = fstatSync(descriptor);
    assertFit(file, found, mostBytes);
    const reading = new BoundedBuffer(file, found.size, mostBytes);
    while (reading.add(readSync(descriptor, reading.buffer, { offset: reading.length }))) continue;
    return reading.content;
  } finally {
    closeSync(descriptor);
  }
}

function assertFit(file: string, found: Stats, mostBytes: number): void {
  if (!found.isFile()) throw new UnfitFile(file, 'not_regular', mostBytes);
  if (found.size > mostBytes) throw new UnfitFile(file, 'too_large', mostBytes);
}

/** Takes what is read; a file may grow meanwhile, and those of `/proc` do not tell their size. */
class BoundedBuffer {
  buffer: Buffer;
  length = 0;

  constructor(
    private readonly file: string,
    size: number,
    private readonly mostBytes: number,
  ) {
    // One byte of room tells the end of the file from more of it.
    this.buffer = Buffer.alloc(Math.max(size + 1, 4096));
  }

  /** @returns false at the end of the file. @throws UnfitFile */
  add(bytes: number): boolean {
    if (bytes === 0) return false;
    this.length += bytes;
    if (this.length > this.mostBytes) throw new UnfitFile(this.file, 'too_large', this.mostBytes);
    if (this.length === this.buffer.length)
      this.buffer = Buffer.concat([this.buffer, Buffer.alloc(this.length)]);
    return true;
  }

  get content(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}
