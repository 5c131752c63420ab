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

/** The default limit for files that others can write. A larger file is an attack or not the expected file. */
export const MAX_BYTES = 5 * 1024 * 1024;

/** Thrown for a file that is not read, because reading it might never end or might fill the memory. */
export class UnfitFile extends Error {
  constructor(
    file: string,
    readonly reason: 'not_regular' | 'too_large',
    readonly mostBytes: number,
  ) {
    super(
      reason === 'not_regular'
        ? `${file} is not a regular file.`
        : `${file} is larger than ${mostBytes} bytes.`,
    );
    this.name = 'UnfitFile';
  }
}

/**
 * The flags for opening a file. They prevent waiting for the writer of a FIFO and following a link that was created
 * after the check. Windows has neither flag.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- Windows lacks them, whatever the types say.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads a whole regular file of bounded size. Every file that others may have created is read here. Links, devices,
 * FIFOs and directories are refused. The caller resolves links that it wants to follow.
 * @param mostBytes default: 5 MB
 * @throws UnfitFile; NodeJS.ErrnoException as from `open` (`ENOENT`, `ELOOP`, …)
 */
export async function readRegularFile(file: string, mostBytes = MAX_BYTES): Promise<Buffer> {
  // Opening a device may have side effects, so the path is checked first. Then the opened file is checked.
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

/** Like `readRegularFile`, but synchronous. @throws UnfitFile, NodeJS.ErrnoException */
export function readRegularFileNow(file: string, mostBytes = MAX_BYTES): Buffer {
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

/** Collects the content of a file. The file may grow while it is read, and files in `/proc` report no size. */
class BoundedBuffer {
  buffer: Buffer;
  length = 0;

  constructor(
    private readonly file: string,
    size: number,
    private readonly mostBytes: number,
  ) {
    // The buffer has one byte more than the size, so that the end of the file is detected.
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
