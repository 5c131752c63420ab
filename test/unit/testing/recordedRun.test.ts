import { strict as assert } from 'node:assert';
import { fields } from '../../../src/debugger/protocol';
import { ask, type Answer } from '../support/asking';
import { created, ended, eventOf } from '../support/events';
import { bench, FakeScratch, type Bench } from '../support/services';

const FOLDER = '/home/ada/app';
const FILE = `${FOLDER}/src/lib.rs`;
const SOURCE = '#[test]\nfn adds() {\n  panic!();\n}\n#[test]\n#[should_panic]\nfn fails() {\n}\n';
const PANIC = `running 1 test
thread 'adds' (7) panicked at src/lib.rs:3:3:
too much
`;
const FAILED = `${PANIC}test adds ... FAILED

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
`;

/** What the recorder in LLDB writes at a panic. */
const RECORDED = [
  { recording: true },
  {
    place: {
      ...{ kind: 'panic', number: 2, thread: 7 },
      frames: [
        { name: 'panic_fmt', path: '/rustc/1/panicking.rs', line: 9 },
        { name: 'app::adds', path: FILE, line: 3, variables: [['sum', '5']] },
      ],
    },
  },
];

const FRAMES = {
  stackFrames: [
    { id: 1, name: 'rust_panic', line: 1, column: 1, source: { path: '/rustc/1/panicking.rs' } },
    { id: 2, name: 'app::adds', line: 3, column: 3, source: { path: FILE } },
  ],
  totalFrames: 2,
};

interface Run {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly key: string;
}

/** A Rust test in a debugger that runs the recorder. `then` decides how each run goes on. */
function recorded(then: (on: Bench, run: Run) => void): {
  readonly on: Bench;
  readonly runs: readonly Run[];
  readonly write: (entries: readonly object[]) => void;
} {
  const on = bench();
  const scratch = new FakeScratch();
  Object.assign(on.services, { scratch });
  on.workspace.files.set(FILE, SOURCE);
  on.workspace.files.set(`${FOLDER}/Cargo.toml`, '');
  on.workspace.debuggers = () => [{ type: 'lldb-dap', label: 'LLDB', languages: ['rust', 'cpp'] }];
  const artifact = {
    executable: `${FOLDER}/target/debug/deps/app-1`,
    target: { src_path: FILE },
    profile: { test: true },
  };
  on.services.cargo.run = () =>
    Promise.resolve({ exitCode: 0, stdout: JSON.stringify(artifact), stderr: '' });
  on.services.testPrograms.run = () =>
    Promise.resolve({ exitCode: 0, stdout: 'adds: test\nfails: test\n', stderr: '' });
  on.host.on('stackTrace', () => FRAMES);
  const runs: Run[] = [];
  on.host.onStart = (configuration) => {
    const key = `run${runs.length + 1}`;
    const [command = ''] = configuration['preRunCommands'] as string[];
    const literal = /begin\(lldb\.debugger, ("(?:\\.|[^"])*")\)$/.exec(command)?.[1] ?? '""';
    const settings = fields(JSON.parse(JSON.parse(literal) as string));
    const run = { settings, key };
    runs.push(run);
    const name = String(configuration['name']);
    on.model.dispatch(created(key, { name, configuration, sessionType: 'lldb-dap' }));
    on.model.dispatch(eventOf('initialized', {}, key));
    then(on, run);
    return Promise.resolve(true);
  };
  const write = (entries: readonly object[]): void => {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    for (const folder of scratch.folders.values()) folder.set('recorded.jsonl', text);
  };
  return { on, runs, write };
}

const print = (on: Bench, { key }: Run, output: string): void =>
  on.host.emit('output', { category: 'stdout', output }, key);

const stop = (on: Bench, { key }: Run): void =>
  on.host.emit('stopped', { reason: 'breakpoint', threadId: 1, hitBreakpointIds: [9] }, key);

async function debug(on: Bench, more: object = {}): Promise<Answer> {
  return await ask(on, 'debug_test', { file_path: FILE, test_name: 'adds', ...more });
}

describe('a test whose failures a script in the debugger records', () => {
  it('runs once, under the debugger, and has the frames and values of the failure', async () => {
    const { on, runs, write } = recorded((bench, run) => {
      write(RECORDED);
      print(bench, run, FAILED);
      bench.model.dispatch(ended(run.key));
    });
    const answer = await debug(on);
    const text = JSON.stringify(answer);
    assert.deepEqual([answer['outcome'], answer['message']], ['failed', 'too much'], text);
    assert.deepEqual(answer['frames'], [
      { function_name: 'app::adds', file_path: FILE, line_number: 3, variables: { sum: '5' } },
    ]);
    assert.deepEqual(
      runs.map(({ settings }) => [settings['stay'], settings['tests']]),
      [[null, ['adds']]],
    );
    assert.deepEqual([runs[0]?.settings['isCertain'], runs[0]?.settings['returns']], [true, false]);
    assert.equal(answer['program'], 'ended');
  });

  it('stays stopped at a failure that is certain, in the frame that the answer names', async () => {
    const { on, runs, write } = recorded((bench, run) => {
      write([...RECORDED, { stopping: true }]);
      print(bench, run, PANIC);
      stop(bench, run);
    });
    const answer = await debug(on, { on_failure: 'stay' });
    const text = JSON.stringify(answer);
    assert.deepEqual([answer.status, answer['outcome']], ['stopped', 'failed'], text);
    assert.equal(fields(answer['at'])['line_number'], 3, text);
    assert.deepEqual([runs.length, runs[0]?.settings['stay']], [1, 'first']);
    assert.notEqual(on.session('run1').lifecycle, 'terminated');
  });

  it('runs again to stay at a failure that was known only at its end', async () => {
    const { on, runs, write } = recorded((bench, run) => {
      if (runs.length === 1) {
        write(RECORDED);
        print(bench, run, FAILED);
        bench.model.dispatch(ended(run.key));
        return;
      }
      write([...RECORDED, { stopping: true }]);
      stop(bench, run);
    });
    const answer = await debug(on, { on_failure: 'stay' });
    const text = JSON.stringify(answer);
    assert.deepEqual([answer.status, answer['message']], ['stopped', 'too much'], text);
    assert.deepEqual(
      runs.map(({ settings }) => settings['stay']),
      ['first', { kind: 'panic', number: 2 }],
    );
  });

  it('says so if the second run does not reach that place', async () => {
    const { on, runs, write } = recorded((bench, run) => {
      write(RECORDED);
      print(bench, run, FAILED);
      bench.model.dispatch(ended(run.key));
    });
    const answer = await debug(on, { on_failure: 'stay' });
    assert.deepEqual(
      [answer['outcome'], answer['not_stayed'], runs.length],
      ['failed', 'not_reached_again', 2],
    );
  });

  it('continues behind a signal that the program handles', async () => {
    let continued = 0;
    const { on, write } = recorded((bench, run) => {
      bench.host.on('continue', () => {
        continued += 1;
        setImmediate(() => {
          print(
            bench,
            run,
            'test adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored;\n',
          );
          bench.model.dispatch(ended(run.key));
        });
        return {};
      });
      write([{ recording: true }]);
      bench.host.emit(
        'stopped',
        { reason: 'exception', description: 'signal SIGSEGV', threadId: 1 },
        run.key,
      );
    });
    const answer = await debug(on);
    assert.deepEqual([answer['outcome'], continued], ['passed', 1], JSON.stringify(answer));
  });

  it('has the place of the test itself if nothing else is known, and says so', async () => {
    const { on, write } = recorded((bench, run) => {
      write([{ recording: true }]);
      print(
        bench,
        run,
        'running 1 test\ntest fails - should panic ... FAILED\n\n---- fails stdout ----\nnote: test did not panic as expected\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored;\n',
      );
      bench.model.dispatch(ended(run.key));
    });
    const answer = await debug(on, { test_name: 'fails' });
    const text = JSON.stringify(answer);
    assert.equal(answer['message'], 'test did not panic as expected', text);
    assert.equal(fields(answer['at'])['line_number'], 5, text);
    assert.match(JSON.stringify(answer['notes']), /at is the test itself/, text);
  });

  it('tells what the script itself failed at, apart from the outcome', async () => {
    const { on, write } = recorded((bench, run) => {
      write([{ toolFailure: 'no frames' }]);
      print(bench, run, 'test adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored;\n');
      bench.model.dispatch(ended(run.key));
    });
    const answer = await debug(on);
    assert.deepEqual([answer['outcome'], answer['tool_failure']], ['passed', 'no frames']);
  });
});
