import { strict as assert } from 'node:assert';
import { threadList } from '../../../../src/results/views/threads';
import { answered, asked, launched, sessionAfter, stopped } from '../../support/events';

/** A session with this number of threads, one of which is stopped. */
const threads = (count: number, stoppedId: number, more: object = {}) =>
  sessionAfter([
    ...launched(),
    asked(2, 'threads'),
    answered(2, 'threads', {
      threads: Array.from({ length: count }, (_, index) => ({
        id: index + 1,
        name: `t${index + 1}`,
      })),
    }),
    stopped(stoppedId, more),
  ]);

describe('the list of threads', () => {
  it('has the stopped threads first, then the running ones', () => {
    assert.deepEqual(threadList(threads(3, 2)), {
      shown: [
        { id: 2, name: 't2', state: 'stopped' },
        { id: 1, name: 't1', state: 'running' },
        { id: 3, name: 't3', state: 'running' },
      ],
      omitted: 0,
    });
  });

  it('has only the requested thread', () => {
    assert.deepEqual(threadList(threads(3, 2), 3), {
      shown: [{ id: 3, name: 't3', state: 'running' }],
      omitted: 0,
    });
    assert.deepEqual(threadList(threads(3, 2), 4), { shown: [], omitted: 0 });
  });

  it('has at most twenty threads, and counts the others', () => {
    const { shown, omitted } = threadList(threads(25, 24));
    assert.deepEqual([shown.length, shown[0]?.id, omitted], [20, 24, 5]);
  });

  it('has threads without a name', () => {
    const session = sessionAfter([...launched(), stopped(1)]);
    assert.deepEqual(threadList(session).shown, [{ id: 1, state: 'stopped' }]);
  });
});
