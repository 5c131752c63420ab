import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { skip } from '../../support/skip';
import { call, cleanUp, inWorkspace, marked, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

const PLACE = 'tests';

async function debug(file: string, test: string, more: object = {}): Promise<Answer> {
  const at = { file_path: path.join(PLACE, file), test_name: test };
  return await call('debug_test', { ...at, timeout_seconds: 120, ...more });
}

/** The line at which a test failed. */
const lineOf = ({ at }: Answer): unknown =>
  (at as { line_number?: number } | undefined)?.line_number;

describe('debug_test: tests that end in an unusual way', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  describe('in Node', () => {
    it('reports the exit code of a test that ends the process', async () => {
      const answer = await debug('node/ends.test.js', 'exits');
      assert.equal(answer['outcome'], 'errored', JSON.stringify(answer));
      assert.match(String(answer['message']), /exited with code 3/);
    });

    it('reports a test that has failed, although its process does not end', async () => {
      const answer = await debug('node/ends.test.js', 'takes too long', { timeout_seconds: 15 });
      const text = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer['outcome']], ['completed', 'failed'], text);
      assert.match(String(answer['message']), /timed out after 200ms/, text);
      assert.deepEqual([answer['ended_by'], answer['program']], ['max_seconds', 'ended'], text);
      assert.match(String(answer['hint']), /its process did not/, text);
    });

    it('reports the errors of an AggregateError', async () => {
      const answer = await debug('node/ends.test.js', 'finds one');
      assert.deepEqual(answer['exception'], {
        type: 'AggregateError',
        inner: [
          { type: 'Error', message: 'one' },
          { type: 'TypeError', message: 'two' },
        ],
      });
    });

    it('reports the value of an unexpected error without its stack', async () => {
      const answer = await debug('node/ends.test.js', 'refuses');
      const text = JSON.stringify(answer);
      assert.equal(answer['actual'], 'Error: no tea', text);
      assert.equal(answer['expected'], '/no coffee/', text);
    });

    it('mocha: reports a failed hook for the test that it belongs to', async () => {
      const answer = await debug('mocha/hooks.test.js', 'cleans up');
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['outcome'], answer['test']], ['errored', 'hooks > cleans up'], text);
      assert.equal(lineOf(answer), marked('tests/mocha/hooks.test.js', 'hook'), text);
    });

    it('mocha: reports the place of an error that was passed to done', async () => {
      const answer = await debug('mocha/hooks.test.js', 'reports');
      const text = JSON.stringify(answer);
      assert.equal(lineOf(answer), marked('tests/mocha/hooks.test.js', 'callback'), text);
    });

    it('jest: reports the type of an error in a hook', async () => {
      const answer = await debug('jest/hooks.test.js', 'connects');
      const text = JSON.stringify(answer);
      assert.deepEqual(answer['exception'], { type: 'Error' }, text);
      assert.equal(lineOf(answer), marked('tests/jest/hooks.test.js', 'hook'), text);
    });

    it('jest: reports a message without the lines of the source', async () => {
      const { message } = await debug('jest/hooks.test.js', 'refuses');
      assert.match(String(message), /"no coffee"\nReceived message: +"no tea"$/);
    });

    for (const file of ['node/hooks.test.js', 'vitest/hooks.test.ts'])
      it(`reports the error of a hook for all tests, in ${file}`, async () => {
        const answer = await debug(file, 'connects');
        const text = JSON.stringify(answer);
        assert.deepEqual(
          [answer['outcome'], answer['message']],
          ['errored', 'no connection'],
          text,
        );
        assert.equal(lineOf(answer), marked(`tests/${file}`, 'hook'), text);
      });

    it('vitest: reports a skipped test whose group has a failing hook as skipped', async () => {
      const answer = await debug('vitest/hooks.test.ts', 'is closed');
      assert.equal(answer['outcome'], 'skipped', JSON.stringify(answer));
    });

    it('jest: reports an uncaught error of a test that waits for a callback', async () => {
      const answer = await debug('jest/done.test.js', 'is called back');
      const text = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer['outcome']], ['completed', 'failed'], text);
      assert.match(String(answer['message']), /Cannot read properties of null/, text);
      assert.equal(lineOf(answer), marked('tests/jest/done.test.js', 'callback'), text);
    });

    it('jest: reports the variables at a snapshot, whose failure is not thrown, and the failures after it', async () => {
      const file = 'tests/jest/snapshot.test.js';
      const answer = await debug('jest/snapshot.test.js', 'lists the items');
      const text = JSON.stringify(answer);
      assert.equal(answer['outcome'], 'failed', text);
      assert.match(String(answer['message']), /toMatchInlineSnapshot/, text);
      assert.equal(lineOf(answer), marked(file, 'first') + 1, text);
      const [inner, outer] = answer['frames'] as { variables?: Record<string, string> }[];
      assert.match(inner?.variables?.['lines'] ?? '', /'tea: 3', 'milk: 3'/, text);
      assert.match(outer?.variables?.['names'] ?? '', /'tea', 'milk'/, text);
      const [further, ...others] = answer['further_failures'] as Answer[];
      assert.ok(further, text);
      assert.equal(lineOf(further), marked(file, 'second'), text);
      assert.deepEqual(others, [], text);
      assert.equal(answer['program'], 'ended', text);
    });

    it('vitest: reports all failures of a test that goes on after the first', async () => {
      const answer = await debug('vitest/several.test.ts', 'checks both');
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['outcome'], answer['expected']], ['failed', '2'], text);
      const [second, ...others] = answer['further_failures'] as (Answer & { message: string })[];
      assert.ok(second, text);
      assert.match(second.message, /expected 3 to be 1/, text);
      assert.equal(lineOf(second), marked('tests/vitest/several.test.ts', 'second'), text);
      assert.deepEqual(others, [], text);
    });

    for (const [file, test, marker, said] of [
      ['vitest/several.test.ts', 'throws a number', 'number', ['12', 'number']],
      [
        ...(['vitest/several.test.ts', 'throws an object', 'object'] as const),
        ["{ code: 'E_PRICE', price: 12 }", 'Object'],
      ],
      ['jest/done.test.js', 'throws nothing', 'nothing', ['undefined', 'undefined']],
    ] as const)
      it(`reports where a test of ${file} ${test}, which is no error`, async () => {
        const answer = await debug(file, test);
        const text = JSON.stringify(answer);
        const { type } = answer['exception'] as { type?: string };
        assert.deepEqual([answer['message'], type], said, text);
        assert.equal(lineOf(answer), marked(`tests/${file}`, marker), text);
        const [frame] = answer['frames'] as { variables?: Record<string, string> }[];
        assert.equal(frame?.variables?.['price'], '12', text);
      });

    for (const file of ['vitest/several.test.ts', 'jest/done.test.js'])
      it(`reports no skipped or unknown test of ${file} if a signal ended its process`, async () => {
        const answer = await debug(file, 'is killed');
        const text = JSON.stringify(answer);
        assert.deepEqual([answer['outcome'], answer['test']], ['errored', 'is killed'], text);
        assert.match(String(answer['message']), /^The process .*before the test ended\.$/, text);
      });

    it('vitest: reports an error that nothing catches, although the test passed', async () => {
      const answer = await debug('vitest/several.test.ts', 'ends too early');
      const text = JSON.stringify(answer);
      assert.equal(answer['outcome'], 'passed', text);
      const uncaught = answer['error_outside_test'] as Answer;
      assert.equal(uncaught['message'], 'nobody catches it', text);
      assert.equal(lineOf(uncaught), marked('tests/vitest/several.test.ts', 'late'), text);
    });

    for (const [file, outcome] of [
      ['node/hooks.test.js', 'passed'],
      // mocha reports the hook with the last test before it.
      ['mocha/hooks.test.js', 'errored'],
      ['jest/hooks.test.js', 'passed'],
      ['vitest/hooks.test.ts', 'passed'],
    ] as const)
      it(`reports the failing clean-up of a group behind a test of ${file}`, async () => {
        const answer = await debug(file, 'socket opens');
        const text = JSON.stringify(answer);
        assert.equal(answer['outcome'], outcome, text);
        const error = outcome === 'errored' ? answer : (answer['error_outside_test'] as Answer);
        assert.match(String(error['message']), /^cannot close/, text);
        assert.equal(lineOf(error), marked(`tests/${file}`, 'after'), text);
      });

    it('vitest: runs one row of a group by the name that the result shows', async () => {
      const rows = await debug('vitest/several.test.ts', 'is one');
      const text = JSON.stringify(rows);
      assert.deepEqual([rows['outcome'], rows['others']], ['failed', { passed: 1 }], text);
      const row = await debug('vitest/several.test.ts', String(rows['test']));
      assert.deepEqual(
        [row['outcome'], row['test'], 'others' in row],
        ['failed', rows['test'], false],
        JSON.stringify(row),
      );
    });

    it('vitest 3: stops at the failure of a test that is in a source file', async () => {
      const answer = await debug('vitest3/greeting.ts', 'greets', { timeout_seconds: 40 });
      const text = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer['outcome']], ['completed', 'failed'], text);
      assert.equal(lineOf(answer), marked('tests/vitest3/greeting.ts', 'greeting'), text);
      const [frame] = answer['frames'] as { variables?: Record<string, string> }[];
      assert.match(JSON.stringify(frame), /"text":"'Ann is 4'"/, text);
    });

    it('vitest: finds a test with fixtures of its own', async () => {
      const answer = await debug('vitest/fixture.test.ts', 'has a price');
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['expected'], answer['actual']], ['8', '7'], text);
      assert.equal(lineOf(answer), marked('tests/vitest/fixture.test.ts', 'price'), text);
    });

    it('vitest: reports no expected value of an assertion without one', async () => {
      const answer = await debug('vitest/fixture.test.ts', 'contains tea');
      const text = JSON.stringify(answer);
      assert.equal(answer['outcome'], 'failed', text);
      assert.equal('expected' in answer, false, text);
      assert.match(JSON.stringify(answer['frames']), /"items":/, text);
    });
  });

  describe('in Python', () => {
    const python = LANGUAGES.find(({ name }) => name === 'Python');
    assert.ok(python);

    for (const framework of ['unittest', 'pytest'])
      it(`${framework}: has the variables of the failure, although the function runs on`, async function () {
        skipWhereMissing(this, python);
        const variables = async (test: string): Promise<Readonly<Record<string, string>>> => {
          const answer = await debug('python/test_units.py', test, { framework });
          const [frame] = answer['frames'] as { variables?: Record<string, string> }[];
          assert.ok(frame?.variables, JSON.stringify(answer));
          return frame.variables;
        };
        const { price, failed } = await variables('test_first_price');
        assert.deepEqual([price, failed], ['3', '1']);
        assert.equal((await variables('test_cleans_up'))['price'], '3');
      });
    before(function () {
      skipWhereMissing(this, python);
    });

    it('finds a case whose name is not ASCII, and compares no values with `in`', async () => {
      const answer = await debug('python/test_ends.py', 'test_is_served[咖啡]');
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['outcome'], answer['expected']], ['failed', undefined], text);
      assert.match(JSON.stringify(answer['frames']), /咖啡/, text);
    });

    it('reports the exit code of a test that ends the process', async () => {
      const answer = await debug('python/test_ends.py', 'test_exits');
      assert.equal(answer['outcome'], 'errored', JSON.stringify(answer));
      assert.match(String(answer['message']), /exited with code 3/);
    });

    it('reports an expected failure without a reason', async () => {
      const answer = await debug('python/test_ends.py', 'test_is_known');
      assert.deepEqual([answer['outcome'], answer['reason']], ['skipped', 'xfail']);
    });

    it('reports the exceptions of a group', async () => {
      const answer = await debug('python/test_ends.py', 'test_group');
      const inner = [{ type: 'KeyError', message: "'tea'" }];
      assert.deepEqual(answer['exception'], { type: 'ExceptionGroup', inner });
      const raised = await debug('python/test_ends.py', 'test_group_of_two');
      const at = `tests/python/test_ends.py:${marked('tests/python/test_ends.py', 'found')}`;
      const both = ["'tea'", "'cup'"].map((message) => ({ type: 'KeyError', message, at }));
      assert.deepEqual(raised['exception'], { type: 'ExceptionGroup', inner: both });
    });
  });

  describe('in Go', () => {
    const go = LANGUAGES.find(({ name }) => name === 'Go');
    assert.ok(go);
    before(function () {
      skipWhereMissing(this, go);
    });
    const FILE = 'go/ends/ends_test.go';

    it('reports the exit code of a test that ends the process', async () => {
      const answer = await debug(FILE, 'TestExits');
      assert.equal(answer['outcome'], 'errored', JSON.stringify(answer));
      assert.match(String(answer['message']), /exited with code 4/);
      const at = answer['at'] as { line_number?: number } | undefined;
      assert.equal(at?.line_number, marked(`tests/${FILE}`, 'exits'), JSON.stringify(answer));
    });

    it('reports a test that fails in a deferred function, with its whole message', async () => {
      const answer = await debug(FILE, 'TestRecovers');
      const text = JSON.stringify(answer);
      assert.equal(answer['outcome'], 'failed', text);
      assert.match(
        String(answer['message']),
        /^读取失败: recovered .* longer than 64 bytes$/,
        text,
      );
      assert.equal(lineOf(answer), marked(`tests/${FILE}`, 'recovers'), text);
    });

    it('compares the output of an example with its comment', async () => {
      const failed = await debug(FILE, 'Example_greets');
      assert.equal(failed['outcome'], 'failed', JSON.stringify(failed));
      assert.equal(failed['message'], 'got:\nhello\nwant:\nhi');
      const passed = await debug(FILE, 'Example_counts');
      assert.equal(passed['outcome'], 'passed', JSON.stringify(passed));
    });
  });

  describe('in C++', () => {
    const native = LANGUAGES.find(({ name }) => name === 'C++');
    assert.ok(native);
    before(function () {
      skipWhereMissing(this, native);
      if (!existsSync(inWorkspace('tests/native/out/cart_test')))
        skip(this, 'GoogleTest needs npm run adapters:setup');
    });
    const FILE = 'native/cart_test.cpp';

    it('reports a test that ends the process, whatever its exit code is', async () => {
      const answer = await debug(FILE, 'Cart.Leaves');
      assert.equal(answer['outcome'], 'errored', JSON.stringify(answer));
      assert.match(String(answer['message']), /exited with code 0 before the test ended/);
    });

    it('reports a test that does not end with its place, and not as one that ends the process', async () => {
      const answer = await debug(FILE, 'Cart.Hangs', { timeout_seconds: 10 });
      const text = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer['outcome']], ['timeout', 'timeout'], text);
      assert.match(JSON.stringify(answer['frames']), /"rounds":/, text);
    });

    it('reports a disabled test as skipped', async () => {
      const answer = await debug(FILE, 'DISABLED_Waits');
      assert.deepEqual([answer['outcome'], answer['reason']], ['skipped', 'disabled']);
    });

    it('runs all cases of a test with parameters, and reports the one that fails', async () => {
      const answer = await debug(FILE, 'Prices.AreOdd');
      const text = JSON.stringify(answer);
      assert.deepEqual(
        [answer['test'], answer['actual'], answer['others']],
        ['Some/Prices > AreOdd/1', '0', { passed: 2 }],
        text,
      );
      assert.equal(lineOf(answer), marked(`tests/${FILE}`, 'parameter'), text);
    });
  });

  describe('in Java', () => {
    const java = LANGUAGES.find(({ name }) => name === 'Java');
    assert.ok(java);
    before(function () {
      skipWhereMissing(this, java);
    });
    const FILE = 'java/test/shop/EndsTest.java';

    it('reports a test that ends the process', async () => {
      const answer = await debug(FILE, 'leaves');
      assert.equal(answer['outcome'], 'errored', JSON.stringify(answer));
      assert.match(String(answer['message']), /exited with code 3 before the test ended/);
    });

    it('runs tests with assertions, as Maven and Gradle do', async () => {
      const answer = await debug(FILE, 'asserts');
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['outcome'], answer['message']], ['failed', 'too cheap'], text);
      assert.equal(lineOf(answer), marked(`tests/${FILE}`, 'asserts'), text);
    });
  });
});
