import { strict as assert } from 'node:assert';
import { exited } from '../../../src/testing/report/exits';
import { readOwnReport } from '../../../src/testing/report/readReport';
import { testResult } from '../../../src/testing/report/testResult';
import { finishedVerdict, verdictOf, withExit } from '../../../src/testing/report/verdict';
import { debugpy } from '../../../src/debugger/adapters/debugpy';
import type { TestPlan } from '../../../src/testing/planTest';
import type { ChosenTest } from '../../../src/testing/testFramework';
import { pytest } from '../../../src/testing/python/python';
import { bench } from '../support/services';

const FILE = '/home/ada/app/test_cart.py';
const TEST: ChosenTest = { path: ['Cart', 'test_adds'], line: undefined, isTemplate: false };
const startIn = (cwd: string) => ({
  ...{ name: 'test', folderPath: '/home/ada', isCompound: false, task: undefined },
  ...{ stopAll: false, shown: undefined, isMadeUp: true, overridden: [] },
  launches: [{ name: 'test', type: 'debugpy', folderPath: '/home/ada', configuration: { cwd } }],
});
// Verdicts and results read only these parts of a plan.
const PLAN = {
  framework: pytest,
  file: FILE,
  test: TEST,
  start: startIn('/home/ada'),
} as Partial<TestPlan> as TestPlan;

const about = (name: string, more: object): object => {
  const path = ['Cart', name];
  return { id: name, path, file: FILE, line: 4, requested: 'test', ...more };
};

const read = (entries: readonly (object | string)[], output: readonly string[] = []) =>
  readOwnReport(
    entries.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n'),
    output,
    TEST,
  );

describe('a process that ends before its test', () => {
  it('names the signal that an exit code stands for', () => {
    const message = (code: number): string => exited(code).message;
    assert.match(message(134), /was ended by SIGABRT before/);
    assert.match(message(-11), /was ended by SIGSEGV before/);
    assert.match(message(3), /exited with code 3 before/);
    assert.match(message(255), /exited with code 255 before/);
    assert.deepEqual(
      [250, 247, 245, 134, 1, 255].map((code) => debugpy.exitSignal?.(code)),
      [6, 9, 11, undefined, undefined, undefined],
    );
  });

  it('is told with the test that was running, although the test printed something like an error', () => {
    const printed = ['retry.ConnectionError: first attempt failed'];
    const passed = about('test_first', { status: 'passed' });
    const report = read([passed, about('test_adds', { running: true })], printed);
    const { outcome, test, error } = withExit(verdictOf(report, PLAN), -6);
    assert.deepEqual([outcome, test?.path], ['errored', ['Cart', 'test_adds']]);
    assert.match(error?.message ?? '', /SIGABRT/);
    assert.deepEqual(error?.frames, [{ name: 'test_adds', path: FILE, line: 4 }]);
  });

  it('is told with the place that Python itself wrote', () => {
    const crash = [
      'Fatal Python error: Aborted',
      '',
      'Thread 0x1 (most recent call first):',
      '  File "/lib/threading.py", line 1 in wait',
      '',
      'Current thread 0x2 (most recent call first):',
      `  File "${FILE}", line 6 in test_adds`,
      '  File "/lib/case.py", line 9 in run',
      'said',
    ];
    const begun = about('test_adds', { running: true });
    for (const report of [read([begun, ...crash]), read([begun], crash)]) {
      const { error } = withExit(verdictOf(report, PLAN), 134);
      assert.deepEqual(
        error?.frames.map(({ path, line, name }) => [path, line, name]),
        [
          [FILE, 6, 'test_adds'],
          ['/lib/case.py', 9, 'run'],
        ],
      );
    }
  });

  it('has its output in the answer', async () => {
    const output = ['collected 1 item', 'said', 'Fatal Python error: Aborted'];
    const report = read([about('test_adds', { running: true })], output);
    const verdict = withExit(verdictOf(report, PLAN), -6);
    const answer = await testResult(bench().services, PLAN, verdict, output);
    assert.deepEqual(answer['output'], output);
  });

  it('has not ended if the run was stopped by its time limit', () => {
    assert.equal(finishedVerdict(read([about('test_adds', { running: true })]), PLAN), undefined);
    const failed = { status: 'failed', error: { message: 'no' } };
    const one = [about('test_first', failed), about('test_adds', { running: true })];
    assert.equal(finishedVerdict(read(one), PLAN)?.outcome, 'failed');
  });
});

describe('the entries of a report', () => {
  it('are replaced by later ones about the same test', () => {
    const failed = about('test_adds', { status: 'failed', error: { message: 'first' } });
    const { tests } = read([failed, about('test_adds', { status: 'passed' })]);
    assert.deepEqual(
      tests.map(({ outcome }) => outcome),
      ['passed'],
    );
  });

  it('are all requested if the reporter has selected them, whatever their names are', () => {
    const named = { ...PLAN, test: { ...TEST, path: ['Base'] } };
    const report = read([about('test_adds', { status: 'skipped', reason: 'later' })]);
    assert.equal(verdictOf(report, named).outcome, 'skipped');
  });

  it('tell what the run left out, and what failed in it', async () => {
    const report = read([
      { droppedOptions: ['-n 4'] },
      { toolFailure: 'no way' },
      { collected: ['Cart::test_add'] },
    ]);
    const answer = await testResult(bench().services, PLAN, verdictOf(report, PLAN), []);
    assert.deepEqual(
      [answer['dropped_options'], answer['tool_failure'], answer['collected']],
      [['-n 4'], 'no way', ['Cart::test_add']],
    );
  });

  it('name the folder of the run if it is not the workspace folder', async () => {
    const report = read([about('test_adds', { status: 'passed' })]);
    for (const [folder, told] of [
      ['/home/ada', undefined],
      ['/home/ada/app', '/home/ada/app'],
    ] as const) {
      const plan = { ...PLAN, start: { ...PLAN.start, ...startIn(folder) } };
      const answer = await testResult(bench().services, plan, verdictOf(report, plan), []);
      assert.equal(answer['ran_in_folder'], told);
    }
  });

  it('may say that variables were read after code that may have changed them', async () => {
    const frame = { path: FILE, line: 2, name: 'test_adds', variables: [['total', '3']] };
    const entry = about('test_adds', {
      status: 'failed',
      error: { message: 'no', frames: [{ ...frame, isLate: true }] },
    });
    const on = bench();
    on.workspace.files.set(FILE, 'def test_adds():\n    assert total\n');
    const answer = await testResult(on.services, PLAN, verdictOf(read([entry]), PLAN), []);
    assert.match(JSON.stringify(answer['frames']), /"variables_read":"after the finally or with/);
  });
});

describe('a line that looks like an error', () => {
  const message = (...output: string[]): unknown => read([], output).error?.message;

  it('is one only with a stack, the source before it, or a mark', () => {
    assert.equal(message('retry.ConnectionError: failed, retrying'), undefined);
    assert.equal(message('TypeError: no', '    at load (/app/a.js:1:2)'), 'no');
    assert.equal(message('/app/a.js:1', 'const = 3', '      ^', '', 'SyntaxError: no'), 'no');
    assert.equal(message('✖ ERROR: TypeError: no'), 'no');
  });
});
