import { markedLine } from '../../support/markers';
import type { Bug, Move, Run } from './bug';
import { tellsLine, tellsValue } from './findings';

/** Steps with the tools of the extension or a raw client. Each move resolves with the text about the stop. */
export interface Stepper {
  /** Whether the texts have the source of a line, so that an answer contains the wrong line. */
  readonly showsSource: boolean;
  /** Starts the program, or restarts it if it runs, and stops at a line. */
  start(place: Place): Promise<string>;
  move(move: Move): Promise<string>;
  /** Ends the program and removes the breakpoints. */
  end(): Promise<void>;
}

export interface Place {
  readonly line: number;
  readonly condition: string | undefined;
}

/** The maximum number of moves, more than any of the bugs needs. */
const MAX_MOVES = 40;

/**
 * Finds the bug by stepping: reads the symptom, starts the program again at the suspected cause, and continues with
 * single moves until the wrong value is seen. Each start is nearer to the cause.
 * @throws if the last run does not show the wrong line and the wrong value
 */
export async function byStepping(bug: Bug, file: string, stepper: Stepper): Promise<void> {
  let reported: readonly string[] = [];
  for (const run of bug.runs) reported = await runOnce(bug, file, run, stepper);
  await stepper.end();
  const line = markedLine(file, 'cause');
  if (stepper.showsSource && !reported.some((each) => tellsLine(each, line)))
    throw new Error(`stepping never told of line ${line}:\n${reported.join('\n')}`);
}

async function runOnce(
  { shows }: Bug,
  file: string,
  { at, condition, until }: Run,
  stepper: Stepper,
): Promise<readonly string[]> {
  const reported = [await stepper.start({ line: markedLine(file, at), condition })];
  if (until === undefined) return reported;
  // A step's answer has the change, and the answer before it has the line.
  while (!tellsValue(reported.slice(-2), shows)) {
    if (reported.length > MAX_MOVES)
      throw new Error(`no value ${shows}:\n${reported.at(-1) ?? ''}`);
    reported.push(await stepper.move(until));
  }
  return reported;
}
