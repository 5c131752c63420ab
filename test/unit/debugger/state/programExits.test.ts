import { strict as assert } from 'node:assert';
import { ChildProcess, spawn } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { reportProgramExits } from '../../../../src/debugger/state/programExits';
import type { SessionState } from '../../../../src/debugger/state/state';
import { answered, asked, ended } from '../../support/events';

const ENDS_WITH = (code: number): string[] => ['-e', `process.exit(${code})`];
const RUNS_ON = ['-e', 'setInterval(() => undefined, 1000)'];

/** A model that receives js-debug's session events. The child processes of the extension host are real. */
class Bench {
  readonly model = new DebugModel();
  private readonly reporting = reportProgramExits(this.model);

  begin(
    key: string,
    more: {
      name?: string;
      parentKey?: string;
      request?: string;
      type?: string;
      knowledge?: 'full' | 'partial';
    } = {},
  ): void {
    const { name = 'program', parentKey, request = 'launch', type = 'pwa-node' } = more;
    this.model.dispatch({
      type: 'sessionCreated',
      key,
      at: 1,
      name,
      sessionType: type,
      configuration: { request },
      parentKey,
      knowledge: more.knowledge ?? 'full',
    });
    for (const event of [asked(1, request, {}, key), answered(1, request, {}, key)])
      this.model.dispatch(event);
  }

  prints(key: string, process: ChildProcess): void {
    this.outputs(key, `${process.spawnargs.join(' ')}\n`);
  }

  outputs(key: string, output: unknown, category = 'console'): void {
    this.model.dispatch({
      type: 'fromAdapter',
      key,
      at: 2,
      message: { type: 'event', event: 'output', body: { category, output } },
    });
  }

  pid(key: string): number | undefined {
    return this.model.state.sessions.get(key)?.process?.pid;
  }

  end(key: string): void {
    this.model.dispatch(ended(key));
  }

  exit(key: string): Pick<SessionState, 'exitCode' | 'exitSignal'> {
    const { exitCode, exitSignal } =
      this.model.state.sessions.get(key) ?? assert.fail('no session');
    return { exitCode, exitSignal };
  }

  async exited(key: string): Promise<Pick<SessionState, 'exitCode' | 'exitSignal'>> {
    const settled = await this.model.wait(
      (state) =>
        (state.sessions.get(key)?.exitCode ?? state.sessions.get(key)?.exitSignal) !== undefined ||
        undefined,
      { timeoutMs: 10_000, signal: new AbortController().signal },
    ).settled;
    assert.equal(settled.kind, 'found');
    return this.exit(key);
  }

  dispose(): void {
    this.reporting.dispose();
  }
}

describe('program exits: js-debug', () => {
  let bench: Bench;
  const children: ChildProcess[] = [];
  const start = (args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    children.push(child);
    return child;
  };

  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => {
    bench.dispose();
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('reports the exit code, 0 included, and the pid', async () => {
    for (const code of [0, 3]) {
      const key = `s${code}`;
      bench.begin(key);
      const child = start(ENDS_WITH(code));
      bench.prints(key, child);
      assert.equal(bench.model.state.sessions.get(key)?.process?.pid, child.pid);
      assert.deepEqual(await bench.exited(key), { exitCode: code, exitSignal: undefined });
    }
  });

  it('reports the exit code of a process that had ended before the command was printed', async () => {
    bench.begin('a');
    const child = start(ENDS_WITH(4));
    await once(child, 'exit');
    bench.prints('a', child);
    assert.equal(bench.exit('a').exitCode, 4);
  });

  it('reports the signal if there was one', async () => {
    bench.begin('a');
    const child = start(RUNS_ON);
    bench.prints('a', child);
    child.kill('SIGTERM');
    assert.deepEqual(await bench.exited('a'), { exitCode: undefined, exitSignal: 'SIGTERM' });
  });

  it('distinguishes two processes with the same command only by the process that a child session is named after', async () => {
    bench.begin('a');
    bench.begin('b');
    const [first, second] = [start(ENDS_WITH(5)), start(ENDS_WITH(5))];
    bench.prints('a', first);
    bench.prints('b', second);
    await Promise.all([once(first, 'exit'), once(second, 'exit')]);
    assert.deepEqual(bench.exit('a'), { exitCode: undefined, exitSignal: undefined });
    bench.begin('c', { name: `program [${second.pid ?? 0}]`, parentKey: 'b' });
    assert.equal(bench.exit('b').exitCode, 5);
    assert.equal(bench.exit('a').exitCode, undefined);
  });

  it('reports the exit of the last process if js-debug starts the program again', async () => {
    bench.begin('a');
    const first = start(ENDS_WITH(6));
    bench.prints('a', first);
    assert.equal((await bench.exited('a')).exitCode, 6);
    const second = start(RUNS_ON);
    bench.prints('a', second);
    assert.equal(bench.exit('a').exitCode, undefined);
    second.kill('SIGINT');
    assert.equal((await bench.exited('a')).exitSignal, 'SIGINT');
  });

  it('ignores other processes and a program that was asked to end', async () => {
    bench.begin('a');
    bench.begin('attached', { request: 'attach' });
    const other = start(ENDS_WITH(7));
    bench.prints('attached', other);
    await once(other, 'exit');
    const child = start(RUNS_ON);
    bench.prints('a', child);
    bench.model.dispatch(asked(9, 'disconnect'));
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const key of ['a', 'attached'])
      assert.deepEqual(bench.exit(key), { exitCode: undefined, exitSignal: undefined });
  });

  it('observes processes only while a session of Node is live', async () => {
    bench.begin('a');
    bench.end('a');
    const child = start(ENDS_WITH(8));
    bench.begin('b');
    await once(child, 'exit');
    bench.prints('b', child);
    assert.equal(bench.exit('b').exitCode, undefined);
  });
});

describe('program exits: the process that js-debug has started', () => {
  const processes = channel('child_process');
  let bench: Bench;
  let lastPid = 0;

  beforeEach(() => {
    bench = new Bench();
    lastPid = 100;
  });
  afterEach(() => bench.dispose());

  /**
   * A process of the extension host. Node reports it on the channel when it is created, before it has a pid and
   * arguments.
   */
  const begins = (...spawnargs: readonly string[]): ChildProcess => {
    lastPid += 1;
    return Object.assign(new ChildProcess(), { spawnargs, pid: lastPid });
  };

  it('is the one of several that runs the first printed command', () => {
    bench.begin('a');
    begins('node', 'a.js');
    const second = begins('node', 'b.js', '--fast');
    begins('node', 'b.js');
    bench.outputs('a', 'node b.js --fast\r\n');
    assert.equal(bench.pid('a'), second.pid);
    second.emit('exit', 3, null);
    assert.deepEqual(bench.exit('a'), { exitCode: 3, exitSignal: undefined });
  });

  it('may run in a shell, which gets the command as its last argument (in quotes on Windows)', () => {
    bench.begin('a');
    const shell = begins('/bin/sh', '-c', 'node a.js');
    bench.outputs('a', 'node a.js\n');
    assert.equal(bench.pid('a'), shell.pid);
    bench.begin('b');
    const quoted = begins('cmd.exe', '/d', '/s', '/c', '"node a.js"');
    bench.outputs('b', 'node a.js\n');
    assert.equal(bench.pid('b'), quoted.pid);
  });

  it('is none if the printed command is only a part of the process’s command', () => {
    bench.begin('a');
    begins('node', 'a.js', 'x');
    begins('/bin/sh', 'node a.js', '-c');
    begins('/bin/sh', '-c', "'node a.js'");
    bench.outputs('a', 'node a.js\n');
    assert.equal(bench.pid('a'), undefined);
  });

  it('is read only from the console category, and only from text', () => {
    bench.begin('a');
    const process = begins('node', 'a.js');
    bench.outputs('a', 'node a.js\n', 'stdout');
    bench.outputs('a', 5);
    for (const message of [
      {
        type: 'response',
        request_seq: 9,
        command: 'x',
        success: true,
        body: { category: 'console', output: 'node a.js' },
      },
      'node a.js',
    ])
      bench.model.dispatch({ type: 'fromAdapter', key: 'a', at: 2, message });
    assert.equal(bench.pid('a'), undefined);
    bench.outputs('a', 'node a.js');
    assert.equal(bench.pid('a'), process.pid);
  });

  it('is the process that a child session is named after, and belongs to the root session', () => {
    bench.begin('a');
    begins('node', 'a.js');
    const second = begins('node', 'a.js');
    bench.begin('child', { name: `a.js [${second.pid ?? 0}]`, parentKey: 'a' });
    assert.deepEqual([bench.pid('a'), bench.pid('child')], [second.pid, undefined]);
    second.emit('exit', null, 'SIGTERM');
    assert.deepEqual(bench.exit('a'), { exitCode: undefined, exitSignal: 'SIGTERM' });
  });

  it('is not taken from a child session without a process in its name or with another process in it', () => {
    bench.begin('a');
    Object.assign(begins('node', 'a.js'), { pid: undefined });
    bench.begin('child', { name: 'a.js', parentKey: 'a' });
    bench.begin('other', { name: 'a.js [999]', parentKey: 'a' });
    assert.equal(bench.model.state.sessions.get('a')?.process, undefined);
  });

  it('does not change if a child session is named after a process that the program has started', () => {
    bench.begin('a');
    const own = begins('node', 'a.js');
    bench.outputs('a', 'node a.js\n');
    const worker = begins('node', 'worker.js');
    bench.begin('child', { name: `worker.js [${worker.pid ?? 0}]`, parentKey: 'a' });
    assert.equal(bench.pid('a'), own.pid);
    worker.emit('exit', 9, null);
    assert.equal(bench.exit('a').exitCode, undefined);
  });

  it('belongs to only one session', () => {
    bench.begin('a');
    bench.begin('b');
    const process = begins('node', 'a.js');
    bench.outputs('a', 'node a.js\n');
    bench.outputs('b', 'node a.js\n');
    process.emit('exit', 4, null);
    assert.deepEqual([bench.pid('a'), bench.pid('b')], [process.pid, undefined]);
    assert.deepEqual([bench.exit('a').exitCode, bench.exit('b').exitCode], [4, undefined]);
  });

  it('is one of the last hundred processes', () => {
    bench.begin('a');
    begins('node', 'first.js');
    const second = begins('node', 'second.js');
    for (let count = 0; count < 99; count += 1) begins('git', 'status');
    bench.outputs('a', 'node first.js\n');
    assert.equal(bench.pid('a'), undefined);
    bench.outputs('a', 'node second.js\n');
    assert.equal(bench.pid('a'), second.pid);
  });

  it('is not a process that Node failed to start, and nothing else that the channel reports', () => {
    bench.begin('a');
    assert.equal(new ChildProcess().listenerCount('exit'), 1, 'it was reported');
    processes.publish({ process: { spawnargs: ['node', 'a.js'], once: () => undefined } });
    processes.publish(undefined);
    bench.outputs('a', 'node a.js\n');
    // The process has no arguments, and neither has the command of an empty line.
    bench.outputs('a', '\n');
    assert.equal(bench.model.state.sessions.get('a')?.process, undefined);
  });

  it('is observed only while a session that launches one is live', () => {
    const isObserved = (): boolean => processes.hasSubscribers;
    assert.equal(isObserved(), false);
    bench.begin('attached', { request: 'attach' });
    bench.begin('python', { type: 'debugpy' });
    bench.begin('part', { knowledge: 'partial' });
    bench.begin('orphan', { parentKey: 'python' });
    assert.equal(isObserved(), false);
    bench.begin('a');
    bench.begin('b');
    assert.equal(isObserved(), true);
    bench.end('a');
    bench.end('attached');
    assert.equal(isObserved(), true);
    bench.model.dispatch({ type: 'adapterExited', key: 'b', at: 3, code: 0, signal: undefined });
    assert.equal(isObserved(), false);
    bench.begin('c');
    bench.begin('d');
    assert.equal(isObserved(), true);
    bench.dispose();
    assert.equal(isObserved(), false);
  });

  it('is not looked for among the processes of an earlier session', () => {
    bench.begin('a');
    begins('node', 'a.js');
    bench.end('a');
    bench.begin('b');
    bench.outputs('b', 'node a.js\n');
    assert.equal(bench.pid('b'), undefined);
  });

  it('no longer reports its exit once its session has ended', () => {
    bench.begin('a');
    const process = begins('node', 'a.js');
    bench.outputs('a', 'node a.js\n');
    bench.begin('b');
    bench.end('a');
    process.emit('exit', 5, null);
    assert.deepEqual(bench.exit('a'), { exitCode: undefined, exitSignal: undefined });
    assert.deepEqual(bench.exit('b'), { exitCode: undefined, exitSignal: undefined });
  });
});
