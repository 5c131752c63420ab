/** A program with a bug whose cause is far from its symptom, and the two ways to find it. */
export interface Bug {
  readonly title: string;
  readonly language: BugLanguage;
  /** A file in `programs`. The line with `marker: cause` is wrong; that with `marker: symptom` shows the symptom. */
  readonly file: string;
  /** The test that fails; a program without a test prints the wrong result. */
  readonly test?: string;
  /** A pattern for the wrong value at the place where it is first seen, and only there. */
  readonly shows: RegExp;
  /** The runs for stepping, each with one start of the program. The last run ends when the wrong value is seen. */
  readonly runs: readonly Run[];
  /** The calls of one-call tools, after `debug_test` if there is a test. */
  readonly calls: readonly OneCall[];
}

export type BugLanguage = 'Node' | 'Python' | 'C++';

/** A run starts the program and stops at a marked line. */
export interface Run {
  readonly at: string;
  readonly condition?: string;
  /** The move to repeat until the wrong value is seen; if it is missing, the first stop is enough for the next run. */
  readonly until?: Move;
}

/** A single move: `over` steps over, `next` continues to the next hit of the breakpoint. */
export type Move = 'over' | 'next';

export type OneCall =
  | {
      readonly tool: 'trace_function';
      readonly name: string;
      readonly condition?: string;
    }
  | {
      readonly tool: 'collect_values';
      readonly probes: readonly { readonly at: string; readonly expressions: readonly string[] }[];
    };

/** A stop at which the program only shows its symptom. */
export const SYMPTOM: Run = { at: 'symptom' };

/** Stops at every hit of a line after the suspected one, until its value is wrong. */
export const EACH_HIT: Run = { at: 'after', until: 'next' };
