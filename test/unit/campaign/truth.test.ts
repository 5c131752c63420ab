import { strict as assert } from 'node:assert';
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Installed, RunnerId, TruthTest } from '../../campaign/project';
import { readCargoTest } from '../../campaign/runners/cargoTest';
import { readGoogleTest } from '../../campaign/runners/googleTest';
import { readGoTest } from '../../campaign/runners/goTest';
import { readJest } from '../../campaign/runners/jest';
import { readSurefire } from '../../campaign/runners/junit';
import { readMocha } from '../../campaign/runners/mocha';
import { readNodeTest } from '../../campaign/runners/nodeTest';
import { readHook } from '../../campaign/runners/python';
import type { Broken } from '../../campaign/runners/runner';

let folder = '';

function installed(runner: RunnerId): Installed {
  const project = { name: 'p', language: 'javascript' as const, runner, tests: [], sources: [] };
  return { project, folder };
}

function file(name: string, text: string): string {
  const place = path.join(folder, name);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  return place;
}

function failed(tests: readonly TruthTest[] | Broken): TruthTest {
  assert.ok(!('broken' in tests), JSON.stringify(tests));
  const [test] = tests.filter(({ verdict }) => verdict === 'failed');
  assert.ok(test);
  return test;
}

const TEST_JS = `test('adds', () => {
  const total = sum([1, 2]);
  const unused = 1;
  assert.equal(total, other.expected);
});
`;

describe('the truth of the campaign', () => {
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-truth-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is read from the hook in pytest', () => {
    const lines = [
      { nodeid: 't.py::test_a', file: '/t.py', outcome: 'passed' },
      {
        ...{ nodeid: 't.py::test_b', file: '/t.py', outcome: 'failed', type: 'ValueError' },
        ...{ message: 'ValueError: bad', path: '/lib.py', line: 3, locals: ['x'] },
      },
      { nodeid: 't.py::test_b', file: '/t.py', outcome: 'failed', type: 'E', message: 'teardown' },
    ];
    const tests = readHook(lines.map((line) => JSON.stringify(line)).join('\n'));
    assert.ok(!('broken' in tests));
    assert.deepEqual(
      tests.map(({ name, verdict }) => [name, verdict]),
      [
        ['t.py::test_a', 'passed'],
        ['t.py::test_b', 'failed'],
      ],
    );
    const { message, at, locals } = failed(tests);
    assert.deepEqual([message, at, locals], ['bad', { file: '/lib.py', line: 3 }, ['x']]);
    assert.deepEqual(readHook('{"file": "", "broken": "no module"}'), { broken: 'no module' });
  });

  it('is read from mocha and node:test, with the locals of the failing line', () => {
    const test = file('a.test.js', TEST_JS);
    const stack = `AssertionError: 3 !== 4\n    at equal (node:assert:1:2)\n    at Context.<anonymous> (a.test.js:4:10)`;
    const mocha = readMocha(
      installed('mocha'),
      JSON.stringify({
        passes: [],
        failures: [{ fullTitle: 'sum adds', file: test, err: { message: '3 !== 4', stack } }],
      }),
    );
    const expected = { at: { file: test, line: 4, column: 10 }, locals: ['total'] };
    const { at, locals, name } = failed(mocha);
    assert.deepEqual([name, { at, locals }], ['sum adds', expected]);
    const line = (names: string[], more: object) =>
      JSON.stringify({ path: names, file: test, passed: false, message: 'm', stack, ...more });
    const node = readNodeTest(
      installed('node_test'),
      [
        line(['sum', 'adds'], {}),
        line(['sum'], { failureType: 'subtestsFailed' }),
        line(['sum', 'counts'], { passed: true }),
      ].join('\n'),
    );
    assert.ok(!('broken' in node));
    assert.deepEqual(
      node.map((each) => each.name),
      ['sum adds', 'sum counts'],
    );
    assert.deepEqual(failed(node).at, expected.at);
  });

  it('is read from the report of jest and vitest', () => {
    const test = file('a.test.js', TEST_JS);
    const failureMessages = [
      `Error: \u001b[2mexpect(\u001b[22mreceived)\n\nExpected: 4\n    at f (${folder}/node_modules/x/i.js:1:1)\n    at ${test}:4:10`,
    ];
    const assertion = { ancestorTitles: ['sum'], title: 'adds', status: 'failed', failureMessages };
    const results = [{ name: test, status: 'failed', assertionResults: [assertion] }];
    const told = failed(
      readJest(installed('jest'), JSON.stringify({ testResults: results }), ' › '),
    );
    assert.equal(told.name, 'sum › adds');
    assert.equal(told.message, 'expect(received)\n\nExpected: 4');
    assert.deepEqual(told.at, { file: test, line: 4, column: 10 });
    const unloaded = [{ name: test, status: 'failed', message: 'no', assertionResults: [] }];
    const broken = readJest(installed('jest'), JSON.stringify({ testResults: unloaded }), ' › ');
    assert.deepEqual(broken, { broken: 'no' });
  });

  it('is read from the events of Go, of a table its rows', () => {
    const source =
      'package p\n\nfunc TestA(t *testing.T) {\n\tgot := f(1)\n\tt.Errorf("got %d", got)\n}\n';
    const test = file('a_test.go', source);
    const event = (Action: string, Test?: string, Output?: string) =>
      JSON.stringify({ Action, Package: 'm/p', Test, Output });
    const events = [
      event('output', 'TestA/one', '    a_test.go:5: got 2\n'),
      event('fail', 'TestA/one'),
      event('pass', 'TestA/two'),
      event('fail', 'TestA'),
    ];
    const tests = readGoTest(installed('go_test'), events.join('\n'), 'm/p');
    const { name, message, at, locals } = failed(tests);
    assert.deepEqual(
      [name, message, at, locals],
      ['TestA/one', 'got 2', { file: test, line: 5 }, ['got']],
    );
    assert.ok(!('broken' in tests));
    assert.deepEqual(
      tests.map((each) => each.name),
      ['TestA/one', 'TestA/two'],
    );
  });

  it('is the place of a panic in Go, below the frames of the runtime', () => {
    const test = file('a_test.go', 'package p\n\nfunc TestA(t *testing.T) {\n}\n');
    const output = `panic: no [recovered]\n\ngoroutine 7 [running]:\npanic({0x1})\n\t/go/panic.go:9\np.f()\n\t${folder}/a.go:4 +0x1\n`;
    file('a.go', 'package p\n\nfunc f() {\n\tpanic("no")\n}\n');
    const events = [
      JSON.stringify({ Action: 'output', Package: 'm', Test: 'TestA', Output: output }),
      JSON.stringify({ Action: 'fail', Package: 'm', Test: 'TestA' }),
    ];
    const told = failed(readGoTest(installed('go_test'), events.join('\n'), 'm'));
    assert.deepEqual([told.message, told.at], ['no', { file: path.join(folder, 'a.go'), line: 4 }]);
    assert.equal(told.file, test);
  });

  it('is read from the output of Cargo', () => {
    const source = file(
      'src/date.rs',
      'fn adds() {\n    let sum = 3;\n    assert_eq!(sum, 4);\n}\n',
    );
    const output = `     Running unittests src/lib.rs (target/debug/deps/x-1)

running 2 tests
test date::tests::adds ... FAILED
test date::tests::counts ... ok

failures:

---- date::tests::adds stdout ----

thread 'date::tests::adds' (12) panicked at src/date.rs:3:5:
assertion \`left == right\` failed
  left: 3
 right: 4
note: run with \`RUST_BACKTRACE=1\`

failures:
    date::tests::adds
`;
    const {
      name,
      file: place,
      message,
      at,
      locals,
      selector,
    } = failed(readCargoTest(installed('cargo_test'), output));
    assert.deepEqual(
      [name, place, selector],
      ['date::tests::adds', source, ['--lib', 'date::tests::adds']],
    );
    assert.equal(message?.split('\n')[0], 'assertion `left == right` failed');
    assert.deepEqual([at, locals], [{ file: source, line: 3 }, ['sum']]);
    const broken = readCargoTest(
      installed('cargo_test'),
      'error[E0308]: mismatched types\n --> a\n',
    );
    assert.ok('broken' in broken);
  });

  it('is read from the reports of GoogleTest and Surefire', () => {
    const source = file('t.cc', 'TEST(A, b) {\n  int got = f();\n  EXPECT_EQ(got, 2);\n}\n');
    const failure = `${source}:3\nExpected equality`;
    const suites = [
      {
        name: 'A',
        testsuite: [{ name: 'b', file: source, status: 'RUN', failures: [{ failure }] }],
      },
    ];
    const text = JSON.stringify({ testsuites: suites });
    const google = failed(readGoogleTest(installed('googletest'), text, '/bin/t', () => ''));
    assert.deepEqual(
      [google.name, google.at, google.locals, google.message],
      ['A.b', { file: source, line: 3 }, ['got'], 'Expected equality'],
    );
    const java = file(
      'src/test/java/a/BTest.java',
      'class BTest {\n  void c() {\n    int n = 1;\n    assertEquals(2, n);\n  }\n}\n',
    );
    const xml = `<testsuite><testcase name="d" classname="a.BTest" time="0"/><testcase name="c" classname="a.BTest" time="0">
<failure message="expected: &lt;2&gt; but was: &lt;1&gt;" type="E"><![CDATA[E: expected
	at org.junit.Assert.fail(Assert.java:1)
	at a.BTest.c(BTest.java:4)]]></failure></testcase></testsuite>`;
    const surefire = failed(readSurefire(installed('junit5'), xml));
    assert.deepEqual(
      [surefire.name, surefire.message, surefire.at, surefire.locals],
      ['BTest.c', 'expected: <2> but was: <1>', { file: java, line: 4 }, ['n']],
    );
  });
});
