import type { ReportedError } from '../runReport';

type Compared = Pick<ReportedError, 'actual' | 'expected' | 'sides'>;

/** A side of a comparison: its source text, and its value if that is another text. */
interface Side {
  readonly source: string;
  readonly value: string | undefined;
}

/** The names that people give to the value that they expect. */
const EXPECTED_NAME =
  /^(?:(?:\w+(?:\.|->|::))*(?:expected|want|wanted|exp)\w*|k[A-Z]\w*|[A-Z][A-Z\d_]+)$/;

/** Returns the values that the message of an assertion contains. */
export function comparedIn(message: string): Compared {
  const lines = message.split('\n');
  if (lines[0] === 'Expected equality of these values:') return ofEquality(lines.slice(1));
  return lines[0]?.startsWith('Value of: ') === true ? ofPredicate(lines) : {};
}

/**
 * Returns the values of an equality. GoogleTest prints them in the order of the source. A constant, whose value is its
 * source text, is what was expected, and otherwise the side that is named so.
 */
function ofEquality(lines: readonly string[]): Compared {
  const [left, right] = sidesIn(lines);
  if (left === undefined || right === undefined) return {};
  const [lhs, rhs] = [left.value ?? left.source, right.value ?? right.source];
  const isExpected = isConstant(left) === isConstant(right) ? isNamedSo : isConstant;
  if (isExpected(left) === isExpected(right)) return { sides: { lhs, rhs } };
  return isExpected(left) ? { expected: lhs, actual: rhs } : { expected: rhs, actual: lhs };
}

function isNamedSo({ source }: Side): boolean {
  return EXPECTED_NAME.test(source);
}

function isConstant({ value }: Side): boolean {
  return value === undefined;
}

/** Returns the two sides of an equality. */
function sidesIn(lines: readonly string[]): readonly [Side, Side] | readonly [] {
  const sides: Side[] = [];
  for (const line of lines) {
    const value = /^ {4}Which is: (.*)$/.exec(line)?.[1];
    const last = sides.at(-1);
    if (value !== undefined && last !== undefined) sides.splice(-1, 1, { ...last, value });
    else if (/^ {2}\S/.test(line)) sides.push({ source: line.trim(), value: undefined });
    // The difference of two long texts follows.
    else if (sides.length === 2) break;
  }
  const [left, right, ...others] = sides;
  return left === undefined || right === undefined || others.length > 0 ? [] : [left, right];
}

/** Reads `EXPECT_TRUE` and `EXPECT_THAT`. */
function ofPredicate(lines: readonly string[]): Compared {
  const after = (mark: RegExp): string | undefined =>
    lines.map((line) => mark.exec(line)?.[1]).find((text) => text !== undefined);
  const [expected, actual] = [after(/^Expected: (.*)$/), after(/^ {2}Actual: (.*)$/)];
  return expected === undefined || actual === undefined ? {} : { expected, actual };
}
