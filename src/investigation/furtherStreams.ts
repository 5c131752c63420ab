import type { GrowingFile } from './files';
import type { Investigations } from './investigations';

/** The size limit for all streams and pictures of one capture together. */
export const MAX_FURTHER_BYTES = 512 * 1024 * 1024;

interface OpenStream {
  readonly file: Promise<GrowingFile>;
  dropped: number;
}

/** The other streams of a page's capture (`logs/actions.ndjson`, `console`, `network`), and its pictures. */
export class FurtherStreams {
  private readonly open = new Map<string, OpenStream>();
  private readonly pictures: string[] = [];
  private bytes = 0;
  private droppedCount = 0;

  constructor(
    private readonly sid: string,
    private readonly capture: string,
    private readonly investigations: Investigations,
    private readonly mostBytes = MAX_FURTHER_BYTES,
  ) {}

  get files(): readonly string[] {
    return [...[...this.open.keys()].map((stream) => this.pathOf(stream)), ...this.pictures];
  }

  /** The number of lines and pictures that were dropped because of the size limit. */
  get dropped(): number {
    return this.droppedCount;
  }

  async line(stream: string, value: object): Promise<void> {
    const open = this.open.get(stream) ?? this.begin(stream);
    const shown = await this.investigations.scrub.value(value);
    const text = `${JSON.stringify(shown)}\n`;
    if (this.fits(Buffer.byteLength(text))) await (await open.file).append(text);
    else open.dropped += 1;
  }

  /** Stores a picture. @returns its path; undefined if the size limit dropped it */
  async picture(name: string, data: Uint8Array): Promise<string | undefined> {
    if (!this.fits(data.byteLength)) return undefined;
    const path = `snapshots/${this.capture}-${name}`;
    await this.investigations.writeBytes(this.sid, path, data);
    this.pictures.push(path);
    return path;
  }

  /** Closes all files. @throws the first error, after all are closed */
  async close(): Promise<void> {
    const closed = await Promise.allSettled([...this.open.values()].map(closeStream));
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  }

  private begin(stream: string): OpenStream {
    const file = this.investigations.files.grow(this.sid, this.pathOf(stream));
    const open = { file, dropped: 0 };
    this.open.set(stream, open);
    return open;
  }

  private fits(bytes: number): boolean {
    const isFull = this.bytes + bytes > this.mostBytes;
    if (isFull) this.droppedCount += 1;
    else this.bytes += bytes;
    return !isFull;
  }

  private pathOf(stream: string): string {
    return this.capture === 'c1'
      ? `logs/${stream}.ndjson`
      : `logs/${stream}-${this.capture}.ndjson`;
  }
}

async function closeStream({ file, dropped }: OpenStream): Promise<void> {
  const opened = await file;
  try {
    if (dropped > 0)
      await opened.append(`${JSON.stringify({ ts: Date.now(), type: 'dropped', dropped })}\n`);
  } finally {
    await opened.close();
  }
}
