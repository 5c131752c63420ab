import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked, type Answer } from '../support/client';
import { needs } from './tracing';

interface Traced extends Answer {
  readonly trace: readonly string[];
  readonly arguments: Readonly<Record<string, string>>;
  readonly executed_lines: number;
}

async function trace(input: object, status = 'stopped'): Promise<Traced> {
  const answer = (await call('trace_function', { max_seconds: 150, ...input })) as Traced;
  if (process.env['SHOW'] !== undefined) console.log(JSON.stringify(answer, undefined, 1));
  assert.equal(answer.status, status, JSON.stringify(answer));
  assert.deepEqual(vscode.debug.breakpoints, []);
  return answer;
}

describe('trace_function', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const [name, file] of [
    ['Python', 'python/traced.py'],
    ['Node', 'node/traced.js'],
  ] as const)
    it(`${name}: expands the calls within the call to the requested depth`, async function () {
      needs(this, name);
      const answer = await trace({
        program: file,
        file_path: file,
        function_name: 'total',
        depth: 1,
      });
      const answerText = JSON.stringify(answer, undefined, 1);
      const rows = answer.trace.map((each) => each.trim());
      // Both rounds and the check after them are expanded, each with its own lines.
      assert.equal(
        rows.filter((each) => /^> scale\(item=[12], factor=2\)$/.test(each)).length,
        2,
        answerText,
      );
      assert.equal(rows.filter((each) => /doubled = [24]$/.test(each)).length, 2, answerText);
      assert.deepEqual(
        rows.filter((each) => each.startsWith('< ')).slice(0, 2),
        ['< → 2', '< → 4'],
        answerText,
      );
      assert.equal(rows.filter((each) => each.startsWith('> check(')).length, 1, answerText);
      assert.ok(
        rows.some((each) => /sum: 2 → 6/.test(each)),
        answerText,
      );
      assert.equal(answer['returned'], '6', answerText);
      assert.ok(Number(answer['stepped_lines']) > answer.trace.length / 3, answerText);
    });

  it('Python: reaches the call by a test', async function () {
    needs(this, 'Python');
    const answer = await trace({
      test: { file_path: 'tests/python/test_cart.py', test_name: 'test_counts_each_item' },
      file_path: 'tests/python/cart.py',
      function_name: 'check',
    });
    const answerText = JSON.stringify(answer);
    assert.deepEqual(answer.arguments, { price: '-1' }, answerText);
    assert.match(String(answer['threw']), /ValueError/, answerText);
    assert.ok(
      answer.trace.some((each) => each.includes('if price < 0') && each.includes('true')),
      answerText,
    );
  });

  for (const { name, file, at, value } of [
    { name: 'Node', file: 'node/mapped.js', at: 'twice', value: undefined },
    { name: 'Node', file: 'node/mapped.js', at: 'text', value: /no\. 2/ },
    { name: 'Python', file: 'python/mapped.py', at: 'text', value: /no\. 2/ },
  ])
    for (const depth of [0, 1])
      it(`${name}: traces one of several calls that built-in code makes from the same place, ${at}, depth ${depth}`, async function () {
        needs(this, name);
        const line = marked(file, at);
        const answer = await trace({ program: file, file_path: file, line, call: 2, depth });
        const answerText = JSON.stringify(answer);
        assert.equal(answer.arguments['value'], '2', answerText);
        assert.deepEqual(
          [answer['ended_by'], answer['threw'], answer['argument_changes']],
          [undefined, undefined, undefined],
          answerText,
        );
        const lines = answer.trace.map((each) => Number(/^\d+/.exec(each)?.[0]));
        assert.equal(lines[0], line, answerText);
        assert.ok(
          lines.every((each, index) => index === 0 || each > (lines[index - 1] ?? 0)),
          answerText,
        );
        if (value !== undefined) assert.match(String(answer['returned']), value, answerText);
      });

  it('Node: reaches the call by a test', async function () {
    needs(this, 'Node');
    const answer = await trace({
      test: { file_path: 'tests/node/cart.test.js', test_name: 'cart counts each item' },
      file_path: 'tests/node/cart.js',
      function_name: 'add',
    });
    const answerText = JSON.stringify(answer);
    assert.deepEqual(answer.arguments, { name: '"tea"', price: '3', count: '2' }, answerText);
    // The line of the function and its end, at which js-debug also stops.
    assert.equal(answer.executed_lines, 2, answerText);
  });

  it('TypeScript: traces and collects in the lines of the source, through tsx', async function () {
    needs(this, 'Node');
    const file = 'tests/typescript/cart.test.ts';
    const test = { file_path: file, test_name: 'labels an item' };
    // node:test catches the exception, and no debugger stops there: the program goes on to its end.
    const answer = await trace({ test, file_path: file, function_name: 'label' }, 'completed');
    const answerText = JSON.stringify(answer);
    const line = marked(file, 'typescript');
    assert.equal(answer['file_path'], inWorkspace(file), answerText);
    assert.match(answer.arguments['item'] ?? '', /name: ["']tea["'], price: 3/, answerText);
    assert.ok(
      answer.trace.some((each) =>
        new RegExp(`^${line - 1} const text = .*text = ["']tea 3["']`).test(each),
      ),
      answerText,
    );
    assert.match(answerText, /priced\(name=\\"tea\\", price=3\) → \\"tea 3\\"/);
    assert.deepEqual(
      [answer['ended_by'], answer['returned'], answer['callees']],
      ['program_end', undefined, undefined],
      answerText,
    );
    await cleanUp();
    const collected = await call('collect_values', {
      test,
      probes: [
        { file_path: file, line, expressions: ['text', 'item.price'], expect: 'text.length > 5' },
      ],
      max_seconds: 60,
    });
    const reported = JSON.stringify(collected);
    assert.equal(collected['hits'], 1, reported);
    assert.deepEqual(collected['rows'], [[1, '"tea 3"', '3']], reported);
    const [probe] = collected['probes'] as {
      expect: string;
      counterexample: { stack: string[] };
    }[];
    assert.equal(probe?.expect, 'refuted', reported);
    // The lines of the source, which Node knows because tsx turns its source maps on.
    const [, caller] = probe.counterexample.stack;
    assert.ok(caller?.endsWith(`(${inWorkspace(file)}:${line + 6})`), reported);
    assert.ok(String(collected['caller']).endsWith(`(cart.test.ts:${line + 6})`), reported);
  });

  it('TypeScript: has the ends of calls that a source map shows elsewhere', async function () {
    needs(this, 'Node');
    const file = 'tests/typescript/prices.test.ts';
    const test = { file_path: file, test_name: 'has the first price' };
    const first = await trace({ test, file_path: file, function_name: 'firstOf' });
    assert.deepEqual(first.trace.at(-1), '23 return first;', JSON.stringify(first));
    assert.equal(first.returned, '4', JSON.stringify(first));
    await cleanUp();
    const added = await trace({ test, file_path: file, function_name: 'addTo' });
    assert.deepEqual(added['argument_changes'], ['prices: [] → [4]'], JSON.stringify(added));
    await cleanUp();
    const found = await trace({ test, file_path: file, function_name: 'findAbove' });
    assert.equal(found.returned, '5', JSON.stringify(found));
    assert.match(String(found['at']), /prices\.test\.ts:\d+ above$/);
    await cleanUp();
    // The initializers of a class run behind the constructor of its base class.
    const created = await trace({ test, file_path: file, function_name: 'Product.constructor' });
    assert.deepEqual([created['threw'], created.returned], [undefined, 'undefined']);
  });
});
