import { strict as assert } from 'node:assert';
import { Failure } from '../../../src/results/failure';
import type { CargoEnd } from '../../../src/tools/services';
import { cargoTest, programOf } from '../../../src/testing/cargo/cargoTest';
import { builtTest, planTest } from '../../../src/testing/planTest';
import type { RunReport } from '../../../src/testing/testFramework';
import { ask } from '../support/asking';
import { bench, failsWith, type Bench } from '../support/services';

const FOLDER = '/home/ada/app/crates/shop';
const TEST = { path: ['tests', 'adds'], line: 3, isTemplate: false };
const SOURCE = '#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {\n  }\n}\n';

const artifact = (root: string, test = true): string =>
  JSON.stringify({
    reason: 'compiler-artifact',
    target: { src_path: root },
    profile: { test },
    executable: test ? `${FOLDER}/target/debug/deps/${root.replace(/\W+/g, '-')}` : null,
  });

const end = (stdout: string, exitCode = 0, stderr = ''): CargoEnd => ({ exitCode, stdout, stderr });

function project(file: string, built: CargoEnd | undefined): Bench {
  const on = bench();
  on.workspace.files.set(file, SOURCE);
  on.workspace.files.set(`${FOLDER}/Cargo.toml`, '');
  on.workspace.debuggers = () => [{ type: 'lldb-dap', label: 'LLDB', languages: ['cpp', 'rust'] }];
  on.services.cargo.run = () => Promise.resolve(built);
  return on;
}

const read = (output: string): RunReport =>
  cargoTest.readOutcome(undefined, output.split('\n'), TEST, FOLDER);

describe('a Rust test', () => {
  it('has the modules of its file in its name, and is built only when it runs', async () => {
    for (const [file, name] of [
      ['src/lib.rs', 'tests::adds'],
      ['src/cart.rs', 'cart::tests::adds'],
      ['src/cart/mod.rs', 'cart::tests::adds'],
      ['src/cart/total.rs', 'cart::total::tests::adds'],
      ['src/bin/tool.rs', 'tests::adds'],
      ['tests/whole.rs', 'tests::adds'],
      ['tests/shop/main.rs', 'tests::adds'],
      ['tests/shop/cart.rs', 'cart::tests::adds'],
      ['src/bin/tool/main.rs', 'tests::adds'],
      ['src/bin/tool/cart.rs', 'cart::tests::adds'],
    ] as const) {
      const on = project(`${FOLDER}/${file}`, undefined);
      let runs = 0;
      on.services.cargo.run = () => {
        runs += 1;
        return Promise.resolve(end(artifact(`${FOLDER}/src/lib.rs`)));
      };
      const plan = await planTest(on.services, { file_path: `${FOLDER}/${file}`, line: 4 });
      assert.equal(runs, 0);
      const { args } = plan.start.launches[0]?.configuration as { args: string[] };
      assert.deepEqual(args.slice(0, 2), [name, '--exact'], file);
      assert.equal(plan.build?.command, 'cargo test --no-run --message-format=json');
      if (!file.startsWith('src/')) continue;
      const built = await builtTest(plan, new AbortController().signal);
      assert.equal(runs, 1);
      assert.match(String(built.start.launches[0]?.configuration['program']), /src-lib-rs$/);
    }
  });

  it('has the modules below the root of its crate in its name, wherever the root is', async () => {
    for (const [file, root, name] of [
      ['tests/unit/suite.rs', 'tests/unit/suite.rs', 'tests::adds'],
      ['tests/common/mod.rs', 'tests/whole.rs', 'common::tests::adds'],
      ['lib/cart.rs', 'lib/shop.rs', 'cart::tests::adds'],
    ] as const) {
      const on = project(`${FOLDER}/${file}`, end(artifact(`${FOLDER}/${root}`)));
      const plan = await planTest(on.services, { file_path: `${FOLDER}/${file}`, line: 4 });
      const built = await builtTest(plan, new AbortController().signal);
      const { args } = built.start.launches[0]?.configuration as { args: string[] };
      assert.deepEqual(args.slice(0, 2), [name, '--exact'], file);
    }
  });

  it('runs in the program of its crate', () => {
    const [lib, whole, bin] = ['src/lib.rs', 'tests/whole.rs', 'src/bin/tool.rs'].map(
      (each) => `${FOLDER}/${each}`,
    );
    assert.ok(lib !== undefined && whole !== undefined && bin !== undefined);
    const all = end(
      [artifact(lib, false), artifact(lib), artifact(whole), artifact(bin), 'x'].join('\n'),
    );
    for (const [file, root] of [
      [lib, 'src-lib-rs'],
      [`${FOLDER}/src/cart.rs`, 'src-lib-rs'],
      [whole, 'tests-whole-rs'],
      [bin, 'src-bin-tool-rs'],
    ] as const)
      assert.ok(programOf(all, file, FOLDER).program.endsWith(root), file);
    assert.throws(() => programOf(all, '/elsewhere/a.rs', FOLDER), failsWith('program_not_found'));
  });

  it('shows the compiler’s message if it cannot be built', async () => {
    const said = {
      message: { level: 'error', rendered: 'error[E0425]: no `x`\n --> src/lib.rs:4' },
    };
    const file = `${FOLDER}/src/lib.rs`;
    const on = project(file, end(JSON.stringify(said), 101, 'could not compile'));
    const answer = await ask(on, 'debug_test', { file_path: file, test_name: 'adds' });
    assert.deepEqual([answer.status, answer['outcome']], ['completed', 'errored']);
    assert.deepEqual(answer['output'], ['error[E0425]: no `x`', ' --> src/lib.rs:4']);
    assert.equal(on.host.started.length, 0);
    assert.throws(
      () => programOf(end('', 101, 'error: no Cargo.toml'), file, FOLDER),
      (error) => error instanceof Failure && /no Cargo\.toml/.test(error.message),
    );
  });

  it('is refused without cargo', async () => {
    const file = `${FOLDER}/src/lib.rs`;
    const answer = await ask(project(file, undefined), 'debug_test', {
      file_path: file,
      test_name: 'adds',
    });
    assert.deepEqual([answer['code'], answer['package']], ['runner_not_installed', 'cargo']);
  });
});

describe('the output of a Rust test program', () => {
  const lines = (counts: string): string =>
    `test tests::adds ... FAILED\n\ntest result: FAILED. ${counts}; 0 measured; 4 filtered out\n`;

  it('reports a failed assertion and its location, in the format of all versions', () => {
    for (const panic of [
      "thread 'tests::adds' (7) panicked at src/cart.rs:24:9:\nassertion `left == right` failed: the total\n  left: 18\n right: 19\nnote: run with",
      "thread 'tests::adds' panicked at 'assertion failed: `(left == right)`\n  left: `18`,\n right: `19`: the total', src/cart.rs:24:9\nnote: run with",
      "thread 'tests::adds' panicked at crates/shop/src/cart.rs:24:9:\nassertion `left == right` failed: the total\n  left: 18\n right: 19\nstack backtrace:\n   0: x",
    ]) {
      const { tests } = read(
        `running 1 test\nhello\n${panic}\n${lines('0 passed; 1 failed; 0 ignored')}`,
      );
      const [test] = tests;
      assert.equal(test?.outcome, 'failed');
      assert.match(test.error?.message ?? '', /^assertion.*fail.*the total/s);
      assert.deepEqual([test.error?.actual, test.error?.expected], ['18', '19'], panic);
      assert.deepEqual(test.error?.frames, [
        { path: `${FOLDER}/src/cart.rs`, line: 24, column: 9, name: 'tests::adds' },
      ]);
    }
  });

  it('reports passed, skipped and missing tests, a crash, and an expected panic that did not occur', () => {
    assert.equal(read(lines('1 passed; 0 failed; 0 ignored')).tests[0]?.outcome, 'passed');
    const skipped = read(
      `test tests::adds ... ignored, not today\n${lines('0 passed; 0 failed; 1 ignored')}`,
    ).tests[0];
    assert.deepEqual([skipped?.outcome, skipped?.reason], ['skipped', 'not today']);
    assert.deepEqual(read(lines('0 passed; 0 failed; 0 ignored')), { tests: [] });
    assert.match(read('running 1 test\n').error?.message ?? '', /ended before/);
    const calm = read(
      `note: test did not panic as expected\n${lines('0 passed; 1 failed; 0 ignored')}`,
    ).tests[0];
    assert.deepEqual(
      [calm?.outcome, calm?.error?.message],
      ['failed', 'test did not panic as expected'],
    );
  });

  it('reports a panic with another message than the expected one, and a returned error', () => {
    const panic = [
      "thread 'tests::panics' panicked at src/lib.rs:30:5:",
      'index out of bounds: the len is 1 but the index is 4',
      'note: panic did not contain expected string',
      '      panic message: "index out of bounds: the len is 1 but the index is 4"',
      ' expected substring: "other"',
      lines('0 passed; 1 failed; 0 ignored'),
    ];
    const { error } = read(panic.join('\n')).tests[0] ?? {};
    assert.deepEqual(
      [error?.message, error?.actual, error?.expected, error?.frames[0]?.line],
      [
        ...['panic did not contain expected string'],
        ...['"index out of bounds: the len is 1 but the index is 4"', '"other"', 30],
      ],
    );
    const returned = read(`Error: "3 is odd"\n${lines('0 passed; 1 failed; 0 ignored')}`).tests[0];
    assert.deepEqual(
      [returned?.outcome, returned?.error?.message],
      ['failed', 'Error: "3 is odd"'],
    );
  });

  it('leaves out the lines of the test library', () => {
    const printed = [
      '',
      'running 1 test',
      'one',
      'two',
      "thread 'a' panicked at src/a.rs:1:1:",
      'x',
    ];
    const { ownOutput } = cargoTest;
    assert.deepEqual(ownOutput?.(printed), ['one', 'two']);
    assert.deepEqual(ownOutput(['running 1 test', 'one', 'test a ... ok']), ['one']);
  });
});
