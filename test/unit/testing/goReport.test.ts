import { strict as assert } from 'node:assert';
import { goObserver } from '../../../src/testing/go/goObserver';
import { ownLines } from '../../../src/testing/go/goReport';
import { verdictOf } from '../../../src/testing/report/verdict';
import type { Observation, ObservedRun } from '../../../src/testing/libraryObserver';
import type { ChosenTest } from '../../../src/testing/testFramework';

const FILE = '/home/ada/app/many_test.go';
const testOf = (...path: string[]): ChosenTest => ({ path, line: 3, isTemplate: false });

const PRINTED = `printed by the test
--- FAIL: TestMany (0.03s)
    many_test.go:14: before
    many_test.go:20: error 0
        	indented
    many_test.go:18: between
    many_test.go:20: error 1
    --- FAIL: TestMany/row_a (0.00s)
        many_test.go:23: row failed
    --- FAIL: TestMany/row_c#01 (0.00s)
FAIL`.split('\n');

/** What the logpoint prints for a failure: the test, the tests around it, and the one that runs all. */
const chain = (goroutine: string, ...sizes: (readonly [string, number])[]) =>
  [...sizes, ['', 0] as const].map(([name, size]) => [
    JSON.stringify(name),
    String(size),
    goroutine,
  ]);

const FIRST: Observation = {
  isFailure: true,
  mark: '75 TestMany',
  test: {
    outcome: 'failed',
    path: ['TestMany'],
    error: { type: undefined, message: 'error 0\n\tindented', frames: [], causes: [] },
  },
};

const read = (run: Partial<ObservedRun>, test = testOf('TestMany')) => {
  const report = goObserver.report(
    { observations: [], later: [], printed: [], ...run },
    test,
    FILE,
  );
  return verdictOf(report, { test, file: FILE });
};

describe('the report of a run of go test', () => {
  const later = [
    // The failure at which the program was stopped goes on.
    ...chain('5', ['TestMany', 75]),
    ...chain('5', ['TestMany', 133]),
    ...chain('6', ['TestMany/row_a', 32], ['TestMany', 133]),
    ...chain('21', ['TestMany/row_c#01', 0], ['TestMany', 212]),
  ];

  it('counts all errors and all failing rows, but no logs', () => {
    const { outcome, error, further, others, test } = read({
      observations: [FIRST],
      later,
      printed: PRINTED,
    });
    assert.equal(outcome, 'failed');
    assert.equal(error?.message, 'error 0\n\tindented');
    assert.deepEqual(
      further?.map(({ message, frames: [frame] }) => [message, frame?.path, frame?.line]),
      [['error 1', FILE, 20]],
    );
    assert.deepEqual(others, { failed: 2 });
    assert.deepEqual(test?.output, [
      'printed by the test',
      'many_test.go:14: before',
      'many_test.go:18: between',
    ]);
  });

  it('has the requested row only', () => {
    const { error, others } = read({ later, printed: PRINTED }, testOf('TestMany', 'row_a'));
    assert.deepEqual([error?.message, others], ['row failed', {}]);
  });

  it('does not count a test that failed only because of a row', () => {
    const printed = `--- FAIL: TestRows (0.00s)
    --- FAIL: TestRows/one (0.00s)
        a_test.go:3: no
    --- FAIL: TestRows/two (0.00s)
        a_test.go:3: no`.split('\n');
    const { test, others } = read({ printed }, testOf('TestRows'));
    assert.deepEqual([test?.path, others], [['TestRows', 'one'], { failed: 1 }]);
  });

  it('is of a test that did not run if nothing was observed', () => {
    assert.equal(read({ printed: ['PASS'] }).outcome, 'not_found');
    const test = { outcome: 'passed', path: ['TestMany'] } as const;
    const passed = read({ observations: [{ isFailure: false, test }], printed: ['hello', 'PASS'] });
    assert.deepEqual([passed.outcome, passed.test?.output], ['passed', ['hello']]);
  });

  it('has the whole text of which only the end was read, and a panic that followed', () => {
    const error = { type: undefined, message: '…nted', frames: [], causes: [] };
    const first = { ...FIRST, test: { ...FIRST.test, error } };
    const printed = [...PRINTED, 'panic: at last', '', 'goroutine 5 [running]:'];
    const verdict = read({ observations: [first], later, printed });
    assert.equal(verdict.error?.message, 'error 0\n\tindented');
    assert.deepEqual(
      verdict.further?.map(({ message }) => message),
      ['error 1', 'at last'],
    );
  });

  it('does not take a log before a panic for a failure', () => {
    const printed = [
      ...['--- FAIL: TestMany (0.00s)', '    many_test.go:9: error', '    many_test.go:10: a log'],
      ...['panic: no [recovered, repanicked]', '', 'goroutine 5 [running]:'],
    ];
    const first = { ...FIRST, mark: '26 TestMany' };
    const fails = [...chain('5', ['TestMany', 26]), ...chain('5', ['TestMany', 53])];
    const verdict = read({ observations: [first], later: fails, printed });
    assert.deepEqual(
      verdict.further?.map(({ message }) => message),
      ['no'],
    );
    assert.deepEqual(verdict.test?.output, ['many_test.go:10: a log']);
  });

  it('is not of a run inside a test that passed', () => {
    const test = { outcome: 'passed', path: ['TestMany'] } as const;
    const run = { observations: [{ isFailure: false, test }], printed: PRINTED };
    assert.deepEqual([read(run).outcome, read(run).others], ['passed', {}]);
  });

  it('has a failure beside the test that passed', () => {
    const test = { outcome: 'passed', path: ['TestMany', 'row_b'] } as const;
    const run = { observations: [{ isFailure: false, test }, FIRST], printed: PRINTED };
    const { outcome, besides } = read(run, testOf('TestMany', 'row_b'));
    assert.deepEqual([outcome, besides?.message], ['passed', 'error 0\n\tindented']);
  });

  for (const [printed, message] of [
    ['panic: wrapped: inner [recovered, repanicked]\n\ngoroutine 5 [running]:', 'wrapped: inner'],
    ['panic: boom [recovered]\n\tpanic: boom\n\ngoroutine 5 [running]:', 'boom'],
    ['panic: one\n  two\n\n[signal SIGSEGV]\n\ngoroutine 5 [running]:', 'one\n  two'],
    [
      'panic: first [recovered]\n\tpanic: second\n\ngoroutine 5 [running]:',
      'first\n\tpanic: second',
    ],
    ['panic: (shop.point) 0x6f8810 [recovered, repanicked]\n\ngoroutine 5 [', 'as Delve shows it'],
  ] as const)
    it(`has the text of a panic as Go prints it: ${message}`, () => {
      const error = { type: 'panic', message: 'as Delve shows it', frames: [], causes: [] };
      const test = { outcome: 'failed', path: ['TestMany'], error } as const;
      const observations = [{ isFailure: true, test }];
      assert.equal(read({ observations, printed: printed.split('\n') }).error?.message, message);
    });

  it('is errored by a panic outside of the tests', () => {
    const printed = 'panic: no database\n\ngoroutine 1 [running]:'.split('\n');
    const { outcome, error } = read({ printed });
    assert.deepEqual([outcome, error?.message], ['errored', 'no database']);
  });

  it('shows what the tests printed, without the lines of the runner', () => {
    const printed = [
      'one',
      '    two',
      ...PRINTED.slice(1),
      'panic: no',
      '',
      'goroutine 1 [running]:',
    ];
    assert.deepEqual(ownLines(printed), ['one', '    two']);
  });
});
