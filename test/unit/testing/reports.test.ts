import { strict as assert } from 'node:assert';
import { readOwnReport } from '../../../src/testing/report/readReport';
import { errorsView, failureView } from '../../../src/testing/report/testReport';
import { stayed } from '../../../src/testing/report/testResult';
import {
  finishedVerdict,
  isThrown,
  verdictOf,
  withExit,
  withObservedExit,
  withSkipped,
  type Verdict,
} from '../../../src/testing/report/verdict';
import { googleTest } from '../../../src/testing/googletest/googleTest';
import { wholePattern } from '../../../src/testing/javascript/testNames';
import type { ChosenTest } from '../../../src/testing/testFramework';
import { bench } from '../support/services';

const TEST: ChosenTest = { path: ['cart', 'adds'], line: 3, isTemplate: false };

const FILE = '/app/cart.test.js';

const lines = (...entries: object[]): string =>
  entries.map((each) => `${JSON.stringify(each)}\n`).join('');

describe('the report of a test runner', () => {
  it('has the outcome of the selected test, whatever else ran', () => {
    const report = readOwnReport(
      lines(
        { path: ['cart', 'adds'], status: 'passed', durationMs: 2 },
        { path: ['other', 'adds'], status: 'failed', error: { message: 'no' } },
      ),
      [],
      TEST,
    );
    const verdict = verdictOf(report, { test: TEST, file: FILE });
    assert.equal(verdict.outcome, 'passed');
    assert.deepEqual(verdict.others, {});
  });

  it('has no outcome of another test in another file, or on another line', () => {
    const report = readOwnReport(
      lines(
        { path: ['cart', 'adds'], file: FILE, status: 'passed' },
        { path: ['cart', 'adds'], file: '/app/other.test.js', status: 'failed', error: {} },
      ),
      [],
      TEST,
    );
    assert.equal(verdictOf(report, { test: TEST, file: FILE }).outcome, 'passed');
    const test: ChosenTest = { path: ['cart', '${name}'], line: 3, endLine: 3, isTemplate: true };
    const rows = readOwnReport(
      lines(
        { path: ['cart', 'one'], line: 3, status: 'passed' },
        { path: ['cart', 'two'], line: 3, status: 'passed' },
        { path: ['cart', 'boom'], line: 4, status: 'failed', error: {} },
      ),
      [],
      test,
    );
    const { outcome, others } = verdictOf(rows, { test, file: FILE });
    assert.deepEqual([outcome, others], ['passed', { passed: 1 }]);
  });

  it('has the failure of one row of a table, and counts the others', () => {
    const test: ChosenTest = { path: ['test_rows'], line: 1, isTemplate: false };
    const report = readOwnReport(
      lines(
        { path: ['test_rows[1]'], line: 1, status: 'passed' },
        { path: ['test_rows[2]'], line: 1, status: 'failed', error: { message: 'two' } },
        { path: ['test_rows[3]'], line: 1, status: 'failed', error: { message: 'three' } },
      ),
      [],
      test,
    );
    const verdict = verdictOf(report, { test, file: FILE });
    assert.equal(verdict.error?.message, 'two');
    assert.deepEqual(verdict.others, { passed: 1, failed: 1 });
  });

  it('is read up to a line that was cut, and reports no test if none ran', () => {
    const { tests } = readOwnReport(
      `${lines({ path: ['cart', 'adds'], status: 'skipped', reason: 'later' })}{"path":["ca`,
      [],
      TEST,
    );
    assert.deepEqual(
      tests.map(({ outcome, reason }) => [outcome, reason]),
      [['skipped', 'later']],
    );
    assert.equal(
      verdictOf(readOwnReport(undefined, [], TEST), { test: TEST, file: FILE }).outcome,
      'not_found',
    );
    const left = lines({ path: ['cart', 'other'], status: 'skipped', isUnmatched: true });
    assert.equal(
      verdictOf(readOwnReport(left, [], TEST), { test: TEST, file: FILE }).outcome,
      'not_found',
    );
  });

  it('has the frames of a stack, and of an error that its program printed', () => {
    const { tests } = readOwnReport(
      lines({
        path: ['cart', 'adds'],
        status: 'failed',
        error: {
          type: 'Error',
          message: 'no',
          stack:
            'Error: no\n    at add (file:///app/cart.mjs:4:7)\n    at /app/a b.js:1:2\n    at node:internal/x:3:4',
        },
      }),
      [],
      TEST,
    );
    assert.deepEqual(tests[0]?.error?.frames, [
      { name: 'add', path: '/app/cart.mjs', line: 4, column: 7 },
      { name: '', path: '/app/a b.js', line: 1, column: 2 },
    ]);
    const { error } = readOwnReport(
      undefined,
      [
        '/app/cart.test.js:2',
        'const = 3;',
        '      ^',
        '',
        "SyntaxError: Unexpected token '='",
        '    at wrapSafe (node:internal/modules:1:2)',
      ],
      TEST,
    );
    assert.equal(error?.type, 'SyntaxError');
    assert.deepEqual(
      error.frames.map(({ path, line }) => [path, line]),
      [['/app/cart.test.js', 2]],
    );
    assert.equal(verdictOf({ tests: [], error }, { test: TEST, file: FILE }).outcome, 'errored');
  });
});

describe('a runner that cannot start', () => {
  it('prints an error, with mocha’s mark before it', () => {
    const message = (line: string): unknown => readOwnReport('', ['', line], TEST).error?.message;
    assert.equal(
      message("✖ ERROR: Error: Cannot find module 'chai2'"),
      "Cannot find module 'chai2'",
    );
    assert.equal(message('✖ ERROR: SyntaxError: Unexpected token'), 'Unexpected token');
    const place = '    at Object.<anonymous> (/p/cart.js:3:22)';
    for (const [type, expected] of [
      ['TypeError', 'TypeError'],
      ['Error', undefined],
    ] as const) {
      const output = ['', ` Exception during run: ${type}: no limit 3`, place];
      const { error } = readOwnReport('', output, TEST);
      assert.deepEqual([error?.type, error?.message], [expected, 'no limit 3']);
      assert.equal(error?.frames[0]?.line, 3);
    }
    assert.equal(message('Error: no tests'), 'no tests');
    assert.equal(message('✖ 3 problems'), undefined);
  });
});

describe('a test with several failures', () => {
  const plan = { test: TEST, file: FILE } as const;
  const messages = ({ error, further = [] }: Verdict): unknown =>
    [error, ...further].map((each) => each?.message);

  it('has those of one test, and those of its subtests', () => {
    const path = ['cart', 'adds'];
    const soft = { message: 'one', further: [{ message: 'two' }] };
    const one = readOwnReport(lines({ path, status: 'failed', error: soft }), [], TEST);
    assert.deepEqual(messages(verdictOf(one, plan)), ['one', 'two']);
    const subtests = readOwnReport(
      lines(
        { path, status: 'failed', error: { message: 'first' } },
        { path, status: 'failed', error: { message: 'second' } },
        { path: ['cart', 'other'], status: 'failed', error: { message: 'other' } },
      ),
      [],
      TEST,
    );
    assert.deepEqual(messages(verdictOf(subtests, plan)), ['first', 'second']);
  });

  it('shows a few of them with their places, and counts the others', async () => {
    const { services } = bench();
    const error = (message: string) => ({ type: undefined, message, frames: [], causes: [] });
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(error);
    const { shown, left } = await errorsView(services, all);
    assert.deepEqual(shown[0], { message: 'a' });
    assert.deepEqual([shown.length, left], [5, 2]);
  });

  it('tells an error of the run, if it passed', () => {
    const late = { loadError: { message: 'late' } };
    const passed = readOwnReport(lines({ path: TEST.path, status: 'passed' }, late), [], TEST);
    const verdict = verdictOf(passed, plan);
    assert.deepEqual([verdict.outcome, verdict.error], ['passed', undefined]);
    assert.equal(verdict.besides?.message, 'late');
    const failed = lines({ path: TEST.path, status: 'failed', error: { message: 'no' } }, late);
    assert.equal(verdictOf(readOwnReport(failed, [], TEST), plan).besides, undefined);
  });
});

describe('a test that ends in an unusual way', () => {
  const plan = { test: TEST, file: FILE } as const;
  const verdict = (...entries: object[]) =>
    verdictOf(readOwnReport(lines(...entries), [], TEST), plan);

  it('is errored if it ends its process', () => {
    const { outcome, error } = verdict({ exited: 3 });
    assert.equal(outcome, 'errored');
    assert.match(error?.message ?? '', /exited with code 3 before the test ended/);
    assert.match(verdict({ exited: null }).error?.message ?? '', /exited before the test ended/);
    const ran = { path: TEST.path, status: 'passed' };
    assert.equal(verdict(ran, { exited: 0 }).outcome, 'passed');
  });

  it('is errored if its runner writes no report and exits with a code of its own', () => {
    const none = verdict();
    assert.deepEqual(
      [undefined, 0, 1, 4, 5, 3, 134].map((code) => withExit(none, code).outcome),
      [...Array<string>(5).fill('not_found'), 'errored', 'errored'],
    );
    assert.equal(withExit(verdict({ path: TEST.path, status: 'passed' }), 3).outcome, 'passed');
    const early = verdict({ exited: null });
    assert.match(withExit(early, 1).error?.message ?? '', /exited with code 1 before/);
    assert.equal(withExit(early, undefined), early);
  });

  it('is errored if it was observed, and its process fails', () => {
    const passed = { outcome: 'passed', path: TEST.path } as const;
    const ran = verdictOf({ tests: [passed] }, plan);
    assert.deepEqual(
      [undefined, 0, 1].map((code) => withObservedExit(ran, code).outcome),
      ['passed', 'passed', 'errored'],
    );
  });

  it('is not one of the tests that the runner left out as skipped', () => {
    const other = { path: ['cart', 'other'], status: 'skipped' };
    assert.equal(verdict(other).outcome, 'not_found');
    assert.equal(verdict({ path: ['adds[1]'], status: 'skipped' }).outcome, 'skipped');
    assert.equal(verdict({ path: ['cart'], status: 'skipped' }).outcome, 'skipped');
  });

  it('is skipped if the file says so, and the runner reports nothing about it', () => {
    const test = { ...TEST, isSkipped: true };
    const outcome = (exitCode: number, ...entries: object[]): unknown =>
      withSkipped(withExit(verdict(...entries), exitCode), test).outcome;
    assert.deepEqual(
      [outcome(0), outcome(0, { path: TEST.path, status: 'passed' }), outcome(0, { exited: 3 })],
      ['skipped', 'passed', 'errored'],
    );
    assert.equal(outcome(134), 'errored');
    assert.equal(withSkipped(verdict(), TEST).outcome, 'not_found');
  });

  it('has ended if the report has its result, although the process runs', () => {
    const report = (entry: object) => readOwnReport(lines(entry), [], TEST);
    const whole = { ...plan, test: TEST } as Parameters<typeof finishedVerdict>[1];
    const outcomeOf = (entry: object): unknown => finishedVerdict(report(entry), whole)?.outcome;
    assert.equal(outcomeOf({ path: TEST.path, status: 'passed' }), 'passed');
    assert.equal(outcomeOf({ path: [...TEST.path, 'part'], status: 'passed' }), undefined);
    assert.equal(outcomeOf({ path: [...TEST.path, 'part'], status: 'failed' }), 'failed');
    // Ending the run because it takes too long also ends its process.
    assert.equal(outcomeOf({ exited: null }), undefined);
    const begun = googleTest.readOutcome(undefined, ['[ RUN      ] Cart.Adds'], TEST);
    assert.equal(finishedVerdict(begun, whole), undefined);
  });

  it('is not run again for an error that no code of the test throws', () => {
    const failed = (message: string) =>
      verdict({ path: TEST.path, status: 'failed', error: { message } });
    for (const message of [
      'test timed out after 200ms',
      'Timeout of 200ms exceeded. For async tests',
      'thrown: "Exceeded timeout of 200 ms for a test.',
      'Test timed out in 100ms.',
    ])
      assert.equal(isThrown(failed(message)), false, message);
    assert.equal(isThrown(failed('the request timed out')), true);
  });

  it('has a message without the lines around the place', async () => {
    const message =
      'expect(received).toThrow(expected)\n\nReceived message: "abc"\n\n      7 | a\n    > 8 | b\n';
    const { services } = bench();
    const error = { type: 'Error', message, frames: [], causes: [] };
    const view = await failureView(services, error, undefined, undefined);
    assert.deepEqual(view, {
      message: 'expect(received).toThrow(expected)\n\nReceived message: "abc"',
      exception: { type: 'Error' },
    });
  });

  it('is not repeated by the stop at which its test stays', () => {
    const stop = {
      ...{ timestamp: '', session_id: 's1', stop_id: 1, reason: 'exception', thread_id: 1 },
      ...{ description: null, text: null, all_threads_stopped: true, line: 1, column: 1 },
      ...{ source: { path: FILE, name: 'cart.test.js' }, call_stack: [], total_frames: 0 },
      ...{ hit_breakpoint_ids: null, top_frame_variables: null },
      ...{ exception: { type: 'Error', message: 'two are missing' } },
    } as const;
    const exceptionOf = (message: string): unknown =>
      stayed({ status: 'completed', message }, { id: 's1' }, stop).stop_event_data?.exception;
    assert.deepEqual(exceptionOf('two are missing\n+ at all'), { type: 'Error' });
    assert.deepEqual(exceptionOf('one is missing'), stop.exception);
  });

  it('has no frames of an assertion library that the project contains, but those of helpers beside the test', async () => {
    const { services, workspace } = bench();
    const at = { path: '/home/ada/app/cart/cart_test.go', line: 9, name: '' };
    workspace.files.set(at.path, '');
    const error = {
      type: undefined,
      message: 'Not equal',
      frames: [at],
      causes: [],
      isPlaced: true,
    };
    const frame = (name: string, file: string, line: number) => ({
      ...{ function_name: name, file_path: file, line_number: line },
    });
    const library = frame('assert.Fail', '/home/ada/app/internal/assert/assert.go', 30);
    const helper = frame('cart.same', '/home/ada/app/cart/helpers_test.go', 4);
    const own = frame('cart.TestAdds', at.path, at.line);
    const framesOf = async (more: object): Promise<unknown> => {
      const frames = [library, helper, own];
      const view = await failureView(services, { ...error, ...more }, frames, undefined);
      return 'frames' in view ? view.frames : undefined;
    };
    assert.deepEqual(await framesOf({}), [helper, own]);
    // What threw an exception is the reason for it.
    assert.deepEqual(await framesOf({ type: 'runtime error' }), [library, helper, own]);
    assert.deepEqual(await framesOf({ isPlaced: false }), [library, helper, own]);
  });

  it('may have a name before its own, if the file does not show it', () => {
    const pattern = (line: number | undefined) =>
      new RegExp(wholePattern({ path: ['a (b)'], line, isTemplate: false }, ' '));
    assert.deepEqual(
      ['a (b)', 'group a (b)', 'xa (b)', 'a (b) c'].map((name) => pattern(undefined).test(name)),
      [true, true, false, false],
    );
    assert.equal(pattern(3).test('group a (b)'), false);
  });
});
