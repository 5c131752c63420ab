import { strict as assert } from 'node:assert';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  marked,
  stopOf,
  type Answer,
} from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { isAtLeast } from '../../support/toolchain';

const GO = LANGUAGES.find(({ name }) => name === 'Go');
const NAMES = 'tests/go/names/names_test.go';
const SUITE = 'tests/go/names/suite_test.go';
const ERRORS = 'tests/go/errors/errors_test.go';
const HANG = 'tests/go/hang/hang_test.go';
const NESTED = 'tests/go/nested/nested_test.go';
const OWN = 'tests/go/names/check_test.go';
const TAGGED = 'tests/go/tagged/tagged_test.go';

interface Told extends Answer {
  readonly outcome?: string;
  readonly test?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly output?: readonly string[];
  readonly others?: Readonly<Record<string, number>>;
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly {
    readonly function_name: string;
    readonly line_number?: number;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
  readonly further_failures?: readonly { readonly message: string }[];
}

async function debug(file: string, name: string | undefined, more: object = {}): Promise<Told> {
  const test = name === undefined ? {} : { test_name: name };
  return await call('debug_test', { file_path: file, ...test, timeout_seconds: 60, ...more });
}

/** The outcome of a test, its message and its place. */
const factsOf = ({ outcome, message, at }: Told): readonly unknown[] => [
  outcome,
  message,
  at && path.relative(inWorkspace('tests/go'), at.file_path),
  at?.line_number,
];

const failedAt = (message: string, file: string, marker: string): readonly unknown[] => [
  'failed',
  message,
  path.relative('tests/go', file),
  marked(file, marker),
];

describe('debug_test with go test', function () {
  this.timeout(300_000);
  before(function () {
    assert.ok(GO);
    skipWhereMissing(this, GO);
  });
  afterEach(cleanUp);

  describe('by names as go test prints them', () => {
    it('runs one row of one of several tables, with the values before their types', async () => {
      const answer = await debug(NAMES, 'TestDouble/two_and_more');
      assert.deepEqual(factsOf(answer), failedAt('double(2) = 4, want 5', NAMES, 'double'));
      assert.equal(answer.others, undefined, 'no other row ran');
      const [{ variables } = {}] = answer.frames ?? [];
      assert.deepEqual(variables, { row: '{name: "two and more", in: 2, want: 5}', got: '4' });
      assert.equal((await debug(NAMES, 'TestDouble/one')).outcome, 'passed');
      // As the table has it.
      assert.equal((await debug(NAMES, 'two and more')).message, 'double(2) = 4, want 5');
      assert.equal((await debug(NAMES, 'TestSquare/one#01')).outcome, 'passed');
    });

    it('tells a whole table by its first failing row, and counts the others; one that passed by its own name', async () => {
      const failed = await debug(NAMES, 'TestDouble');
      assert.equal(failed.message, 'double(2) = 4, want 5', JSON.stringify(failed));
      assert.match(failed.test ?? '', /two_and_more$/);
      if (isAtLeast('delve', '1.26')) assert.deepEqual(failed.others, { failed: 1 });
      const passed = await debug(NAMES, 'TestSquare');
      assert.deepEqual([passed.outcome, passed.test], ['passed', 'TestSquare']);
    });

    it('runs the rows of a helper, with the place that go test prints', async () => {
      const answer = await debug(NAMES, 'TestSmall/different');
      assert.deepEqual(factsOf(answer), failedAt('1 != 2', NAMES, 'row'));
      assert.equal(answer.frames?.[0]?.function_name, 'names.requireSame', JSON.stringify(answer));
      assert.equal(answer.frames[0].line_number, marked(NAMES, 'helper'));
      assert.equal((await debug(NAMES, 'TestLarge/same')).outcome, 'passed');
    });

    it('runs a seed of a fuzz target', async () => {
      const answer = await debug(NAMES, 'FuzzHalf/seed#1');
      assert.deepEqual(factsOf(answer), failedAt('3 is odd', NAMES, 'odd'));
      assert.equal((await debug(NAMES, 'FuzzHalf/seed#0')).outcome, 'passed');
    });

    it('tells a skipped row as skipped, with its reason, and nested rows', async () => {
      const skipped = await debug(NAMES, 'TestSkips/slow');
      assert.deepEqual([skipped.outcome, skipped.reason], ['skipped', 'slow row is skipped']);
      assert.equal((await debug(NAMES, 'TestSkips/fast/small')).outcome, 'passed');
      assert.equal((await debug(NAMES, 'TestSkips/net/small')).message, 'net small fails');
    });

    it('has no verdict about a test that does not exist', async () => {
      for (const name of ['TestDouble/nope', 'TestSkips/slow/small', 'TestNope', 'FuzzHalf/seed#7'])
        assert.equal(errorOf(await debug(NAMES, name), 'test_not_found')['outcome'], 'not_found');
      const line = marked(SUITE, 'suite');
      errorOf(await debug(SUITE, 'TestCart/TestRows/nope', { line }), 'test_not_found');
    });

    it('runs the methods of suites, by name and by line', async () => {
      const row = await debug(SUITE, 'TestCart/TestRows/bad');
      assert.deepEqual(factsOf(row), failedAt('1 != 2', SUITE, 'suite'));
      const skipped = await debug(SUITE, 'TestCart/TestRows/skipped_row');
      assert.deepEqual([skipped.outcome, skipped.reason], ['skipped', 'later']);
      const byMethod = await debug(SUITE, 'TestRows');
      assert.equal(byMethod.message, '1 != 2', JSON.stringify(byMethod));
      // The function that runs this suite is in another file.
      const line = marked(SUITE, 'stock');
      const byLine = await debug(SUITE, undefined, { line });
      assert.deepEqual(factsOf(byLine), failedAt('stock is 3', SUITE, 'stock'));
      assert.equal(byLine.test, 'TestStock > TestAdd');
    });

    it('traces and collects in a test with such a name', async () => {
      const test = { file_path: NAMES, test_name: 'TestDouble/two_and_more' };
      const trace = await call('trace_function', {
        file_path: NAMES,
        function_name: 'double',
        test,
        max_seconds: 60,
      });
      assert.equal(trace['function'], 'double', JSON.stringify(trace));
      assert.deepEqual(trace['arguments'], { n: '2' });
    });
  });

  describe('that fails', () => {
    it('counts all errors and failing rows, but no logs', async () => {
      const answer = await debug(ERRORS, 'TestMany');
      const text = '  error 0\n\tindented\n  总数 \x01';
      assert.deepEqual(factsOf(answer), failedAt(text, ERRORS, 'many'));
      if (!isAtLeast('delve', '1.26')) return;
      assert.deepEqual(
        answer.further_failures?.map(({ message }) => message.split('\n')[0]),
        ['  error 1', '  error 2'],
      );
      assert.deepEqual(answer.others, { failed: 2 });
      const logs = [14, 18].map((line) => `errors_test.go:${line}: `);
      assert.deepEqual(answer.output, [
        'printed by the test',
        `${logs[0] ?? ''}before`,
        `${logs[1] ?? ''}between`,
      ]);
    });

    it('marks a message that is cut', async () => {
      const { message = '' } = await debug(ERRORS, 'TestLong');
      assert.match(message, isAtLeast('delve', '1.26') ? /^line 0 of a long text\n/ : /^…/);
      assert.match(message, /…/);
    });

    for (const [test, message, marker] of [
      ['TestPanicError', 'wrapped: inner', 'error'],
      ['TestPanicString', 'a "string"', 'string'],
      ['TestPanicStruct', 'errors.point {x: 1, y: 2}', 'struct'],
      ['TestIndex', 'runtime error: index out of range [5] with length 1', 'index'],
      ['TestNil', 'runtime error: invalid memory address or nil pointer dereference', 'nil'],
      ['TestGoexit', 'test executed panic(nil) or runtime.Goexit', 'goexit'],
      ['TestOtherGoroutine', 'in a goroutine', 'goroutine'],
      ['TestExitsWithZero', 'unexpected call to os.Exit(0) during test', 'zero'],
      ['TestDeadlock', 'all goroutines are asleep - deadlock!', 'deadlock'],
    ] as const)
      it(`tells by its own text why the program ended: ${test}`, async () => {
        assert.deepEqual(factsOf(await debug(ERRORS, test)), failedAt(message, ERRORS, marker));
        const staying = await debug(ERRORS, test, { on_failure: 'stay' });
        assert.equal(staying.status, 'stopped', JSON.stringify(staying));
        assert.deepEqual(factsOf(staying), failedAt(message, ERRORS, marker));
      });

    it('tells a panic after a failure', async () => {
      const answer = await debug(ERRORS, 'TestLater');
      assert.deepEqual(factsOf(answer), failedAt('first', ERRORS, 'first'));
      if (!isAtLeast('delve', '1.26')) return;
      const [later] = answer.further_failures ?? [];
      assert.match(later?.message ?? '', /nil pointer dereference/);
      assert.equal(answer.further_failures?.length, 1);
    });

    it('acts on the line that the runner shows, although an assertion of the project failed', async () => {
      const answer = await debug(OWN, 'TestOwnAssertion/different', { on_failure: 'stay' });
      const text = JSON.stringify(answer);
      assert.deepEqual(factsOf(answer), failedAt('want 1, got 2', OWN, 'own'));
      assert.equal(answer.status, 'stopped', text);
      const frame = answer.frames?.find(({ line_number: line }) => line === answer.at?.line_number);
      assert.match(frame?.variables?.['row'] ?? '', /^\{name: "different", /, text);
      const { result } = await call('evaluate_expression', { expression: 'row.name' });
      assert.equal(result, '"different"');
    });

    it('tells subtests that run in parallel', async () => {
      const answer = await debug(ERRORS, 'TestParallel');
      assert.match(answer.message ?? '', /^parallel \d$/);
      assert.equal(answer.at?.line_number, marked(ERRORS, 'parallel'));
      if (isAtLeast('delve', '1.26')) assert.deepEqual(answer.others, { failed: 2 });
    });

    it('does not take a testing.T that is no test of the run for it', async () => {
      const passed = await debug(ERRORS, 'TestRequireEven');
      assert.equal(passed.outcome, 'passed', JSON.stringify(passed));
      const failed = await debug(ERRORS, 'TestRequireEvenThenReal');
      assert.deepEqual(factsOf(failed), failedAt('the real failure', ERRORS, 'real'));
      const inner = await debug(ERRORS, 'TestInner');
      assert.equal(inner.outcome, 'passed', JSON.stringify(inner));
    });

    it('is errored by a panic before all tests', async () => {
      const answer = await debug(ERRORS, 'TestIndex', { env: { ERRORS_EXIT: '1' } });
      assert.deepEqual([answer.outcome, answer.message], ['errored', 'no database']);
    });

    it('stays there, evaluates in the frame that at names, and goes on as the plain run does', async () => {
      const answer = await debug(NAMES, 'TestDouble/two_and_more', { on_failure: 'stay' });
      assert.equal(answer.status, 'stopped', JSON.stringify(answer));
      assert.deepEqual(factsOf(answer), failedAt('double(2) = 4, want 5', NAMES, 'double'));
      const { result } = await call('evaluate_expression', { expression: 'row.in + got' });
      assert.equal(result, '6');
      const end = await call('continue_debugging', { timeout_seconds: 60 });
      assert.deepEqual([end.status, end['exit_code']], ['completed', 1], JSON.stringify(end));
    });
  });

  describe('that hangs', () => {
    for (const [test, marker, values, waitsFor] of [
      ['TestChannel', 'channel', { name: '"result"' }, 'chan receive'],
      ['TestMutex', 'mutex', { count: '7' }, 'sync mutex lock'],
      ['TestSelect', 'select', {}, 'select'],
      ['TestBusy', 'busy', {}, undefined],
    ] as const)
      it(`has the frames of its own goroutine: ${test}`, async () => {
        const answer = await debug(HANG, test, { timeout_seconds: 5 });
        const answerText = JSON.stringify(answer);
        assert.deepEqual([answer.status, answer.outcome], ['timeout', 'timeout'], answerText);
        const [frame] = answer.frames ?? [];
        const near = (frame?.line_number ?? 0) - marked(HANG, marker);
        assert.ok(near >= 0 && near <= (test === 'TestBusy' ? 2 : 0), answerText);
        for (const [name, value] of Object.entries(values))
          assert.equal(frame?.variables?.[name], value, answerText);
        if (isAtLeast('delve', '1.26')) assert.equal(answer['waits_for'], waitsFor, answerText);
        assert.doesNotMatch(String(answer['hint']), /without the debugger/);
      });

    it('stays there, and calls act on that goroutine', async () => {
      const answer = await debug(HANG, 'TestMutex', { timeout_seconds: 5, on_failure: 'stay' });
      const stop = stopOf(answer);
      assert.equal(answer['program'], 'stopped', JSON.stringify(answer));
      const { result } = await call('evaluate_expression', { expression: 'count' });
      assert.equal(result, '7');
      const stack = await call('get_call_stack', {});
      assert.equal(stack['thread_id'], stop.thread_id, JSON.stringify(stack));
    });
  });

  describe('as the project runs it', () => {
    const settings = vscode.workspace.getConfiguration('go');
    const set = async (name: string, value: unknown): Promise<void> =>
      await settings.update(name, value, vscode.ConfigurationTarget.Global);

    it('builds with the tags of the file', async () => {
      const answer = await debug(TAGGED, 'TestTagged');
      assert.equal(answer.outcome, 'passed', JSON.stringify(answer));
    });

    it('runs in a module inside another one, with its vendored packages', async () => {
      const answer = await debug(NESTED, 'TestHalf');
      assert.deepEqual(factsOf(answer), failedAt('half is 3', NESTED, 'nested'));
      assert.deepEqual(answer.frames?.[0]?.variables, { half: '3' });
    });

    it('uses the flags and the environment of the settings', async () => {
      try {
        await set('testEnvVars', { DATABASE: 'shop' });
        const failed = await debug(TAGGED, 'TestTagged');
        assert.equal(failed.message, 'database is shop', JSON.stringify(failed));
        await set('testFlags', ['-v', '-tags=short', '-count=3']);
        const excluded = await debug(TAGGED, 'TestTagged');
        assert.equal(excluded.outcome, 'errored', JSON.stringify(excluded));
      } finally {
        await set('testEnvVars', undefined);
        await set('testFlags', undefined);
      }
    });

    it('reports the errors of the compiler', async () => {
      const answer = await debug(TAGGED, 'TestTagged', { args: ['-tags', 'broken'] });
      assert.equal(answer.outcome, 'errored', JSON.stringify(answer));
      assert.match(answer.message ?? '', /broken\.go:\d+:\d+: undefined: nothing/);
    });
  });
});
