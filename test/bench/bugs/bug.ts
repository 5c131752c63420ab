/** A program whose cause is far from its symptom, and how it is found in two ways. */
export interface Bug {
  readonly title: string;
  readonly language: BugLanguage;
  /** In `programs`; a line with `marker: cause` is the wrong one, one with `marker: symptom` shows that something is. */
  readonly file: string;
  /** The test that fails; a program without one prints what is wrong. */
  readonly test?: string;
  /** What the wrong value looks like where it is seen first, and only there. */
  readonly shows: RegExp;
  /** Stepping: one start of the program after the other. The last run ends where the wrong value is seen. */
  readonly runs: readonly Run[];
  /** The calls of one-call tools, after `debug_test` where there is a test. */
  readonly calls: readonly OneCall[];
}

export type BugLanguage = 'Node' | 'Python' | 'C++';

/** The program is started and stops at a marked line. */
export interface Run {
  readonly at: string;
  readonly condition?: string;
  /** How to go on until the wrong value is seen; left out, the first stop tells enough for the next run. */
  readonly until?: Move;
}

/** `next` goes on to the next hit of the breakpoint. */
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

/** Every hit of a line behind the suspected one, until its value is wrong. */
export const EACH_HIT: Run = { at: 'after', until: 'next' };
