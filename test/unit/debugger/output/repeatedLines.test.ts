import { strict as assert } from 'node:assert';
import { folded, timesOf, withCount } from '../../../../src/debugger/output/repeatedLines';

const shown = (...lines: readonly string[]): string[] =>
  folded(lines, (one, other) => one === other).map(withCount);

describe('lines that are repeated', () => {
  it('are one line with their number, where they follow each other', () => {
    assert.deepEqual(shown('a', 'b', 'b', 'b', 'a', 'a'), ['a', 'b (×3)', 'a (×2)']);
    assert.deepEqual(shown(), []);
  });

  it('are counted by that text again', () => {
    assert.deepEqual(
      ['b (×3)', 'a', 'b (×14)', '(×3) b', 'b (×3) ', `${'x'.repeat(100)} (×7)`].map(timesOf),
      [3, 1, 14, 1, 1, 7],
    );
  });
});
