import { strict as assert } from 'node:assert';
import { aboutFailedTest } from '../../../../src/tools/launch/failedTest';
import {
  stopsOfTests,
  stopWhereTestsFail,
  withTestStops,
} from '../../../../src/tools/launch/testRun';
import type { StartPlan } from '../../../../src/tools/launch/launchPlan';
import { created, stopped } from '../../support/events';
import { bench, running, type Bench } from '../../support/services';

const NODE_FILES = [
  '/a/cart.test.js',
  '/a/cart.spec.ts',
  '/a/cart-test.mjs',
  '/a/cart_test.cjs',
  '/a/test.js',
  '/a/test-cart.js',
  '/a/__tests__/cart.tsx',
  'C:\\a\\cart.test.js',
  '/a/node_modules/mocha/bin/mocha.js',
  '/a/node_modules/vitest/vitest.mjs',
];
const NO_NODE_TESTS = [
  '/a/cart.js',
  '/a/latest.js',
  '/a/contest.ts',
  '/a/test/server.js',
  '/a/testing.js',
  '/a/cart.test.json',
  '/a/node_modules/tsx/dist/cli.mjs',
];

describe('test runs', () => {
  it('of Node are recognized by their file, their runner, or --test', () => {
    for (const program of NODE_FILES)
      assert.deepEqual(
        stopsOfTests({ type: 'node', program })?.filters,
        ['all', 'uncaught'],
        program,
      );
    for (const program of NO_NODE_TESTS)
      assert.equal(stopsOfTests({ type: 'pwa-node', program }), undefined, program);
    assert.ok(
      stopsOfTests({ type: 'node', program: '/a/x.js', runtimeArgs: ['--test'] }) !== undefined,
    );
  });

  it('of Python are recognized by their file or module', () => {
    for (const more of [
      { program: '/a/test_cart.py' },
      { program: '/a/cart_test.py' },
      { program: '/a/tests.py' },
      { module: 'pytest' },
      { module: 'unittest' },
    ])
      assert.deepEqual(stopsOfTests({ type: 'debugpy', ...more })?.filters, [
        'userUnhandled',
        'uncaught',
      ]);
    for (const more of [
      { program: '/a/cart.py' },
      { program: '/a/latest.py' },
      { module: 'pytester' },
      {},
    ])
      assert.equal(stopsOfTests({ type: 'debugpy', ...more }), undefined, JSON.stringify(more));
    assert.equal(stopsOfTests({ type: 'go', program: '/a/test_cart.py' }), undefined);
  });

  it('do not skip exceptions that are thrown in node:assert', () => {
    const skipFiles = ['<node_internals>/**', '**/x/**'];
    assert.deepEqual(
      withTestStops({ type: 'node', program: '/a/cart.test.js', skipFiles }).skipFiles,
      ['<node_internals>/internal/**', '**/x/**'],
    );
    assert.deepEqual(
      withTestStops({ type: 'node', program: '/a/cart.js', skipFiles }).skipFiles,
      skipFiles,
    );
  });

  it('stop where a test fails, unless a tool has chosen filters or the person wrote the configuration', async () => {
    const on = bench();
    const configuration = { type: 'debugpy', program: '/a/test_cart.py' };
    const plan = (madeUp: boolean): StartPlan => ({
      name: 'x',
      folderPath: undefined,
      launches: [{ name: 'x', type: 'debugpy', folderPath: undefined, configuration }],
      isCompound: false,
      task: undefined,
      stopAll: false,
      shown: configuration,
      isMadeUp: madeUp,
      overridden: [],
    });
    assert.deepEqual(stopWhereTestsFail(on.services, plan(false), 'm'), {});
    assert.deepEqual(stopWhereTestsFail(on.services, plan(true), 'm'), {
      exception_filters: [{ filters: ['userUnhandled', 'uncaught'] }],
    });
    await on.services.exceptions.choose(new Map([['debugpy', { filters: [], conditions: {} }]]));
    assert.deepEqual(stopWhereTestsFail(on.services, plan(true), 'm'), {});
  });
});

/** A session that has printed these lines. */
function printed(sessionType: string, ...lines: readonly string[]): Bench {
  const on = bench();
  running(on);
  on.model.dispatch(created('a', { sessionType }));
  for (const line of lines) on.host.emit('output', { category: 'stdout', output: `${line}\n` });
  return on;
}

const hint = (on: Bench): string | undefined => aboutFailedTest(on.services, [on.session()]);

describe('output of a failed test', () => {
  for (const [name, type, line] of [
    [
      'pytest',
      'debugpy',
      '========================= 1 failed, 2 passed in 0.03s =========================',
    ],
    [
      'pytest, coloured',
      'debugpy',
      '\u001b[31m=== \u001b[31m\u001b[1m1 failed\u001b[0m, \u001b[32m2 passed\u001b[0m\u001b[31m in 0.03s\u001b[0m\u001b[31m ===\u001b[0m',
    ],
    ['pytest, passed first', 'debugpy', '=== 2 passed, 1 error in 0.03s ==='],
    ['pytest, short', 'debugpy', 'FAILED test_cart.py::test_total - assert 6 == 7'],
    ['unittest', 'debugpy', 'FAILED (failures=1)'],
    ['unittest, an error', 'debugpy', 'FAILED (errors=2, skipped=1)'],
    ['node:test', 'pwa-node', 'ℹ fail 1'],
    ['node:test, TAP', 'pwa-node', 'not ok 1 - adds the prices'],
    ['mocha', 'pwa-node', '  1 failing'],
    ['jest', 'pwa-node', 'Tests:       1 failed, 2 passed, 3 total'],
    ['vitest', 'pwa-node', '      Tests  1 failed | 2 passed (3)'],
    ['go', 'go', '--- FAIL: TestCart (0.00s)'],
    ['GoogleTest', 'lldb-dap', '[  FAILED  ] 1 test, listed below:'],
  ] as const) {
    it(name, () => {
      assert.match(
        hint(printed(type, 'before', line, 'after')) ?? '',
        /^A test seems to have failed/,
      );
    });
  }

  it('does not include passed tests, or text that only mentions a failure', () => {
    for (const line of [
      '=== 3 passed in 0.03s ===',
      'OK',
      'ℹ fail 0',
      'ok 1 - adds',
      '  0 failing',
      'Tests:       3 passed, 3 total',
      '1 failed login',
      'the test failed',
      '[  PASSED  ] 3 tests.',
      'PASS',
    ]) {
      assert.equal(hint(printed('debugpy', line)), undefined, line);
    }
  });

  it('is reported with the filters that stop there, per debugger; not reported if the program had stopped', () => {
    assert.match(
      hint(printed('debugpy', 'FAILED (failures=1)')) ?? '',
      /filters \["userUnhandled"\], then start again/,
    );
    assert.match(
      hint(printed('pwa-node', '  1 failing')) ?? '',
      /"all": "error\?\.name === 'AssertionError'/,
    );
    const on = printed('debugpy', 'FAILED (failures=1)');
    on.model.dispatch(stopped(1, { reason: 'exception' }));
    assert.equal(hint(on), undefined);
    assert.equal(
      hint(printed('java', 'FAILED (failures=1)')),
      undefined,
      'nothing is known to work',
    );
  });
});
