/** The numbers of bytes of a text that are kept: its beginning, and its end. */
const HEAD_BYTES = 1500;
const TAIL_BYTES = 500;

/** The bounded text of a stream. The middle of a long one is left out. */
export interface StreamText {
  readonly text: string;
  /** The number of all bytes, including those that were left out. */
  readonly bytes: number;
  readonly isCut: boolean;
}

/** Keeps the beginning and the end of a stream, whatever its length. */
export class BoundedText {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail = Buffer.alloc(0);
  private bytes = 0;

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const first = chunk.subarray(0, HEAD_BYTES - this.headBytes);
    if (first.length > 0) {
      // A copy: a part would keep the whole chunk in memory.
      this.head.push(Buffer.from(first));
      this.headBytes += first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    const last = rest.subarray(-TAIL_BYTES);
    this.tail = Buffer.concat([this.tail.subarray(last.length - TAIL_BYTES), last]);
    if (this.tail.length > TAIL_BYTES) this.tail = this.tail.subarray(-TAIL_BYTES);
  }

  read(): StreamText {
    const head = Buffer.concat(this.head);
    const omitted = this.bytes - head.length - this.tail.length;
    if (omitted === 0)
      return {
        text: Buffer.concat([head, this.tail]).toString('utf8'),
        bytes: this.bytes,
        isCut: false,
      };
    return {
      text: `${head.toString('utf8')}\n[${omitted} bytes left out]\n${this.tail.toString('utf8')}`,
      bytes: this.bytes,
      isCut: true,
    };
  }
}
