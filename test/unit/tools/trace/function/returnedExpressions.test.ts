import { strict as assert } from 'node:assert';
import type { TracedFunction } from '../../../../../src/tools/trace/function/callModel';
import { returnedExpressions } from '../../../../../src/tools/trace/function/returnedExpressions';
import { frameAt, stackIn } from '../../../support/stacks';
import { bench } from '../../../support/services';

const { signal } = new AbortController();

describe('the expressions that a line returns', () => {
  const called: TracedFunction = {
    ...{ name: 'work', path: '/a/a.go', source: [] },
    returns: [
      { line: 3, expressions: ['sum + 1', 'nil'] },
      { line: 5, expressions: ['f(x)'], hasCalls: true },
      { line: 6, expressions: ['gone'] },
    ],
  };
  const on = bench();
  on.host.on('evaluate', ({ expression }) => {
    if (expression === 'gone') throw new Error('no such variable');
    return { result: `<${String(expression)}>` };
  });
  const at = async (line: number): Promise<string | undefined> =>
    await returnedExpressions(
      on.services,
      called,
      stackIn([frameAt('work', { line })], 'go', on),
      signal,
    );

  it('are evaluated', async () => {
    assert.equal(await at(3), '<sum + 1>, <nil>');
  });

  it('are unknown if they contain a call, cannot be evaluated, or are not in the line', async () => {
    assert.equal(await at(5), undefined);
    assert.equal(await at(6), undefined);
    assert.equal(await at(4), undefined);
    const sent = on.host.sent('evaluate').map(({ expression }) => expression);
    assert.ok(!sent.includes('f(x)'));
  });
});
