import { frameOf, type CaptureEvent, type TraceFrame } from './events';
import { BoundedTallies, type Tally } from './tallies';
import { RapidSequences, type RapidSequence } from './rapidSequences';
import { signatureOf } from './signature';

/** A range of events, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Errors that are close to each other, with the lines before and after. */
export interface ErrorWindow extends Range {
  readonly errors: number;
  readonly warnings: number;
  readonly firstTs: number;
  readonly lastTs: number;
  /** The text of the first error. */
  readonly title: string;
  readonly signatures: readonly string[];
  readonly lines: readonly ExcerptLine[];
  readonly frames: readonly TraceFrame[];
  /** The number of other windows with the same kinds of errors. `others` has the ranges of the first ones. */
  readonly again: number;
  readonly others: readonly Range[];
}

export interface ExcerptLine {
  readonly index: number;
  readonly level: CaptureEvent['level'];
  readonly text: string;
}

/** A group of events from one function or one module. */
export interface Cluster extends Tally {
  readonly kind: 'function' | 'module';
  readonly module: string;
  readonly func: string;
}

export interface Analysis {
  readonly events: number;
  readonly errors: number;
  readonly warnings: number;
  readonly firstTs: number;
  readonly lastTs: number;
  readonly windows: readonly ErrorWindow[];
  readonly rapid: readonly RapidSequence[];
  readonly functions: readonly Cluster[];
  readonly modules: readonly Cluster[];
  /** The last lines of the group. */
  readonly tail: readonly ExcerptLine[];
}

const BEFORE = 5;
const AFTER = 5;
/** The maximum number of events, and the maximum time in milliseconds, between two errors of one window. */
const MAX_BETWEEN = 20;
const MAX_PAUSE_MS = 5000;
const MAX_IN_A_WINDOW = 400;
const MAX_WINDOWS = 200;
const MAX_LINES = 16;
const MAX_FRAMES = 24;
const MAX_SIGNATURES = 8;
const MAX_OTHERS = 5;
const TAIL = 12;
const MAX_OF_A_LINE = 240;
const CLUSTERS_SHOWN = 20;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface OpenWindow extends Mutable<Omit<ErrorWindow, 'signatures' | 'lines' | 'frames'>> {
  readonly signatures: Set<string>;
  readonly lines: ExcerptLine[];
  readonly frames: TraceFrame[];
  /** The index of the last error, or of the last line of its stack trace. */
  lastError: number;
}

/**
 * Reads the events of a capture once, in order. Memory does not grow with the capture: windows, sequences and clusters
 * are limited in number, and the least important ones are dropped.
 */
export class Analyzer {
  private index = -1;
  private errors = 0;
  private warnings = 0;
  private firstTs = 0;
  private lastTs = 0;
  private readonly recent: ExcerptLine[] = [];
  private open: OpenWindow | undefined;
  private windows = new Map<string, Mutable<ErrorWindow>>();
  private readonly rapid = new RapidSequences();
  private readonly functions = new BoundedTallies();
  private readonly modules = new BoundedTallies();

  /** @param focus the ranges to analyze, if the person has chosen some */
  constructor(private readonly focus: readonly Range[] = []) {}

  add(event: CaptureEvent): void {
    this.index += 1;
    const { index } = this;
    if (this.focus.length > 0 && !this.focus.some((range) => isIn(range, index))) return;
    const isTrace = event.kv['trace'] === true;
    const isError = event.level === 'error' && !isTrace;
    if (event.ts > 0) {
      if (this.firstTs === 0) this.firstTs = event.ts;
      this.lastTs = event.ts;
    }
    if (isError) this.errors += 1;
    if (event.level === 'warn') this.warnings += 1;
    const line = excerptOf(event, index);
    this.follow(event, line, isError);
    this.remember(line);
    if (isTrace) return;
    const signature = signatureOf(event.msg);
    this.rapid.add({ index, ts: event.ts, level: event.level, signature, text: line.text });
    this.cluster(event, index);
  }

  finish(): Analysis {
    this.close();
    return {
      events: this.index + 1,
      errors: this.errors,
      warnings: this.warnings,
      firstTs: this.firstTs,
      lastTs: this.lastTs,
      windows: [...this.windows.values()].sort((one, other) => weight(other) - weight(one)),
      rapid: this.rapid.finish(),
      functions: clustersOf(this.functions, 'function'),
      modules: clustersOf(this.modules, 'module'),
      tail: this.recent.slice(-TAIL),
    };
  }

  private remember(line: ExcerptLine): void {
    this.recent.push(line);
    if (this.recent.length > 2 * TAIL) this.recent.splice(0, TAIL);
  }

  private cluster(event: CaptureEvent, index: number): void {
    const { module, func } = event;
    if (module !== '') this.modules.add(module, event, index);
    if (func !== '') this.functions.add(`${module}\u0000${func}`, event, index);
  }

  private follow(event: CaptureEvent, line: ExcerptLine, isError: boolean): void {
    const open = this.open;
    if (open !== undefined && this.isBeyond(open, event, line.index)) this.close();
    if (isError) this.openAt(event, line);
    if (this.open === undefined) return;
    if (isError) this.addError(this.open, event, line);
    else if (event.level === 'warn') this.open.warnings += 1;
    if (event.kv['trace'] === true) this.open.lastError = line.index;
    const frame = frameOf(event);
    if (frame !== undefined && this.open.frames.length < MAX_FRAMES) this.open.frames.push(frame);
    if (line.index - this.open.lastError <= AFTER) {
      this.open.to = line.index;
      if (this.open.lines.length < MAX_LINES) this.open.lines.push(line);
    }
  }

  private isBeyond(open: OpenWindow, event: CaptureEvent, index: number): boolean {
    return (
      index - open.lastError > MAX_BETWEEN ||
      (event.ts > 0 && event.ts - open.lastTs > MAX_PAUSE_MS) ||
      index - open.from > MAX_IN_A_WINDOW
    );
  }

  private openAt(event: CaptureEvent, line: ExcerptLine): void {
    if (this.open !== undefined) return;
    const before = this.recent.slice(-BEFORE);
    this.open = {
      from: before[0]?.index ?? line.index,
      to: line.index,
      errors: 0,
      warnings: 0,
      firstTs: event.ts,
      lastTs: event.ts,
      title: line.text,
      signatures: new Set(),
      lines: [...before],
      frames: [],
      again: 0,
      others: [],
      lastError: line.index,
    };
  }

  private addError(open: OpenWindow, event: CaptureEvent, line: ExcerptLine): void {
    open.errors += 1;
    open.lastError = line.index;
    open.to = line.index;
    if (event.ts > 0) open.lastTs = event.ts;
    if (open.signatures.size < MAX_SIGNATURES) open.signatures.add(signatureOf(event.msg));
  }

  private close(): void {
    const open = this.open;
    this.open = undefined;
    if (open === undefined) return;
    const { lastError: _lastError, signatures, ...rest } = open;
    const kinds = [...signatures];
    const key = [...kinds].sort().join('\n');
    const existing = this.windows.get(key);
    if (existing === undefined) {
      this.windows.set(key, { ...rest, signatures: kinds });
      if (this.windows.size > MAX_WINDOWS) this.dropLeast();
      return;
    }
    existing.again += 1;
    existing.errors += rest.errors;
    if (existing.others.length < MAX_OTHERS)
      existing.others = [...existing.others, { from: rest.from, to: rest.to }];
  }

  private dropLeast(): void {
    let least: { readonly key: string; readonly weight: number } | undefined;
    for (const [key, window] of this.windows)
      if (least === undefined || weight(window) < least.weight)
        least = { key, weight: weight(window) };
    if (least !== undefined) this.windows.delete(least.key);
  }
}

/**
 * The weight of a window. Windows that explain more are first: those with a stack trace, then those with more kinds of
 * errors, then those with more errors.
 */
export function weight(window: ErrorWindow): number {
  return (
    (window.frames.length > 0 ? 20 : 0) +
    4 * window.signatures.length +
    3 * Math.log2(1 + window.errors) +
    Math.log2(1 + window.warnings)
  );
}

export function isIn(range: Range, index: number): boolean {
  return index >= range.from && index <= range.to;
}

export function overlaps(one: Range, other: Range): boolean {
  return one.from <= other.to && other.from <= one.to;
}

function excerptOf(event: CaptureEvent, index: number): ExcerptLine {
  const { msg } = event;
  return {
    index,
    level: event.level,
    text: msg.length > MAX_OF_A_LINE ? `${msg.slice(0, MAX_OF_A_LINE)}…` : msg,
  };
}

function clustersOf(tallies: BoundedTallies, kind: Cluster['kind']): readonly Cluster[] {
  return tallies.top(CLUSTERS_SHOWN).map(({ key, ...tally }) => {
    const [module = '', func = ''] = key.split('\u0000');
    return { ...tally, kind, module, func };
  });
}
