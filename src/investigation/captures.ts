import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import { defined } from '../util/defined';
import { unlessAborted } from '../util/unlessAborted';
import {
  endOf,
  firstFailure,
  reasonOf,
  recorderOf,
  TIME_IS_UP,
  unwrittenNote,
  WriteFailure,
  type Recorder,
} from './captureRecorder';
import { CaptureWriter, type CaptureStats, type WriterOptions } from './captureWriter';
import { FurtherStreams } from './furtherStreams';
import { hasEnded, type Investigations } from './investigations';
import type { CaptureRecord } from './record';
import type { RunEnd } from './runs';

/** The run to capture, and the way in which it is captured. */
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
  /** Whether the person was shown that this run stands for that capture. */
  readonly standsForCapture?: boolean;
  readonly timeoutMs: number;
  /** Executes the run. When `stop` is aborted, the run ends everything that it started. */
  readonly run: (recorder: Recorder, stop: AbortSignal) => Promise<RunEnd>;
}

/** The state of a capture: its record, and its current statistics. */
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

const MAX_RUNNING = 8;
const MAX_CAPTURES = 50;

/** Runs captures. A capture continues after the call that started it, until its own time limit. */
export class Captures {
  private readonly running = new Map<string, Running>();
  /** Captures whose end could not be written, because the disk is full or their folder was removed. */
  private readonly unsaved = new Map<string, CaptureState>();

  constructor(
    private readonly investigations: Investigations,
    private readonly options: WriterOptions = {},
  ) {}

  /** Whether a capture is running, or its end is stored only here. */
  isRunning(sid: string, id: string): boolean {
    const key = `${sid} ${id}`;
    return this.running.has(key) || this.unsaved.has(key);
  }

  /** Begins a capture. @throws Failure */
  async start(sid: string, plan: CapturePlan): Promise<CaptureRecord> {
    if (this.running.size >= MAX_RUNNING) throw tooMany();
    const begun = await this.begin(sid, plan);
    const stop = new AbortController();
    const writer = await this.writerOf(sid, begun, stop);
    if (writer === undefined) return begun;
    const key = `${sid} ${begun.id}`;
    const ended = this.follow(sid, begun, plan, writer, stop).finally(() =>
      this.running.delete(key),
    );
    // A waiting call receives the rejection. If no call waits, it must not count as unhandled.
    ended.catch(() => undefined);
    this.running.set(key, { stop, ended, writer, record: begun });
    return begun;
  }

  /** Creates the writer; undefined if the file cannot be created. In that case the capture has ended. */
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
      const end: RunEnd = { via: VIA[begun.source], endedBy: 'failed', note: unwrittenNote(error) };
      await this.close(sid, begun, end, NOTHING, []);
      return undefined;
    }
  }

  /** The state at the end of the capture, or at the end of the wait. */
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

  /** Ends one capture or all captures of an investigation, and waits for their ends. */
  async stop(sid: string, id?: string): Promise<void> {
    const stopped = [...this.running].filter(([key]) =>
      id === undefined ? key.startsWith(`${sid} `) : key === `${sid} ${id}`,
    );
    for (const [, { stop }] of stopped) stop.abort();
    await Promise.allSettled(stopped.map(([, { ended }]) => ended));
  }

  /** Called when the window closes. Ends all captures. */
  dispose(): void {
    for (const { stop } of this.running.values()) stop.abort();
  }

  private async ended(sid: string, id: string): Promise<CaptureState> {
    const unsaved = this.unsaved.get(`${sid} ${id}`);
    if (unsaved !== undefined) return await this.save(sid, unsaved);
    const { captures } = await this.investigations.find(sid);
    const found = captures.find((capture) => capture.id === id);
    if (found === undefined) throw unknownCapture(id, captures);
    const { events, errors, warnings, bytes, dropped } = found;
    const stats = { events, errors, warnings, bytes, dropped, firstErrors: [], tail: [] };
    return { record: found, stats, isRunning: false };
  }

  private async begin(sid: string, plan: CapturePlan): Promise<CaptureRecord> {
    const { kind, mode, source, what, cwd, webRoot, against, standsForCapture } = plan;
    const [envNames, timeoutSec] = [[...(plan.envNames ?? [])], plan.timeoutMs / 1000];
    const { captures: all } = await this.investigations.update(sid, ({ captures, endedAt }) => {
      if (endedAt !== undefined) throw hasEnded(sid);
      if (captures.length >= MAX_CAPTURES) throw tooMany();
      const number = captures.filter((capture) => capture.kind === kind).length + 1;
      const begun: CaptureRecord = {
        ...defined({ cwd, webRoot, against, standsForCapture }),
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

  /**
   * Writes the end of a capture into the record. If that fails, the end is stored here, and written when the capture is
   * next read.
   */
  private async save(sid: string, state: CaptureState): Promise<CaptureState> {
    const { record } = state;
    const key = `${sid} ${record.id}`;
    try {
      await this.investigations.update(sid, ({ captures }) => ({
        captures: captures.map((capture) => (capture.id === record.id ? record : capture)),
      }));
      this.unsaved.delete(key);
    } catch {
      this.unsaved.set(key, state);
    }
    return state;
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

const VIA: Readonly<Record<CaptureRecord['source'], RunEnd['via']>> = {
  command: 'child_process',
  configuration: 'debugger',
  page: 'browser',
};

/** The file of a capture: `logs/capture.ndjson`, then `logs/capture-2.ndjson`; `logs/run-1.verify.ndjson`. */
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
    `Captures: ${captures.map((capture) => capture.id).join(', ') || 'none; call capture_run'}.`,
  );
}
