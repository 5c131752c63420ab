import { strict as assert } from 'node:assert';
import { fields } from '../../../src/debugger/protocol';
import { ask, type Answer } from '../support/asking';
import { created, ended, eventOf } from '../support/events';
import { never } from '../support/fakeHost';
import { bench, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';
const TEST_FILE = `${FOLDER}/src/lib.rs`;
const PANIC = `running 1 test
thread 'tests::adds' panicked at src/lib.rs:5:9:
too much
test tests::adds ... FAILED

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
`;

/** A Rust test that fails in its first run, in a debugger that runs no recorder. `then` decides the outcome of the run under the debugger. */
function failing(then: (on: Bench) => void, output = PANIC): Bench {
  const on = bench();
  on.workspace.files.set(
    TEST_FILE,
    '#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {\n  }\n}\n',
  );
  on.workspace.files.set(`${FOLDER}/Cargo.toml`, '');
  on.workspace.debuggers = () => [{ type: 'lldb', label: 'CodeLLDB', languages: ['rust', 'cpp'] }];
  const artifact = {
    executable: `${FOLDER}/target/debug/deps/app-1`,
    target: { src_path: TEST_FILE },
    profile: { test: true },
  };
  on.services.cargo.run = () =>
    Promise.resolve({ exitCode: 0, stdout: JSON.stringify(artifact), stderr: '' });
  on.services.testPrograms.run = () =>
    Promise.resolve({ exitCode: 0, stdout: 'tests::adds: test\n', stderr: '' });
  let runs = 0;
  on.host.on('setFunctionBreakpoints', () => ({ breakpoints: [{ id: 1, verified: true }] }));
  on.host.onStart = (configuration) => {
    runs += 1;
    const key = `run${runs}`;
    const name = String(configuration['name']);
    on.model.dispatch(created(key, { name, configuration, sessionType: 'lldb' }));
    on.model.dispatch(eventOf('initialized', {}, key));
    if (runs === 1) {
      on.host.emit('output', { category: 'stdout', output }, key);
      on.model.dispatch(ended(key));
    } else then(on);
    return Promise.resolve(true);
  };
  return on;
}

const stop = (on: Bench): void =>
  on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }, 'run2');

async function debug(on: Bench, more: object = {}): Promise<Answer> {
  return await ask(on, 'debug_test', { file_path: TEST_FILE, test_name: 'adds', ...more });
}

/** Asserts that nothing is left of the second run, unless the person has taken it over. */
function assertNothingLeft(on: Bench, isTheirs = false): void {
  assert.deepEqual(on.host.breakpoints(), []);
  assert.equal(on.services.control.leases.of(on.session('run2')), undefined);
  assert.equal(on.session('run2').lifecycle === 'terminated', !isTheirs);
}

const FRAMES = {
  stackFrames: [
    {
      id: 1,
      name: '__rustc::rust_panic',
      line: 1,
      column: 1,
      source: { path: '/rustc/x/panicking.rs' },
    },
    { id: 2, name: 'app::tests::adds', line: 5, column: 1, source: { path: TEST_FILE } },
  ],
  totalFrames: 2,
};

describe('a failing test under the debugger', () => {
  it('is reported with the place where it fails, and is ended', async () => {
    const on = failing(stop);
    on.host.on('stackTrace', () => FRAMES);
    on.host.on('continue', () => {
      setImmediate(() => on.model.dispatch(ended('run2')));
      return {};
    });
    const answer = await debug(on);
    assert.deepEqual(
      [answer['outcome'], answer['message'], fields(answer['at'])['line_number']],
      ['failed', 'too much', 5],
      JSON.stringify(answer),
    );
    assertNothingLeft(on);
  });

  it('is reported with the last of several panics, because the earlier ones were caught', async () => {
    let stops = 0;
    const on = failing(
      stop,
      `thread 'tests::adds' panicked at src/lib.rs:5:9:\ntoo much\n${PANIC}`,
    );
    on.host.on('stackTrace', () => FRAMES);
    on.host.on('continue', () => {
      stops += 1;
      setImmediate(() => (stops === 1 ? stop(on) : on.model.dispatch(ended('run2'))));
      return {};
    });
    const answer = await debug(on);
    assert.deepEqual([answer['outcome'], stops], ['failed', 2], JSON.stringify(answer));
    assertNothingLeft(on);
  });

  it('leaves nothing behind if it is cancelled while its frames are read', async () => {
    const on = failing(stop);
    let reads = 0;
    on.host.on('stackTrace', () => FRAMES);
    on.host.on('scopes', () => {
      reads += 1;
      on.cancel();
      return never();
    });
    assert.equal((await debug(on)).status, 'interrupted');
    assert.equal(reads > 0, true);
    assertNothingLeft(on);
  });

  it('stays with the person who takes it over, without our breakpoints', async () => {
    let stops = 0;
    const on = failing(stop);
    // A panic elsewhere occurs first, and the run continues past it.
    on.host.on('stackTrace', () => ({ ...FRAMES, stackFrames: FRAMES.stackFrames.slice(0, 1) }));
    on.host.on('continue', () => {
      stops += 1;
      on.services.control.leases.loseAll('takenOver');
      return {};
    });
    assert.equal((await debug(on)).status, 'interrupted');
    assert.equal(stops, 1);
    assertNothingLeft(on, true);
  });
});

describe('a test whose runner is not installed', () => {
  it('is refused before anything is started, with the name of the missing runner', async () => {
    const on = bench();
    const file = `${FOLDER}/cart.test.js`;
    on.workspace.files.set(file, "const { it } = require('mocha');\nit('adds', () => {});\n");
    on.workspace.files.set(`${FOLDER}/package.json`, '{}');
    const answer = await ask(on, 'debug_test', { file_path: file, test_name: 'adds' });
    assert.deepEqual([answer['code'], answer['package']], ['runner_not_installed', 'mocha']);
    assert.equal(on.host.started.length, 0);
  });
});
