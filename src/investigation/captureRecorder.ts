import { asFailure } from '../results/debuggerFailures';
import type { CaptureWriter } from './captureWriter';
import type { CaptureEvent } from './events';
import type { FurtherStreams } from './furtherStreams';
import type { RunEnd, Sink } from './runs';

/** Receives all data that a run records. */
export interface Recorder {
  readonly sid: string;
  readonly sink: Sink;
  readonly event: (event: CaptureEvent) => Promise<void>;
  /** Writes a line of a further stream, `actions`, `console` or `network`. */
  readonly line: (stream: string, value: object) => Promise<void>;
  /** Stores a picture. @returns its path; undefined if the size limit dropped it */
  readonly picture: (name: string, data: Uint8Array) => Promise<string | undefined>;
  /** Counts the items that could not be recorded. */
  readonly dropped: (count: number) => void;
}

/** Creates the recorder of a run. If a write fails, the run is stopped, because its output would be lost. */
export function recorderOf(
  sid: string,
  writer: CaptureWriter,
  streams: FurtherStreams,
  stop: AbortController,
  dropped: (count: number) => void,
): Recorder {
  const written = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } catch (error) {
      stop.abort(new WriteFailure(error));
      throw error;
    }
  };
  return {
    sid,
    sink: async (stream, data) => await written(writer.accept(stream, data)),
    event: async (event) => await written(writer.event(event)),
    line: async (stream, value) => await written(streams.line(stream, value)),
    picture: async (name, data) => await written(streams.picture(name, data)),
    dropped,
  };
}

/** The reason for which a run is stopped if its data can no longer be written. */
export class WriteFailure extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

/** The reason of the first rejected promise, after all promises have settled. */
export async function firstFailure(work: readonly Promise<unknown>[]): Promise<unknown> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find(({ status }) => status === 'rejected');
  return failed?.status === 'rejected' ? (failed.reason as unknown) : undefined;
}

/** The note of a run that could not be recorded. */
export function unwrittenNote(error: unknown): string {
  return `The capture could not be written: ${reasonOf(error)}`;
}

export function reasonOf(error: unknown): string {
  const reported = asFailure(error) ?? error;
  return reported instanceof Error ? reported.message : String(reported);
}

/** The reason with which a run is stopped at its time limit. */
export const TIME_IS_UP = 'time is up';

/** The end of a run: by itself, because it was stopped, or because it could not be recorded. */
export function endOf(end: RunEnd, stop: AbortSignal, failure: unknown): RunEnd {
  const reason: unknown = stop.reason;
  const broken = stop.aborted && reason instanceof WriteFailure ? reason : failure;
  if (broken !== undefined) return { ...end, endedBy: 'failed', note: unwrittenNote(broken) };
  if (!stop.aborted) return end;
  return { ...end, endedBy: reason === TIME_IS_UP ? 'timeout' : 'stopped' };
}
