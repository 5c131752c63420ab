import { strict as assert } from 'node:assert';
import { BoundedSet } from '../../../src/util/boundedSet';
import { defined } from '../../../src/util/defined';
import { Listeners } from '../../../src/util/listeners';
import { SerialQueue } from '../../../src/util/serialQueue';

describe('helpers', () => {
  describe('a serial queue', () => {
    it('runs one action at a time, in order, and continues after one that fails', async () => {
      const queue = new SerialQueue();
      const steps: string[] = [];
      const work = (name: string) => async () => {
        steps.push(`${name} begins`);
        await Promise.resolve();
        steps.push(`${name} ends`);
        if (name === 'one') throw new Error('one failed');
        return name;
      };
      const [one, two] = [queue.run(work('one')), queue.run(work('two'))];
      assert.equal(queue.isBusy, true);
      await assert.rejects(one, /one failed/);
      assert.equal(await two, 'two');
      assert.deepEqual(steps, ['one begins', 'one ends', 'two begins', 'two ends']);
      assert.equal(queue.isBusy, false);
    });

    it('lets a waiting action be aborted, and gives the next one its turn', async () => {
      const queue = new SerialQueue();
      const release = await queue.acquire();
      const abort = new AbortController();
      const [aborted, next] = [queue.acquire(abort.signal), queue.acquire()];
      assert.equal(queue.length, 2);
      abort.abort();
      assert.equal(await aborted, undefined);
      assert.equal(queue.length, 1);
      release();
      const releaseNext = await next;
      release();
      assert.equal(queue.isBusy, true, 'a turn ends once');
      releaseNext();
      assert.equal(queue.isBusy, false);
      assert.equal(await queue.acquire(AbortSignal.abort()), undefined);
      assert.equal(queue.isBusy, false);
    });
  });

  it('Listeners calls its listeners in order until they are disposed', () => {
    const listeners = new Listeners<number>();
    const calls: string[] = [];
    const first = listeners.add((value) => {
      calls.push(`first ${value}`);
      listeners.add(() => calls.push('late'));
    });
    listeners.add((value) => calls.push(`second ${value}`));
    listeners.notify(1);
    assert.deepEqual(calls, ['first 1', 'second 1']);
    first.dispose();
    listeners.notify(2);
    assert.deepEqual(calls.slice(2), ['second 2', 'late']);
    listeners.clear();
    assert.equal(listeners.size, 0);
  });

  it('defined leaves out undefined properties, and no others', () => {
    const name: string | undefined = undefined;
    assert.deepEqual(Object.keys(defined({ name, zero: 0, empty: '', none: null, no: false })), [
      'zero',
      'empty',
      'none',
      'no',
    ]);
  });

  it('BoundedSet drops its oldest member', () => {
    const set = new BoundedSet<string>(2);
    for (const member of ['a', 'b', 'c']) set.add(member);
    assert.deepEqual(
      ['a', 'b', 'c'].map((member) => set.has(member)),
      [false, true, true],
    );
  });
});
