import type { CaptureEvent } from './events';

/** The number of events with one name, and the range in which they occurred. */
export interface Tally {
  readonly events: number;
  readonly errors: number;
  readonly warnings: number;
  readonly from: number;
  readonly to: number;
  /** The first message, or the message of the first error if there is one. */
  readonly sample: string;
}

type Counting = { -readonly [Key in keyof Tally]: Tally[Key] };

const MOST = 4000;
const MAX_OF_A_SAMPLE = 160;

/** Counts events by name. If there are too many names, the rarest half is dropped, names without errors first. */
export class BoundedTallies {
  private readonly tallies = new Map<string, Counting>();

  constructor(private readonly most = MOST) {}

  add(key: string, event: CaptureEvent, index: number): void {
    const existing = this.tallies.get(key);
    if (existing === undefined) {
      if (this.tallies.size >= this.most) this.dropHalf();
      this.tallies.set(key, begun(event, index));
      return;
    }
    existing.events += 1;
    existing.to = index;
    if (event.level === 'warn') existing.warnings += 1;
    if (event.level !== 'error') return;
    if (existing.errors === 0) existing.sample = event.msg.slice(0, MAX_OF_A_SAMPLE);
    existing.errors += 1;
  }

  /** The top names: most errors first, then most warnings, then most events. */
  top(count: number): readonly (Tally & { readonly key: string })[] {
    return [...this.tallies]
      .map(([key, tally]) => ({ key, ...tally }))
      .sort(
        (one, other) =>
          other.errors - one.errors || other.warnings - one.warnings || other.events - one.events,
      )
      .slice(0, count);
  }

  private dropHalf(): void {
    const rarest = [...this.tallies].sort(
      ([, one], [, other]) => one.errors - other.errors || one.events - other.events,
    );
    for (const [key] of rarest.slice(0, Math.ceil(this.most / 2))) this.tallies.delete(key);
  }
}

function begun(event: CaptureEvent, index: number): Counting {
  return {
    events: 1,
    errors: event.level === 'error' ? 1 : 0,
    warnings: event.level === 'warn' ? 1 : 0,
    from: index,
    to: index,
    sample: event.msg.slice(0, MAX_OF_A_SAMPLE),
  };
}
