import { strict as assert } from 'node:assert';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked } from '../support/client';
import { needs } from './tracing';

const PLACE = 'tests';

/** The test of each JavaScript runner, the variable at its failing assertion, and what holds if the test passes. */
const TESTS = [
  { file: 'node/cart.test.js', name: 'counts each item', marker: 'assertion', read: 'total' },
  { file: 'mocha/cart.test.js', name: 'counts each item', marker: 'mocha', read: 'total' },
  { file: 'jest/cart.test.js', name: 'counts each item', marker: 'jest', read: 'total' },
  { file: 'vitest/cart.test.ts', name: 'counts each item', marker: 'vitest', read: 'sum' },
  {
    file: 'typescript/cart.test.ts',
    name: 'labels an item',
    marker: 'typescript',
    read: 'text',
    value: '"tea 3"',
    claim: "text.endsWith('€')",
  },
] as const;

describe('collect_values in a test of a JavaScript runner', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const { file, name, marker, read, ...other } of TESTS)
    it(`${file}: reads the value at the only hit, and refutes the claim`, async () => {
      const at = path.join(PLACE, file);
      const { value = '3', claim = `${read} === 6` } = 'value' in other ? other : {};
      const answer = await call('collect_values', {
        test: { file_path: at, test_name: name },
        probes: [{ file_path: at, line: marked(at, marker), expressions: [read], expect: claim }],
        max_hits: 5,
        max_seconds: 60,
      });
      const text = JSON.stringify(answer);
      assert.deepEqual(answer['rows'], [[1, value]], text);
      const [probe] = answer['probes'] as Record<string, unknown>[];
      assert.equal(probe?.['expect'], 'refuted', text);
      const { stack } = probe['counterexample'] as { readonly stack: readonly string[] };
      // The runners compile some of the files in memory.
      assert.ok(stack[0]?.endsWith(`(${inWorkspace(at)}:${marked(at, marker)})`), text);
      // Node's own functions are no part of the person's stack.
      assert.doesNotMatch(stack.join('\n'), /node:internal/);
      assert.deepEqual([answer['ended_by'], answer['program']], ['program_end', 'ended'], text);
      // js-debug takes a failing assertion in jest for a promise rejection that nobody handles. The runner handles it.
      const passed = marker === 'jest' ? { 'promise rejection': 1 } : undefined;
      assert.deepEqual(answer['passed_stops'], passed, text);
      assert.deepEqual(vscode.debug.breakpoints, []);
    });
});

describe('a test that its runner refuses to run', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('is named as the reason why nothing of it was reached', async function () {
    needs(this, 'Python');
    const at = path.join(PLACE, 'python/wrong/test_price.py');
    const test = { file_path: at, test_name: 'test_price' };
    const reason = /^UsageError: unrecognized arguments: --cov-of-nothing=cart/;
    const failed = await call('debug_test', test);
    assert.equal(failed['outcome'], 'errored', JSON.stringify(failed));
    const traced = await call('trace_function', { test, file_path: at, function_name: 'price' });
    assert.match(String(traced['test_not_run']), reason, JSON.stringify(traced));
    const probes = [{ file_path: at, line: marked(at, 'price'), expressions: ['n'] }];
    const collected = await call('collect_values', { test, probes });
    assert.match(String(collected['test_not_run']), reason, JSON.stringify(collected));
    const other = { ...test, test_name: 'test_nothing' };
    const missing = await call('collect_values', {
      ...{ test: { ...other, file_path: path.join(PLACE, 'python/test_cart.py') }, probes },
    });
    assert.equal(missing['test_not_run'], 'Its runner found no such test.');
  });
});
