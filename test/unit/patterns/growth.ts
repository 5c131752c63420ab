import { MAX_OF_A_SHORT_TEXT } from '../../../src/util/shortPattern';
import { attacksOn, type Attack } from './attacks';
import type { FoundPattern } from './found';

/** A text on which a pattern takes too long. */
export interface SlowCase {
  readonly attack: Attack;
  readonly why: string;
}

/**
 * The lengths of the texts, with the time in milliseconds that is still fast. Short texts come first: a pattern with an
 * exponential time is found on them, before it could run without end.
 */
const LENGTHS = [12, 24, 36, 48, 72, 100, 200, MAX_OF_A_SHORT_TEXT, 1000, 4000];
const FAST = 0.2;

/** The same for a pattern that never reads a longer text, in milliseconds. */
const FAST_OF_SHORT = 2;

/** A time that is longer than a fast one by less than this factor is measured again. */
const CLOSE = 5;

/** A pattern that is slow on a text up to this length needs no longer one. */
const SHORTEST = 200;

/** A text this many times longer may take `MAX_GROWTH` times as long: more than linear, less than quadratic. */
const FACTOR = 4;
const MAX_GROWTH = 8;

/** The time in milliseconds for the longest text, `FACTOR` times the last length, which no pattern may exceed. */
const MOST = 20;

/** Returns a case in which the time of a pattern grows faster than its text, or undefined if none is found. */
export function slowCase(pattern: FoundPattern): SlowCase | undefined {
  const measured = new Measured(pattern);
  for (const attack of attacksOn(pattern)) {
    const why = measured.slow(attack);
    if (why !== undefined) return { attack, why };
  }
  return undefined;
}

/** The number of runs of which one is not interrupted on a busy machine. */
const MANY = 50;

/** A pattern of which it is known that it is linear, with its time on a quiet machine in milliseconds. */
const REFERENCE = {
  pattern: /(?<![\p{L}\p{N}_])[\p{L}_]+\(/gu,
  text: '\ufffd'.repeat(200),
  ms: 0.03,
};

/** How many times slower than a quiet machine this one is now, at least 1. */
function slowness(): number {
  const { pattern, text, ms } = REFERENCE;
  let best = Infinity;
  for (let time = 0; time < MANY; time++) {
    const start = processorTime();
    text.replace(pattern, '');
    best = Math.min(best, processorTime() - start);
  }
  return Math.max(1, best / ms);
}

class Measured {
  private readonly run: (text: string) => void;
  /** The longest time of each length that was found to grow with the text. A shorter one needs no second look. */
  private readonly linear = new Map<number, number>();

  constructor(private readonly pattern: FoundPattern) {
    this.run = runner(pattern);
  }

  slow(attack: Attack): string | undefined {
    for (const length of LENGTHS) {
      if (this.pattern.short && length > MAX_OF_A_SHORT_TEXT) break;
      const least = this.pattern.short ? FAST_OF_SHORT : FAST;
      const fast = Math.max(least, 1.5 * (this.linear.get(length) ?? 0));
      if (this.quickest(attack, length, 1) < fast) continue;
      const time = this.quickest(attack, length, 5);
      if (time < fast) continue;
      // On a busy machine, few runs are interrupted by nothing, and each one is slower.
      if (time < CLOSE * fast && this.quickest(attack, length, MANY) < fast * slowness()) continue;
      const shown = `${length} characters take ${time.toFixed(2)} ms`;
      // A longer text could run without end.
      if (this.pattern.short || length <= SHORTEST) return shown;
      const longer = this.quickest(attack, length * FACTOR, 3);
      if (longer > MOST || (longer > MAX_GROWTH * time && this.growsOn(attack, length, longer)))
        return `${shown}, ${length * FACTOR} take ${longer.toFixed(2)} ms`;
      this.linear.set(length, time);
    }
    return undefined;
  }

  /** Whether the time grows as fast with a still longer text. The memory of the engine grows in leaps. */
  private growsOn(attack: Attack, length: number, time: number): boolean {
    return this.quickest(attack, length * FACTOR ** 2, 2) > MAX_GROWTH * time;
  }

  private quickest({ prefix, pump, suffix }: Attack, length: number, times: number): number {
    const text = prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
    let best = Infinity;
    for (let time = 0; time < times; time++) {
      const start = processorTime();
      this.run(text);
      best = Math.min(best, processorTime() - start);
    }
    return best;
  }
}

/** The time in milliseconds that this process has used. A busy machine does not change it much. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs a pattern over a whole text: also a sticky one, as it may be tried at each place. */
function runner({ source, flags }: FoundPattern): (text: string) => void {
  if (/[gy]/.test(flags)) {
    const everywhere = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);
    return (text) => void text.replace(everywhere, '');
  }
  const once = new RegExp(source, flags);
  return (text) => void once.test(text);
}
