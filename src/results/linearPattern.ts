import type { RE2JS } from 're2js' with { 'resolution-mode': 'import' };

/** The reason why a regular expression cannot be used. */
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
 * A regular expression from a caller or a settings file. It runs on an engine (RE2) whose time is linear in the length
 * of the text for any pattern. The engine supports neither look-around nor back-references, which need an engine whose
 * time is unbounded.
 */
export class LinearPattern {
  private readonly hasSecret: boolean;

  private constructor(
    readonly source: string,
    private readonly engine: RE2JS,
  ) {
    this.hasSecret = Object.hasOwn(engine.namedGroups(), 'secret');
  }

  /**
   * Compiles a pattern. The engine is a separate chunk, which is loaded with the first pattern.
   * @throws PatternError
   */
  static async of(source: string): Promise<LinearPattern> {
    const { RE2JS } = await import(/* webpackChunkName: "patterns" */ 're2js');
    const lacking = syntaxWithout(source);
    try {
      if (lacking === 'back_reference') throw new PatternError(lacking, source);
      return new LinearPattern(source, RE2JS.compile(RE2JS.translateRegExp(source)));
    } catch (error) {
      const message =
        error instanceof Error
          ? error.message.replace(/^error parsing regexp: /, '')
          : String(error);
      throw new PatternError(lacking ?? 'syntax', message);
    }
  }

  test(text: string): boolean {
    return this.engine.test(text);
  }

  /** The size of the compiled pattern. The engine may read each character this number of times. */
  get size(): number {
    return this.engine.programSize();
  }

  /** The matches in a text, or their group `secret` if the pattern has one. @throws PatternError `too_slow` */
  matches(
    text: string,
    clock: PatternClock,
  ): readonly { readonly start: number; readonly end: number }[] {
    return clock.run(() => {
      if (!this.engine.test(text)) return [];
      const found: { start: number; end: number }[] = [];
      const matcher = this.engine.matcher(text);
      while (matcher.find()) {
        // If a match may end far away, the engine may search for it again from each position.
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
 * Limits the time that a pattern may take. The time is proportional to the size of the pattern times the size of the
 * text, which is large if both are large. So a pattern that takes too long in total is aborted.
 */
export class PatternClock {
  private spent = 0;
  private began: number | undefined;
  private readonly started = performance.now();

  /** @param mostMilliseconds the limit, to which a share of the time spent on other work is added */
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

/** The share of the time spent on other work. */
const SHARE = 0.25;

/** The syntax in a pattern that the engine does not support. Escaped characters and classes are ignored. */
function syntaxWithout(source: string): 'look_around' | 'back_reference' | undefined {
  const plain = source.replace(/\\[^1-9k]|\[(?:\\[^]?|[^\]\\])*\]?/g, '');
  if (/\\(?:[1-9]|k<)/.test(plain)) return 'back_reference';
  return /\(\?<?[=!]/.test(plain) ? 'look_around' : undefined;
}
