import type { CaptureEvent } from './events';

/** How often something occurred, and where. */
export interface Tally {
  readonly events: number;
  readonly errors: number;
  readonly warnings: number;
  readonly from: number;
  readonly to: number;
  /** The first message, of an error if there is one. */
  readonly sample: string;
}

type Counting = { -readonly [Key in keyof Tally]: Tally[Key] };

const MOST = 4000;
const MOST_OF_A_SAMPLE = 160;

/** Counts events by a name. Of too many names, the rarest half without errors is dropped. */
export class BoundedTallies {
  private readonly tallies = new Map<string, Counting>();

  constructor(private readonly most = MOST) {}

  add(key: string, event: CaptureEvent, index: number): void {
    const known = this.tallies.get(key);
    if (known === undefined) {
      if (this.tallies.size >= this.most) this.dropHalf();
      this.tallies.set(key, begun(event, index));
      return;
    }
    known.events += 1;
    known.to = index;
    if (event.level === 'warn') known.warnings += 1;
    if (event.level !== 'error') return;
    if (known.errors === 0) known.sample = event.msg.slice(0, MOST_OF_A_SAMPLE);
    known.errors += 1;
  }

  /** Those with the most errors first, then the most warnings, then the most events. */
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
    sample: event.msg.slice(0, MOST_OF_A_SAMPLE),
  };
}
