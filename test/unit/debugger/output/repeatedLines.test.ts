import { strict as assert } from 'node:assert';
import { folded, timesOf, withCount } from '../../../../src/debugger/output/repeatedLines';

const shown = (...lines: readonly string[]): string[] =>
  folded(lines, (one, other) => one === other).map(withCount);

describe('repeated lines', () => {
  it('are folded into one line with their count if they are consecutive', () => {
    assert.deepEqual(shown('a', 'b', 'b', 'b', 'a', 'a'), ['a', 'b (×3)', 'a (×2)']);
    assert.deepEqual(shown(), []);
  });

  it('are counted again from the folded text', () => {
    assert.deepEqual(
      ['b (×3)', 'a', 'b (×14)', '(×3) b', 'b (×3) ', `${'x'.repeat(100)} (×7)`].map(timesOf),
      [3, 1, 14, 1, 1, 7],
    );
  });
});
