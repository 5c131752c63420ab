import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { reportProgramExits } from '../../../../src/debugger/state/programExits';
import type { SessionState } from '../../../../src/debugger/state/state';
import { answered, asked, ended } from '../../support/events';

const ENDS_WITH = (code: number): string[] => ['-e', `process.exit(${code})`];
const RUNS_ON = ['-e', 'setInterval(() => undefined, 1000)'];

/** A model to which js-debug's sessions are played, with the extension host's child processes real. */
class Bench {
  readonly model = new DebugModel();
  private readonly reporting = reportProgramExits(this.model);

  begin(key: string, more: { name?: string; parentKey?: string; request?: string } = {}): void {
    const { name = 'program', parentKey, request = 'launch' } = more;
    this.model.dispatch({
      type: 'sessionCreated',
      key,
      at: 1,
      name,
      sessionType: 'pwa-node',
      configuration: { request },
      parentKey,
      knowledge: 'full',
    });
    for (const event of [asked(1, request, {}, key), answered(1, request, {}, key)])
      this.model.dispatch(event);
  }

  prints(key: string, process: ChildProcess): void {
    this.model.dispatch({
      type: 'fromAdapter',
      key,
      at: 2,
      message: {
        type: 'event',
        event: 'output',
        body: { category: 'console', output: `${process.spawnargs.join(' ')}\n` },
      },
    });
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

describe('how programs of js-debug end', () => {
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

  it('is reported with the exit code, 0 included, and the pid', async () => {
    for (const code of [0, 3]) {
      const key = `s${code}`;
      bench.begin(key);
      const child = start(ENDS_WITH(code));
      bench.prints(key, child);
      assert.equal(bench.model.state.sessions.get(key)?.process?.pid, child.pid);
      assert.deepEqual(await bench.exited(key), { exitCode: code, exitSignal: undefined });
    }
  });

  it('is reported when the process had ended before the command was printed', async () => {
    bench.begin('a');
    const child = start(ENDS_WITH(4));
    await once(child, 'exit');
    bench.prints('a', child);
    assert.equal(bench.exit('a').exitCode, 4);
  });

  it('is a signal where there was one', async () => {
    bench.begin('a');
    const child = start(RUNS_ON);
    bench.prints('a', child);
    child.kill('SIGTERM');
    assert.deepEqual(await bench.exited('a'), { exitCode: undefined, exitSignal: 'SIGTERM' });
  });

  it('of two processes with the same command is known by the process that a child session is named after, and else not', async () => {
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

  it('is that of the last one, where js-debug starts the program again', async () => {
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

  it('is not taken from other processes, nor from what somebody asked to end', async () => {
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

  it('is listened to no longer than a session of Node lives', async () => {
    bench.begin('a');
    bench.end('a');
    const child = start(ENDS_WITH(8));
    bench.begin('b');
    await once(child, 'exit');
    bench.prints('b', child);
    assert.equal(bench.exit('b').exitCode, undefined);
  });
});
