import type { ShellAgent } from './shellAgent';
import type { ToolAgent } from './toolAgent';

/** A program that is live when its bug shows, and two scripts that find the cause. */
export interface LiveProgram {
  readonly title: string;
  readonly language: 'Node' | 'Python';
  /** A file in `programs`. The line with `marker: cause` is wrong. */
  readonly file: string;
  /**
   * The pattern of the cause, for the results of both scripts. It is something that only a run shows, so that reading
   * the source is not enough.
   */
  readonly shows: (line: LineOf) => RegExp;
  readonly byTools: (agent: ToolAgent) => Promise<void>;
  readonly byShell: (agent: ShellAgent) => Promise<void>;
}

/** The line with a marker. */
export type LineOf = (marker: string) => number;
