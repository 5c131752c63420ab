import { strict as assert } from 'node:assert';
import type { Frame } from '../../../src/debugger/inspection/stackAndVariables';
import { goObserver } from '../../../src/testing/go/goObserver';
import type { ObservedStop } from '../../../src/testing/libraryObserver';
import type { ChosenTest } from '../../../src/testing/testFramework';
import { frameAt } from '../support/stacks';

const FILE = '/home/ada/app/cart_test.go';
const FAIL = 'testing.(*common).Fail';
const TEST: ChosenTest = { path: ['TestA'], line: 3, isTemplate: false };

type Values = Readonly<Record<string, string>>;

interface Facts {
  readonly values?: Values;
  /** The names of the frames below the top one. */
  readonly callers?: readonly (string | Frame)[];
  /** The frames of other threads. */
  readonly threads?: Readonly<Record<number, readonly string[]>>;
  readonly exception?: string;
}

function stopAt(functionName: string | undefined, facts: Facts = {}): ObservedStop {
  const { values = {}, callers = [], threads = {}, exception } = facts;
  const frames = [functionName ?? 'runtime.fatalpanic', ...callers].map((frame, id) =>
    typeof frame === 'string' ? { ...frameAt(frame), id } : frame,
  );
  return {
    functionName,
    frames,
    exception: exception === undefined ? undefined : { type: 'unknown', message: exception },
    evaluate: (expression, frame) =>
      Promise.resolve(
        values[frame === undefined ? expression : `${frame.name}: ${expression}`] ??
          values[`${String(frame?.id)}: ${expression}`],
      ),
    framesOf: (threadId) =>
      Promise.resolve(
        (threads[threadId] ?? []).map((name) => ({ ...frameAt(name), id: 100 * threadId })),
      ),
    threads: () => Promise.resolve(Object.keys(threads).map(Number)),
  };
}

const logged = (log: string): Values => ({
  'c.name': '"TestA"',
  'len(c.output)': String(Buffer.byteLength(log)),
  'string(c.output)': JSON.stringify(log),
});

const LINE_9 = frameAt('app.TestA', { path: FILE, line: 9 });

const failedAt = async (log: string, callers: Facts['callers'] = [], more: Values = {}) => {
  const stop = stopAt(FAIL, { values: { ...logged(log), ...more }, callers });
  return await goObserver.observe(stop, TEST, FILE);
};

describe('a test of Go that fails', () => {
  it('stops only if the runner has started it', () => {
    assert.deepEqual(goObserver.stops({ ...TEST, path: ['TestA', 'two words'] }), [
      { functionName: FAIL, condition: 'c.runner != ""' },
      { functionName: 'os.Exit', condition: 'code != 0 && runtime.curg.goid != 1' },
      { functionName: 'testing.(*T).report', condition: 't.common.name == "TestA/two_words"' },
    ]);
  });

  it('has what it logged last as its message, with its place, indentation and all lines', async () => {
    const log =
      '    cart_test.go:7: before\n    cart_test.go:9:   总数\n        \tsecond\n         third\n';
    const seen = await failedAt(log, ['testing.(*common).Errorf', LINE_9]);
    assert.equal(seen?.isFailure, true);
    assert.deepEqual(seen.test.path, ['TestA']);
    const { error, output } = seen.test;
    assert.equal(error?.message, '  总数\n\tsecond\n third');
    assert.deepEqual(error.frames, [{ path: FILE, line: 9, name: '' }]);
    assert.deepEqual([error.isPlaced, output], [true, ['cart_test.go:7: before']]);
  });

  it('has the place that the runner prints, in the file that is on the stack', async () => {
    const helper = frameAt('lib.check', { path: '/home/ada/lib/check.go', line: 12 });
    const seen = await failedAt('    check.go:12: no\n', ['testing.(*common).Errorf', helper]);
    assert.equal(seen?.test.error?.frames[0]?.path, '/home/ada/lib/check.go');
    const elsewhere = await failedAt('    suite.go:12: no\n', ['testing.(*common).Errorf', helper]);
    assert.deepEqual(elsewhere?.test.error?.frames, []);
  });

  it('has no message if it logged none for it', async () => {
    const seen = await failedAt('', ['app.TestA']);
    assert.deepEqual([seen?.test.error?.message, seen?.test.error?.frames], ['', []]);
  });

  it('has the values of testify', async () => {
    const text = [
      '    s_test.go:5: ',
      '        \tError Trace:\t/app/s_test.go:5',
      '        \tError:      \tNot equal: ',
      '        \t            \texpected: "a\\nb"',
      '        \t            \tactual  : "a\\nx"',
      '        \t            \t',
      '        \t            \tDiff:',
      '        \t            \t-b',
      '        \tTest:       \tTestA',
      '',
    ].join('\n');
    const { error } = (await failedAt(text))?.test ?? {};
    assert.deepEqual([error?.expected, error?.actual], ['"a\\nb"', '"a\\nx"']);
    assert.match(error?.message ?? '', /^\tError Trace:/);
  });

  it('has the log of the test around its bubble of synctest', async () => {
    const { 'c.name': name, ...log } = logged('    cart_test.go:9: no\n');
    const values = Object.fromEntries(
      Object.entries(log).map(([key, value]) => [key.replace('c.', 'c.parent.'), value]),
    );
    const more = { 'c.name': name ?? '', 'c.isSynctest': 'true', 'len(c.output)': '0' };
    const stop = stopAt(FAIL, { values: { ...values, ...more }, callers: [LINE_9] });
    const seen = await goObserver.observe(stop, TEST, FILE);
    assert.deepEqual([seen?.test.error?.message, seen?.mark], ['no', '23 TestA']);
  });

  it('is cut in front if its message is longer than what is read', async () => {
    const size = 9000;
    const tail = `${'x'.repeat(3999)}\n`;
    const values = {
      ...logged(''),
      'len(c.output)': String(size),
      [`string(c.output[5000:9000])`]: JSON.stringify(tail),
    };
    const seen = await goObserver.observe(stopAt(FAIL, { values }), TEST, FILE);
    assert.match(seen?.test.error?.message ?? '', /^…x{3999}/);
  });

  it('is not the test around it, nor the one that runs all others, nor its own panic', async () => {
    assert.equal(await failedAt('', [FAIL, 'testing.(*common).Errorf']), undefined);
    assert.equal(await failedAt('', [], { 'c.name': '""' }), undefined);
    const byRunner = ['testing.tRunner.func1.2', 'testing.tRunner.func1', 'runtime.gopanic'];
    assert.equal(await failedAt('', byRunner), undefined);
    const byTest = ['app.TestA.func1', 'runtime.gopanic', 'app.TestA', 'testing.tRunner'];
    assert.equal((await failedAt('', byTest))?.isFailure, true);
  });

  it('belongs to the run, and not to another one inside a test', async () => {
    const at = async (root: string) =>
      await goObserver.observe(
        stopAt(FAIL, {
          values: {
            ...logged(''),
            'c.level': '2',
            'uintptr(c.parent.parent)': root,
            'testing.runTests: uintptr(t)': '16 = 0x10',
          },
          threads: { 1: ['testing.(*T).Run', 'testing.runTests'] },
        }),
        TEST,
        FILE,
      );
    assert.equal(await at('32 = 0x20'), undefined);
    assert.equal((await at('16 = 0x10'))?.isFailure, true);
  });
});

describe('a test of Go that ends', () => {
  const end = async (values: Values, name = 'testing.(*T).report', test = TEST) =>
    await goObserver.observe(stopAt(name, { values }), test, FILE);

  it('has passed, in its time', async () => {
    const seen = await end({
      't.common.name': '"TestA"',
      't.common.failed': 'false',
      't.common.skipped': 'false',
      't.common.duration': '1500000',
    });
    assert.equal(seen?.isFailure, false);
    assert.deepEqual([seen.test.outcome, seen.test.durationMs], ['passed', 1.5]);
  });

  it('was skipped for the reason that it logged last', async () => {
    const log = '    a_test.go:3: x\n    a_test.go:4: no network\n';
    const seen = await end({
      't.common.name': '"TestA/b_c"',
      't.common.skipped': 'true',
      'len(t.common.output)': String(log.length),
      'string(t.common.output)': JSON.stringify(log),
    });
    assert.deepEqual(
      [seen?.test.outcome, seen?.test.reason, seen?.test.path, seen?.test.output],
      ['skipped', 'no network', ['TestA', 'b_c'], ['a_test.go:3: x']],
    );
  });

  it('is an example whose output is compared', async () => {
    const example = async (
      stdout: string,
      output: string,
      isUnordered = 'false',
      more: Values = {},
    ) =>
      await end(
        {
          stdout: JSON.stringify(stdout),
          'eg.Output': JSON.stringify(output),
          'eg.Unordered': isUnordered,
          ...more,
        },
        'testing.(*InternalExample).processRunResult',
        { ...TEST, path: ['Example'] },
      );
    assert.equal((await example('a\nb\n', 'a\nb\n'))?.test.outcome, 'passed');
    assert.equal((await example('b\na\n', 'a\nb\n', 'true'))?.test.outcome, 'passed');
    const { test: failed } = (await example('b\na\n', 'a\nb\n')) ?? {};
    assert.deepEqual(
      [failed?.outcome, failed?.error?.message, failed?.error?.expected, failed?.error?.actual],
      ['failed', 'got:\nb\na\nwant:\na\nb', 'a\nb', 'b\na'],
    );
    assert.equal(await example('a', 'b', 'false', { finished: 'false' }), undefined);
  });
});

describe('a panic of Go', () => {
  const panic = async (
    shown: string,
    exception = 'panic',
    callers = ['testing.tRunner'],
    threads: Facts['threads'] = {},
  ) => {
    const values = {
      'runtime.curg._panic.arg': shown,
      'testing.tRunner: t.common.name': '"TestA/b"',
    };
    return (
      await goObserver.observe(
        stopAt(undefined, { values, callers, exception, threads }),
        TEST,
        FILE,
      )
    )?.test;
  };

  for (const [shown, text] of [
    ['interface {}(string) "a \\"string\\""', 'a "string"'],
    [
      'interface {}(*fmt.wrapError) *{msg: "wrapped: inner", err: error(*errors.errorString) *{s: "inner"}}',
      'wrapped: inner',
    ],
    ['interface {}(*errors.errorString) *{s: "no"}', 'no'],
    [
      'interface {}(runtime.errorString) "invalid memory address or nil pointer dereference"',
      'runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      'interface {}(runtime.boundsError) {x: 5, y: 1, signed: true, code: BoundsIndex (0)}',
      'runtime error: index out of range [5] with length 1',
    ],
    [
      'interface {}(runtime.boundsError) {x: -1, y: 0, signed: true, code: BoundsIndex (0)}',
      'runtime error: index out of range [-1]',
    ],
    [
      'interface {}(runtime.boundsError) {x: 3, y: 1, signed: true, code: 3}',
      'runtime error: slice bounds out of range [3:1]',
    ],
    ['interface {}(shop.point) {x: 1, y: 2}', 'shop.point {x: 1, y: 2}'],
    ['interface {}(int) 42', 'int 42'],
  ] as const)
    it(`has the text ${text}`, async () => {
      assert.equal((await panic(shown))?.error?.message, text);
    });

  it('belongs to the test on its stack, to the requested one, or to none', async () => {
    const shown = 'interface {}(string) "no"';
    assert.deepEqual((await panic(shown))?.path, ['TestA', 'b']);
    const elsewhere = await panic(shown, 'panic', ['app.worker'], { 1: ['testing.(*T).Run'] });
    assert.deepEqual([elsewhere?.outcome, elsewhere?.path], ['failed', ['TestA']]);
    assert.equal((await panic(shown, 'panic', ['app.TestMain', 'main.main']))?.outcome, 'errored');
  });

  it('may be an error of the runtime', async () => {
    const seen = await panic(
      'interface {} nil',
      'fatal error: "all goroutines are asleep - deadlock!"',
      [],
    );
    assert.deepEqual(
      [seen?.error?.type, seen?.error?.message],
      ['fatal error', 'all goroutines are asleep - deadlock!'],
    );
  });
});

describe('a test of Go that ends the process', () => {
  it('is told with the exit code', async () => {
    const values = { code: '3', 'testing.tRunner: t.common.name': '"TestA/b"' };
    const stop = stopAt('os.Exit', { values, callers: ['app.TestA.func1', 'testing.tRunner'] });
    const { isFailure, test } = (await goObserver.observe(stop, TEST, FILE)) ?? {};
    assert.deepEqual([isFailure, test?.outcome, test?.path], [true, 'errored', ['TestA', 'b']]);
    assert.match(test?.error?.message ?? '', /exited with code 3 before/);
  });
});

describe('the goroutine of a test', () => {
  it('is the one that runs it, not one that waits for it', async () => {
    const threads = {
      1: ['testing.(*T).Run', 'testing.tRunner', 'testing.runTests'],
      5: ['runtime.gopark', 'testing.(*T).Run', 'app.TestA', 'testing.tRunner'],
      6: ['runtime.gopark', 'time.Sleep', 'app.ticker'],
      7: ['runtime.gopark', 'app.wait', 'app.TestA.func1', 'testing.tRunner'],
    };
    const values = {
      '100: t.common.name': '""',
      '500: t.common.name': '"TestA"',
      '700: t.common.name': '"TestA/row"',
    };
    assert.equal(await goObserver.threadOf(stopAt('x', { threads, values }), TEST), 7);
    assert.equal(
      await goObserver.threadOf(stopAt('x', { threads: { 6: threads[6] } }), TEST),
      undefined,
    );
  });

  it('tells what it waits for', async () => {
    const waitsFor = async (shown: string) =>
      await goObserver.waitsFor?.(stopAt('x', { values: { 'runtime.curg.waitreason': shown } }));
    assert.equal(await waitsFor('waitReasonChanReceive (19) = 0x13'), 'chan receive');
    assert.equal(await waitsFor('waitReasonZero (0) = 0x0'), undefined);
  });
});
