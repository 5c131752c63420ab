import { strict as assert } from 'node:assert';
import { hasRecovered } from '../../../../../src/tools/trace/function/recovery';
import { functionsIn } from '../../../../../src/tools/trace/function/source/functionsIn';

const DEFERS = '  defer handle(&err)';

/** Whether a Go function with these lines has recovered if it returned from a line. The body begins at line 2. */
async function recovers(body: readonly string[], line: number, path = '/a/f.go'): Promise<boolean> {
  const source = ['func f(n int) (err error) {', ...body, '}'];
  const [found] = (await functionsIn('/a/f.go', source.join('\n'))) ?? [];
  assert.ok(found);
  return hasRecovered({ name: 'f', path, source }, found, line);
}

describe('a Go function that has recovered from a panic', () => {
  it('has returned from a line in its middle', async () => {
    const body = [DEFERS, '  n = pick(n)', '  return nil'];
    assert.equal(await recovers(body, 3), true);
    assert.equal(await recovers(body, 4), false);
    assert.equal(await recovers(body, 5), false);
    assert.equal(await recovers(body, 3, '/a/f.js'), false);
  });

  it('has deferred another one', async () => {
    assert.equal(await recovers(['  n = pick(n)', '  // defer g()', '  return nil'], 2), false);
  });

  it('has not returned by a `return` over several lines', async () => {
    const body = [DEFERS, '  if n > 1 {', '    return nil', '  }'];
    const call = ['  return wrap(', '    n,', '    name(n),', '  )'];
    assert.equal(await recovers([...body, ...call], 8), false);
    assert.equal(await recovers([...body, '  return a(n) +', '    b(n)'], 7), false);
    assert.equal(await recovers([...body, '  n = pick(n)', '  return nil'], 6), true);
  });

  it('has not returned by a `return` with a closure or a comment', async () => {
    const wrapped = ['  return wrap(func() int {', '    return 1', '  }, name(n))'];
    assert.equal(await recovers([DEFERS, ...wrapped], 5), false);
    assert.equal(await recovers([DEFERS, '  return n, // first', '    name(n)'], 4), false);
    const block = ['  if n > 1 {', '    n = pick(n)', '  }', '  return nil'];
    assert.equal(await recovers([DEFERS, ...block], 4), true);
  });
});
