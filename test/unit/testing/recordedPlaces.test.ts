import { strict as assert } from 'node:assert';
import { cargoTest } from '../../../src/testing/cargo/cargoTest';
import { googleTest } from '../../../src/testing/googletest/googleTest';
import type { ReportedError, RunReport } from '../../../src/testing/runReport';

const FOLDER = '/app';

interface Frame {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly variables?: readonly (readonly [string, string])[];
}

const frame = (name: string, line: number, path = '/app/src/lib.rs', value?: string): Frame => ({
  ...{ name, line, path },
  ...(value === undefined ? {} : { variables: [['v', value]] as const }),
});

const place = (
  kind: string,
  number: number,
  frames: readonly Frame[],
  more: object = {},
): object => ({
  place: { kind, number, thread: 7, frames, ...more },
});

const written = (...entries: readonly object[]): string =>
  [{ recording: true }, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');

const shown = (error: ReportedError | undefined) =>
  error?.frames.map(({ name, line, variables }) => [name, line, variables?.[0]?.value]);

describe('the panics that a debugger recorded', () => {
  const test = { path: ['tests::adds'], line: 3, isTemplate: false };
  const std = frame('core::panicking::panic_fmt', 80, '/rustc/1/panicking.rs');
  const run = (lines: readonly string[], recorded: string): ReportedError | undefined =>
    outcome(lines, recorded).tests[0]?.error;
  const outcome = (lines: readonly string[], recorded: string): RunReport =>
    cargoTest.readOutcome(undefined, lines, test, FOLDER, recorded);
  const END = [
    'test tests::adds ... FAILED',
    'test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out',
  ];

  it('have the values of the last one of the test’s own thread, without the closure around the test', () => {
    const frames = [std, frame('app::tests::adds', 9, undefined, '5')];
    const wrapper = frame('app::tests::adds::{{closure}}', 3);
    const error = run(
      [
        "thread 'tests::adds' (7) panicked at src/lib.rs:4:1:",
        'caught',
        'note: run with',
        "thread 'tests::adds' (7) panicked at src/lib.rs:9:5:",
        'one\n\nmore',
        ...END,
      ].flatMap((text) => text.split('\n')),
      written(
        place('panic', 1, [std, frame('app::tests::adds', 4, undefined, '1'), wrapper]),
        place('panic', 2, [...frames, wrapper]),
      ),
    );
    assert.deepEqual(shown(error), [
      ['core::panicking::panic_fmt', 80, undefined],
      ['app::tests::adds', 9, '5'],
    ]);
    assert.deepEqual([error?.place, error?.message], [{ path: '/app/src/lib.rs', line: 9 }, 'one']);
    assert.equal(error?.stopAt, '{"kind":"panic","number":2}');
  });

  it('have that of another thread as the origin if the test only passes it on', () => {
    const error = run(
      [
        "thread '<unnamed>' (8) panicked at src/lib.rs:6:9:",
        'index out of bounds',
        'note: run with',
        "thread 'tests::adds' (7) panicked at src/lib.rs:8:5:",
        'called `Result::unwrap()` on an `Err` value: Any { .. }',
        ...END,
      ],
      written(
        place('panic', 1, [frame('app::tests::adds::{{closure}}', 6, undefined, '2')], {
          thread: 8,
        }),
        place('panic', 2, [frame('app::tests::adds', 8)]),
      ),
    );
    assert.deepEqual(
      [error?.message, shown(error)],
      ['index out of bounds', [['app::tests::adds::{{closure}}', 6, '2']]],
    );
    assert.deepEqual(
      error?.further?.map(({ message, place: at }) => [message.slice(0, 6), at?.line]),
      [['called', 8]],
    );
  });

  it('have that of a task as the origin, which may run in the same thread', () => {
    const error = run(
      [
        "thread 'tests::adds' (7) panicked at src/lib.rs:6:9:",
        'boom',
        'note: run with',
        "thread 'tests::adds' (7) panicked at src/lib.rs:8:5:",
        'called `Result::unwrap()` on an `Err` value: JoinError::Panic(Id(3), "boom", ...)',
        ...END,
      ],
      written(
        place('panic', 1, [frame('app::tests::adds::{{closure}}', 6, undefined, '2')]),
        place('panic', 2, [frame('app::tests::adds', 8)]),
      ),
    );
    assert.deepEqual([error?.message, error?.place?.line, error?.further?.length], ['boom', 6, 1]);
  });

  it('have the line of the macro that the runner names', () => {
    const error = run(
      ["thread 'tests::adds' (7) panicked at src/lib.rs:26:5:", 'no', ...END],
      written(place('panic', 1, [frame('app::tests::adds', 23, undefined, '6')])),
    );
    assert.deepEqual(shown(error), [['app::tests::adds', 26, '6']]);
  });

  it('have the `?` of a returned error, in the function that returned it first', () => {
    const residual = frame('<Result<T,F> as FromResidual>::from_residual', 1, '/rustc/1/result.rs');
    const error = run(
      ['running 1 test', 'Error: Broken {', '    code: 3,', '}', ...END],
      written(
        place('residual', 1, [residual, frame('app::other', 30)], {}),
        place('residual', 2, [
          residual,
          frame('app::parse', 12, undefined, 'x'),
          frame('app::tests::adds', 9),
        ]),
        place('residual', 3, [residual, frame('app::tests::adds', 9)], { isOfTest: true }),
      ),
    );
    assert.equal(error?.message, 'Error: Broken {\n    code: 3,\n}');
    assert.deepEqual(shown(error), [
      ['app::parse', 12, 'x'],
      ['app::tests::adds', 9, undefined],
    ]);
    const bare = run(['running 1 test', 'Error: "odd"', ...END], written());
    assert.deepEqual([bare?.message, bare?.frames], ['Error: "odd"', []]);
  });

  it('name the signal of a crash, and the place where the stack was full', () => {
    const overflow = outcome(
      ['running 1 test', '', "thread 'tests::adds' has overflowed its stack"],
      written(
        place('signal', 1, [frame('app::deeper', 4)], {
          signal: 'SIGSEGV',
          text: 'signal SIGSEGV: invalid address',
        }),
        place('signal', 2, [frame('abort', 1, '/libc/abort.c')], { signal: 'SIGABRT' }),
      ),
    ).tests[0];
    assert.deepEqual(
      [overflow?.outcome, overflow?.error?.type, overflow?.error?.message],
      ['failed', 'SIGSEGV', 'SIGSEGV: invalid address'],
    );
    assert.deepEqual(shown(overflow?.error), [['app::deeper', 4, undefined]]);
    const aborted = outcome(
      ['fatal runtime error: drop panicked'],
      written(place('signal', 1, [frame('app::tests::adds', 4)], { signal: 'SIGABRT' })),
    ).tests[0]?.error;
    assert.equal(aborted?.message, 'SIGABRT: fatal runtime error: drop panicked');
  });

  it('is the failure while the program is stopped there', () => {
    const { isStopping, tests } = outcome(
      ["thread 'tests::adds' (7) panicked at src/lib.rs:9:5:", 'no'],
      written(place('panic', 1, [frame('app::tests::adds', 9)]), { stopping: true }),
    );
    assert.deepEqual(
      [isStopping, tests[0]?.outcome, tests[0]?.error?.message],
      [true, 'failed', 'no'],
    );
  });
});

describe('the failures of GoogleTest that a debugger recorded', () => {
  const test = { path: ['Cart', 'Adds'], line: 3, isTemplate: false };
  const FILE = '/app/cart_test.cpp';
  const library = frame(
    'testing::internal::AssertHelper::operator=(testing::Message const&) const',
    9,
    '/app/third_party/gtest/src/gtest.cc',
    '0',
  );
  const read = (failures: readonly string[], recorded: string): ReportedError | undefined => {
    const entry = {
      name: 'Adds',
      status: 'RUN',
      failures: failures.map((failure) => ({ failure })),
    };
    const report = JSON.stringify({ testsuites: [{ name: 'Cart', testsuite: [entry] }] });
    return googleTest.readOutcome(report, [], test, FOLDER, recorded).tests[0]?.error;
  };

  it('have the place that the runner names, not one in the library, nor one that the test expects', () => {
    const own = frame('expectTotal(int)', 24, FILE, '3');
    const error = read(
      [`${FILE}:26\nExpected: a`, `${FILE}:26\nExpected: b`],
      written(
        place('failure', 1, [library, frame('Cart_Adds_Test::TestBody()', 5, FILE)], {
          file: FILE,
          line: 5,
        }),
        place('failure', 2, [library, own], { file: FILE, line: 26 }),
        place('failure', 3, [library, { ...own, variables: [['v', '4']] }], {
          file: FILE,
          line: 26,
        }),
      ),
    );
    assert.deepEqual(shown(error), [['expectTotal(int)', 26, '3']]);
    assert.deepEqual(
      [error?.place, error?.stopAt],
      [{ path: FILE, line: 26 }, '{"kind":"failure","number":2}'],
    );
    assert.deepEqual(shown(error?.further?.[0]), [['expectTotal(int)', 26, '4']]);
  });

  it('have the place of the throw of an exception that left the test', () => {
    const thrown = {
      ...{ kind: 'throw', number: 3, thread: 7, type: 'std::range_error' },
      frames: [frame('check(int)', 20, FILE, '-2'), frame('Cart_Adds_Test::TestBody()', 41, FILE)],
    };
    const error = read(
      ['unknown file\nC++ exception with description "no price" thrown in the test body.'],
      written(place('failure', 1, [library], { thrown })),
    );
    assert.deepEqual(
      [error?.type, error?.message, error?.stopAt],
      ['std::range_error', 'no price', '{"kind":"throw","number":3}'],
    );
    assert.deepEqual(shown(error), [
      ['check(int)', 20, '-2'],
      ['Cart_Adds_Test::TestBody()', 41, undefined],
    ]);
  });

  it('are told without values if there were too many, or if the debugger runs no scripts', () => {
    const failure = [`${FILE}:26\nExpected: a`];
    const lost = read(failure, written({ lost: true }));
    assert.deepEqual([lost?.withoutValues, lost?.frames[0]?.line], ['too_many_failures', 26]);
    assert.equal(read(failure, '')?.withoutValues, undefined);
  });

  it('name the signal or the exception that ended the program', () => {
    const crash = (output: readonly string[], recorded: string) =>
      googleTest.readOutcome(undefined, output, test, FOLDER, recorded).tests[0];
    const thrown = {
      kind: 'throw',
      number: 1,
      type: 'std::bad_alloc',
      frames: [frame('worker()', 4, FILE)],
    };
    const ended = crash(
      [
        '[ RUN      ] Cart.Adds',
        "terminate called after throwing an instance of 'std::bad_alloc'",
        '  what():  std::bad_alloc',
      ],
      written(
        place('signal', 1, [frame('raise', 1, '/libc/raise.c')], { signal: 'SIGABRT', thrown }),
      ),
    );
    assert.deepEqual(
      [ended?.outcome, ended?.path, ended?.error?.type, ended?.error?.message],
      ['failed', ['Cart', 'Adds'], 'std::bad_alloc', 'std::bad_alloc'],
    );
    assert.deepEqual(shown(ended?.error), [['worker()', 4, undefined]]);
    const asserted = crash(
      ["cart: a.cpp:3: int f(): Assertion `n > 0' failed."],
      written(place('signal', 1, [frame('f()', 3, FILE)], { signal: 'SIGABRT' })),
    );
    assert.match(asserted?.error?.message ?? '', /^SIGABRT: cart: .*Assertion/);
  });
});
