import { strict as assert } from 'node:assert';
import { skip } from '../../support/skip';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hasTools } from '../../support/toolchain';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, inWorkspace, marked, type Answer } from '../support/client';
import { temporaryFoldersRemoved } from '../support/temporaryFolders';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

const PLACE = 'tests';
const WAIT = { timeout_seconds: 120 };

interface Told extends Answer {
  readonly outcome?: string;
  readonly message?: string;
  readonly output?: readonly string[];
  readonly exception?: { readonly type?: string; readonly inner?: readonly { type: string }[] };
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly {
    readonly function_name: string;
    readonly line_number?: number;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
}

async function debug(file: string, test: string | undefined, more: object = {}): Promise<Told> {
  const started = performance.now();
  const answer = await call('debug_test', {
    file_path: path.join(PLACE, file),
    ...(test === undefined ? {} : { test_name: test }),
    ...WAIT,
    ...more,
  });
  if (process.env['SHOW'] !== undefined)
    console.log(
      `${file} ${test ?? ''}: ${Math.round(performance.now() - started)} ms\n${JSON.stringify(answer, undefined, 1)}`,
    );
  return answer;
}

/** Asserts the parts of a reported failure that are the same in all languages: its location and its values. */
function assertFailed(
  answer: Told,
  [file, marker]: readonly [file: string, marker: string],
  values: Readonly<Record<string, string>>,
): void {
  const answerText = JSON.stringify(answer);
  assert.deepEqual([answer.status, answer.outcome], ['completed', 'failed'], answerText);
  assert.equal(answer.at?.file_path, inWorkspace(path.join(PLACE, file)), answerText);
  assert.equal(answer.at.line_number, marked(path.join(PLACE, file), marker), answerText);
  const [frame] = answer.frames ?? [];
  for (const [name, value] of Object.entries(values))
    assert.equal(frame?.variables?.[name], value, answerText);
  assert.equal(answer['program'], 'ended', answerText);
}

/** Asserts that nothing of a call is left: no session, no breakpoint, no folder, no filter. */
async function assertNothingLeft(): Promise<void> {
  const state = await call('get_debug_state', {});
  const live = (state['sessions'] as { state: string }[]).filter(
    (each) => each.state !== 'terminated',
  );
  assert.deepEqual(live, []);
  assert.equal(state['exception_filters'], undefined, JSON.stringify(state));
  assert.deepEqual(vscode.debug.breakpoints, []);
  await temporaryFoldersRemoved();
}

function needs(context: Mocha.Context, name: string): void {
  const language = LANGUAGES.find((each) => each.name === name);
  assert.ok(language, name);
  skipWhereMissing(context, language);
}

describe('debug_test', function () {
  this.timeout(300_000);
  afterEach(async () => {
    await cleanUp();
    await assertNothingLeft();
  });

  describe('with node:test', () => {
    it('reports that a test passed, with its output', async () => {
      const answer = await debug('node/cart.test.js', 'adds prices');
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer.outcome], ['completed', 'passed'], answerText);
      assert.deepEqual(answer.output, ['added tea'], answerText);
      assert.equal(answer['framework'], 'node_test');
    });

    it('reports a failure with the values from the test to its assertion, not the expected errors', async () => {
      const answer = await debug('node/cart.test.js', 'cart > counts each item');
      assertFailed(answer, ['node/cart.test.js', 'assertion'], { total: '3', expected: '6' });
      assert.deepEqual([answer['expected'], answer['actual']], ['6', '3']);
      const test = answer.frames?.at(-1);
      assert.equal(test?.line_number, marked('tests/node/cart.test.js', 'test'));
      assert.ok(test.variables?.['cart']?.startsWith('Cart'), JSON.stringify(answer));
      assert.deepEqual(answer.output, ['added two']);
    });

    it('reports the location in the program that threw an exception, and finds the test by a line', async () => {
      const line = marked('tests/node/cart.test.js', 'finds');
      const answer = await debug('node/cart.test.js', undefined, { line });
      assertFailed(answer, ['node/cart.js', 'origin'], { name: "'milk'", found: 'undefined' });
      assert.equal(answer.exception?.type, 'TypeError');
    });

    it('reports a skipped test, a test with a name made by the runner, and a file that does not load', async () => {
      const skipped = await debug('node/cart.test.js', 'is not ready');
      assert.deepEqual([skipped.outcome, skipped['reason']], ['skipped', 'no database']);
      const inGroup = await debug('node/cart.test.js', 'a group that is off never runs');
      assert.equal(inGroup.outcome, 'skipped', JSON.stringify(inGroup));
      const made = await debug('node/cart.test.js', 'checks the price 1');
      assert.equal(made.outcome, 'passed', JSON.stringify(made));
      const broken = await debug('node/broken.test.js', 'never runs');
      assert.equal(broken.outcome, 'errored', JSON.stringify(broken));
      assert.match(broken.message ?? '', /nowhere/);
      assert.equal(broken.at?.line_number, marked('tests/node/broken.test.js', 'load'));
    });

    it('runs a subtest with the tests around it', async () => {
      const answer = await debug('node/parts.test.js', 'rejects a price');
      assertFailed(answer, ['node/parts.test.js', 'child'], {});
      assert.equal(answer['test'], 'checks prices > rejects a price', JSON.stringify(answer));
      const other = await debug('node/parts.test.js', 'checks prices > accepts a price');
      assert.equal(other.outcome, 'passed', JSON.stringify(other));
    });

    it('reports the tests of the file if none or several match', async () => {
      const near = errorOf(await debug('jest/cart.test.js', 'is not redy'), 'test_not_found');
      assert.equal(near['outcome'], 'not_found', JSON.stringify(near));
      const several = errorOf(await debug('node/cart.test.js', undefined), 'ambiguous_test');
      assert.equal(several['test_count'], 9, JSON.stringify(several));
    });

    it('runs TypeScript tests through tsx, with the lines of the source', async () => {
      const answer = await debug('typescript/cart.test.ts', 'labels an item');
      assertFailed(answer, ['typescript/cart.test.ts', 'typescript'], { text: "'tea 3'" });
    });
  });

  describe('with other JavaScript runners', () => {
    for (const [runner, file] of [
      ['mocha', 'mocha/cart.test.js'],
      ['jest', 'jest/cart.test.js'],
      ['vitest', 'vitest/cart.test.ts'],
    ] as const)
      it(`${runner}: reports a failing assertion of its own library`, async () => {
        const answer = await debug(file, 'counts each item');
        assertFailed(answer, [file, runner], { [runner === 'vitest' ? 'sum' : 'total']: '3' });
        assert.deepEqual([answer['expected'], answer['actual']], ['6', '3']);
        assert.equal(answer['framework'], runner);
        assert.deepEqual(answer.output, ['added two']);
      });

    it('vitest: debugs its own process while an earlier run of the test is still stopped', async () => {
      const first = await debug('vitest/cart.test.ts', 'counts each item', { on_failure: 'stay' });
      assert.equal(first['status'], 'stopped', JSON.stringify(first));
      const second = await debug('vitest/cart.test.ts', 'counts each item');
      assertFailed(second, ['vitest/cart.test.ts', 'vitest'], { sum: '3' });
      const { session_id: id } = first;
      const { sessions } = await call('get_debug_state', {});
      const left = (sessions as Record<string, unknown>[]).map((session) => session['session_id']);
      assert.ok(left.includes(id), JSON.stringify({ first, sessions }));
    });

    it('reports a fixture that fails', async () => {
      const answer = await debug('mocha/cart.test.js', 'saves');
      assert.equal(answer.outcome, 'errored', JSON.stringify(answer));
      assert.equal(answer.at?.line_number, marked('tests/mocha/cart.test.js', 'fixture'));
    });

    it('jest: uses the configuration of the repository for a package without its own', async () => {
      const answer = await debug('workspaces/packages/shop/shop.test.js', 'knows its prices');
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['framework'], answer.outcome], ['jest', 'passed'], text);
    });
  });

  describe('with Python', () => {
    before(function () {
      needs(this, 'Python');
    });

    it('pytest: reports a failure with the values from the test to its assertion', async () => {
      const answer = await debug('python/test_cart.py', 'TestCart::test_counts_each_item');
      assertFailed(answer, ['python/test_cart.py', 'assertion'], { total: '3', expected: '6' });
      assert.deepEqual([answer['expected'], answer['actual']], ['6', '3']);
      assert.equal(answer.frames?.at(-1)?.line_number, marked('tests/python/test_cart.py', 'test'));
      assert.deepEqual(answer.output, ['added two']);
    });

    it('pytest: reports long values by their difference, and the cause of an exception', async () => {
      const compared = await debug('python/test_cart.py', 'test_compares');
      const diff = (compared['diff'] as string[]).filter((line) => /^[-+]/.test(line));
      assert.equal(diff.length, 2, JSON.stringify(compared));
      assert.match(diff.join('\n'), /-.*'count': 2.*\n\+.*'count': 1/);
      const chained = await debug('python/test_cart.py', 'test_loads');
      assertFailed(chained, ['python/cart.py', 'chained'], { text: "'three'" });
      assert.equal(chained.exception?.inner?.[0]?.type, 'ValueError');
    });

    it('pytest: reports the failing case of a parametrized test, a failing fixture, and a file that does not load', async () => {
      const rows = await debug('python/test_cart.py', 'test_checks');
      assert.deepEqual([rows['test'], rows['others']], ['test_checks[-2]', { passed: 1 }]);
      const one = await debug('python/test_cart.py', 'test_checks[1]');
      assert.equal(one.outcome, 'passed', JSON.stringify(one));
      const fixture = await debug('python/test_cart.py', 'test_saves');
      assert.equal(fixture.outcome, 'errored', JSON.stringify(fixture));
      assert.equal(fixture.at?.line_number, marked('tests/python/test_cart.py', 'fixture'));
      const broken = await debug('python/test_broken.py', 'test_never_runs');
      assert.equal(broken.outcome, 'errored', JSON.stringify(broken));
      assert.equal(broken.at?.line_number, marked('tests/python/test_broken.py', 'load'));
    });

    it('unittest: does not report an error that a library expects as the failure', async () => {
      const answer = await debug('python/test_units.py', 'test_counts_each_item', {
        framework: 'unittest',
      });
      assertFailed(answer, ['python/test_units.py', 'unittest'], { total: '3' });
      assert.deepEqual([answer['expected'], answer['actual']], ['6', '3']);
    });

    it('unittest: stays at a failing subTest, and reports its variables', async () => {
      const answer = await debug('python/test_units.py', 'test_each_price', {
        ...{ framework: 'unittest', on_failure: 'stay' },
      });
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer.outcome], ['stopped', 'failed'], answerText);
      const [test] = answer.frames ?? [];
      assert.equal(test?.function_name, 'test_each_price', answerText);
      assert.deepEqual(
        [test.variables?.['limit'], test.variables?.['price']],
        ['5', '7'],
        answerText,
      );
    });

    it('reports the current location of a test that does not end', async () => {
      const answer = await debug('python/test_cart.py', 'test_loops_without_end', {
        timeout_seconds: 16,
      });
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer.outcome], ['timeout', 'timeout'], answerText);
      const [frame] = answer.frames ?? [];
      assert.equal(frame?.function_name, 'test_loops_without_end', answerText);
      assert.ok(Number(frame.variables?.['rounds']) > 0, answerText);
    });

    it('stays at the failure if that is requested', async () => {
      const answer = await debug('python/test_cart.py', 'test_finds', { on_failure: 'stay' });
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer.outcome], ['stopped', 'failed'], answerText);
      const stop = answer['stop_event_data'] as { line: number };
      assert.equal(stop.line, marked('tests/python/cart.py', 'origin'), answerText);
      const value = await call('evaluate_expression', { expression: 'name' });
      assert.equal(value['result'] ?? value['value'], "'milk'", JSON.stringify(value));
    });

    it('ends at the person’s breakpoint in a test that passes, and leaves the program there', async () => {
      const file = 'tests/python/cart.py';
      const line = marked(file, 'adds');
      vscode.debug.addBreakpoints([
        new vscode.SourceBreakpoint(
          new vscode.Location(vscode.Uri.file(inWorkspace(file)), new vscode.Position(line - 1, 0)),
        ),
      ]);
      const passed = await debug('python/test_cart.py', 'test_adds_prices');
      assert.equal(passed.outcome, 'passed', 'no debugger runs, unless the program is to stay');
      const answer = await debug('python/test_cart.py', 'test_adds_prices', { on_failure: 'stay' });
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.status, answer['ended_by']], ['stopped', 'breakpoint'], answerText);
      assert.equal((answer['stop_event_data'] as { line: number }).line, line, answerText);
    });
  });

  describe('with C++', () => {
    before(function () {
      needs(this, 'C++');
      if (!existsSync(inWorkspace('tests/native/out/cart_test')))
        skip(this, 'GoogleTest needs npm run adapters:setup');
    });

    it('GoogleTest: reports a failure, an uncaught exception, a crash, a skipped test and a passed test', async () => {
      const failed = await debug('native/cart_test.cpp', 'Cart.CountsEachItem');
      assertFailed(failed, ['native/cart_test.cpp', 'native'], { sum: '3', expected: '6' });
      assert.deepEqual([failed['expected'], failed['actual']], ['6', '3']);
      assert.deepEqual(failed.output, ['added two']);
      const thrown = await debug('native/cart_test.cpp', 'Checks');
      assertFailed(thrown, ['native/cart_test.cpp', 'origin'], { price: '-2' });
      assert.equal(thrown.message, 'no price');
      const crashed = await debug('native/cart_test.cpp', 'Crashes');
      assertFailed(crashed, ['native/cart_test.cpp', 'crash'], {});
      const skipped = await debug('native/cart_test.cpp', 'IsNotReady');
      assert.deepEqual([skipped.outcome, skipped['reason']], ['skipped', 'no database']);
      const passed = await debug('native/cart_test.cpp', 'Adds');
      assert.equal(passed.outcome, 'passed', JSON.stringify(passed));
    });
  });

  describe('with Go', () => {
    before(function () {
      needs(this, 'Go');
    });

    it('reports a failed subtest, a passed test, a skipped test and a panic', async () => {
      const failed = await debug('go/cart_test.go', 'TestCart/counts each item');
      assertFailed(failed, ['go/cart_test.go', 'go'], { total: '3', expected: '6' });
      assert.equal(failed.message, 'total is 3, not 6');
      const passed = await debug('go/cart_test.go', 'TestAdds');
      assert.equal(passed.outcome, 'passed', JSON.stringify(passed));
      const skipped = await debug('go/cart_test.go', 'is not ready');
      assert.deepEqual([skipped.outcome, skipped['reason']], ['skipped', 'no database']);
      // The package is not in the folder of go.mod.
      const inner = await debug('go/inner/inner_test.go', 'TestReadsItsData');
      assert.equal(inner.outcome, 'passed', JSON.stringify(inner));
      const panic = await debug('go/cart_test.go', 'finds');
      assertFailed(panic, ['go/cart_test.go', 'panic'], {});
      assert.match(panic.message ?? '', /nil pointer/);
    });
  });

  describe('with Rust', () => {
    before(function () {
      needs(this, 'C++');
      const hasCargo = (process.env['PATH'] ?? '')
        .split(path.delimiter)
        .some((each) => existsSync(path.join(each, 'cargo')));
      if (!hasCargo) skip(this, 'cargo test needs cargo');
    });

    it('reports a failed assertion, a panic after a caught panic, a skipped test and a passed test', async () => {
      const failed = await debug('rust/src/cart.rs', 'adds');
      assertFailed(failed, ['rust/src/cart.rs', 'assertion'], { expected: '19', found: '18' });
      assert.deepEqual([failed['expected'], failed['actual']], ['19', '18']);
      assert.equal(failed['framework'], 'cargo_test');
      assert.deepEqual(failed.output, ['checking 3 items']);
      const [inner, outer] = failed.frames ?? [];
      assert.equal(inner?.function_name, 'shop::cart::tests::check');
      assert.equal(outer?.line_number, marked('tests/rust/src/cart.rs', 'test'));
      const panic = await debug('rust/src/cart.rs', 'refuses');
      assertFailed(panic, ['rust/src/cart.rs', 'panics'], { percent: '300' });
      assert.equal(panic.message, 'more than everything: 300');
      const whole = await debug('rust/tests/whole.rs', 'adds_nothing');
      assertFailed(whole, ['rust/tests/whole.rs', 'whole'], {});
      const module = await debug('rust/tests/shop/cart.rs', 'is_empty');
      assertFailed(module, ['rust/tests/shop/cart.rs', 'module'], {});
      const skipped = await debug('rust/src/cart.rs', 'is_skipped');
      assert.deepEqual([skipped.outcome, skipped['reason']], ['skipped', 'not today']);
      const passed = await debug('rust/src/lib.rs', 'passes');
      assert.equal(passed.outcome, 'passed', JSON.stringify(passed));
      assert.deepEqual(passed.output, ['all is well']);
      const expected = await debug('rust/src/cart.rs', 'expects_a_panic');
      assert.equal(expected.outcome, 'passed', JSON.stringify(expected));
    });

    it('lets trace_function reach a call by a test', async () => {
      const answer = await call('trace_function', {
        test: { file_path: path.join(PLACE, 'rust/src/cart.rs'), test_name: 'adds' },
        file_path: path.join(PLACE, 'rust/src/cart.rs'),
        function_name: 'total',
        max_seconds: 60,
      });
      const answerText = JSON.stringify(answer);
      assert.equal((answer['arguments'] as Record<string, string>)['factor'], '3', answerText);
      assert.ok(
        (answer['trace'] as string[]).some((each) => /sum: 9 → 18/.test(each)),
        answerText,
      );
    });
  });

  describe('with Java', () => {
    before(function () {
      needs(this, 'Java');
      if (!hasTools('junit4', 'junit5')) skip(this, 'JUnit needs npm run adapters:setup');
    });

    it('JUnit 5: reports a pass, a failure after an expected exception, an exception that fails a test, and a skip', async () => {
      const file = 'java/test/shop/CartTest.java';
      const passed = await debug(file, 'addsPrices');
      assert.equal(passed.outcome, 'passed', JSON.stringify(passed));
      assert.deepEqual(passed.output, ['added tea']);
      const failed = await debug(file, 'Counting.countsEachItem');
      assertFailed(failed, [file, 'junit'], { total: '3', expected: '6' });
      assert.deepEqual([failed['expected'], failed['actual']], ['6', '3']);
      assert.equal(failed.frames?.at(-1)?.line_number, marked(`tests/${file}`, 'test'));
      assert.equal(failed['framework'], 'junit5');
      const thrown = await debug(file, 'finds');
      assertFailed(thrown, ['java/src/shop/Cart.java', 'origin'], { name: '"milk"' });
      assert.equal(thrown.exception?.type, 'IllegalStateException');
      const skipped = await debug(file, 'isNotReady');
      assert.deepEqual([skipped.outcome, skipped['reason']], ['skipped', 'no database']);
    });

    it('JUnit 4: reports a failure and a skipped test', async () => {
      const file = 'java/test/shop/OldCartTest.java';
      const failed = await debug(file, 'countsEachItem');
      assertFailed(failed, [file, 'junit4'], { total: '3', expected: '6' });
      assert.deepEqual([failed['expected'], failed['actual']], ['6', '3']);
      const skipped = await debug(file, 'isNotReady');
      assert.deepEqual([skipped.outcome, skipped['reason']], ['skipped', 'no database']);
    });
  });
});
