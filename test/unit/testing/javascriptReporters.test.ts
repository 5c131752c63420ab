import { strict as assert } from 'node:assert';
import path from 'node:path';
import vm from 'node:vm';
import ts from 'typescript';
import { JAVASCRIPT_FRAMEWORK } from '../../../src/testing/javascript/nodeRunner';
import type { ReportedTest } from '../../../src/testing/runReport';
import {
  REPORTERS,
  reportOf,
  runJavaScript,
  variablesOf,
  type JavaScriptRun,
} from './support/javascript';

const MOCHA_TESTS = `const assert = require('node:assert');
describe('cart', () => {
  it('throws a text', () => { const price = 2; throw 'no ' + price; });
  it('throws an object', () => { const price = 3; throw { code: 'E1', price }; });
  it('throws nothing', () => { const price = 4; throw undefined; });
  it('rejects with nothing', async () => { const price = 5; await null; throw null; });
  it('throws what has a message', () => { const price = 6; throw { message: 'no tea' }; });
  it('gets an error', (done) => { const made = new Error('made'); setImmediate(() => done(made)); });
  it.skip('is off', () => {});
  it('adds', () => { const sum = 1 + 1; assert.strictEqual(sum, 3); });
  it('ends the process', () => process.exit(3));
});
`;

const placesOf = ({ error }: ReportedTest): readonly string[] =>
  (error?.frames ?? [])
    .filter(({ path: file }) => !file.includes('node_modules'))
    .map(({ path: file, line }) => `${path.basename(file)}:${line}`);

const NODE = `const { test, beforeEach, describe } = require('node:test');
const assert = require('node:assert');
`;

const TESTS = `${NODE}
class Cart {
  items = ['tea'];
  get total() { throw new Error('a getter ran'); }
}
const wanted = 3;
const twice = () => wanted * 2;

function check(cart, limit) {
  const count = cart.items.length;
  const helper = () => count;
  assert.strictEqual(count, limit);
}

test('values', () => {
  const cart = new Cart();
  check(cart, 2);
});

test('the same text', () => {
  for (const attempt of [1, 2, 3]) {
    try {
      throw new Error('no tea');
    } catch (error) {
      if (attempt === 2) throw error;
    }
  }
});

test('a primitive', () => {
  const amount = 7;
  throw 'no ' + amount;
});

test('nothing', () => {
  const amount = 8;
  throw undefined;
});

test('null later', async () => {
  const amount = 9;
  await null;
  throw null;
});

test('rejected later', async () => {
  const id = Math.random();
  await null;
  const order = { id };
  throw new Error('no order ' + order.id);
});

describe('a suite', () => {
  beforeEach(() => {
    const port = 80;
    throw new TypeError('no connection');
  });
  test('with a hook', () => {});
});
`;

/** Returns what the reporter of vitest tells about a run with one group of tests. */
function vitestReportOf(members: string): JavaScriptRun['report'] {
  return reportOf(`
    import(${JSON.stringify(path.join(REPORTERS, 'vitest.mjs'))}).then(({ default: Reporter }) => {
      const test = (name, state, parent) => ({
        ...{ name, id: name, parent, location: { line: 3 }, options: { mode: 'run' } },
        ...{ result: () => ({ state, errors: [] }), diagnostic: () => undefined },
      });
      const failure = { name: 'Error', message: 'no port', stack: '' };
      const { suite, errors } = (${members})(test, failure);
      const children = { allTests: () => suite.tests, allSuites: () => [suite] };
      suite.children = { allTests: () => suite.tests };
      new Reporter().onTestRunEnd([{ moduleId: '/p/a.test.js', children }], errors);
    });
  `);
}

describe('the reporters of JavaScript', function () {
  this.timeout(30_000);

  describe('report a failure with the values of its very error', () => {
    let run: JavaScriptRun;
    before(() => {
      run = runJavaScript('node_test', TESTS);
    });

    it('in the frames from the test to the origin, without running a getter', () => {
      const failed = run.test('values');
      assert.deepEqual(placesOf(failed), ['it.test.cjs:14', 'it.test.cjs:19']);
      const [inner, outer] = failed.error?.frames ?? [];
      const cart = { name: 'cart', value: "Cart { items: ['tea'] }" };
      assert.deepEqual(inner?.variables, [
        ...[cart, { name: 'limit', value: '2' }, { name: 'count', value: '1' }],
        { name: 'wanted', value: '3' },
      ]);
      assert.ok((inner.omitted ?? 0) > 0, 'functions are counted');
      assert.deepEqual(outer?.variables?.[0], cart);
    });

    it('although others with the same text were caught', () => {
      assert.equal(variablesOf(run.test('the same text'))['attempt'], '2');
    });

    it('for a primitive, and with a text that differs from run to run', () => {
      assert.equal(variablesOf(run.test('a primitive'))['amount'], '7');
      const types = ['a primitive', 'nothing', 'null later'].map(
        (name) => run.test(name).error?.type,
      );
      assert.deepEqual(types, ['string', 'undefined', 'null']);
      assert.equal(variablesOf(run.test('nothing'))['amount'], '8');
      assert.equal(variablesOf(run.test('null later'))['amount'], '9');
      const { error } = run.test('rejected later');
      const { id } = variablesOf(run.test('rejected later'));
      assert.equal(error?.message, `no order ${String(id)}`);
    });

    it('in a hook', () => {
      const failed = run.test('with a hook');
      assert.deepEqual([failed.outcome, failed.error?.type], ['errored', 'TypeError']);
      assert.equal(variablesOf(failed)['port'], '80');
    });
  });

  it('report the places in the sources of compiled files', () => {
    const source = `const { test } = require('node:test');
interface Item {
  readonly price: number;
}
function total(items: readonly Item[]): number {
  const sum = items.length;
  throw new RangeError('too many');
}

test('adds', () => {
  total([{ price: 1 }]);
});
`;
    const { outputText } = ts.transpileModule(source, {
      fileName: 'it.test.cts',
      compilerOptions: {
        ...{ module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
        ...{ inlineSourceMap: true, removeComments: true },
      },
    });
    const run = runJavaScript('node_test', outputText, { files: { 'it.test.cts': source } });
    const failed = run.test('adds');
    assert.deepEqual(placesOf(failed), ['it.test.cts:7', 'it.test.cts:11']);
    assert.equal(variablesOf(failed)['sum'], '1');
  });

  it('bound the time for exceptions that a test handles', () => {
    const run = runJavaScript(
      'node_test',
      `${NODE}
test('many', () => {
  let caught = 0;
  for (let at = 0; at < 50_000; at += 1) {
    try { throw new Error('bad'); } catch { caught += 1; }
  }
  assert.equal(caught, 3);
});
test('next', async () => {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const limit = 4;
  assert.equal(limit, 3);
});
`,
    );
    const { error, durationMs = Infinity } = run.test('many');
    assert.equal(error?.withoutValues, 'too_many_exceptions');
    // Without the bound, the pauses take half a minute.
    assert.ok(durationMs < 15_000, String(durationMs));
    assert.equal(variablesOf(run.test('next'))['limit'], '4');
  });

  it('pass over no exception if another run is to stop at one of them', () => {
    const run = runJavaScript(
      'node_test',
      `${NODE}
test('many', () => {
  let caught = 0;
  for (let at = 0; at < 2000; at += 1) {
    try { throw new Error('bad'); } catch { caught += 1; }
  }
  assert.equal(caught, 3);
});
`,
      { env: { AGENT_DEBUGGER_STAY: '1' } },
    );
    const { error } = run.test('many');
    assert.equal(error?.withoutValues, undefined);
    assert.ok(error?.stopAt);
    assert.equal(variablesOf(run.test('many'))['caught'], '2000');
  });

  it('report where a test is shortly before the time limit', () => {
    const looping = `${NODE}
const { readFileSync } = require('node:fs');
test('loops', () => {
  let rounds = 0;
  const isOver = () => /hanging/.test(readFileSync(process.env.AGENT_DEBUGGER_REPORT, 'utf8'));
  require('node:fs').appendFileSync(process.env.AGENT_DEBUGGER_REPORT, '');
  while (!isOver()) rounds += 1;
});
`;
    const { report } = runJavaScript('node_test', looping, {
      env: { AGENT_DEBUGGER_SECONDS: '1' },
    });
    const frames = report.hanging ?? [];
    const loop = frames.find(({ name }) => name === '<anonymous>');
    assert.ok(
      loop?.variables?.some(({ name }) => name === 'rounds'),
      JSON.stringify(frames),
    );
  });

  it('say so if nothing runs at the time limit', () => {
    const { report, test } = runJavaScript(
      'node_test',
      `${NODE}
test('waits', () => new Promise((resolve) => setTimeout(resolve, 3000)));
`,
      { env: { AGENT_DEBUGGER_SECONDS: '1' } },
    );
    assert.deepEqual(report.hanging, []);
    assert.equal(test('waits').outcome, 'passed');
  });

  it('stop the program at the exception that another run has named', () => {
    const text = `${NODE}
const { inspect } = require('node:util');
test('fails at the third', () => {
  for (const attempt of [1, 2, 3]) {
    try {
      assert.equal(attempt, Math.random());
    } catch (error) {
      console.log('at', attempt, globalThis[Symbol.for('agent-debugger.stop')]);
      if (attempt === 3) throw error;
    }
  }
});
`;
    const again = runJavaScript('node_test', text, {
      again: (first) => ({
        AGENT_DEBUGGER_STOP: first.test('fails at the third').error?.stopAt ?? '',
      }),
    });
    assert.deepEqual(again.output.match(/at \d \w+/g), [
      ...['at 1 undefined', 'at 2 undefined', 'at 3 true'],
    ]);
    assert.equal(again.report.isStopping, true);
  });

  it('stop it also where the code has names of its own for what is global', () => {
    const text = `${NODE}
const stops = () => globalThis[Symbol.for('agent-debugger.stop')] === true;
function check(amount) {
  var Symbol, globalThis, Object, Function;
  if (amount > 2) throw new Error('too much' + [Symbol, globalThis, Object, Function]);
}
test('is too much', () => {
  try {
    check(3);
  } catch (error) {
    console.log('stops', stops());
    throw error;
  }
});
`;
    const again = runJavaScript('node_test', text, {
      again: (first) => ({ AGENT_DEBUGGER_STOP: first.test('is too much').error?.stopAt ?? '' }),
    });
    assert.match(again.output, /^stops true$/m);
    const condition = JAVASCRIPT_FRAMEWORK.staysWhere;
    const names = ['Symbol', 'globalThis', 'Object', 'Function'];
    const holds = (): unknown =>
      vm.runInThisContext(`(function (${names.join()}) { return ${condition}; })()`);
    assert.equal(holds(), false);
    Reflect.set(globalThis, Symbol.for('agent-debugger.stop'), true);
    try {
      assert.equal(holds(), true);
    } finally {
      Reflect.deleteProperty(globalThis, Symbol.for('agent-debugger.stop'));
    }
  });

  it('do not change a run whose report cannot be written', () => {
    const run = runJavaScript('node_test', `${NODE}test('adds', () => assert.equal(1, 2));`, {
      isGone: true,
    });
    assert.deepEqual([run.exitCode, run.output], [1, '']);
  });

  it('has the text of a hook that fails behind the tests of jest, which only its stack has', () => {
    const report = reportOf(`
      const Reporter = require(${JSON.stringify(path.join(REPORTERS, 'jest.cjs'))});
      const stack = 'RangeError: no port\\nat all\\n    at Object.<anonymous> (/p/a.test.js:3:5)\\nError: x';
      new Reporter().onTestResult(
        { context: { config: {} } },
        { testFilePath: '/p/a.test.js', testResults: [], testExecError: { message: '', stack } },
      );
    `);
    const { type, message, frames = [] } = report.error ?? {};
    assert.deepEqual([type, message], ['RangeError', 'no port\nat all']);
    assert.equal(frames[0]?.line, 3);
  });

  it('tell that vitest lost the process of a test, and nothing of the tests behind it', () => {
    const { tests } = vitestReportOf(`(test, failure) => {
      const tests = [test('first', 'passed'), test('ends', 'pending'), test('next', 'pending')];
      return { suite: { tests: tests }, errors: [failure] };
    }`);
    const told = tests.map(({ path: [name], outcome, error }) => [name, outcome, error?.message]);
    assert.deepEqual(told, [
      ['first', 'passed', undefined],
      ['ends', 'errored', 'The process of the test ended before the test ended.'],
    ]);
    assert.equal(tests[1]?.error?.causes[0]?.message, 'no port');
    assert.equal(tests[1].error.frames[0]?.line, 3);
  });

  it('tell the failure of a hook of vitest that ran behind the tests of a group', () => {
    const report = vitestReportOf(`(test, failure) => ({
      suite: { tests: [test('runs', 'passed')], errors: () => [failure] }, errors: [],
    })`);
    assert.deepEqual([report.tests[0]?.outcome, report.error?.message], ['passed', 'no port']);
    const before = vitestReportOf(`(test, failure) => {
      const suite = { type: 'suite', name: 'group', errors: () => [failure] };
      return { suite: Object.assign(suite, { tests: [test('never', 'skipped', suite)] }), errors: [] };
    }`);
    assert.deepEqual([before.tests[0]?.outcome, before.error?.message], ['errored', undefined]);
  });

  it('tell that a signal ended the process of node:test, of which nothing else tells', () => {
    const kills = `${NODE}test('kills', () => process.kill(process.pid, 'SIGKILL'));`;
    const { report } = runJavaScript('node_test', kills);
    assert.deepEqual([report.tests, report.error?.isExit], [[], true]);
    const ended = runJavaScript('node_test', `${NODE}test('adds', () => {});`).report;
    assert.deepEqual([ended.tests[0]?.outcome, ended.error], ['passed', undefined]);
  });

  describe('of mocha', () => {
    let run: JavaScriptRun;
    before(() => {
      run = runJavaScript('mocha', MOCHA_TESTS);
    });

    it('has the values of a failure, and of a text that was thrown', () => {
      assert.equal(variablesOf(run.test('adds'))['sum'], '2');
      assert.deepEqual(run.test('adds').path, ['cart', 'adds']);
      assert.equal(variablesOf(run.test('throws a text'))['price'], '2');
      assert.equal(run.test('gets an error').error?.withoutValues, 'never_thrown');
      assert.equal(run.test('is off').outcome, 'skipped');
    });

    it('has the values where something else than an error was thrown', () => {
      const prices = ['throws an object', 'throws nothing', 'rejects with nothing'].map((name) => {
        const failed = run.test(name);
        return [placesOf(failed), variablesOf(failed)['price'], failed.error?.withoutValues];
      });
      assert.deepEqual(prices, [
        [['it.test.cjs:4'], '3', undefined],
        [['it.test.cjs:5'], '4', undefined],
        [['it.test.cjs:6'], '5', undefined],
      ]);
      assert.equal(variablesOf(run.test('throws what has a message'))['price'], '6');
    });

    it('names the test that ended the process', () => {
      const ended = run.test('ends the process');
      assert.deepEqual([ended.outcome, ended.error?.isExit, run.exitCode], ['errored', true, 3]);
    });
  });
});
