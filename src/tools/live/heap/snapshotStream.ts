/** The codes of the characters that separate the parts of a heap snapshot. */
const CODE = {
  open: 0x5b,
  close: 0x5d,
  quote: 0x22,
  backslash: 0x5c,
  zero: 0x30,
  nine: 0x39,
} as const;

/** The maximum number of characters before a list: the description of the snapshot, or the name of the list. */
const MAX_BEFORE = 100_000;

/** The maximum number of bytes of one string that are kept. V8 itself cuts strings at 1024 characters. */
const MAX_OF_A_STRING = 8192;

/** What receives the parts of a heap snapshot. */
export interface SnapshotParts {
  /** The description of the snapshot, as JSON. */
  readonly head: (text: string) => void;
  readonly number: (list: string, value: number) => void;
  /** Whether the text of a string is needed. */
  readonly needs: (index: number) => boolean;
  readonly string: (index: number, text: string) => void;
}

/**
 * Reads V8's heap snapshots byte by byte, so that a snapshot is never in memory as a whole. A snapshot is one JSON
 * object: its description, lists of whole numbers, and at its end the list of strings.
 */
export class SnapshotStream {
  private list = '';
  private before = '';
  private state: 'before' | 'numbers' | 'strings' | 'string' | 'end' = 'before';
  private depth = 0;
  private value = -1;
  private index = -1;
  private isEscaped = false;
  private collected: number[] | undefined;
  private position = 0;

  constructor(private readonly parts: SnapshotParts) {}

  /** A stream that begins at the first string. */
  static ofStrings(parts: Pick<SnapshotParts, 'needs' | 'string'>): SnapshotStream {
    const ignore = (): void => undefined;
    const stream = new SnapshotStream({ ...parts, head: ignore, number: ignore });
    stream.state = 'strings';
    return stream;
  }

  /** Whether the last list has ended. A file that was cut has no end. */
  get isComplete(): boolean {
    return this.state === 'end';
  }

  /** The number of bytes before the first string, once it is reached. */
  get stringsAt(): number | undefined {
    return this.state === 'before' || this.state === 'numbers' ? undefined : this.position;
  }

  /** @throws Error if this is no heap snapshot */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const code = bytes[at] ?? 0;
      if (this.state === 'string') this.inString(code);
      else if (this.state === 'numbers') {
        this.inNumbers(code);
        this.position += 1;
      } else if (this.state === 'strings') this.inStrings(code);
      else if (this.state === 'before') {
        this.inBetween(code);
        this.position += 1;
      }
    }
  }

  private inBetween(code: number): void {
    // The description has lists of its own. Each list of the snapshot follows its name.
    this.before += String.fromCharCode(code);
    if (this.before.length > MAX_BEFORE) throw new Error('no heap snapshot');
    if (code !== CODE.open) return;
    const name = /"([a-z_]{1,40})":\s?\[$/.exec(this.before.slice(-60))?.[1];
    if (this.list === '') {
      if (name !== 'nodes') return;
      this.parts.head(this.before);
    }
    this.list = name ?? '';
    this.before = '';
    this.depth = 1;
    this.value = -1;
    this.state = name === 'strings' ? 'strings' : 'numbers';
  }

  private inNumbers(code: number): void {
    if (code >= CODE.zero && code <= CODE.nine) {
      this.value = (this.value < 0 ? 0 : this.value * 10) + code - CODE.zero;
      return;
    }
    if (this.value >= 0) {
      this.parts.number(this.list, this.value);
      this.value = -1;
    }
    // The tree of allocations has lists within lists.
    if (code === CODE.open) this.depth += 1;
    else if (code === CODE.close) {
      this.depth -= 1;
      if (this.depth === 0) this.state = 'before';
    }
  }

  private inStrings(code: number): void {
    if (code === CODE.close) this.state = 'end';
    if (code !== CODE.quote) return;
    this.index += 1;
    this.state = 'string';
    this.collected = this.parts.needs(this.index) ? [] : undefined;
  }

  private inString(code: number): void {
    if (code === CODE.quote && !this.isEscaped) {
      if (this.collected !== undefined) this.parts.string(this.index, textOfBytes(this.collected));
      this.state = 'strings';
      return;
    }
    this.isEscaped = code === CODE.backslash && !this.isEscaped;
    if (this.collected !== undefined && this.collected.length < MAX_OF_A_STRING)
      this.collected.push(code);
  }
}

/** The text of a JSON string without its quotes. One that was cut in an escape sequence is empty. */
function textOfBytes(bytes: readonly number[]): string {
  try {
    const text: unknown = JSON.parse(`"${Buffer.from(bytes).toString('utf8')}"`);
    return typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}
