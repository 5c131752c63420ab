import { strict as assert } from 'node:assert';
import type { RanLines } from '../../../../src/testing/lines/ranLines';
import { rankSuspects } from '../../../../src/testing/lines/rankSuspects';
import { neighborsOf } from '../../../../src/testing/lines/suspects';
import type { ScannedTest } from '../../../../src/testing/testFramework';

/** A run with the counts of the lines of one file, from its first line on. */
const run = (...counts: readonly (readonly number[])[]): RanLines => ({
  unit: 'line',
  files: [
    {
      path: 'a.py',
      lines: new Map(counts.map((places, index) => [index + 1, places])),
      isWhole: true,
    },
  ],
  unread: [],
  notes: [],
});

const ranked = (failing: RanLines, passing: readonly RanLines[]) =>
  rankSuspects(failing, passing).map(({ from, to, passed, score }) => [from, to, passed, score]);

describe('suspect lines', () => {
  it('are those that the fewest passing tests ran', () => {
    const failing = run([1], [1], [2], [1], [0], [1]);
    const passing = [run([1], [0], [0], [1], [1], [0]), run([1], [0], [0], [0], [1], [7])];
    // Line 1 ran in all, line 5 not in the failing one.
    assert.deepEqual(ranked(failing, passing), [
      [2, 3, 0, 1],
      [4, 4, 1, 0.71],
      [6, 6, 1, 0.71],
    ]);
  });

  it('count by the places of a line', () => {
    assert.deepEqual(ranked(run([1, 1, 0]), [run([1, 0, 1])]), [[1, 1, 0, 1]]);
  });

  it('of a file with another text, or one that is not read, are not ranked', () => {
    assert.deepEqual(ranked(run([1, 1]), [run([1])]), []);
    assert.deepEqual(ranked(run([1]), [{ ...run(), unread: ['a.py'] }]), []);
    assert.deepEqual(ranked(run([1]), [{ ...run(), files: [] }]), [[1, 1, 0, 1]]);
  });

  it('are found by the nearest other tests', () => {
    const test = (line: number, more: Partial<ScannedTest> = {}): ScannedTest => ({
      ...{ kind: 'test', path: [`t${line}`], line, endLine: line + 2, isTemplate: false },
      ...more,
    });
    const listed = [1, 5, 9, 13, 17, 21].map((line) => test(line));
    const byRunner = neighborsOf({
      listed,
      test: { path: ['T', 't13[2]'], line: undefined, isTemplate: false },
    });
    assert.deepEqual(
      byRunner.map(({ line }) => line),
      [9, 17, 5, 21],
    );
    const suite = test(12, { kind: 'suite' });
    const skipped = test(14, { isSkipped: true });
    const chosen = { path: ['t13'], line: 13, isTemplate: false };
    const found = neighborsOf({ listed: [...listed, suite, skipped], test: chosen });
    assert.deepEqual(
      found.map(({ line }) => line),
      [9, 17, 5, 21],
    );
  });
});
