import { Listeners, type Subscription } from '../util/listeners';
import { RecordedData } from './recordedData';
import type { RecordedHit } from './recordedRows';
import type { RecordingFolder } from './recordingFiles';

/** The delay after which written lines are read, in milliseconds. A program may write thousands of lines per second. */
const READ_DELAY_MS = 50;

/** Reads the rows that the recorders of one recording write to its folder. */
export class RecordingReader {
  private readonly recorded: RecordedData;
  private readonly hitListeners = new Listeners<readonly RecordedHit[]>();
  private readonly callLossListeners = new Listeners();
  private readonly reportListeners = new Listeners();
  private readonly watching: Subscription;
  private reading: Promise<void> = Promise.resolve();
  private isReadQueued = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: RecordingFolder,
    maxHits: number,
  ) {
    this.recorded = new RecordedData(maxHits);
    this.watching = folder.onDidWrite(() => this.readSoon());
  }

  /** The data that has been read so far. */
  get data(): Omit<RecordedData, 'add' | 'cut'> {
    return this.recorded;
  }

  /** Called with new hits as they are read. */
  onHits(listener: (hits: readonly RecordedHit[]) => void): Subscription {
    return this.hitListeners.add(listener);
  }

  /** Called when there were too many calls to report them all. */
  onLostCalls(listener: () => void): Subscription {
    return this.callLossListeners.add(listener);
  }

  /** Called when the recorder has reported where it stops the program, that it is full, or that it has failed. */
  onReport(listener: () => void): Subscription {
    return this.reportListeners.add(listener);
  }

  /** Reads everything that has been written so far. */
  async settle(): Promise<void> {
    if (!this.isReadQueued) {
      this.isReadQueued = true;
      this.reading = this.reading.then(async () => {
        this.isReadQueued = false;
        await this.readNew();
      });
    }
    await this.reading;
  }

  /** Stops watching the folder. `settle` still reads. */
  dispose(): void {
    clearTimeout(this.timer);
    this.watching.dispose();
  }

  private readSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.settle();
    }, READ_DELAY_MS);
  }

  private async readNew(): Promise<void> {
    const { hasLostCalls, arrival, isFull, fault } = this.recorded;
    try {
      for await (const { file, lines } of this.folder.read()) {
        const hits = lines.flatMap((line) => this.recorded.add(file, line) ?? []);
        if (hits.length > 0) this.hitListeners.notify(hits);
      }
    } catch {
      // Lines that cannot be read now are read together with the lines that are written next.
    }
    if (this.folder.isCut) this.recorded.cut();
    const now = this.recorded;
    if (now.hasLostCalls && !hasLostCalls) this.callLossListeners.notify();
    if (now.arrival !== arrival || now.isFull !== isFull || now.fault !== fault)
      this.reportListeners.notify();
  }
}
