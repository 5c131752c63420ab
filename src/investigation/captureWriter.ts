import { encode, type CaptureEvent, type Stream } from './events';
import type { GrowingFile } from './files';
import { LineSplitter, type CapturedLine } from './lines';
import { LineReader } from './parseLine';
import { beginsSecretPart } from '../results/namedSecrets';
import { fitsBatch, type Scrub } from './scrub';
import { SerialQueue } from '../util/serialQueue';

/** The statistics of the written data. */
export interface CaptureStats {
  readonly events: number;
  readonly errors: number;
  readonly warnings: number;
  readonly bytes: number;
  /** The number of lines that were dropped because of the size limit. */
  readonly dropped: number;
  /** The first error messages, without duplicates. */
  readonly firstErrors: readonly string[];
  /** The last lines of the capture. */
  readonly tail: readonly string[];
}

/** The size limit of a capture file. Beyond it, only the last lines are written. */
const MAX_BYTES = 512 * 1024 * 1024;
const KEPT_AFTER_LIMIT = 2000;

const BATCH_CHARACTERS = 128 * 1024;
const BATCH_LINES = 1000;
const FLUSH_MS = 250;

const FIRST_ERRORS = 5;
const TAIL = 8;
const MAX_OF_A_SAMPLE = 300;

/** The beginning of a private key. A private key has several lines, which are redacted together. */
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY/;
const KEY_ENDS = '-----END';
const MAX_KEY_LINES = 200;

interface Pending {
  readonly line: CapturedLine;
  readonly stream: Stream;
  readonly ts: number;
}

export interface WriterOptions {
  readonly now?: () => number;
  /** A smaller limit, for tests. */
  readonly mostBytes?: number;
  /** Called once when no more data can be written, because the disk is full or the text cannot be redacted. */
  readonly onFailure?: (error: Error) => void;
}

/**
 * Writes the output of a run as ndjson while it runs. Lines are redacted in batches before they are parsed, so no data
 * derived from them contains a credential.
 */
export class CaptureWriter {
  private readonly splitters = new Map<Stream, LineSplitter>();
  private readonly readers = new Map<Stream, LineReader>();
  private readonly queue = new SerialQueue();
  private readonly samples = new Set<string>();
  private readonly now: () => number;
  private readonly mostBytes: number;
  private readonly onFailure: (error: Error) => void;
  private pending: Pending[] = [];
  private characters = 0;
  private longest = 0;
  private timer: NodeJS.Timeout | undefined;
  private counts = { events: 0, errors: 0, warnings: 0, bytes: 0, dropped: 0 };
  private tail: string[] = [];
  /** The newest lines beyond the size limit. */
  private late: string[] = [];
  private failure: Error | undefined;

  constructor(
    private readonly file: GrowingFile,
    private readonly scrub: Scrub,
    options: WriterOptions = {},
  ) {
    this.now = options.now ?? Date.now;
    this.mostBytes = options.mostBytes ?? MAX_BYTES;
    this.onFailure = options.onFailure ?? (() => undefined);
  }

  /**
   * Takes output of a stream. Resolves when more output is accepted, so that a fast program is slowed down.
   * @throws the error of a failed write
   */
  async accept(stream: Stream, data: Uint8Array | string): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const splitter = this.splitters.get(stream) ?? new LineSplitter();
    this.splitters.set(stream, splitter);
    await this.add(splitter.push(data), stream);
  }

  /** Writes an event that is not a line of a stream. @throws the error of a failed write */
  async event(event: CaptureEvent): Promise<void> {
    await this.flush();
    await this.inTurn(async () => {
      // A module may be an address, with a token in its query.
      const { module, func, msg, kv } = event;
      const shown = await this.scrub.value({ module, func, msg, kv });
      await this.write([{ ...event, ...shown }]);
    });
  }

  /** Writes the rest, and closes the file. @throws the error of a failed write */
  async finish(): Promise<CaptureStats> {
    try {
      for (const [stream, splitter] of this.splitters) await this.add(splitter.finish(), stream);
      await this.flush(true);
      await this.inTurn(async () => await this.writeLate());
    } finally {
      clearTimeout(this.timer);
      await this.file.close();
    }
    return this.stats;
  }

  get stats(): CaptureStats {
    return { ...this.counts, firstErrors: [...this.samples], tail: [...this.tail] };
  }

  private async add(lines: readonly CapturedLine[], stream: Stream): Promise<void> {
    const ts = this.now();
    for (const line of lines) {
      if (line.text.trim() === '') continue;
      this.pending.push({ line, stream, ts });
      this.characters += line.text.length;
      this.longest = Math.max(this.longest, line.text.length);
      if (this.isFull()) await this.flush();
    }
    if (this.pending.length > 0) this.flushSoon();
  }

  private isFull(): boolean {
    return (
      this.characters >= BATCH_CHARACTERS ||
      this.pending.length >= BATCH_LINES ||
      !fitsBatch(this.pending.length + 1, this.longest)
    );
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // `onFailure` reports the error immediately, and the next write throws it.
      this.flush().catch(() => undefined);
    }, FLUSH_MS);
  }

  private async flush(isLast = false): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.pending;
    this.pending = isLast ? [] : batch.splice(startOfOpenKey(batch));
    this.characters = this.pending.reduce((sum, item) => sum + item.line.text.length, 0);
    this.longest = 0;
    if (batch.length === 0) return;
    await this.inTurn(async () => {
      const texts = await this.scrub.texts(batch.map((item) => item.line.text));
      await this.write(batch.map((item, index) => this.read(item, texts[index] ?? '')));
    });
  }

  /** Runs a write after all earlier writes. After a failure, no further data is written. */
  private async inTurn(write: () => Promise<void>): Promise<void> {
    await this.queue.run(async () => {
      if (this.failure !== undefined) throw this.failure;
      try {
        await write();
      } catch (error) {
        this.failure = error instanceof Error ? error : new Error(String(error));
        this.onFailure(this.failure);
        throw this.failure;
      }
    });
  }

  private read({ line, stream, ts }: Pending, text: string): CaptureEvent {
    const reader = this.readers.get(stream) ?? new LineReader();
    this.readers.set(stream, reader);
    const event = reader.read(text, { ts, stream });
    return line.part === undefined ? event : { ...event, kv: { ...event.kv, part: line.part } };
  }

  private async write(events: readonly CaptureEvent[]): Promise<void> {
    const lines: string[] = [];
    for (const event of events) {
      this.count(event);
      const line = encode(event);
      if (this.counts.bytes >= this.mostBytes) this.keepLate(line);
      else {
        this.counts.bytes += Buffer.byteLength(line);
        lines.push(line);
      }
    }
    if (lines.length > 0) await this.file.append(lines.join(''));
  }

  private count(event: CaptureEvent): void {
    this.counts.events += 1;
    if (event.level === 'warn') this.counts.warnings += 1;
    if (event.level === 'error' && event.kv['trace'] !== true) {
      this.counts.errors += 1;
      if (this.samples.size < FIRST_ERRORS) this.samples.add(event.msg.slice(0, MAX_OF_A_SAMPLE));
    }
    this.tail.push(event.msg.slice(0, MAX_OF_A_SAMPLE));
    if (this.tail.length > TAIL) this.tail.shift();
  }

  private keepLate(line: string): void {
    this.late.push(line);
    if (this.late.length < 2 * KEPT_AFTER_LIMIT) return;
    this.counts.dropped += this.late.length - KEPT_AFTER_LIMIT;
    this.late = this.late.slice(-KEPT_AFTER_LIMIT);
  }

  /** Writes the last lines beyond the limit, because the end of a run matters most. */
  private async writeLate(): Promise<void> {
    if (this.late.length === 0) return;
    const kept = this.late.slice(-KEPT_AFTER_LIMIT);
    this.counts.dropped += this.late.length - kept.length;
    const note = encode({
      ts: this.now(),
      level: 'warn',
      module: 'capture',
      func: '',
      msg: `The size limit of the capture dropped ${this.counts.dropped} lines here.`,
      kv: { dropped: this.counts.dropped },
      stream: 'capture',
    });
    await this.file.append(note + kept.join(''));
  }
}

/** The index of the line at which an unfinished private key or part of a form begins; the number of lines for none. */
function startOfOpenKey(batch: readonly Pending[]): number {
  if (beginsSecretPart(batch.at(-1)?.line.text ?? '')) return batch.length - 1;
  for (let at = batch.length - 1; at >= Math.max(0, batch.length - MAX_KEY_LINES); at -= 1) {
    const text = batch[at]?.line.text ?? '';
    if (text.includes(KEY_ENDS)) return batch.length;
    if (KEY_BEGINS.test(text)) return at;
  }
  return batch.length;
}
