import { strict as assert } from 'node:assert';
import { Failure } from '../../../src/results/failure';
import type { CargoEnd } from '../../../src/tools/services';
import { programsOf } from '../../../src/testing/cargo/cargoBuild';
import { cargoTest } from '../../../src/testing/cargo/cargoTest';
import { scanRust } from '../../../src/testing/cargo/scanRust';
import { builtTest, planTest } from '../../../src/testing/planTest';
import type { RunReport } from '../../../src/testing/runReport';
import { ask } from '../support/asking';
import { bench, failsWith, type Bench } from '../support/services';

const FOLDER = '/home/ada/app/crates/shop';
const TEST = { path: ['tests', 'adds'], line: 3, isTemplate: false };
const SOURCE = '#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {\n  }\n}\n';

const artifact = (root: string, test = true, name = 'shop', kind = 'lib'): string =>
  JSON.stringify({
    reason: 'compiler-artifact',
    manifest_path: `${FOLDER}/Cargo.toml`,
    target: { src_path: root, name, kind: [kind] },
    profile: { test },
    executable: test ? `${FOLDER}/target/debug/deps/${root.replace(/\W+/g, '-')}` : null,
  });

const end = (stdout: string, exitCode = 0, stderr = ''): CargoEnd => ({ exitCode, stdout, stderr });

const LISTED = ['tests::adds', 'tests::inner::adds', 'cart::tests::adds', 'cart::tests::two::a'];

/** A project whose test program lists `LISTED`. */
function project(file: string, built: CargoEnd | undefined, source = SOURCE): Bench {
  const on = bench();
  on.workspace.files.set(file, source);
  on.workspace.files.set(`${FOLDER}/Cargo.toml`, '');
  on.workspace.debuggers = () => [{ type: 'lldb-dap', label: 'LLDB', languages: ['cpp', 'rust'] }];
  on.services.cargo.run = () => Promise.resolve(built);
  on.services.testPrograms.run = () =>
    Promise.resolve(end(LISTED.map((name) => `${name}: test\n`).join('')));
  return on;
}

const read = (output: string, recorded?: string): RunReport =>
  cargoTest.readOutcome(undefined, output.split('\n'), TEST, FOLDER, recorded);

/** The names that the test program gets for a call. */
async function namesFor(
  on: Bench,
  call: { readonly file_path: string; readonly test_name?: string; readonly line?: number },
): Promise<readonly string[]> {
  const built = await builtTest(await planTest(on.services, call), new AbortController().signal);
  const { args } = built.start.launches[0]?.configuration as { args: string[] };
  return args.slice(0, args.indexOf('--exact'));
}

describe('a Rust test', () => {
  it('is built only when it runs, and asked for in its own program', async () => {
    const file = `${FOLDER}/src/cart.rs`;
    const on = project(file, undefined);
    let runs = 0;
    on.services.cargo.run = () => {
      runs += 1;
      return Promise.resolve(end(artifact(`${FOLDER}/src/lib.rs`)));
    };
    const plan = await planTest(on.services, { file_path: file, line: 4 });
    assert.equal(runs, 0);
    assert.equal(plan.build?.command, 'cargo test --no-run --message-format=json');
    const built = await builtTest(plan, new AbortController().signal);
    assert.equal(runs, 1);
    assert.match(String(built.start.launches[0]?.configuration['program']), /src-lib-rs$/);
    assert.deepEqual([built.test.path, built.test.line], [['cart::tests::adds'], 3]);
  });

  it('is named as its program lists it, with the modules of its file if that is needed', async () => {
    const names: [file: string, name: string, listed: string][] = [
      ['src/cart.rs', 'tests::adds', 'cart::tests::adds'],
      ['src/cart.rs', 'adds', 'cart::tests::adds'],
      ['src/lib.rs', 'cart::tests::adds', 'cart::tests::adds'],
      ['src/lib.rs', 'shop::cart::tests::adds', 'cart::tests::adds'],
      ['src/lib.rs', 'tests > adds', 'tests::adds'],
      ['src/lib.rs', 'test tests::inner::adds - should panic ... FAILED', 'tests::inner::adds'],
      ['src/odd.rs', 'inner::adds', 'tests::inner::adds'],
    ];
    for (const [path, name, listed] of names) {
      const file = `${FOLDER}/${path}`;
      const on = project(file, end(artifact(`${FOLDER}/src/lib.rs`)));
      assert.deepEqual(await namesFor(on, { file_path: file, test_name: name }), [listed], name);
    }
  });

  it('is all rows of a table, but not a whole module', async () => {
    const file = `${FOLDER}/src/cart.rs`;
    const rows = '#[rstest]\nfn two() {}\n';
    const on = project(file, end(artifact(`${FOLDER}/src/lib.rs`)), rows);
    const call = { file_path: file, test_name: 'tests::two' };
    assert.deepEqual(await namesFor(on, call), ['cart::tests::two::a']);
    const lib = `${FOLDER}/src/lib.rs`;
    on.workspace.files.set(lib, SOURCE);
    const plan = await planTest(on.services, { file_path: lib, test_name: 'cart::tests' });
    await assert.rejects(
      builtTest(plan, new AbortController().signal),
      failsWith('test_not_found'),
    );
  });

  it('is found by the line of a macro that makes it, which does not take the name of another one', async () => {
    const file = `${FOLDER}/src/lib.rs`;
    const source = `macro_rules! cases { ($($name:ident: $v:expr,)*) => {$(
    #[test]
    fn $name() { check($v) }
)*}; }
mod tests {
    cases! { four: 4,
        adds: 5,
    }
}
#[test]
fn other() {}
`;
    const on = project(file, end(artifact(file)), source);
    const listed = scanRust(source).map(({ path, line }) => `${path.join('::')} ${line}`);
    assert.deepEqual(listed, ['tests 5', 'other 10']);
    on.services.testPrograms.run = () =>
      Promise.resolve(end('tests::four: test\ntests::adds: test\nother: test\n'));
    assert.deepEqual(await namesFor(on, { file_path: file, line: 7 }), ['tests::adds']);
  });

  it('is not found if no program lists it, with the names that are near', async () => {
    const file = `${FOLDER}/src/lib.rs`;
    const on = project(file, end(artifact(file)));
    const answer = await ask(on, 'debug_test', { file_path: file, test_name: 'tests::addz' });
    assert.equal(answer['code'], 'test_not_found');
    assert.deepEqual((answer['names'] as string[])[0], 'tests::adds');
    assert.equal(answer['test_count'], LISTED.length);
    const gated = '#[cfg(feature = "extra")]\n#[test]\nfn gated() {}\n';
    const other = project(file, end(artifact(file)), gated);
    const missing = await ask(other, 'debug_test', { file_path: file, line: 3 });
    assert.match(String(missing['hint']), /\["--features", "extra", "--"\]/);
  });

  it('gets the options before -- as those of cargo', async () => {
    const file = `${FOLDER}/src/lib.rs`;
    const on = project(file, end(artifact(file)));
    const args = ['--features', 'extra', '--', '--test-threads=1'];
    const plan = await planTest(on.services, { file_path: file, test_name: 'tests::adds', args });
    assert.match(plan.build?.command ?? '', /--message-format=json --features extra$/);
    const built = await builtTest(plan, new AbortController().signal);
    const configured = built.start.launches[0]?.configuration['args'] as string[];
    assert.equal(configured.at(-1), '--test-threads=1');
    assert.equal(configured.includes('--features'), false);
  });

  it('has the environment that cargo test gives it, and that of the call', async () => {
    const file = `${FOLDER}/src/lib.rs`;
    const script = {
      ...{ reason: 'build-script-executed', package_id: 'path+file:///app/shop#1.2.3-rc.1' },
      ...{ out_dir: '/app/target/out', env: [['MADE', 'yes']], linked_paths: ['native=/app/lib'] },
    };
    const built = { ...JSON.parse(artifact(file)), package_id: script.package_id } as object;
    const on = project(file, end(`${JSON.stringify(script)}\n${JSON.stringify(built)}`));
    const call = { file_path: file, test_name: 'tests::adds', env: { MADE: 'no', MINE: '1' } };
    const plan = await builtTest(await planTest(on.services, call), new AbortController().signal);
    const { env, cwd } = plan.start.launches[0]?.configuration ?? {};
    assert.deepEqual(env, {
      OUT_DIR: '/app/target/out',
      ...{ MADE: 'no', MINE: '1' },
      CARGO_MANIFEST_DIR: FOLDER,
      CARGO_MANIFEST_PATH: `${FOLDER}/Cargo.toml`,
      CARGO_PKG_NAME: 'shop',
      CARGO_PKG_VERSION: '1.2.3-rc.1',
      ...{ CARGO_PKG_VERSION_MAJOR: '1', CARGO_PKG_VERSION_MINOR: '2' },
      CARGO_PKG_VERSION_PATCH: '3',
      LD_LIBRARY_PATH: `/app/lib:${FOLDER}/target/debug:${FOLDER}/target/debug/deps`,
    });
    assert.equal(cwd, FOLDER);
  });

  it('is not cut off by its build: the call says so, and the next one waits for it', async () => {
    const file = `${FOLDER}/src/lib.rs`;
    const on = project(file, undefined);
    let finish: (built: CargoEnd) => void = () => undefined;
    let builds = 0;
    on.services.cargo.run = () => {
      builds += 1;
      return new Promise((resolve) => (finish = resolve));
    };
    const call = { file_path: file, test_name: 'tests::none' };
    Object.assign(on.call, { maxWaitSeconds: 0 });
    const answer = await ask(on, 'debug_test', call);
    assert.deepEqual([answer.status, answer['outcome']], ['timeout', 'building']);
    Object.assign(on.call, { maxWaitSeconds: 45 });
    const next = ask(on, 'debug_test', call);
    setImmediate(() => finish(end(artifact(file))));
    assert.equal((await next)['code'], 'test_not_found');
    assert.equal(builds, 1);
  });

  it('is refused if it is a doctest, or if its target has its own main', async () => {
    const file = `${FOLDER}/tests/own.rs`;
    const on = project(file, end(artifact(file)), '//! ```\n//! half(8);\n//! ```\nfn main() {}\n');
    for (const call of [{ test_name: 'tests/own.rs - (line 1)' }]) {
      const answer = await ask(on, 'debug_test', { file_path: file, ...call });
      assert.deepEqual([answer['code'], on.host.started.length], ['not_supported', 0]);
    }
    const manifest = `${FOLDER}/Cargo.toml`;
    const text = '[package]\nname = "a"\n\n[[test]]\nname = "own"\nharness = false\n';
    on.workspace.files.set(manifest, text);
    on.services.cargo.run = () => Promise.resolve(end(artifact(file, true, 'own', 'test')));
    let lists = 0;
    on.services.testPrograms.run = () => {
      lists += 1;
      return Promise.resolve(end(''));
    };
    const answer = await ask(on, 'debug_test', { file_path: file, test_name: 'a' });
    assert.deepEqual([answer['code'], lists], ['not_supported', 0]);
    assert.match(String(answer['message']), /own\.rs/);
  });

  it('is looked for first in the program of its crate', () => {
    const [lib, whole, bin] = ['src/lib.rs', 'tests/whole.rs', 'src/bin/tool.rs'].map(
      (each) => `${FOLDER}/${each}`,
    );
    assert.ok(lib !== undefined && whole !== undefined && bin !== undefined);
    const all = end(
      [artifact(lib, false), artifact(whole), artifact(lib), artifact(bin), 'x'].join('\n'),
    );
    for (const [file, root] of [
      [lib, 'src-lib-rs'],
      [`${FOLDER}/src/cart.rs`, 'src-lib-rs'],
      [whole, 'tests-whole-rs'],
      [bin, 'src-bin-tool-rs'],
    ] as const)
      assert.ok(programsOf(all, file, FOLDER)[0]?.program.endsWith(root), file);
    assert.throws(() => programsOf(end(''), lib, FOLDER), failsWith('program_not_found'));
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
      () => programsOf(end('', 101, 'error: no Cargo.toml'), file, FOLDER),
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
