import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { skip } from '../../support/skip';
import { call, cleanUp, inWorkspace, marked, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

const PLACE = 'tests';

interface Told extends Answer {
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly {
    readonly function_name: string;
    readonly line_number?: number;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
  readonly further_failures?: readonly Told[];
}

async function debug(file: string, test: string | number, more: object = {}): Promise<Told> {
  const named = typeof test === 'number' ? { line: test } : { test_name: test };
  const input = { file_path: path.join(PLACE, file), ...named, timeout_seconds: 120, ...more };
  return await call('debug_test', input);
}

/** Asserts that a test failed at a marked line, with these values in its innermost frame. */
function assertAt(
  answer: Told,
  [file, marker]: readonly [file: string, marker: string],
  values: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(answer);
  assert.equal(answer['outcome'], 'failed', text);
  assert.equal(answer.at?.file_path, inWorkspace(path.join(PLACE, file)), text);
  assert.equal(answer.at.line_number, marked(path.join(PLACE, file), marker), text);
  const [frame] = answer.frames ?? [];
  for (const [name, value] of Object.entries(values))
    assert.equal(frame?.variables?.[name], value, text);
}

const functionsOf = ({ frames = [] }: Told): readonly string[] =>
  frames.map((frame) => frame.function_name);

const native = LANGUAGES.find(({ name }) => name === 'C++');

describe('debug_test: native tests as real projects have them', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  describe('GoogleTest with its sources in the workspace', () => {
    before(function () {
      assert.ok(native);
      skipWhereMissing(this, native);
      if (!existsSync(inWorkspace('tests/googletest/out/bin/stock_tests')))
        skip(this, 'GoogleTest in the workspace needs npm run adapters:setup');
    });
    const FILE = 'googletest/stock_test.cpp';

    it('names the place that the runner names, and expects the literal', async () => {
      const answer = await debug(FILE, 'Stock.NamesTheLiteral');
      assertAt(answer, [FILE, 'literal']);
      const text = JSON.stringify(answer);
      assert.deepEqual([answer['expected'], answer['actual']], ['"item 4"', '"item 5"'], text);
      assert.deepEqual(functionsOf(answer), ['Stock_NamesTheLiteral_Test::TestBody()'], text);
      const inside = await debug(FILE, 'ChecksInAMacro');
      assertAt(inside, [FILE, 'inside'], { read: '"yes"', word: '"yes"' });
    });

    it('shows where an exception was thrown, although main catches everything', async () => {
      const answer = await debug(FILE, 'Stock.Throws');
      assertAt(answer, [FILE, 'throws'], { key: '3' });
      const text = JSON.stringify(answer);
      assert.equal(answer['message'], 'no price 3', text);
      assert.equal(answer['flaky'], undefined, text);
      // `found` is not constructed yet.
      assert.deepEqual(answer.frames?.[1]?.variables, { kept: '1' }, text);
      const after = await debug(FILE, 'Stock.ThrowsAsExpected');
      assertAt(after, [FILE, 'after']);
      assert.equal(after['exception'], undefined, JSON.stringify(after));
    });

    it('opens members of base classes, lists and optional values, and counts further failures', async () => {
      const answer = await debug(FILE, 'Shop.HasValues');
      const stock =
        'Stock {id: 7, name: "tea", prices: [1, 2, 3], best: 9, worst: nullopt, counts: {"a": 1}, parent: nullptr}';
      assertAt(answer, [FILE, 'loop'], { at: '2', stock, none: 'nullptr' });
      const text = JSON.stringify(answer);
      assert.equal(answer.frames?.[0]?.variables?.['later'], undefined, text);
      assert.equal(answer.further_failures?.length, 1, text);
      assert.equal('flaky' in answer, false, text);
    });

    it('does not stop at each of thousands of failed assertions', async () => {
      // With a stop at each of them, it takes half a minute.
      const answer = await debug(FILE, 'Stock.FailsOften', { timeout_seconds: 15 });
      assertAt(answer, [FILE, 'often'], { at: '0' });
      assert.equal(answer.status, 'completed', JSON.stringify(answer));
    });

    it('names the signal of a crash, with what the test printed', async () => {
      const answer = await debug(FILE, 'Stock.Aborts');
      assertAt(answer, [FILE, 'abort'], { left: '[1]' });
      assert.match(String(answer['message']), /SIGABRT/);
      assert.deepEqual(answer['output'], ['about to abort']);
    });

    it('runs a test by the name that the runner prints, and by the line of a macro', async () => {
      const typed = await debug(FILE, 'Typed/1.IsWide, where TypeParam = char');
      assertAt(typed, [FILE, 'typed']);
      assert.equal(typed['test'], 'Typed/1 > IsWide', JSON.stringify(typed));
      const both = await debug(FILE, 'Typed.IsWide');
      assert.deepEqual(both['others'], { passed: 1 }, JSON.stringify(both));
      const made = await debug(FILE, marked(path.join(PLACE, FILE), 'macro'));
      assertAt(made, [FILE, 'macro']);
      assert.equal(made['test'], 'Halves > OfSix', JSON.stringify(made));
      const other = await debug('googletest/shelf_test.cpp', 'IsEmpty');
      assert.equal(other['outcome'], 'passed', JSON.stringify(other));
      const none = await debug(FILE, 'Stock.NamesTheLitteral');
      assert.equal(none['code'], 'test_not_found', JSON.stringify(none));
      assert.deepEqual((none['names'] as string[])[0], 'Stock.NamesTheLiteral');
    });

    it('stays at the failure itself, and goes on from there as a plain run does', async () => {
      for (const [test, marker, expression, value] of [
        ['Stock.Throws', 'throws', 'key', '3'],
        ['ChecksInAMacro', 'inside', 'word', /yes/],
      ] as const) {
        const answer = await debug(FILE, test, { on_failure: 'stay' });
        assertAt(answer, [FILE, marker]);
        assert.equal(answer.status, 'stopped', JSON.stringify(answer));
        const { result } = await call('evaluate_expression', { expression });
        if (typeof value === 'string') assert.equal(result, value);
        else assert.match(String(result), value);
        const end = await call('continue_debugging', {});
        assert.deepEqual([end.status, end['exit_code']], ['completed', 1], JSON.stringify(end));
      }
    });
  });

  describe('cargo test in a workspace', () => {
    before(function () {
      assert.ok(native);
      skipWhereMissing(this, native);
      const folders = (process.env['PATH'] ?? '').split(path.delimiter);
      if (!folders.some((each) => existsSync(path.join(each, 'cargo'))))
        skip(this, 'cargo test needs cargo');
    });
    const LIB = 'rust_names/core/src/lib.rs';
    const lineOf = (file: string, marker: string): number => marked(path.join(PLACE, file), marker);

    it('runs a test by the name that cargo prints', async () => {
      const store = 'rust_names/core/src/store.rs';
      const items = '{"a": Box {size: 4, label: Some("x")}, "b": Bag([1, 2])}';
      const turned = '{"b": Bag([1, 2]), "a": Box {size: 4, label: Some("x")}}';
      for (const name of ['store::tests::totals', 'tests::totals', 'totals']) {
        const answer = await debug(store, name);
        assertAt(answer, [store, 'totals'], { count: '2', size: '4' });
        const shown = answer.frames?.[0]?.variables?.['store'];
        const possible = [items, turned].map((text) => `Store {items: ${text}, order: ["a", "b"]}`);
        assert.ok(possible.includes(shown ?? ''), JSON.stringify(answer));
        assert.equal(answer['test'], 'store::tests::totals');
      }
      const placed = 'rust_names/core/src/odd_place.rs';
      for (const name of ['placed::doubles', 'doubles'])
        assertAt(await debug(placed, name), [placed, 'placed'], { doubled: '6' });
      const app = 'rust_names/app/src/main.rs';
      assertAt(await debug(app, 'prices'), [app, 'app']);
      const common = 'rust_names/core/tests/common/mod.rs';
      const flow = await debug('rust_names/core/tests/flow.rs', 'uses_common');
      assertAt(flow, [common, 'common'], { doubled: '6' });
      assert.equal(flow.frames?.[1]?.variables?.['given'], '3', JSON.stringify(flow));
    });

    it('finds a test that a macro makes, by its name and its line', async () => {
      for (const test of ['tests::macro_six', lineOf(LIB, 'six')]) {
        const answer = await debug(LIB, test);
        assertAt(answer, [LIB, 'cases']);
        const values = [answer['test'], answer['actual'], answer['expected']];
        assert.deepEqual(values, ['tests::macro_six', '6', '7'], JSON.stringify(answer));
      }
    });

    it('reports the panic of another thread as the origin', async () => {
      const answer = await debug(LIB, 'thread_panics');
      assertAt(answer, [LIB, 'origin'], { sizes: '[1, 2]' });
      assert.match(String(answer['message']), /the len is 2 but the index is 5/);
      const [join] = answer.further_failures ?? [];
      assert.equal(join?.at?.line_number, lineOf(LIB, 'join'), JSON.stringify(answer));
    });

    it('reports the place of an error that the test returns', async () => {
      const answer = await debug(LIB, 'returns_an_error');
      assertAt(answer, [LIB, 'question'], { first: '1' });
      assert.equal(answer['message'], 'Error: Broken { code: 3 }');
    });

    it('reports how an expected panic was missed', async () => {
      const other = await debug(LIB, 'panics_with_other_text');
      assertAt(other, [LIB, 'unexpected']);
      assert.deepEqual([other['actual'], other['expected']], ['"too small"', '"too big"']);
      const calm = await debug(LIB, 'does_not_panic');
      const text = JSON.stringify(calm);
      assert.match(String(calm['message']), /did not panic as expected/, text);
      assert.ok(Math.abs((calm.at?.line_number ?? 0) - lineOf(LIB, 'calm')) <= 2, text);
    });

    it('reports an overflow of a number, and one of the stack with its signal', async () => {
      const number = await debug(LIB, 'overflows');
      assertAt(number, [LIB, 'overflow'], { n: '255' });
      const stack = await debug(LIB, 'fills_the_stack');
      const text = JSON.stringify(stack);
      assert.equal(stack['outcome'], 'failed', text);
      assert.match(text, /SIGSEGV|SIGABRT/);
      assert.match(JSON.stringify(stack['output']), /overflowed its stack/, text);
      assert.match(functionsOf(stack).join(' '), /deeper/, text);
    });

    it('shows where a test is that does not end', async () => {
      const answer = await debug(LIB, 'hangs', { timeout_seconds: 9 });
      const text = JSON.stringify(answer);
      assert.equal(answer['outcome'], 'timeout', text);
      assert.match(functionsOf(answer).join(' '), /tests::hangs/, text);
    });

    it('says what it cannot run, and how a feature is turned on', async () => {
      const example = await debug(LIB, 'core/src/lib.rs - half (line 9)');
      assert.equal(example['code'], 'not_supported', JSON.stringify(example));
      const byLine = await debug(LIB, lineOf(LIB, 'example'));
      assert.equal(byLine['code'], 'not_supported', JSON.stringify(byLine));
      const own = await debug('rust_names/core/tests/own.rs', 'any', { framework: 'cargo_test' });
      assert.equal(own['code'], 'not_supported', JSON.stringify(own));
      const feature = await debug(LIB, lineOf(LIB, 'feature'));
      assert.match(String(feature['hint']), /feature extra/, JSON.stringify(feature));
      const args = ['--features', 'extra', '--'];
      const built = await debug(LIB, 'with_feature', { args });
      assertAt(built, [LIB, 'feature']);
      const none = await debug(LIB, 'tests::macro_seven');
      assert.equal(none['code'], 'test_not_found', JSON.stringify(none));
      assert.ok((none['names'] as string[]).includes('tests::macro_six'), JSON.stringify(none));
    });

    it('stays at a panic of the test', async () => {
      for (const [test, marker, expression, value] of [
        // LLDB shows a byte as a character.
        ['overflows', 'overflow', 'n', 'xff'],
      ] as const) {
        const answer = await debug(LIB, test, { on_failure: 'stay' });
        assertAt(answer, [LIB, marker]);
        assert.equal(answer.status, 'stopped', JSON.stringify(answer));
        const { result } = await call('evaluate_expression', { expression });
        assert.match(String(result), new RegExp(value));
        const end = await call('continue_debugging', {});
        assert.deepEqual([end.status, end['exit_code']], ['completed', 101], JSON.stringify(end));
      }
    });
  });
});
