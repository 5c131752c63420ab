import { strict as assert } from 'node:assert';
import path from 'node:path';
import { skip } from '../../support/skip';
import type { ReportedError, ReportedTest } from '../../../src/testing/runReport';
import {
  callPython,
  FIXTURES,
  hasModule,
  runPython,
  runText,
  type PythonRun,
} from './support/python';

/** The variables of the innermost frame of the person's own code. */
const variablesOf = ({ error }: ReportedTest): Readonly<Record<string, string>> => {
  const own = error?.frames.find(({ variables }) => variables !== undefined);
  return Object.fromEntries((own?.variables ?? []).map(({ name, value }) => [name, value]));
};

const placesOf = (error: ReportedError | undefined): readonly string[] =>
  (error?.frames ?? []).map(
    ({ path: file, line, name }) => `${path.basename(file)}:${line} ${name}`,
  );

const TESTS = `
import time
import pytest


class Lazy:
    def __repr__(self):
        time.sleep(8)


class Cart:
    def __init__(self):
        self.items = [{'name': 'tea'}]


def test_values():
    class Local: pass
    def function(): pass
    slow, cart, module, long = [Lazy() for n in range(50)], Cart(), time, 'x' * 1000
    assert cart.items == []


def price(order):
    total = 0
    try:
        with order:
            for total in [3, 'x']:
                order.rows.append(total)
                total + 1
    finally:
        total = None


class Order:
    rows = None
    def __enter__(self): self.rows = [1]
    def __exit__(self, *_): self.rows.clear()


def test_cleaned_up():
    price(Order())


def check(one, other):
    __tracebackhide__ = True
    assert one == other, 'they differ'


def test_hidden():
    wanted = 3
    check(2, wanted)


def test_chained():
    try:
        {}['tea']
    except KeyError as error:
        raise RuntimeError('no tea') from error


def test_of_no_comparison():
    one = 1
    try:
        assert one == 2
    except AssertionError:
        pass
    assert not one


def test_deep(depth=0):
    test_deep(depth + 1)


def test_of_many_recursions():
    def deep(n):
        try:
            deep(n + 1)
        except RecursionError:
            pass
    for rounds in range(20):
        deep(0)
    assert rounds == 20


def test_missing(no_fixture):
    pass


@pytest.fixture
def basket():
    rows = [1]
    yield rows
    assert not rows


def test_left_over(basket):
    pass


@pytest.mark.xfail(strict=True, reason='bug 5')
def test_fixed(): pass


@pytest.mark.xfail(reason='bug 6')
def test_known(): assert 0


@pytest.mark.skip(reason='later')
def test_later(): pass


def test_passes():
    print('said')


def test_leaves():
    reason = 'enough'
    pytest.exit(reason)
`;

describe('the plug-in for pytest', function () {
  this.timeout(60_000);
  let run: PythonRun;

  before(function () {
    if (!hasModule('pytest')) skip(this, 'there is no pytest');
    run = runText('pytest', TESTS);
  });

  it('reports values of a limited size, and counts what does not help', () => {
    const test = run.test('test_values');
    const { slow, cart, long, ...others } = variablesOf(test);
    assert.match(slow ?? '', /^\[<took too long to show>, /);
    assert.equal(cart, "Cart {items: [{'name': 'tea'}]}");
    assert.match(long ?? '', /^'x+'… \(1000 in all\)$/);
    assert.ok((long ?? '').length <= 400);
    assert.deepEqual(others, {});
    assert.equal(test.error?.frames[0]?.omitted, 3);
    assert.deepEqual([test.error.actual, test.error.expected], ["[{'name': 'tea'}]", '[]']);
    // Reading the values is no part of the test.
    assert.ok((test.durationMs ?? 1000) < 500, String(test.durationMs));
  });

  it('reports the values at the exception, although a finally and a with run after it', () => {
    const { order, total } = variablesOf(run.test('test_cleaned_up'));
    assert.deepEqual([order, total], ["Order {rows: [1, 3, 'x']}", "'x'"]);
  });

  it('reports the place that pytest names, without the functions that hide themselves', () => {
    const { error } = run.test('test_hidden');
    assert.equal(error?.message, 'they differ\nassert 2 == 3');
    assert.match(placesOf(error)[0] ?? '', /test_hidden$/);
    assert.deepEqual([error.actual, error.expected], ['2', '3']);
  });

  it('reports causes, and no comparison that was caught before', () => {
    const { error } = run.test('test_chained');
    assert.deepEqual([error?.type, error?.message], ['RuntimeError', 'no tea']);
    assert.deepEqual(error?.causes, [{ type: 'KeyError', message: "'tea'" }]);
    assert.equal(variablesOf(run.test('test_chained'))['error'], "KeyError('tea')");
    assert.equal(run.test('test_of_no_comparison').error?.actual, undefined);
  });

  it('reports the test’s own frame of a deep recursion', () => {
    const { error } = run.test('test_deep');
    assert.ok((error?.frames.length ?? 0) <= 100);
    assert.equal(error?.frames.at(-1)?.name, 'test_deep');
    // The stack is full at the same call as without this reporter.
    const innermost = placesOf(error).slice(0, 5);
    assert.equal(new Set(innermost).size, 1, innermost.join());
    // Reading variables where the stack ends would end the program.
    assert.equal(variablesOf(run.test('test_of_many_recursions'))['rounds'], '19');
  });

  it('reports fixtures that are missing or fail, expected failures and skipped tests', () => {
    const outcomes = ['missing', 'left_over', 'fixed', 'known', 'later', 'passes'].map((name) => {
      const { outcome, reason, error } = run.test(`test_${name}`);
      return [outcome, reason ?? error?.message.split('\n')[0]];
    });
    assert.deepEqual(outcomes, [
      ['errored', "fixture 'no_fixture' not found"],
      ['errored', 'assert not [1]'],
      ['failed', '[XPASS(strict)] bug 5'],
      ['skipped', 'xfail: bug 6'],
      ['skipped', 'later'],
      ['passed', undefined],
    ]);
    assert.deepEqual(run.test('test_passes').output, ['said']);
    assert.equal(variablesOf(run.test('test_left_over'))['rows'], '[1]');
  });

  it('reports a test that ends the run', () => {
    assert.equal(run.report.toolFailure, undefined);
    const { outcome, error } = run.test('test_leaves');
    assert.deepEqual([outcome, error?.message], ['errored', 'enough']);
    assert.equal(run.exitCode, 2);
  });

  it('reports subtests with their names, and the notes of exceptions', () => {
    const { test } = runPython('pytest', path.join(FIXTURES, 'subtests/test_subtests.py'));
    const { outcome, error } = test('test_half');
    assert.equal(outcome, 'failed');
    assert.deepEqual([error?.subtest, error?.actual, error?.expected], ['(n=6)', '4', '3']);
    assert.equal(variablesOf(test('test_half'))['n'], '6');
    assert.deepEqual(
      error?.further?.map(({ subtest, message }) => [subtest, message.split('\n')[0]]),
      [['(n=9)', 'assert 4 == 5']],
    );
    assert.deepEqual(test('test_load').error?.notes, ['while reading row 17 of prices.csv']);
  });

  it('selects the tests that a name means among those that pytest has collected', () => {
    const ran = (file: string, ...names: string[]): unknown =>
      runPython('pytest', path.join(FIXTURES, 'inherited', file), { names }).report.tests.map(
        ({ path: parts, outcome }) => `${parts.join('::')} ${outcome}`,
      );
    const both = ['TestPlain::test_roundtrip passed', 'TestLoud::test_roundtrip failed'];
    assert.deepEqual(ran('test_same_file.py', 'TestLoud'), both.slice(1));
    assert.deepEqual(ran('test_same_file.py', 'StoreTests', 'test_roundtrip'), both);
    assert.deepEqual(ran('test_other_file.py', 'TestLoud', 'test_roundtrip'), both.slice(1));
    assert.deepEqual(ran('test_same_file.py'), both);
    const { report } = runPython('pytest', path.join(FIXTURES, 'inherited/test_same_file.py'), {
      names: ['TestLoud', 'test_round'],
    });
    assert.deepEqual(report.collected, ['TestLoud::test_roundtrip']);
    assert.deepEqual(report.tests, []);
  });

  it('collects no classes to which the test cannot belong', () => {
    const text = `import pytest

class TestOne:
    def test_a(self): pass

class TestBad:
    @pytest.mark.parametrize('missing', [1])
    def test_b(self): pass

class TestTwo(TestOne):
    pass
`;
    const ran = (...names: string[]): unknown => {
      const { report } = runText('pytest', text, { names });
      const paths = report.tests.map(({ path: parts }) => parts.join('::'));
      return [...paths, ...(report.error === undefined ? [] : ['error'])];
    };
    assert.deepEqual(ran('TestOne', 'test_a'), ['TestOne::test_a']);
    assert.deepEqual(ran('TestTwo'), ['TestTwo::test_a']);
    assert.deepEqual(ran('TestBad'), ['error']);
  });

  it('keeps the options of the project, except those that it names', () => {
    const shop = path.join(FIXTURES, 'options/test_shop.py');
    const { report, test } = runPython('pytest', shop);
    assert.deepEqual(report.droppedOptions, ['--pdb']);
    const outcomes = report.tests.map(({ path: [name], outcome }) => `${name ?? ''} ${outcome}`);
    assert.deepEqual(outcomes, [
      'test_total failed',
      'test_remembers passed',
      'test_no_old_calls failed',
    ]);
    assert.equal(test('test_no_old_calls').error?.type, 'DeprecationWarning');
    const left = runPython('pytest', shop, { names: ['test_all_prices'] }).test('test_all_prices');
    assert.equal(left.outcome, 'skipped');
    assert.equal(left.reason, 'Deselected by the options of the project: -m "not slow".');
  });

  it('reports a conftest.py that does not load, an internal error, and a wrong option', () => {
    const loading = runPython('pytest', path.join(FIXTURES, 'imports/test_it.py')).report.error;
    assert.deepEqual(
      [loading?.type, loading?.message],
      ['ModuleNotFoundError', "No module named 'nowhere'"],
    );
    assert.match(placesOf(loading)[0] ?? '', /^conftest\.py:1 /);
    const startup = runPython('pytest', path.join(FIXTURES, 'startup/test_it.py')).report.error;
    assert.deepEqual([startup?.type, startup?.message], ['RuntimeError', 'database is not there']);
    const wrong = runText('pytest', 'def test_it(): pass\n', { args: ['--nonsense'] }).report.error;
    assert.equal(wrong?.type, 'UsageError');
    assert.match(wrong.message, /unrecognized arguments: --nonsense/);
  });

  it('reports the place of a crash, and not what the test printed before it', () => {
    const text = `import os
def test_aborts():
    print('retry.ConnectionError: first attempt failed', flush=True)
    os.abort()
`;
    const { test, signal } = runText('pytest', text);
    assert.equal(signal, 'SIGABRT');
    const { outcome, error } = test('test_aborts');
    assert.deepEqual([outcome, error?.isExit, error?.type], ['errored', true, undefined]);
    assert.equal(placesOf(error)[0], 'test_it.py:4 test_aborts');
  });

  it('says where the program is at the time limit', () => {
    const { report } = runText(
      'pytest',
      `import threading
def test_waits():
    from agent_debugger_report import run
    told, write = threading.Event(), run.write
    def tell(entry):
        write(entry)
        if 'hanging' in entry: told.set()
    run.write = tell
    rounds = 3
    told.wait()
`,
      // The time until the program has started counts, too.
      { env: { AGENT_DEBUGGER_SECONDS: '50', AGENT_DEBUGGER_UNTIL: '1' } },
    );
    const own = report.hanging?.find(({ variables }) => variables !== undefined);
    assert.equal(own?.name, 'test_waits');
    assert.equal(own.variables?.find(({ name }) => name === 'rounds')?.value, '3');
  });

  it('leaves no trace in the environment, the path and the threads of the program', () => {
    const { test } = runText(
      'pytest',
      `import os, sys, threading, warnings
def test_trace():
    assert [name for name in os.environ if 'AGENT_DEBUGGER' in name] == []
    assert 'reporters' not in os.environ.get('PYTHONPATH', '') + ''.join(sys.path)
    assert threading.active_count() == 1

def test_fork():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter('always')
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
    # From Python 3.12 on, a fork warns if there are several threads.
    assert told == []
`,
      { env: { AGENT_DEBUGGER_SECONDS: '50' } },
    );
    assert.deepEqual(test('test_trace').error, undefined);
    assert.deepEqual(test('test_fork').error, undefined);
  });

  it('does not change the run if its report cannot be written, or if there is no debugger to stop', () => {
    const text = 'def test_it():\n    assert 1 == 2\n';
    const gone = runText('pytest', text, { report: '/nowhere/report.jsonl' });
    assert.equal(gone.exitCode, 1);
    assert.doesNotMatch(gone.output, /agent_debugger|Error: \[Errno/);
    const stays = runText('pytest', text, { env: { AGENT_DEBUGGER_STAY: '1' } });
    assert.equal(stays.exitCode, 1);
    assert.match(stays.report.toolFailure ?? '', /no known way to stop/);
    assert.equal(stays.test('test_it').outcome, 'failed');
  });

  it('is named as the cause if it cannot be loaded', () => {
    const { report } = runText('pytest', 'def test_it(): pass\n', { env: { PYTHONPATH: '' } });
    assert.match(report.toolFailure ?? '', /agent_debugger_report/);
    assert.equal(report.error, undefined);
  });
});

describe('the runner for unittest', function () {
  this.timeout(60_000);
  const UNITS = path.join(FIXTURES, 'test_units.py');

  before(function () {
    if (!hasModule('unittest')) skip(this, 'there is no Python');
  });

  it('reports subtests with the values at their failures', () => {
    const { test } = runPython('unittest', UNITS, { names: ['PriceTest'] });
    const first = test('test_first_price');
    assert.deepEqual(variablesOf(first), { failed: '1', price: '3' });
    const [second] = first.error?.further ?? [];
    assert.deepEqual([first.error?.subtest, second?.subtest], ['(price=3)', '(price=7)']);
    assert.equal(variablesOf(test('test_cleans_up'))['price'], '3');
    assert.deepEqual(
      [test('test_cleans_up').error?.actual, test('test_cleans_up').error?.expected],
      ['3', '4'],
    );
  });

  it('reports the failure of a class for its tests, skipped tests, and only the output of the tests', () => {
    const { report, test, output } = runPython('unittest', UNITS);
    assert.equal(output, 'added two\n');
    const saves = test('test_saves');
    assert.deepEqual([saves.outcome, saves.error?.message], ['errored', 'no database']);
    assert.equal(test('test_is_not_ready').reason, 'no database');
    assert.equal(test('test_adds_prices').outcome, 'passed');
    assert.equal(report.tests.length, 7);
  });

  it('imports a file as the module of its package', () => {
    const text = `import unittest

class Named(unittest.TestCase):
    def test_name(self): self.assertEqual(__name__, self.id())
`;
    const named = (more: object): unknown =>
      runText('unittest', text, more).test('test_name').error?.actual;
    assert.equal(named({}), "'test_it'");
    const relative = 'def test(): pass\n';
    assert.match(
      String(named({ files: { '__init__.py': '', 'other.py': relative } })),
      /^'tests-\w+\.test_it'$/,
    );
  });

  it('finds inherited tests, and knows its tests if none has the name', () => {
    const file = path.join(FIXTURES, 'inherited/test_unit_style.py');
    const { report } = runPython('unittest', file, { names: ['LoudTest', 'test_roundtrip'] });
    assert.deepEqual(
      report.tests.map(({ path: parts, outcome }) => [parts.join('.'), outcome]),
      [['LoudTest.test_roundtrip', 'failed']],
    );
    const none = runPython('unittest', file, { names: ['nope'] }).report;
    assert.deepEqual(none.collected, ['LoudTest.test_roundtrip', 'PlainTest.test_roundtrip']);
  });

  it('reports a file that does not load, and a crash with its place', () => {
    const broken = runPython('unittest', path.join(FIXTURES, 'test_broken.py'));
    assert.deepEqual([broken.report.tests, broken.exitCode], [[], 1]);
    assert.equal(broken.report.error?.type, 'ModuleNotFoundError');
    const { report, signal } = runPython('unittest', path.join(FIXTURES, 'crash/test_crash.py'));
    assert.equal(signal, 'SIGABRT');
    const [crash] = report.tests;
    assert.deepEqual([crash?.outcome, crash?.error?.isExit], ['errored', true]);
    assert.match(placesOf(crash?.error)[0] ?? '', /^test_crash\.py:8 test_crash/);
  });
});

describe('the name of a Python test', () => {
  const TEST_NAMES = [
    ['TestA', 'test_x'],
    ['TestA', 'test_y[1-a.b]'],
    ['TestB', 'test_x'],
    ['TestB', 'Inner', 'test_z'],
    ['shop.cart.total'],
  ];

  it('is found among the tests that the runner has collected', () => {
    const expected: readonly (readonly [readonly string[], readonly number[]])[] = [
      [['TestA', 'test_x'], [0]],
      [['test_x'], [0, 2]],
      [['TestA', 'test_y'], [1]],
      [['TestA', 'test_y[1-a.b]'], [1]],
      [['TestB'], [2, 3]],
      [['Inner'], [3]],
      [['Inner', 'test_z'], [3]],
      [['tests', 'test_it', 'TestA', 'test_x'], [0]],
      [['shop', 'cart', 'total'], [4]],
      [['Base'], [0, 1, 2, 3, 4]],
      [
        ['Base', 'test_x'],
        [0, 2],
      ],
      [['test_none'], []],
    ];
    const found = callPython(
      'agent_debugger_names',
      "[[t.item for t in matching([Test(i, n, ['Base']) for i, n in enumerate(value[0])], w)] for w in value[1]]",
      [TEST_NAMES, expected.map(([wanted]) => wanted)],
    );
    assert.deepEqual(
      found,
      expected.map(([, tests]) => tests),
    );
  });

  it('is not confused by the options of a project that are left out', () => {
    const split = (...args: string[]): unknown =>
      callPython('agent_debugger_options', 'without_unsupported(value, lambda name: True)', args);
    assert.deepEqual(split('-n', 'auto', '--dist=load', '-v', 'test_it.py'), [
      ['-v', 'test_it.py'],
      ['-n auto', '--dist=load'],
    ]);
    assert.deepEqual(split('-n4', '--cov', 'src', '--cov-report', 'term', '--cov', 'test_it.py'), [
      ['test_it.py'],
      ['-n4', '--cov src', '--cov-report term', '--cov'],
    ]);
    assert.deepEqual(
      callPython('agent_debugger_options', 'without_unsupported(value, lambda name: False)', [
        '-n',
        '2',
      ]),
      [['-n', '2'], []],
    );
  });
});
