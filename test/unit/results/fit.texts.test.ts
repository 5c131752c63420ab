import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { cutText } from '../../../src/results/fit';

describe('fit: texts', () => {
  it('are kept if they are short enough', () => {
    assert.equal(cutText('abc', 3), 'abc');
    assert.equal(cutText('', 0), '');
  });

  it('keep their beginning and show their length if they are longer', () => {
    assert.equal(cutText('abcdef', 4), 'abcd… (6 characters)');
  });

  it('are never cut within a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 50 }),
        fc.integer({ min: 1, max: 40 }),
        (text, limit) => {
          const kept =
            text.length <= limit
              ? text
              : cutText(text, limit).replace(/… \(\d+ characters\)$/u, '');
          assert.ok(text.startsWith(kept));
          assert.doesNotThrow(() => encodeURIComponent(kept), 'no half of a surrogate pair');
          assert.ok(kept.length >= Math.min(text.length, limit) - 1);
        },
      ),
    );
  });

  it('keep their original length if they are cut again', () => {
    const once = cutText('x'.repeat(100_000), 5000);
    assert.match(cutText(once, 100), /^x{100}… \(100000 characters\)$/);
    assert.match(cutText(cutText(once, 1000), 100), /\(100000 characters\)$/);
  });
});
