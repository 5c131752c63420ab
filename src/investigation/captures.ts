import * as l10n from '@vscode/l10n';
import { asFailure } from '../results/debuggerFailures';
import { Failure } from '../results/failure';
import { defined } from '../util/defined';
import { unlessAborted } from '../util/unlessAborted';
import { CaptureWriter, type CaptureStats, type WriterOptions } from './captureWriter';
import type { CaptureEvent } from './events';
import { FurtherStreams } from './furtherStreams';
import { hasEnded, type Investigations } from './investigations';
import type { CaptureRecord } from './record';
import type { RunEnd, Sink } from './runs';

/** What is captured. */
export interface CapturePlan {
  readonly kind: CaptureRecord['kind'];
  readonly mode: CaptureRecord['mode'];
  readonly source: CaptureRecord['source'];
  readonly what: string;
  readonly cwd?: string;
  /** The names of the variables that were added to the environment. */
  readonly envNames?: readonly string[];
  readonly webRoot?: string | undefined;
  /** The capture that a verification is compared with. */
  readonly against?: string;
  readonly timeoutMs: number;
  /** Runs it. When `stop` is aborted, it ends what it started. */
  readonly run: (recorder: Recorder, stop: AbortSignal) => Promise<RunEnd>;
}

/** Where a run writes what it sees. */
export interface Recorder {
  readonly sid: string;
  readonly sink: Sink;
  readonly event: (event: CaptureEvent) => Promise<void>;
  /** Writes a line of a further stream, `actions`, `console` or `network`. */
  readonly line: (stream: string, value: object) => Promise<void>;
  /** Keeps a picture, and returns its path; undefined where the size limit dropped it. */
  readonly picture: (name: string, data: Uint8Array) => Promise<string | undefined>;
  /** Counts what could not be recorded. */
  readonly dropped: (count: number) => void;
}

/** What is known of a capture: its record, and the numbers of the moment. */
export interface CaptureState {
  readonly record: CaptureRecord;
  readonly stats: CaptureStats;
  readonly isRunning: boolean;
}

interface Running {
  readonly stop: AbortController;
  readonly ended: Promise<CaptureState>;
  readonly writer: CaptureWriter;
  readonly record: CaptureRecord;
}

const MOST_RUNNING = 8;
const MOST_CAPTURES = 50;

/** Runs captures. One goes on when the call that started it has ended, until its own time limit. */
export class Captures {
  private readonly running = new Map<string, Running>();
  /** Captures that have ended and whose end could not be written: the disk is full, or their folder is gone. */
  private readonly unsaved = new Map<string, CaptureState>();

  constructor(
    private readonly investigations: Investigations,
    private readonly options: WriterOptions = {},
  ) {}

  /** Whether a capture goes on, or its end is known only here. */
  isRunning(sid: string, id: string): boolean {
    const key = `${sid} ${id}`;
    return this.running.has(key) || this.unsaved.has(key);
  }

  /** Begins a capture. @throws Failure */
  async start(sid: string, plan: CapturePlan): Promise<CaptureRecord> {
    if (this.running.size >= MOST_RUNNING) throw tooMany();
    const begun = await this.begin(sid, plan);
    const stop = new AbortController();
    const writer = await this.writerOf(sid, begun, stop);
    if (writer === undefined) return begun;
    const key = `${sid} ${begun.id}`;
    const ended = this.follow(sid, begun, plan, writer, stop).finally(() =>
      this.running.delete(key),
    );
    // Whoever waits hears of a failure; nobody may be waiting.
    ended.catch(() => undefined);
    this.running.set(key, { stop, ended, writer, record: begun });
    return begun;
  }

  /** Undefined where there can be no file: then the capture has ended. */
  private async writerOf(
    sid: string,
    begun: CaptureRecord,
    stop: AbortController,
  ): Promise<CaptureWriter | undefined> {
    try {
      const file = await this.investigations.files.grow(sid, begun.file);
      return new CaptureWriter(file, this.investigations.scrub, {
        ...this.options,
        onFailure: (error) => stop.abort(new WriteFailure(error)),
      });
    } catch (error) {
      const end: RunEnd = { via: VIA[begun.source], endedBy: 'failed', note: unwritten(error) };
      await this.close(sid, begun, end, NOTHING, []);
      return undefined;
    }
  }

  /** The state when the capture has ended, or when the wait has. */
  async wait(
    sid: string,
    id: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<CaptureState> {
    const running = this.running.get(`${sid} ${id}`);
    if (running === undefined) return await this.ended(sid, id);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      return await unlessAborted(running.ended, AbortSignal.any([signal, late.signal]), () => ({
        record: running.record,
        stats: running.writer.stats,
        isRunning: true,
      }));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends captures of an investigation, one or all, and waits for that. */
  async stop(sid: string, id?: string): Promise<void> {
    const wanted = [...this.running].filter(([key]) =>
      id === undefined ? key.startsWith(`${sid} `) : key === `${sid} ${id}`,
    );
    for (const [, { stop }] of wanted) stop.abort();
    await Promise.allSettled(wanted.map(([, { ended }]) => ended));
  }

  /** Ends all: the window closes. */
  dispose(): void {
    for (const { stop } of this.running.values()) stop.abort();
  }

  private async ended(sid: string, id: string): Promise<CaptureState> {
    const unsaved = this.unsaved.get(`${sid} ${id}`);
    if (unsaved !== undefined) return await this.save(sid, unsaved);
    const { captures } = await this.investigations.find(sid);
    const found = captures.find((each) => each.id === id);
    if (found === undefined) throw unknownCapture(id, captures);
    const { events, errors, warnings, bytes, dropped } = found;
    const stats = { events, errors, warnings, bytes, dropped, firstErrors: [], tail: [] };
    return { record: found, stats, isRunning: false };
  }

  private async begin(sid: string, plan: CapturePlan): Promise<CaptureRecord> {
    const { kind, mode, source, what, cwd, webRoot, against } = plan;
    const [envNames, timeoutSec] = [[...(plan.envNames ?? [])], plan.timeoutMs / 1000];
    const { captures: all } = await this.investigations.update(sid, ({ captures, endedAt }) => {
      if (endedAt !== undefined) throw hasEnded(sid);
      if (captures.length >= MOST_CAPTURES) throw tooMany();
      const number = captures.filter((each) => each.kind === kind).length + 1;
      const begun: CaptureRecord = {
        ...defined({ cwd, webRoot, against }),
        envNames,
        timeoutSec,
        id: `${kind === 'verify' ? 'v' : 'c'}${number}`,
        kind,
        mode,
        source,
        what,
        file: fileOf(kind, number),
        files: [],
        startedAt: new Date().toISOString(),
        events: 0,
        errors: 0,
        warnings: 0,
        bytes: 0,
        dropped: 0,
      };
      return { captures: [...captures, begun] };
    });
    const begun = all.at(-1);
    if (begun === undefined) throw hasEnded(sid);
    return begun;
  }

  private async follow(
    sid: string,
    begun: CaptureRecord,
    plan: CapturePlan,
    writer: CaptureWriter,
    stop: AbortController,
  ): Promise<CaptureState> {
    const timer = setTimeout(() => stop.abort(TIME_IS_UP), plan.timeoutMs);
    const streams = new FurtherStreams(sid, begun.id, this.investigations, this.options.mostBytes);
    let lost = 0;
    const recorder = recorderOf(sid, writer, streams, stop, (count) => (lost += count));
    let end: RunEnd;
    try {
      end = await plan.run(recorder, stop.signal);
    } catch (error) {
      end = { via: VIA[plan.source], endedBy: 'failed', note: reasonOf(error) };
    } finally {
      clearTimeout(timer);
    }
    const failure = await firstFailure([streams.close(), writer.finish()]);
    const { dropped, ...rest } = writer.stats;
    const stats = { ...rest, dropped: dropped + streams.dropped + lost };
    return await this.close(sid, begun, endOf(end, stop.signal, failure), stats, streams.files);
  }

  private async close(
    sid: string,
    begun: CaptureRecord,
    { via, endedBy, exitCode, signal, note }: RunEnd,
    stats: CaptureStats,
    files: readonly string[],
  ): Promise<CaptureState> {
    const { events, errors, warnings, bytes, dropped } = stats;
    const record: CaptureRecord = {
      ...begun,
      ...defined({ exitCode, signal, note }),
      via,
      endedBy,
      endedAt: new Date().toISOString(),
      files: [...files],
      events,
      errors,
      warnings,
      bytes,
      dropped,
    };
    return await this.save(sid, { record, stats, isRunning: false });
  }

  /** Writes the end of a capture into the record. Where that fails, it is kept here, and tried again when asked for. */
  private async save(sid: string, state: CaptureState): Promise<CaptureState> {
    const { record } = state;
    const key = `${sid} ${record.id}`;
    try {
      await this.investigations.update(sid, ({ captures }) => ({
        captures: captures.map((each) => (each.id === record.id ? record : each)),
      }));
      this.unsaved.delete(key);
    } catch {
      this.unsaved.set(key, state);
    }
    return state;
  }
}

/** What is written for a run. Where that fails, the run is stopped: it would be in vain. */
function recorderOf(
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

/** Why a run was stopped: nothing of it can be written any more. */
class WriteFailure extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

const NOTHING: CaptureStats = {
  events: 0,
  errors: 0,
  warnings: 0,
  bytes: 0,
  dropped: 0,
  firstErrors: [],
  tail: [],
};

async function firstFailure(work: readonly Promise<unknown>[]): Promise<unknown> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find((each) => each.status === 'rejected');
  return failed?.status === 'rejected' ? (failed.reason as unknown) : undefined;
}

function unwritten(error: unknown): string {
  return `What it did could not be written: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const known = asFailure(error) ?? error;
  return known instanceof Error ? known.message : String(known);
}

const TIME_IS_UP = 'time is up';

/** How a run has ended: by itself, by what stopped it, or because it could not be written. */
function endOf(end: RunEnd, stop: AbortSignal, failure: unknown): RunEnd {
  const reason: unknown = stop.reason;
  const broken = stop.aborted && reason instanceof WriteFailure ? reason : failure;
  if (broken !== undefined) return { ...end, endedBy: 'failed', note: unwritten(broken) };
  if (!stop.aborted) return end;
  return { ...end, endedBy: reason === TIME_IS_UP ? 'timeout' : 'stopped' };
}

const VIA: Readonly<Record<CaptureRecord['source'], RunEnd['via']>> = {
  command: 'child_process',
  configuration: 'debugger',
  page: 'browser',
};

/** `logs/capture.ndjson`, then `logs/capture-2.ndjson`; `logs/run-1.verify.ndjson`. */
function fileOf(kind: CaptureRecord['kind'], number: number): string {
  if (kind === 'verify') return `logs/run-${number}.verify.ndjson`;
  return number === 1 ? 'logs/capture.ndjson' : `logs/capture-${number}.ndjson`;
}

function tooMany(): Failure {
  return new Failure(
    'too_many_calls',
    l10n.t('Too many captures are running, or this investigation has too many.'),
    'Wait for one with capture_run and its captureId, or call end_session. Nothing was run.',
  );
}

function unknownCapture(id: string, captures: readonly CaptureRecord[]): Failure {
  return new Failure(
    'invalid_input',
    l10n.t('There is no capture {0}.', id.slice(0, 40)),
    `Captures: ${captures.map((each) => each.id).join(', ') || 'none; call capture_run'}.`,
  );
}
