/** A generator of numbers that are the same for the same seed. */
export class Random {
  constructor(private state: number) {}

  /** Returns a whole number from 0 to `count - 1`. */
  below(count: number): number {
    this.state = (Math.imul(this.state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((this.state / 0x80000000) * count);
  }

  of<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** Whether something happens that happens once in `count` times. */
  once(count: number): boolean {
    return this.below(count) === 0;
  }

  /** Returns a list of up to `most` things. */
  some<T>(most: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }
}
