import { stopAtOf, type RecordedPlace } from './recordedPlaces';
import { framesToTest } from './ownFrames';
import type { ReportedError } from '../runReport';

/**
 * Returns the error of a program that a signal ended, from the last recorded one. A runtime that handles the signal of a
 * bad address, such as that of a stack overflow, then ends the program with another signal.
 * @param output the lines that the program printed
 */
export function signalError(
  places: readonly RecordedPlace[],
  output: readonly string[],
): ReportedError | undefined {
  const signals = places.filter(({ kind }) => kind === 'signal');
  const last = signals.at(-1);
  if (last === undefined) return undefined;
  const before = signals.at(-2);
  const isHandled =
    last.signal === 'SIGABRT' && before !== undefined && before.thread === last.thread;
  const origin = isHandled ? before : last;
  const { thrown } = last;
  // An exception that nothing catches ends the program where it was thrown.
  if (thrown !== undefined && last.signal === 'SIGABRT' && !isHandled)
    return {
      type: thrown.type,
      message: saidIn(output) ?? 'SIGABRT: nothing caught the exception.',
      frames: framesToTest(thrown.frames, undefined),
      stopAt: stopAtOf(last),
      causes: [],
    };
  return {
    type: origin.signal,
    message: origin.signal === 'SIGABRT' ? abortion(output) : messageOf(origin),
    frames: framesToTest(origin.frames, undefined),
    stopAt: stopAtOf(origin),
    causes: [],
  };
}

/** What C++'s runtime prints about an exception that nothing caught. */
function saidIn(output: readonly string[]): string | undefined {
  return output.map((line) => /^ *what\(\): +(\S[^]*)/.exec(line)?.[1]).findLast(Boolean);
}

/** What a runtime prints before it ends the program itself. */
const ABORTION =
  /^fatal runtime error: |^terminate called|^(?:free|malloc|realloc)\(\): |\*\*\* stack smashing/;

function isFailedAssertion(line: string): boolean {
  const at = line.indexOf('Assertion `');
  return at !== -1 && line.includes("' failed.", at);
}

function abortion(output: readonly string[]): string {
  const said = output.findLast((line) => ABORTION.test(line) || isFailedAssertion(line));
  return said === undefined ? 'SIGABRT' : `SIGABRT: ${said.trim()}`;
}

function messageOf({ signal = '', text }: RecordedPlace): string {
  const said = text?.replace(/^signal /, '');
  return said?.includes(signal) === true ? said : signal;
}
