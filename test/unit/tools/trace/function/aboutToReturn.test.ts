import { strict as assert } from 'node:assert';
import { aboutToReturn } from '../../../../../src/tools/trace/function/aboutToReturn';
import type { TracedFunction } from '../../../../../src/tools/trace/function/callModel';
import { frameAt, stackIn } from '../../../support/stacks';
import { bench } from '../../../support/services';

const { signal } = new AbortController();
const FIRST = { line: 2, value: '9' };

describe('the value that a call is about to return', () => {
  const called: TracedFunction = {
    ...{ name: 'load', path: '/a/a.mjs' },
    source: [
      'try {',
      'return n + 1;',
      '} finally {',
      'open -= 1;',
      'return f(n);',
      'if (n) return n;',
    ],
    returns: [
      { line: 2, expressions: ['n + 1'] },
      { line: 6, expressions: ['n'] },
    ],
  };
  const on = bench();
  let result: string | undefined;
  on.host.on('evaluate', () => {
    if (result === undefined) throw new Error('not visible');
    return { result };
  });
  const at = async (line: number, before: typeof FIRST | undefined, value: string | undefined) => {
    result = value;
    const now = stackIn([frameAt('load', { line })], 'pwa-node', on);
    return await aboutToReturn(on.services, called, now, before, signal);
  };

  it('is read at the `return`, and kept while the call runs a `finally`', async () => {
    assert.deepEqual(await at(2, undefined, '9'), FIRST);
    assert.deepEqual(await at(4, FIRST, '9'), FIRST);
  });

  it('is kept at a second stop in the same line, where its variables are not visible', async () => {
    assert.deepEqual(await at(2, FIRST, undefined), FIRST);
  });

  it('is unknown after a `return` with a condition, which may have been false', async () => {
    const about = await at(6, undefined, '9');
    assert.deepEqual(about, { line: 6, value: '9' });
    assert.deepEqual(await at(6, about, undefined), about);
    assert.equal(await at(4, about, undefined), undefined);
  });

  it('is unknown after another `return` whose value is unknown', async () => {
    assert.equal(await at(5, FIRST, '9'), undefined);
  });
});
