import { strict as assert } from 'node:assert';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeLimit } from '../../../src/util/timeLimit';

describe('a time limit', () => {
  it('ends a combined signal, also after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const ended = Array.from(
      { length: 20 },
      () =>
        new Promise<string>((resolve) => {
          const all = AbortSignal.any([new AbortController().signal, timeLimit(100)]);
          all.addEventListener('abort', () => resolve((all.reason as Error).name), { once: true });
        }),
    );
    setImmediate(collect);
    assert.deepEqual(new Set(await Promise.all(ended)), new Set(['TimeoutError']));
  });
});
