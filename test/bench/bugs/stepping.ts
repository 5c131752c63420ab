import { markedLine } from '../../support/markers';
import type { Bug, Move, Run } from './bug';
import { tellsLine, tellsValue } from './findings';

/** Who steps: the tools of the extension, or a raw client. Each method resolves with what it was told about the stop. */
export interface Stepper {
  /** Whether what it is told has the source beside the line, by which an answer holds the wrong line. */
  readonly showsSource: boolean;
  /** Starts the program, again if there is one, and stops at a line. */
  start(place: Place): Promise<string>;
  move(move: Move): Promise<string>;
  /** Ends the program and removes the breakpoints. */
  end(): Promise<void>;
}

export interface Place {
  readonly line: number;
  readonly condition: string | undefined;
}

/** More steps than any of the bugs takes. */
const MOST_MOVES = 40;

/**
 * Stepping: looks at the symptom, starts again where the cause is suspected and goes on by single moves until the wrong
 * value shows, nearer to the cause with each start.
 * @throws where the last run does not tell the wrong line and the wrong value
 */
export async function byStepping(bug: Bug, file: string, stepper: Stepper): Promise<void> {
  let told: readonly string[] = [];
  for (const run of bug.runs) told = await runOnce(bug, file, run, stepper);
  await stepper.end();
  const line = markedLine(file, 'cause');
  if (stepper.showsSource && !told.some((each) => tellsLine(each, line)))
    throw new Error(`stepping never told of line ${line}:\n${told.join('\n')}`);
}

async function runOnce(
  { shows }: Bug,
  file: string,
  { at, condition, until }: Run,
  stepper: Stepper,
): Promise<readonly string[]> {
  const told = [await stepper.start({ line: markedLine(file, at), condition })];
  if (until === undefined) return told;
  // A step's answer tells what it changed, the one before it the line.
  while (!tellsValue(told.slice(-2), shows)) {
    if (told.length > MOST_MOVES) throw new Error(`no value ${shows}:\n${told.at(-1) ?? ''}`);
    told.push(await stepper.move(until));
  }
  return told;
}
