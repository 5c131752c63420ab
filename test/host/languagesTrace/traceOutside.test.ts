import { strict as assert } from 'node:assert';
import { cleanUp } from '../support/client';
import { assertNothingLeft, compileNative, needs, trace, withText, type Traced } from './tracing';

const NODE = { program: 'node/outside.mjs', file_path: 'node/outside.mjs' };
const PYTHON = { program: 'python/outside.py', file_path: 'python/outside.py' };
const GO = { program: 'go/outside/outside.go', file_path: 'go/outside/outside.go' };

describe('trace_function of calls that change variables outside of them', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  /** The changes that a trace shows for the line with a text. */
  const changesAt = (answer: Traced, text: string): string => {
    const [line] = withText(answer, text);
    assert.ok(line !== undefined, JSON.stringify(answer, undefined, 1));
    return line.split('  | ')[1] ?? '';
  };
  const assertChanges = (
    answer: Traced,
    expected: Readonly<Record<string, string | RegExp>>,
  ): void => {
    for (const [line, changes] of Object.entries(expected)) {
      const shown = JSON.stringify(answer, undefined, 1);
      if (typeof changes === 'string') assert.equal(changesAt(answer, line), changes, shown);
      else assert.match(changesAt(answer, line), changes, shown);
    }
  };

  for (const depth of [0, 1]) {
    const how = depth === 0 ? 'recorded' : 'stepped';

    it(`Node: a method changes variables of its file and private fields (${how})`, async function () {
      needs(this, 'Node');
      const answer = await trace({ ...NODE, function_name: 'Account.deposit', call: 2, depth });
      assertChanges(answer, {
        'this.#balance +=': 'this.#balance: 5 → 12',
        'Account.#count++': 'Account.#count: 1 → 2',
        'total +=': 'total: 5 → 12',
        'cache.set': /^cache: Map.*\{.*5 => 5\} → Map.*\{.*5 => 5, 7 => 12\}$/,
        'return this.#balance': '',
      });
      assert.equal(answer.this, 'Account {#balance: 5}');
      assert.deepEqual(answer.arguments, { amount: '7' });
      assert.deepEqual(answer.argument_changes, ['this.#balance: 5 → 12']);
      await assertNothingLeft();
    });

    it(`Python: a method changes variables of its file (${how})`, async function () {
      needs(this, 'Python');
      const answer = await trace({ ...PYTHON, function_name: 'Account.deposit', call: 2, depth });
      assertChanges(answer, {
        'total += amount': 'total: 5 → 12',
        'cache[amount]': 'cache[7] = 12',
        'self.last': 'self.last: 5 → 7',
        'return total': '',
      });
      await assertNothingLeft();
    });

    it(`Python: a function changes a variable of the function around it (${how})`, async function () {
      needs(this, 'Python');
      const answer = await trace({ ...PYTHON, function_name: 'step_by', call: 2, depth });
      assertChanges(answer, { 'count += step': 'count: 1 → 3' });
      assert.deepEqual(answer.arguments, { step: '2' });
    });

    it(`Go: a method changes variables of its package (${how})`, async function () {
      needs(this, 'Go');
      const answer = await trace({ ...GO, function_name: 'account.deposit', call: 2, depth });
      assertChanges(answer, {
        'total += amount': 'total: 5 → 12',
        'cache[amount]': 'cache: map[int]int [5: 5, ] → map[int]int [5: 5, 7: 12, ]',
        'a.balance += amount': 'a.balance: 5 → 12',
      });
      await assertNothingLeft();
    });

    it(`C++: a method changes variables of its file, of its class, and static ones (${how})`, async function () {
      needs(this, 'C++');
      const program = compileNative('outside');
      const answer = await trace({
        ...{ program, file_path: 'native/outside.cpp', depth },
        ...{ function_name: 'Account::deposit', call: 2 },
      });
      assertChanges(answer, {
        'calls++': 'calls: 1 → 2',
        'total += amount': '::total: 5 → 12',
        'seen.push_back':
          depth === 0 ? '::seen: size=1 [5] → size=2 [5, 7]' : '::seen: size=1 → size=2',
        'made += 1': 'Account::made: 1 → 2',
        'balance += amount': 'this.balance: 5 → 12',
        'int twice': 'twice = 24',
      });
      assert.match(answer.this ?? '', /balance: 5\}$/);
      assert.deepEqual(answer.arguments, { amount: '7' });
      assert.deepEqual(answer.argument_changes, ['this.balance: 5 → 12']);
      await assertNothingLeft();
    });
  }

  it('Node: a function changes a variable of the function around it', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'next', call: 2 });
    assertChanges(answer, { 'count += step': 'count: 1 → 3' });
    assert.deepEqual(answer.arguments, { step: '2' });
  });

  it('Node: an asynchronous function changes variables of its file', async function () {
    needs(this, 'Node');
    const answer = await trace({ ...NODE, function_name: 'later' });
    assertChanges(answer, {
      'total -= amount': 'total: 12 → 7',
      'await null': 'waits: 0 → 5 (maybe while suspended)',
      'waits += 1': 'waits: 5 → 6',
      'cache.delete': 'cache: Map {5 => 5, 7 => 12} → Map {7 => 12}',
    });
  });
});
