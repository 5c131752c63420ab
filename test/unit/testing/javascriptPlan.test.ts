import { strict as assert } from 'node:assert';
import path from 'node:path';
import { fields, listOf, textOf } from '../../../src/debugger/protocol';
import { requestedTests } from '../../../src/testing/javascript/requestedTests';
import { verdictOf } from '../../../src/testing/report/verdict';
import { namedTest, wholePattern } from '../../../src/testing/javascript/testNames';
import { scanJavaScript } from '../../../src/testing/javascript/scanJavaScript';
import { planTest, type TestInput } from '../../../src/testing/planTest';
import type { ReportedTest } from '../../../src/testing/runReport';
import type { ChosenTest } from '../../../src/testing/testFramework';
import { bench, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';
const SCRIPT = '#!/usr/bin/env node\n';

/** A workspace with these files, in which these runners are installed. */
function benchWith(files: Readonly<Record<string, string>>, ...runners: readonly string[]): Bench {
  const on = bench();
  const installed = runners.flatMap((name) => [
    [`node_modules/${name}/package.json`, `{ "bin": { "${name}": "${name}.mjs" } }`] as const,
    [`node_modules/${name}/${name}.mjs`, SCRIPT] as const,
  ]);
  for (const [name, text] of [...Object.entries(files), ...installed])
    on.workspace.files.set(`${FOLDER}/${name}`, text);
  on.workspace.debuggers = () => [{ type: 'node', label: 'Node', languages: ['javascript'] }];
  return on;
}

/** What is started for a test, with the debugger and without it. */
async function started(on: Bench, file: string, more: Partial<TestInput>) {
  const plan = await planTest(on.services, { file_path: `${FOLDER}/${file}`, ...more });
  const configuration = fields(plan.start.launches[0]?.configuration);
  return {
    ...{ plan, folder: plan.folder, framework: plan.framework.id },
    ...{ dropped: plan.droppedOptions, variables: fields(configuration['env']) },
    debugged: listOf(configuration['args']).map(textOf),
    plain: listOf(plan.quick['args']).map(textOf),
    nodeArgs: listOf(configuration['runtimeArgs']).map(textOf),
    plainNode: listOf(plan.quick['runtimeArgs']).map(textOf),
  };
}

const MOCHA_TEST = "describe('cart', () => { it('adds', () => {}); });\n";

describe('a run of a JavaScript test', () => {
  it('has the options of the project, a reporter, and no debugger that attaches', async () => {
    const scripts = { test: 'mocha --parallel --timeout 500 --require ./setup.js test/*.js' };
    const on = benchWith(
      { 'package.json': JSON.stringify({ scripts }), 'cart.test.js': MOCHA_TEST },
      'mocha',
    );
    const run = await started(on, 'cart.test.js', { test_name: 'adds', args: ['--bail'] });
    const reporter = path.join(on.services.reporters, 'javascript/mocha.cjs');
    const others = [
      ...['--require', './setup.js', '--no-parallel', '--full-trace', '--reporter', reporter],
      ...['--grep', '^cart adds$', '--bail', `${FOLDER}/cart.test.js`],
    ];
    assert.deepEqual(run.plain, ['--timeout', '500', ...others]);
    assert.deepEqual(run.debugged, [...others, '--timeout=0']);
    assert.deepEqual(run.dropped, ['--parallel']);
    assert.deepEqual(run.plainNode, ['-u', 'VSCODE_INSPECTOR_OPTIONS', 'node']);
    const scratch = on.services.scratch.pathOf(run.plan.scratch.name);
    assert.equal(run.variables['AGENT_DEBUGGER_REPORT'], `${scratch}/report.jsonl`);
  });

  it('of Node has the flags of the script that runs its file', async () => {
    const scripts = { 'test-dev': 'node --conditions development test/index.js' };
    const on = benchWith({
      'package.json': JSON.stringify({ scripts }),
      'test/index.js': "import test from 'node:test';\ntest('mode', () => {});\n",
    });
    const { nodeArgs } = await started(on, 'test/index.js', { test_name: 'mode' });
    assert.deepEqual(nodeArgs.slice(0, 3), [
      ...['--conditions', 'development', '--test-name-pattern=/^mode$/'],
    ]);
  });

  it('of vitest starts where vitest is configured, if the package only depends on it', async () => {
    const dependency = JSON.stringify({ devDependencies: { vitest: '*' } });
    const files = {
      'package.json': dependency,
      'vitest.config.mjs': '',
      'packages/cart/package.json': dependency,
      'packages/cart/cart.test.js': "import { test } from 'vitest';\ntest('gross', () => {});\n",
    };
    const run = await started(benchWith(files, 'vitest'), 'packages/cart/cart.test.js', {
      test_name: 'gross',
    });
    assert.deepEqual([run.framework, run.folder], ['vitest', FOLDER]);
    assert.ok(!run.plain.some((arg) => arg?.startsWith('--pool') || arg?.startsWith('--inspect')));
    const scripts = JSON.stringify({
      scripts: { test: 'vitest run --pool threads --maxWorkers 2' },
    });
    const own = benchWith({ ...files, 'packages/cart/package.json': scripts }, 'vitest');
    const inner = await started(own, 'packages/cart/cart.test.js', { test_name: 'gross' });
    assert.equal(inner.folder, `${FOLDER}/packages/cart`);
    assert.deepEqual(inner.dropped, ['--maxWorkers 2']);
    assert.ok(inner.plain.join(' ').includes('--pool threads'));
    assert.ok(inner.debugged.includes('--pool=forks') && !inner.debugged.includes('threads'));
  });

  it('is one of the nearest package’s runner', async () => {
    const on = benchWith(
      {
        'package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
        'vitest.config.mjs': '',
        'with-jest/package.json': JSON.stringify({ devDependencies: { jest: '*' }, jest: {} }),
        'with-jest/length.test.js': "test('length', () => {});\n",
      },
      ...['jest', 'vitest'],
    );
    const run = await started(on, 'with-jest/length.test.js', { test_name: 'length' });
    assert.deepEqual([run.framework, run.folder], ['jest', `${FOLDER}/with-jest`]);
  });
});

const TABLES = `const cases = [{ name: 'doubles 1' }];
describe('double', () => { for (const { name } of cases) it(name, () => {}); });
describe('triple', () => { for (const { name } of cases) it(name, () => {}); });
for (const x of ['a']) describe(\`Group: \${x}\`, () => { it('adds', () => {}); });
it('is 5% off', () => {});
`;

describe('the name of a JavaScript test', () => {
  it('is handed to the runner as it prints it, unless the text of the file has it', async () => {
    const scanned = await scanJavaScript(TABLES, 'cart.test.js');
    const pathOf = (name: string): readonly string[] | undefined => namedTest(name, scanned)?.path;
    for (const listed of ['adds', 'is 5% off', 'Group: ${x} > adds', 'Group: ${x} adds'])
      assert.equal(pathOf(listed), undefined, listed);
    assert.deepEqual(pathOf('double doubles 1'), ['double doubles 1']);
    assert.deepEqual(pathOf('triple › doubles 1'), ['triple', 'doubles 1']);
    assert.deepEqual(pathOf('Group: a > adds'), ['Group: a', 'adds']);
  });

  it('is matched with any text that runners write between its parts', () => {
    const pattern = (test: Partial<ChosenTest>): RegExp =>
      new RegExp(
        wholePattern({ path: [], line: undefined, isTemplate: false, ...test }, '(?: > | )'),
      );
    const unknown = pattern({ path: ['cart', 'adds'] });
    for (const name of ['shop cart adds', 'shop > cart > adds', 'cart adds'])
      assert.match(name, unknown);
    assert.doesNotMatch('smart cart adds up', unknown);
    const loose = pattern({ path: ['sum', 'adds'], line: 4, isLoose: true });
    assert.match('sum a adds (a)', loose);
    assert.doesNotMatch('product adds', loose);
  });
});

describe('the results of the requested JavaScript test', () => {
  const tests: readonly ReportedTest[] = [
    { outcome: 'passed', path: ['sum', 'a', 'adds (a)'], line: 4 },
    { outcome: 'failed', path: ['sum', 'b', 'adds (b)'], line: 4 },
    { outcome: 'failed', path: ['sum', 'adds twice'], line: 9 },
    { outcome: 'skipped', path: ['sum', 'adds'], line: 12 },
    { outcome: 'skipped', path: ['off'] },
  ];
  const found = (test: Partial<ChosenTest>): readonly string[] =>
    requestedTests(tests, { path: [], line: undefined, isTemplate: false, ...test }).map(
      ({ path: names }) => names.join(' > '),
    );

  it('are those with its whole name, however it is written', () => {
    for (const name of [['sum', 'a', 'adds (a)'], ['sum > a > adds (a)'], ['sum a adds (a)']])
      assert.deepEqual(found({ path: name }), ['sum > a > adds (a)']);
    assert.deepEqual(found({ path: ['adds (b)'] }), ['sum > b > adds (b)']);
    assert.deepEqual(found({ path: ['adds (c)'] }), []);
  });

  it('are those at its lines, if the text has only a part of its name', () => {
    const place = { path: ['sum', 'add'], line: 4, endLine: 7, isLoose: true };
    assert.deepEqual(found(place), ['sum > a > adds (a)', 'sum > b > adds (b)']);
    assert.equal(found({ ...place, path: ['sum', 'adds'] }).length, 2);
    assert.deepEqual(found({ ...place, path: ['sum', 'adds'], line: 12 }), ['sum > adds']);
  });

  it('has the groups around it whose own code failed after the test', () => {
    const error = { type: 'Error', message: 'no socket', frames: [], causes: [] };
    const passed: ReportedTest = { outcome: 'passed', path: ['shop', 'cart', 'adds'] };
    const tests: ReportedTest[] = [
      passed,
      { outcome: 'errored', path: ['shop', 'cart'], error },
      { outcome: 'errored', path: ['shop', '"after all" hook in "shop"'] },
      { outcome: 'errored', path: ['bank'] },
    ];
    const chosen = { path: ['shop', 'cart', 'adds'], line: 7, isTemplate: false };
    const found = requestedTests(tests, chosen);
    assert.deepEqual(
      found.map(({ path, requested, isAround }) => [path.length, requested, isAround]),
      [
        [3, 'test', undefined],
        [2, undefined, true],
        [2, undefined, true],
      ],
    );
    const { outcome, besides } = verdictOf({ tests: found }, { test: chosen, file: '/shop.js' });
    assert.deepEqual([outcome, besides], ['passed', error]);
  });

  it('may be that of the group if it is skipped, and that of a hook', () => {
    assert.deepEqual(found({ path: ['off', 'one'], line: 20 }), ['off']);
    const hook: ReportedTest = { outcome: 'errored', path: ['cart', '"before each" hook'] };
    const test = { path: ['cart', 'saves'], line: 3, isTemplate: false };
    assert.deepEqual(requestedTests([hook], test), [hook]);
    const ofOthers: readonly ReportedTest[] = [
      { outcome: 'errored', path: ['carts'] },
      { outcome: 'errored', path: ['shop', '"before each" hook for "opens"'] },
    ];
    assert.deepEqual(requestedTests(ofOthers, test), [], 'of other groups');
    const all: ReportedTest = { outcome: 'errored', path: ['"before all" hook in "{root}"'] };
    assert.deepEqual(requestedTests([...ofOthers, all], test), [all]);
    const unplaced = { path: ['saves'], line: undefined, isTemplate: false };
    assert.deepEqual(requestedTests(ofOthers, unplaced), ofOthers);
  });
});
