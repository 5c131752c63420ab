import type { RE2JS } from 're2js' with { 'resolution-mode': 'import' };

/** Why a regular expression cannot be used. */
export type PatternProblem = 'syntax' | 'look_around' | 'back_reference' | 'too_slow';

export class PatternError extends Error {
  constructor(
    readonly problem: PatternProblem,
    message: string,
  ) {
    super(message);
    this.name = 'PatternError';
  }
}

/**
 * A regular expression from outside, on an engine (RE2) whose time is linear in the text whatever the pattern is. It
 * has no look-around and no back-references; those need an engine that can take for ever.
 */
export class LinearPattern {
  private readonly hasSecret: boolean;

  private constructor(
    readonly source: string,
    private readonly engine: RE2JS,
  ) {
    this.hasSecret = Object.hasOwn(engine.namedGroups(), 'secret');
  }

  /** The engine is a chunk of its own, which is loaded with the first pattern. @throws PatternError */
  static async of(source: string): Promise<LinearPattern> {
    const { RE2JS } = await import(/* webpackChunkName: "patterns" */ 're2js');
    const lacking = syntaxWithout(source);
    try {
      if (lacking === 'back_reference') throw new PatternError(lacking, source);
      return new LinearPattern(source, RE2JS.compile(RE2JS.translateRegExp(source)));
    } catch (error) {
      const words =
        error instanceof Error
          ? error.message.replace(/^error parsing regexp: /, '')
          : String(error);
      throw new PatternError(lacking ?? 'syntax', words);
    }
  }

  test(text: string): boolean {
    return this.engine.test(text);
  }

  /** How large the pattern is to the engine, which may look at each character so often. */
  get size(): number {
    return this.engine.programSize();
  }

  /** Its matches in a text, or of each its group `secret` where it has one. @throws PatternError `too_slow` */
  matches(
    text: string,
    clock: PatternClock,
  ): readonly { readonly start: number; readonly end: number }[] {
    return clock.run(() => {
      if (!this.engine.test(text)) return [];
      const found: { start: number; end: number }[] = [];
      const matcher = this.engine.matcher(text);
      while (matcher.find()) {
        // A match that ends at the far end may be looked for from each place anew.
        clock.check();
        const group = this.hasSecret && matcher.start('secret') >= 0 ? 'secret' : 0;
        if (matcher.end(group) > matcher.start(group))
          found.push({ start: matcher.start(group), end: matcher.end(group) });
      }
      return found;
    });
  }
}

/**
 * What a pattern may take. Linear time is bounded by the product of pattern and text, which is large when both are: so
 * a pattern that takes long in all is given up.
 */
export class PatternClock {
  private spent = 0;
  private began: number | undefined;
  private readonly started = performance.now();

  /** @param mostMilliseconds at a stretch; of a long time, a part of it more */
  constructor(private readonly mostMilliseconds: number) {}

  run<T>(work: () => T): T {
    this.began = performance.now();
    try {
      return work();
    } finally {
      this.spent += performance.now() - this.began;
      this.began = undefined;
      this.check();
    }
  }

  /** @throws PatternError `too_slow` */
  check(): void {
    const now = performance.now();
    const spent = this.spent + (this.began === undefined ? 0 : now - this.began);
    if (spent > this.mostMilliseconds + (now - this.started - spent) * SHARE)
      throw new PatternError('too_slow', `${Math.round(spent)} ms`);
  }
}

/** Of the time in which something else was done. */
const SHARE = 0.25;

/** What of a pattern's syntax this engine does not have. Escaped characters and classes aside. */
function syntaxWithout(source: string): 'look_around' | 'back_reference' | undefined {
  const plain = source.replace(/\\[^1-9k]|\[(?:\\[^]|[^\]\\])*\]/g, '');
  if (/\\(?:[1-9]|k<)/.test(plain)) return 'back_reference';
  return /\(\?<?[=!]/.test(plain) ? 'look_around' : undefined;
}
