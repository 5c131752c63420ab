import { cutText } from '../../debugger/texts';
import { nearDifference } from '../../results/nearDifference';
import type { ReportedError } from '../runReport';
import { lineDiff } from './textDiff';

const MAX_OF_A_VALUE = 600;
const MAX_OF_A_LINE = 200;
/** The maximum number of lines of a value that is not shown as a diff. */
export const FEW_LINES = 6;

/** The values of a failed assertion, as far as they are known. */
export interface ReportedValues {
  readonly expected?: string;
  readonly actual?: string;
  readonly diff?: readonly string[];
  /** The two sides of a comparison, if it is unknown which one was expected. */
  readonly lhs?: string;
  readonly rhs?: string;
}

/** Returns the expected and the actual value of a failure, with their differences if they are long. */
export function valuesOf(error: ReportedError | undefined): ReportedValues {
  const { expected, actual, sides } = error ?? {};
  if (sides !== undefined) {
    const [lhs, rhs] = nearDifference(sides.lhs, sides.rhs, MAX_OF_A_VALUE);
    return { lhs: cutText(lhs, MAX_OF_A_VALUE), rhs: cutText(rhs, MAX_OF_A_VALUE) };
  }
  if (expected === undefined || actual === undefined) return {};
  const isLong = [expected, actual].some(
    (value) => value.split('\n').length > FEW_LINES || value.length > MAX_OF_A_VALUE,
  );
  if (!isLong) return { expected, actual };
  const [want, got] = nearDifference(expected, actual, MAX_OF_A_VALUE / 2);
  return {
    expected: cutText(want, MAX_OF_A_VALUE / 2),
    actual: cutText(got, MAX_OF_A_VALUE / 2),
    diff: shortDiff(lineDiff(expected, actual)),
  };
}

/** Cuts the lines of a diff. Two long lines of which one replaces the other are cut to the part that differs. */
function shortDiff(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => {
    const other = line.startsWith('-') ? lines[at + 1] : lines[at - 1];
    const isPair = line.startsWith('-') ? other?.startsWith('+') : other?.startsWith('-');
    if (isPair !== true || other === undefined || line.startsWith(' '))
      return cutText(line, MAX_OF_A_LINE);
    const [own] = nearDifference(line.slice(1), other.slice(1), MAX_OF_A_LINE);
    return cutText(`${line[0] ?? ''}${own}`, MAX_OF_A_LINE);
  });
}
