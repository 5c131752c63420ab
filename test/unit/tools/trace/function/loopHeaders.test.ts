import { strict as assert } from 'node:assert';
import { headersBetween } from '../../../../../src/tools/trace/function/loopHeaders';

const SOURCE = [
  'for index, each := range items {', // 1
  '  sum += each', // 2
  '  for row := 0; row < 2; row++ {', // 3
  '    sum += row', // 4
  '    continue outer', // 5
  '    break', // 6
  '  }',
  '  last = each', // 8
  '}',
  'return sum', // 10
];
const LOOPS = [
  { line: 1, end: 9, assigned: ['index', 'each'] },
  { line: 3, end: 7, assigned: ['row'] },
];

/** The lines of the headers that were executed between two lines. */
function between(before: number, next: number, source = SOURCE): readonly number[] {
  const seen = (line: number): { line: number; values: Map<string, string> } => ({
    line,
    values: new Map<string, string>(),
  });
  return headersBetween(LOOPS, source, seen(before), seen(next)).map(({ line }) => line);
}

describe('headers of loops that were executed between two lines', () => {
  it('are those of the next round, and of loops that were left', () => {
    assert.deepEqual(between(2, 3), []);
    assert.deepEqual(between(4, 4), [3]);
    assert.deepEqual(between(4, 8), [3]);
    assert.deepEqual(between(8, 2), [1]);
    assert.deepEqual(between(8, 10), [1]);
    assert.deepEqual(between(4, 2), [3, 1]);
    assert.deepEqual(between(4, 10), [3, 1]);
    assert.deepEqual(between(1, 2), []);
  });

  it('are not those that a jump skips', () => {
    assert.deepEqual(between(5, 2), [1]);
    assert.deepEqual(between(6, 8), []);
    assert.deepEqual(between(4, 8, SOURCE.with(3, '    return sum')), []);
    assert.deepEqual(between(4, 8, SOURCE.with(3, '    panic("no")')), []);
  });

  it('have the variables that they assign with the values from before', () => {
    const values = (row: string | undefined, sum: string): Map<string, string> =>
      new Map([...(row === undefined ? [] : [['row', row] as const]), ['sum', sum]]);
    const [header] = headersBetween(
      LOOPS,
      SOURCE,
      { line: 4, values: values('0', '5') },
      { line: 4, values: values('1', '6') },
    );
    assert.deepEqual([...(header?.values ?? [])], [...values('0', '6')]);
    const [entered] = headersBetween(
      LOOPS,
      SOURCE,
      { line: 4, values: values(undefined, '5') },
      { line: 4, values: values('1', '6') },
    );
    assert.deepEqual([...(entered?.values ?? [])], [...values(undefined, '6')]);
  });
});
