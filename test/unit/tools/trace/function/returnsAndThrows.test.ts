import { strict as assert } from 'node:assert';
import { yieldedVariable } from '../../../../../src/tools/trace/function/returnsAndThrows';
import { frameAt, stackIn } from '../../../support/stacks';

describe('the value that a line yields', () => {
  const yielded = (text: string): string | undefined => {
    const stack = stackIn([frameAt('numbers')]);
    const now = { ...stack, values: new Map([['item', '3']]) };
    return yieldedVariable({ name: 'numbers', path: '/a.js', source: [text] }, now);
  };

  it('is that of the variable, if the line does nothing else before', () => {
    for (const text of ['yield item;', '  yield item', 'yield item; // next', 'yield item  # next'])
      assert.equal(yielded(text), '3', text);
    for (const text of ['const got = yield item;', 'got = yield item'])
      assert.equal(yielded(text), '3', text);
  });

  it('is unknown otherwise', () => {
    for (const text of ['yield item * 2;', 'yield* item;', 'yield other;', 'for (;;) yield item;'])
      assert.equal(yielded(text), undefined, text);
  });
});
