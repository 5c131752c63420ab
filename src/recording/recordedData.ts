import { readRow, type RecordedCall, type RecordedHit, type RecordedRow } from './recordedRows';

/** The progress of one file: the process that writes it, and the number of its last row. */
interface Writer {
  readonly pid: number;
  seq: number;
}

/** The data that recorders have written so far, collected from the rows of their files. */
export class RecordedData {
  /** The recorded hits, at most `maxHits`. */
  readonly hits: RecordedHit[] = [];
  readonly calls: RecordedCall[] = [];
  /** The locals of the chosen call that its last line changed, if they were recorded. */
  lastLocals: RecordedHit['locals'];
  /** The comparison of whole values after the last line. */
  lastParts: RecordedHit['parts'];
  /** Whether there were too many calls to report them all. */
  hasLostCalls = false;
  /** Where the recorder of a call has stopped the program. */
  arrival: { readonly place: string; readonly threadId: number | undefined } | undefined;
  /** The recorder's own fault, if it has failed. */
  fault: string | undefined;
  private readonly writers = new Map<string, Writer>();
  private readonly passed = new Map<number, number>();
  private readonly failed = new Map<number, string>();
  private readonly reached = new Set<number>();
  private lost = 0;
  private beyond = 0;
  isAtLimit = false;
  private isCut = false;

  constructor(private readonly maxHits: number) {}

  /** The number of rows that are missing from the files, and of hits beyond the limit. */
  get gaps(): { readonly lost: number; readonly beyond: number } {
    return { lost: this.lost, beyond: this.beyond };
  }

  /** Whether any process has written a row. */
  get hasBegun(): boolean {
    return this.writers.size > 0;
  }

  /** Whether the maximum number of hits has been recorded. */
  get isFull(): boolean {
    return this.isAtLimit || this.hits.length >= this.maxHits;
  }

  /** The minimum number of times that a point was reached while its `when` was false. */
  passes(point: number): number {
    return this.passed.get(point) ?? 0;
  }

  /** Whether a point was reached, even if an evaluation there has not ended. */
  hasReached(point: number): boolean {
    return this.reached.has(point);
  }

  /** The first error that a point's `when` raised. */
  failure(point: number): string | undefined {
    return this.failed.get(point);
  }

  /** Adds one line of a file. @returns the hit, if the line is a hit within the limit */
  add(file: string, line: string): RecordedHit | undefined {
    const row = readRow(line);
    if (row === undefined) return undefined;
    if (row.kind === 'began') {
      this.writers.set(file, { pid: row.pid, seq: 0 });
      return undefined;
    }
    const writer = this.writers.get(file);
    if (writer === undefined) return undefined;
    this.lost += Math.max(0, row.seq - writer.seq - 1);
    writer.seq = Math.max(writer.seq, row.seq);
    if (row.kind === 'hit') return this.addHit({ ...row.hit, pid: writer.pid });
    this.note(row);
    return undefined;
  }

  /** Notes that rows are missing, because the files are larger than what is read of them. */
  cut(): void {
    if (this.isCut) return;
    this.isCut = true;
    this.isAtLimit = true;
    this.hasLostCalls = true;
    this.lost += 1;
  }

  private addHit(hit: RecordedHit): RecordedHit | undefined {
    if (this.hits.length >= this.maxHits) {
      this.beyond += 1;
      return undefined;
    }
    this.hits.push(hit);
    return hit;
  }

  private note(row: Exclude<RecordedRow, { readonly kind: 'began' | 'hit' }>): void {
    switch (row.kind) {
      case 'full':
        this.isAtLimit = true;
        break;
      case 'fullOfCalls':
        this.hasLostCalls = true;
        break;
      case 'passed':
        this.passed.set(row.point, this.passes(row.point) + newPasses(row));
        break;
      case 'failed':
        if (!this.failed.has(row.point)) this.failed.set(row.point, row.error);
        break;
      case 'reached':
        this.reached.add(row.point);
        break;
      case 'call':
        this.calls.push(row.call);
        break;
      case 'arrived':
        this.arrival = row;
        break;
      case 'fault':
        this.fault ??= row.error;
        break;
      case 'last':
        this.lastLocals = row.locals;
        this.lastParts = row.parts;
        break;
    }
  }
}

/**
 * The passes that a row adds. Each row reports a power of two, and the previous row has already reported half of it.
 */
function newPasses({ times }: { readonly times: number }): number {
  return times === 1 ? 1 : times / 2;
}
