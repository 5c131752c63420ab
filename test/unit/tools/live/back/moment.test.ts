import { strict as assert } from 'node:assert';
import type { SeenMoment } from '../../../../../src/results/views/pastStops';
import { comparedMoments } from '../../../../../src/tools/live/back/moment';

const seen = (
  values: Readonly<Record<string, string>>,
  stack = ['main (/a.py:3)'],
): SeenMoment => ({
  values: new Map(Object.entries(values)),
  stack,
});

describe('the comparison of a moment of a further run', () => {
  it('is the same only by values that were compared as a whole', () => {
    const first = seen({ total: '70', 'order.lines': '[0, 1]', big: '[1, 2, …]' });
    const again = seen({ total: '70', 'order.lines': '[0, 1]', big: '[1, 3, …]', more: '1' });
    assert.deepEqual(comparedMoments(first, again), { moment: 'same', compared: 2 });
    const address = seen({ order: '<Order object at 0x7f01a2b3c4d5>' });
    const other = seen({ order: '<Order object at 0x7f01a2b3c4ff>' });
    assert.deepEqual(comparedMoments(address, other), { moment: 'not_compared', compared: 0 });
    assert.equal(comparedMoments(seen({}), seen({})).moment, 'not_compared');
  });

  it('differs by the first other value, or one that is missing', () => {
    const first = seen({ total: '70', rest: '1' });
    const { moment, differs } = comparedMoments(first, seen({ total: '71', rest: '2' }));
    assert.deepEqual([moment, differs], ['differs', { what: 'total', first: '70', again: '71' }]);
    assert.equal(comparedMoments(first, seen({ total: '70' })).differs?.again, '(not there)');
  });

  it('differs by another caller, whatever the values are', () => {
    const first = seen({ total: '70' }, ['show (/a.py:3)', 'main (/a.py:9)']);
    const again = seen({ total: '70' }, ['show (/a.py:3)', 'main (/a.py:10)']);
    const { differs } = comparedMoments(first, again);
    assert.deepEqual(differs, {
      what: 'call stack',
      first: 'main (/a.py:9)',
      again: 'main (/a.py:10)',
    });
  });
});
