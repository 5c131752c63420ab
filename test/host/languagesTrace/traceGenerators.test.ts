import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import { assertNothingLeft, needs, trace, withText, type Traced } from './tracing';

const NODE = { program: 'node/generators.mjs', file_path: 'node/generators.mjs' };

describe('trace_function with generators and asynchronous functions in Node', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const trail = (answer: Traced): string => JSON.stringify(answer, undefined, 1);

  it('shows the lines of the consumer between the parts of its generators', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'consume', depth: 2 });
    const text = trail(answer);
    const sums = answer.trace.flatMap((line) => /\bsum: \d+ → \d+/.exec(line) ?? []);
    assert.deepEqual(sums, ['sum: 0 → 3', 'sum: 3 → 7', 'sum: 7 → 17', 'sum: 17 → 37'], text);
    for (const value of ['3', '4'])
      assert.ok(withText(answer, `< yields ${value}`).length > 0, text);
    assert.equal(answer.returned, '41', text);
    await assertNothingLeft();
  });

  it('shows the whole generator that a spread or a built-in function consumes', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'consume', depth: 1 });
    const text = trail(answer);
    for (const consumer of ['const all =', 'const copy =']) {
      const at = answer.trace.findIndex((line) => line.includes(consumer));
      const lines = answer.trace.slice(at + 1, at + 6).map((line) => line.trim().split(' ')[0]);
      assert.deepEqual(lines, ['>', '3', '4', '5', '<'], text);
    }
  });

  it('keeps the generators of one function apart that delegate to each other', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'total', depth: 2 });
    const text = trail(answer);
    // Each generator has a `this` of its own.
    assert.deepEqual(withText(answer, 'this.value:'), [], text);
    assert.equal(withText(answer, '> Tree.walk(this=Tree {').length, 8, text);
    assert.equal(answer.returned, '6', text);
    await assertNothingLeft();
  });

  it('does not stop in a generator for each round of a callee', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'measure', depth: 1 });
    const text = trail(answer);
    assert.equal(answer.returned, '5003', text);
    assert.ok(
      withText(answer, 'const whole').some((line) => line.includes('whole = 5000')),
      text,
    );
    assert.equal(answer['callees'], 'partly_recorded', text);
    await assertNothingLeft();
  });

  it('follows an asynchronous call after it was suspended', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'find' });
    const text = trail(answer);
    assert.equal(withText(answer, 'each = 1').length, 1, text);
    assert.equal(withText(answer, 'each: 1 → 2').length, 1, text);
    assert.match(answer.at ?? '', /generators\.mjs:\d+ <anonymous>$/, text);
    await assertNothingLeft();
  });

  it('ends an asynchronous call that returns through a finally before it suspends', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'load' });
    const text = trail(answer);
    assert.deepEqual(
      answer.trace.map((line) => line.split(' ')[0]),
      ['50', '52'],
      text,
    );
    assert.equal(answer['status'], 'stopped', text);
    // V8 shows no value there. The expression is read at the `return`.
    assert.equal(answer.returned, '{id: 1}', text);
    assert.match(answer.at ?? '', /generators\.mjs:\d+ loadAll$/, text);
    await assertNothingLeft();
  });

  for (const depth of [0, 1])
    it(`shows the object with which an asynchronous call fulfils its promise (depth ${depth})`, async function () {
      needs(this, 'Node');
      const answer = await trace({ ...NODE, function_name: 'priced', depth });
      assert.equal(answer.returned, "{id: 'pen', price: 7, total: 21}", trail(answer));
      await assertNothingLeft();
    });

  for (const depth of [0, 1])
    it(`ends an asynchronous call that is suspended in its return and in a finally (depth ${depth})`, async function () {
      needs(this, 'Node');
      const answer = await trace({ ...NODE, function_name: 'loadLast', depth });
      const text = trail(answer);
      assert.equal(withText(answer, '> load(id=3)').length, depth, text);
      // The promise of the call has the value. With opened callees, the call is stepped, and its end is not seen.
      assert.equal(answer.returned ?? answer['end'], depth === 0 ? '{id: 3}' : 'not_seen', text);
      assert.deepEqual(
        withText(answer, 'loads += 1').at(-1)?.split('  | ')[1],
        'changes unknown',
        text,
      );
      assert.match(answer.at ?? '', /generators\.mjs:\d+ <anonymous>$/, text);
      await assertNothingLeft();
    });
});
