import { strict as assert } from 'node:assert';
import { skip } from '../../../support/skip';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inputWait, localProcessOf } from '../../../../src/debugger/output/standardInput';
import { after, launched, sessionOf, eventOf } from '../../support/events';

/** Printed from a later turn of the event loop, which by then waits for everything that it will wait for. */
const READY = "setImmediate(() => setTimeout(() => console.log('ready'), 1))";
const LISTENS = `process.stdin.on('data', () => undefined); ${READY}`;
const DOES_NOT = `setInterval(() => undefined, 1000); ${READY}`;

describe('how a process waits for its standard input', () => {
  const children: ChildProcess[] = [];
  let proc = '';
  beforeEach(() => {
    proc = mkdtempSync(path.join(tmpdir(), 'agent-debugger-proc-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(proc, { recursive: true });
  });

  const ready = async (program: string): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  };
  /** Process 7 with one thread in a system call, as proc(5) shows it. */
  const recorded = async (
    syscall: string,
    more: { input?: string; arch?: string; platform?: string } = {},
  ): Promise<Awaited<ReturnType<typeof inputWait>>> => {
    const { input = 'pipe:[1]', arch = 'x64', platform = 'linux' } = more;
    rmSync(path.join(proc, '7'), { recursive: true, force: true });
    mkdirSync(path.join(proc, '7/task/7'), { recursive: true });
    mkdirSync(path.join(proc, '7/fd'));
    symlinkSync(input, path.join(proc, '7/fd/0'));
    writeFileSync(path.join(proc, '7/task/7/syscall'), `${syscall}\n`);
    return await inputWait(7, { platform, arch, proc });
  };

  it('is blocked if a thread is blocked in a read of it', async () => {
    assert.equal(
      await recorded('0 0x0 0x7ffd5e2b8d90 0x2000 0x0 0x0 0x0 0x7ffd5e2b8d68 0x7f2c5f4d1a5d'),
      'blocked',
    );
    assert.equal(
      await recorded(
        '270 0x1 0x7ffd5e2b8d90 0x0 0x0 0x0 0x7ffd5e2b8c10 0x7ffd5e2b8b68 0x7f2c5f4d9b4d',
      ),
      'blocked',
      'select of the first file alone',
    );
    assert.equal(
      await recorded('63 0x0 0xffffd5e2b8d9 0x2000 0x0 0x0 0x0 0xffffd5e2b8d6 0xffff5f4d1a5d', {
        arch: 'arm64',
      }),
      'blocked',
    );
  });

  it('is undefined while the process runs, reads another file, or has no input', async () => {
    assert.equal(await recorded('running'), undefined);
    assert.equal(await recorded('0 0x5 0x7ffd5e2b8d90 0x2000'), undefined);
    assert.equal(await recorded('270 0x8 0x7ffd5e2b8d90 0x0'), undefined);
    assert.equal(await recorded('0 0x0 0x7ffd5e2b8d90 0x2000', { input: '/dev/null' }), undefined);
  });

  it('is undefined on other systems', async () => {
    assert.equal(await recorded('0 0x0 0x7ffd5e2b8d90 0x2000', { platform: 'darwin' }), undefined);
    assert.equal(await recorded('0 0x0 0x7ffd5e2b8d90 0x2000', { arch: 'mips' }), undefined);
  });

  it('is listening if the event loop of a real process waits for it, and undefined after that process has ended', async function () {
    if (process.platform !== 'linux') {
      skip(this, 'only Linux tells what a process waits for');
    }
    const listening = await ready(LISTENS);
    assert.equal(await inputWait(listening.pid ?? 0), 'listening');
    assert.equal(await inputWait((await ready(DOES_NOT)).pid ?? 0), undefined);
    listening.kill('SIGKILL');
    await once(listening, 'exit');
    assert.equal(await inputWait(listening.pid ?? 0), undefined);
  });
});

describe('the process of a session', () => {
  const launch = { configuration: { request: 'launch' } };

  it('is the one that its adapter reports, or the one that js-debug names the session after', () => {
    assert.equal(
      localProcessOf(
        sessionOf(
          after([...launched('a', launch), eventOf('process', { name: 'x', systemProcessId: 42 })]),
        ),
      ),
      42,
    );
    assert.equal(
      localProcessOf(
        sessionOf(
          after(launched('a', { ...launch, name: 'app.js [43]', sessionType: 'pwa-node' })),
        ),
      ),
      43,
    );
    assert.equal(
      localProcessOf(
        sessionOf(after(launched('a', { ...launch, name: 'app [43]', sessionType: 'go' }))),
      ),
      undefined,
    );
  });

  it('is not determined if it may be on another machine', () => {
    const process = eventOf('process', { name: 'x', systemProcessId: 42 });
    assert.equal(
      localProcessOf(
        sessionOf(after([...launched('a', { configuration: { request: 'attach' } }), process])),
      ),
      undefined,
    );
    assert.equal(
      localProcessOf(
        sessionOf(
          after([
            ...launched('a', { configuration: { request: 'launch', remoteRoot: '/app' } }),
            process,
          ]),
        ),
      ),
      undefined,
    );
  });
});
