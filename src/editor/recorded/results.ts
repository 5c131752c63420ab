import type { Recorded } from '../../tools/trace/recorded';
import type { CallHistory } from '../../tools/trace/function/callModel';
import { Listeners, type Subscription } from '../../util/listeners';

/** The limits: the number of results, and their hits and executed lines. The newest result is always kept. */
const MAX_RESULTS = 10;
const MAX_ROWS = 50_000;
/** The maximum number of executed lines of a trace. The end of a longer one is not kept. */
const MAX_LINES = 20_000;

export interface KeptResult {
  readonly id: number;
  readonly result: Recorded;
  /** Whether the end of a long trace is left out. */
  readonly isCut: boolean;
}

/** The latest results, newest first. They are kept as they are: tables are made when they are shown. */
export class RecordedResults {
  private kept: readonly KeptResult[] = [];
  private last = 0;
  private readonly listeners = new Listeners();

  get all(): readonly KeptResult[] {
    return this.kept;
  }

  add(result: Recorded): void {
    this.last += 1;
    let rows = 0;
    this.kept = [{ id: this.last, ...bounded(result) }, ...this.kept]
      .slice(0, MAX_RESULTS)
      .filter((each, index) => (rows += sizeOf(each.result)) <= MAX_ROWS || index === 0);
    this.listeners.notify();
  }

  clear(): void {
    this.kept = [];
    this.listeners.notify();
  }

  onDidChange(listener: () => void): Subscription {
    return this.listeners.add(listener);
  }
}

/** Leaves out the end of a long trace. Its returned value is then not shown at its last line. */
export function bounded(result: Recorded): Omit<KeptResult, 'id'> {
  if (result.kind !== 'trace' || result.history.lines.length <= MAX_LINES)
    return { result, isCut: false };
  const lines = result.history.lines.slice(0, MAX_LINES);
  const history: CallHistory = { ...result.history, lines, end: { kind: 'open' } };
  return { result: { ...result, history }, isCut: true };
}

function sizeOf(result: Recorded): number {
  if (result.kind === 'trace') return result.history.lines.length;
  return result.collection.hits.length + (result.compared?.hits.length ?? 0);
}
