import { lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CallRecord } from '../../diagnostics/calls';
import { callLogLine } from '../../diagnostics/logText';
import { SerialQueue } from '../../util/serialQueue';

/** The number of days for which calls are kept, today included. */
export const DAYS_KEPT = 7;

/** The maximum size of the file of a day, in bytes. */
const MAX_OF_A_DAY = 5_000_000;

const NAME = /^calls-(\d{4}-\d\d-\d\d)\.log$/;

/** A day with calls, as `2026-11-29` in local time. */
export interface DayOfCalls {
  readonly day: string;
  readonly bytes: number;
}

/**
 * The calls of the last days, of all windows, on disk: a file for each day, in a folder that only its owner can open. The
 * lines are those of the call log, so inputs are redacted. Other files in the folder are neither read nor deleted.
 */
export class EarlierCalls {
  private readonly queue = new SerialQueue();
  private hasFailed = false;

  /** @param inputOf the redacted input of a call */
  constructor(
    private readonly folder: string,
    private readonly inputOf: (record: CallRecord) => Promise<string>,
    private readonly now: () => number = Date.now,
  ) {
    void this.queue.run(() => this.removeOld());
  }

  /** Adds a call that has run. If the file cannot be written, later calls are not written either. */
  add(record: CallRecord): void {
    if (!this.hasFailed) void this.queue.run(() => this.write(record));
  }

  /** The days with calls, newest first. */
  async days(): Promise<readonly DayOfCalls[]> {
    return await this.queue.run(async () => {
      const names = await readdir(this.folder).catch(() => []);
      const days: DayOfCalls[] = [];
      for (const name of names) {
        const day = NAME.exec(name)?.[1];
        const facts = await lstat(path.join(this.folder, name)).catch(() => undefined);
        if (day !== undefined && facts?.isFile() === true && !this.isOld(day))
          days.push({ day, bytes: facts.size });
      }
      return days.sort((one, other) => other.day.localeCompare(one.day));
    });
  }

  /** The lines of a day. Empty if there are none any more. */
  async read(day: string): Promise<string> {
    const file = this.fileOf(day);
    return await this.queue.run(async () => await readFile(file, 'utf8').catch(() => ''));
  }

  /** Deletes all days. */
  async clear(): Promise<void> {
    await this.queue.run(async () => await this.remove(() => true));
  }

  private async write(record: CallRecord): Promise<void> {
    try {
      const line = `${callLogLine(record, await this.inputOf(record))}\n`;
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const file = await open(this.fileOf(dayOf(record.at)), 'a', 0o600);
      try {
        const { size } = await file.stat();
        if (size + line.length <= MAX_OF_A_DAY) await file.appendFile(line);
      } finally {
        await file.close();
      }
    } catch {
      // The disk is full, for example, or an input cannot be redacted. The call log of the window has the call.
      this.hasFailed = true;
    }
  }

  private async removeOld(): Promise<void> {
    await this.remove((day) => this.isOld(day));
  }

  private async remove(isIncluded: (day: string) => boolean): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const day = NAME.exec(name)?.[1];
      if (day !== undefined && isIncluded(day))
        await rm(path.join(this.folder, name), { force: true }).catch(() => undefined);
    }
  }

  private isOld(day: string): boolean {
    const oldest = new Date(this.now());
    oldest.setDate(oldest.getDate() - DAYS_KEPT + 1);
    return day < dayOf(oldest.getTime());
  }

  private fileOf(day: string): string {
    return path.join(this.folder, `calls-${path.basename(day)}.log`);
  }
}

function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
