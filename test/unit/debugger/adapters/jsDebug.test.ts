import { strict as assert } from 'node:assert';
import path from 'node:path';
import { createContext, runInContext, type Context, runInNewContext } from 'node:vm';
import { ASSERTION_CONDITION } from '../../../../src/debugger/adapters/jsDebug';
import { adapterOf } from '../../../../src/debugger/adapters/registry';
import type { Fields } from '../../../../src/debugger/protocol';

const node = adapterOf('node');
const browser = adapterOf('chrome');
const parts = { condition: undefined, hitCondition: undefined, logMessage: undefined };

/** The value of a condition in a program with these names. */
function evaluated(condition: string | undefined, names: object = {}): unknown {
  assert.ok(condition !== undefined);
  return runInNewContext(condition, { ...names });
}

describe('js-debug: breakpoints', () => {
  it('names the source location in the output of logpoints, unless it reads the program’s streams', () => {
    const placesLogpoints = (configuration: Fields) => node.placesLogpoints?.(configuration);
    assert.equal(placesLogpoints({}), true);
    assert.equal(placesLogpoints({ outputCapture: 'console' }), true);
    assert.equal(placesLogpoints({ outputCapture: 'std' }), false);
  });

  it('counts hits in the program, and leaves nothing there after the last one', () => {
    const { condition = '', removal = '' } = node.countsInProgram?.(3, 'a "key"') ?? {};
    const program = createContext({});
    const hits = [1, 2, 3, 4].map(() => Boolean(runInContext(condition, program)));
    assert.deepEqual(hits, [false, false, true, false]);
    const left = (program: Context): unknown =>
      runInContext('Object.getOwnPropertySymbols(globalThis).length', program);
    const other = createContext({});
    for (let hit = 1; hit <= 3; hit += 1) runInContext(condition, other);
    assert.equal(left(other), 0);
    const early = createContext({});
    runInContext(condition, early);
    assert.equal(left(early), 1);
    runInContext(removal, early);
    assert.equal(left(early), 0);
  });

  it('asks JavaScript itself whether an expression is true, even if it ends with a comment', () => {
    for (const [expression, is] of [
      ['count // how many', true],
      ['"" // none', false],
      ['count, 0', false],
    ] as const)
      assert.equal(evaluated(node.truth?.(expression), { count: 3 }), is, expression);
  });

  it('records and always stops if the other breakpoint on the line has no condition', () => {
    const recorded: string[] = [];
    const merged = node.mergedCondition?.('record("a"), false', parts);
    assert.equal(evaluated(merged, { record: (what: string) => recorded.push(what) }), true);
    assert.deepEqual(recorded, ['a']);
  });

  it('records, and stops if the condition of the other breakpoint is true', () => {
    const merged = node.mergedCondition?.('record("a"), false', {
      ...parts,
      condition: 'count > 2 // many',
    });
    for (const [count, stops] of [
      [2, false],
      [3, true],
    ] as const) {
      const recorded: string[] = [];
      const record = (what: string): number => recorded.push(what);
      assert.equal(evaluated(merged, { count, record }), stops);
      assert.deepEqual(recorded, ['a']);
    }
  });

  it('has no condition for a breakpoint that counts hits or logs', () => {
    for (const other of [
      { ...parts, hitCondition: '3' },
      { ...parts, logMessage: 'x' },
      { ...parts, condition: 'x', hitCondition: '3' },
    ])
      assert.equal(node.mergedCondition?.('false', other), undefined);
  });

  it('lists a return value next to the variables without naming its function', () => {
    assert.deepEqual(
      ['Return value', 'return value', 'total', ''].map((each) => node.returnedBy?.(each)),
      ['', undefined, undefined, undefined],
    );
  });
});

describe('js-debug: sessions', () => {
  it('names a session after its process', () => {
    for (const [name, id] of [
      ['main.js [4711]', 4711],
      ['main.js [0]', undefined],
      ['main.js [4711] restarted', undefined],
      ['main.js', undefined],
    ] as const)
      assert.equal(node.processIdOf?.(name), id, name);
  });

  it('prints an exit code other than 0 on a separate line in the category stderr', () => {
    const printedExit = (output: string, category = 'stderr') =>
      node.printedExit?.({ category, output });
    const line = 'Process exited with code 3\n';
    assert.deepEqual(printedExit(line), {
      kind: 'exited',
      code: 3,
    });
    assert.equal(printedExit(line, 'stdout'), undefined);
    assert.equal(printedExit(`> ${line}`), undefined);
  });

  it('leaves streams unread only if it launches in its own console and captures no streams', () => {
    for (const [configuration, isUnread] of [
      [{ request: 'launch' }, true],
      [{ request: 'launch', console: 'internalConsole', outputCapture: 'console' }, true],
      [{ request: 'attach' }, false],
      [{ request: 'launch', console: 'integratedTerminal' }, false],
      [{ request: 'launch', outputCapture: 'std' }, false],
    ] as const)
      assert.equal(node.leavesStreamsUnread?.(configuration), isUnread);
    assert.equal(browser.leavesStreamsUnread, undefined);
  });

  it('captures the streams of an npm tool, and leaves the person’s own programs unchanged', () => {
    const tool = path.join('app', 'node_modules', 'vitest', 'vitest.mjs');
    const own = path.join('app', 'my_node_modules', 'main.js');
    const skipFiles = ['<node_internals>/**'];
    assert.deepEqual(
      [tool, own].map((program) => node.launch?.(program)),
      [
        { program: tool, skipFiles, outputCapture: 'std' },
        { program: own, skipFiles },
      ],
    );
  });
});

describe('js-debug: failing tests', () => {
  const isAssertion = (error: unknown): unknown => evaluated(ASSERTION_CONDITION, { error });

  it('stops at assertion errors of libraries and at no other error', () => {
    assert.equal(isAssertion(new assert.AssertionError({ message: 'x' })), true);
    assert.equal(isAssertion(Object.assign(new Error('x'), { matcherResult: {} })), true);
    for (const other of [new Error('x'), 'x', null, undefined])
      assert.equal(isAssertion(other), false);
  });

  it('stops at exceptions where an expression of the program is true', () => {
    assert.deepEqual(node.stopsWhere?.('isHere'), {
      filters: ['all'],
      conditions: { all: 'isHere' },
    });
  });

  it('shows the internals of Node in which assertions are thrown, and skips the others', () => {
    const forTests = (configuration: Fields) => node.forTests?.(configuration);
    assert.deepEqual(forTests({ skipFiles: ['<node_internals>/**', '**/vendor/**'] }), {
      skipFiles: ['<node_internals>/internal/**', '**/vendor/**'],
    });
    assert.deepEqual(forTests({}), {});
  });

  it('recognizes tests by their file names and by their runners', () => {
    const runsTests = (configuration: Fields) => node.runsTests?.(configuration);
    for (const configuration of [
      { program: '/app/cart.test.ts' },
      { program: '/app/__tests__/cart.js' },
      { program: '/app/node_modules/mocha/bin/mocha.js' },
      { program: '/app/main.js', runtimeArgs: ['--test'] },
      { runtimeArgs: ['--test'] },
    ])
      assert.equal(runsTests(configuration), true, JSON.stringify(configuration));
    for (const configuration of [
      { program: '/app/contest.js' },
      { program: '/app/main.js', runtimeArgs: ['--inspect'] },
      { program: '/app/main.js', runtimeArgs: '--test' },
      {},
    ])
      assert.equal(runsTests(configuration), false, JSON.stringify(configuration));
  });
});
