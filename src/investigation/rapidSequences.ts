import type { Level } from './events';

/** Many messages of the same kind within a short time. */
export interface RapidSequence {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly milliseconds: number;
  readonly level: Level;
  readonly signature: string;
  /** The first and the last message. */
  readonly first: string;
  readonly last: string;
}

interface Step {
  readonly index: number;
  readonly ts: number;
  readonly level: Level;
  readonly signature: string;
  readonly text: string;
}

type Run = { -readonly [Key in keyof RapidSequence]: RapidSequence[Key] } & {
  firstTs: number;
  lastTs: number;
};

/** The maximum time in milliseconds, and the maximum number of events, between two messages of one sequence. */
const MAX_PAUSE_MS = 100;
const MAX_BETWEEN = 50;
const LEAST = 10;
const MIN_ERRORS = 4;
const MAX_OPEN = 1000;
const MAX_FOUND = 100;
const SHOWN = 10;

/** Finds rapid sequences in one pass, with bounded memory. */
export class RapidSequences {
  private readonly open = new Map<string, Run>();
  private found: RapidSequence[] = [];

  add(step: Step): void {
    const current = this.open.get(step.signature);
    if (current !== undefined && isNext(current, step)) {
      current.count += 1;
      current.to = step.index;
      current.lastTs = step.ts;
      current.last = step.text;
      return;
    }
    if (current !== undefined) this.keep(current);
    else if (this.open.size >= MAX_OPEN) this.closeAll();
    this.open.set(step.signature, runOf(step));
  }

  /** The sequences that were found: errors first, then the longest ones. */
  finish(): readonly RapidSequence[] {
    this.closeAll();
    return this.found.sort(byImportance).slice(0, SHOWN);
  }

  private closeAll(): void {
    for (const run of this.open.values()) this.keep(run);
    this.open.clear();
  }

  private keep({ firstTs, lastTs, ...run }: Run): void {
    if (run.count < (run.level === 'error' ? MIN_ERRORS : LEAST)) return;
    this.found.push({ ...run, milliseconds: Math.max(0, lastTs - firstTs) });
    if (this.found.length > 2 * MAX_FOUND)
      this.found = this.found.sort(byImportance).slice(0, MAX_FOUND);
  }
}

function isNext(run: Run, { index, ts }: Step): boolean {
  return index - run.to <= MAX_BETWEEN && Math.abs(ts - run.lastTs) <= MAX_PAUSE_MS;
}

function runOf({ index, ts, level, signature, text }: Step): Run {
  return {
    from: index,
    to: index,
    count: 1,
    milliseconds: 0,
    level,
    signature,
    first: text,
    last: text,
    firstTs: ts,
    lastTs: ts,
  };
}

const RANKS: Readonly<Record<Level, number>> = { error: 3, warn: 2, info: 1, debug: 0 };

function byImportance(one: RapidSequence, other: RapidSequence): number {
  return RANKS[other.level] - RANKS[one.level] || other.count - one.count;
}
