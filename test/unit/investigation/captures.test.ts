import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { skip } from '../../support/skip';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allowedEnvironment } from '../../../src/investigation/environment';
import { Captures, type CapturePlan, type CaptureState } from '../../../src/investigation/captures';
import { processTable } from '../../../src/editor/investigation/terminalProcesses';
import { ChildProcessRunner } from '../../../src/investigation/childProcess';
import { decode, type CaptureEvent } from '../../../src/investigation/events';
import { failsWith } from '../support/services';
import { kept, removeFolders, type Kept } from './support';

const NODE = JSON.stringify(process.execPath);
const FOREVER = new AbortController().signal;

interface Run extends Kept {
  readonly sid: string;
  readonly captures: Captures;
}

async function begun(): Promise<Run> {
  const on = kept();
  const { sid } = await on.investigations.start('x');
  return { ...on, sid, captures: new Captures(on.investigations) };
}

function command(text: string, timeoutMs = 20_000, graceMs = 300): CapturePlan {
  const runner = new ChildProcessRunner(processTable, graceMs);
  return {
    kind: 'capture',
    mode: 'cli',
    source: 'command',
    what: text,
    timeoutMs,
    run: async ({ sink }, stop) =>
      await runner.run(
        { text, cwd: process.cwd(), env: allowedEnvironment(process.env, []) },
        sink,
        stop,
      ),
  };
}

function script(code: string, timeoutMs?: number): CapturePlan {
  return command(`${NODE} -e ${JSON.stringify(code)}`, timeoutMs);
}

/** Whether a process runs. A killed process whose parent has ended may remain as a zombie. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return !/^(Z|$)/.test(state.trim());
}

async function captured(on: Run, plan: CapturePlan): Promise<CaptureState> {
  const { id } = await on.captures.start(on.sid, plan);
  return await on.captures.wait(on.sid, id, 30_000, FOREVER);
}

function eventsOf({ root, sid }: Run, file = 'logs/capture.ndjson'): readonly CaptureEvent[] {
  return readFileSync(path.join(root, sid, file), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(decode);
}

describe('a captured command', () => {
  before(function () {
    if (process.platform === 'win32') skip(this, 'Windows has other links, signals and shells');
  });
  afterEach(removeFolders);

  it('is written with its output, its exit code and its errors', async () => {
    const on = await begun();
    const { record, stats } = await captured(
      on,
      script("console.log('out'); console.error('Error: bad'); process.exitCode = 3"),
    );
    assert.deepEqual(
      [record.endedBy, record.exitCode, record.via, record.errors],
      ['exit', 3, 'child_process', 1],
    );
    assert.deepEqual(
      eventsOf(on)
        .map(({ msg }) => msg)
        .sort(),
      ['Error: bad', 'out'],
    );
    assert.deepEqual(stats.firstErrors, ['Error: bad']);
    assert.deepEqual((await on.investigations.find(on.sid)).captures, [record]);
  });

  it('that does not exist is reported with exit code 127 and an error', async () => {
    const on = await begun();
    const { record } = await captured(on, command('no-such-command-anywhere'));
    assert.deepEqual([record.endedBy, record.exitCode, record.errors], ['exit', 127, 1]);
  });

  it('in a folder that does not exist is recorded as failed, with the reason', async () => {
    const on = await begun();
    const runner = new ChildProcessRunner(processTable);
    const { record } = await captured(on, {
      ...command('true'),
      run: async ({ sink }, stop) =>
        await runner.run({ text: 'true', cwd: '/no/such/folder', env: {} }, sink, stop),
    });
    assert.equal(record.endedBy, 'failed');
    assert.match(record.note ?? '', /ENOENT/);
  });

  it('that never ends is ended with its child processes, and its output so far is kept', async () => {
    const on = await begun();
    const { record } = await captured(
      on,
      command(
        `echo begun; ${NODE} -e "process.on('SIGTERM', () => { console.log('ended'); process.exit() }); setInterval(() => 0, 1000); console.log('up')"; echo never`,
        1500,
      ),
    );
    assert.equal(record.endedBy, 'timeout');
    assert.deepEqual(
      eventsOf(on).map(({ msg }) => msg),
      ['begun', 'up', 'ended'],
    );
  });

  it('that ignores the request to end is killed', async () => {
    const on = await begun();
    const { record } = await captured(
      on,
      script(
        "process.on('SIGTERM', () => console.log('no')); console.log('pid', process.pid); setInterval(() => 0, 1000)",
        1200,
      ),
    );
    assert.equal(record.endedBy, 'timeout');
    const [, pid] = /^pid (\d+)$/.exec(eventsOf(on)[0]?.msg ?? '') ?? [];
    assert.ok(pid !== undefined, JSON.stringify(eventsOf(on)));
    assert.ok(!isRunning(Number(pid)));
  });

  it('that is killed is recorded with the signal', async () => {
    const on = await begun();
    const { record } = await captured(on, command('kill -9 $$'));
    assert.deepEqual([record.endedBy, record.signal], ['signal', 'SIGKILL']);
  });

  it('that reads input gets none', async () => {
    const on = await begun();
    const { record } = await captured(on, command('read answer || echo none'));
    assert.deepEqual([record.exitCode, eventsOf(on)[0]?.msg], [0, 'none']);
  });

  it('that leaves a process behind still ends', async () => {
    const on = await begun();
    const { record } = await captured(on, command('sleep 20 & echo $!'));
    assert.deepEqual([record.endedBy, record.exitCode], ['exit', 0]);
    assert.match(record.note ?? '', /still kept its output open/);
    process.kill(Number(eventsOf(on)[0]?.msg));
  });

  it('that prints binary data is kept', async () => {
    const on = await begun();
    const { record } = await captured(
      on,
      script(
        'process.stdout.write(Buffer.from(Array.from({length: 100000}, (_, i) => (i * 7) % 256)))',
      ),
    );
    assert.equal(record.exitCode, 0);
    assert.ok(record.events > 100);
  });

  it('gets only the allowed environment variables', async () => {
    const env = allowedEnvironment(
      { PATH: 'p', SECRET_TOKEN: 's', MY_FLAG: 'f', LC_ALL: 'C' },
      ['my_flag'],
      { ADDED: 'a' },
    );
    assert.deepEqual(env, { PATH: 'p', MY_FLAG: 'f', LC_ALL: 'C', ADDED: 'a' });
  });
});

/** Makes every growing file refuse writes after the first `after` ones. */
function fullDisk(on: Run, after = 0): void {
  const grow = on.files.grow.bind(on.files);
  let count = 0;
  on.files.grow = async (sid, file) => {
    const grown = await grow(sid, file);
    return {
      append: async (text) => {
        count += 1;
        if (count > after) throw new Error('ENOSPC: no space left on device');
        await grown.append(text);
      },
      close: async () => await grown.close(),
    };
  };
}

describe('a capture that cannot be written', () => {
  before(function () {
    if (process.platform === 'win32') skip(this, 'Windows has other links, signals and shells');
  });
  afterEach(removeFolders);

  it('ends its command and fails with the reason; the output so far is kept', async () => {
    const on = await begun();
    fullDisk(on, 1);
    const { record } = await captured(
      on,
      script("setInterval(() => console.log('again'), 100)", 600_000),
    );
    assert.equal(record.endedBy, 'failed');
    assert.match(record.note ?? '', /could not be written: ENOSPC/);
    assert.equal(eventsOf(on)[0]?.msg, 'again');
    assert.deepEqual((await on.investigations.find(on.sid)).captures, [record]);
  });

  it('fails even if only its end cannot be written', async () => {
    const on = await begun();
    fullDisk(on);
    const { record } = await captured(on, command('echo short'));
    assert.deepEqual([record.endedBy, record.exitCode], ['failed', 0]);
  });

  it('fails if one of its additional streams cannot be written', async () => {
    const on = await begun();
    fullDisk(on);
    const { record } = await captured(on, {
      ...command('x'),
      run: async ({ line }, stop) => {
        await line('console', { a: 1 }).catch(() => undefined);
        assert.ok(stop.aborted);
        return { via: 'browser', endedBy: 'exit' };
      },
    });
    assert.equal(record.endedBy, 'failed');
  });

  it('fails if its file cannot be created', async () => {
    const on = await begun();
    on.files.grow = () => Promise.reject(new Error('EACCES'));
    const { record } = await captured(on, command('echo never'));
    assert.equal(record.endedBy, 'failed');
    assert.match(record.note ?? '', /EACCES/);
  });

  it('still ends if its folder is removed meanwhile', async () => {
    const on = await begun();
    const { record } = await captured(on, {
      ...command('x'),
      run: async ({ sink }) => {
        await on.investigations.remove(on.sid);
        await sink('stdout', 'lost\n');
        return { via: 'child_process', endedBy: 'exit', exitCode: 0 };
      },
    });
    assert.equal(record.endedBy, 'exit');
    assert.equal((await on.captures.wait(on.sid, 'c1', 0, FOREVER)).record.endedBy, 'exit');
  });

  it('is written into the record once writing succeeds again', async () => {
    const on = await begun();
    const write = on.files.write.bind(on.files);
    const { id } = await on.captures.start(on.sid, {
      ...command('x'),
      run: async () => {
        on.files.write = () => Promise.reject(new Error('ENOSPC'));
        return { via: 'child_process', endedBy: 'exit', exitCode: 0 };
      },
    });
    await on.captures.wait(on.sid, id, 60_000, FOREVER);
    on.files.write = write;
    assert.equal((await on.investigations.find(on.sid)).captures[0]?.endedBy, undefined);
    assert.equal((await on.captures.wait(on.sid, id, 0, FOREVER)).record.exitCode, 0);
    assert.equal((await on.investigations.find(on.sid)).captures[0]?.endedBy, 'exit');
  });
});

describe('the additional streams of a capture', () => {
  afterEach(removeFolders);

  it('stay within the limit, and report the number of dropped entries', async () => {
    const on = kept();
    const { sid } = await on.investigations.start('x');
    const captures = new Captures(on.investigations, { mostBytes: 1000 });
    const { id } = await captures.start(sid, {
      ...command('x'),
      run: async ({ line, picture, dropped }) => {
        for (let at = 0; at < 100; at += 1) await line('console', { at, text: 'x'.repeat(20) });
        assert.equal(await picture('step-1.png', new Uint8Array(2000)), undefined);
        dropped(3);
        return { via: 'browser', endedBy: 'exit' };
      },
    });
    const { record } = await captures.wait(sid, id, 60_000, FOREVER);
    const text = readFileSync(path.join(on.root, sid, 'logs/console.ndjson'), 'utf8');
    const lines = text.trimEnd().split('\n');
    assert.ok(text.length < 1200, String(text.length));
    assert.equal(record.dropped, 100 - (lines.length - 1) + 1 + 3);
    assert.match(lines.at(-1) ?? '', /"dropped":\d+/);
    assert.deepEqual(record.files, ['logs/console.ndjson']);
  });
});

describe('captures', () => {
  before(function () {
    if (process.platform === 'win32') skip(this, 'Windows has other links, signals and shells');
  });
  afterEach(removeFolders);

  it('continue when the wait ends, and can be waited for again', async () => {
    const on = await begun();
    const gate = new AbortController();
    const { id } = await on.captures.start(on.sid, {
      ...command('x'),
      run: async ({ sink }) => {
        await sink('stdout', 'one\n');
        await new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
        return { via: 'child_process', endedBy: 'exit', exitCode: 0 };
      },
    });
    assert.equal((await on.captures.wait(on.sid, id, 1, FOREVER)).isRunning, true);
    const cancelled = AbortSignal.abort();
    assert.equal((await on.captures.wait(on.sid, id, 60_000, cancelled)).isRunning, true);
    gate.abort();
    const { isRunning, record } = await on.captures.wait(on.sid, id, 60_000, FOREVER);
    assert.deepEqual([isRunning, record.endedBy], [false, 'exit']);
    assert.equal((await on.captures.wait(on.sid, id, 0, FOREVER)).record.exitCode, 0);
  });

  it('of one investigation are numbered, and several run at once', async () => {
    const on = await begun();
    const all = await Promise.all(
      ['a', 'b'].map(async (word) => await captured(on, command(`echo ${word}`))),
    );
    assert.deepEqual(all.map(({ record }) => record.id).sort(), ['c1', 'c2']);
    for (const { record } of all)
      assert.equal(eventsOf(on, record.file)[0]?.msg, record.what.slice(5));
    const { record } = await captured(on, { ...command('echo v'), kind: 'verify' });
    assert.deepEqual([record.id, record.file], ['v1', 'logs/run-1.verify.ndjson']);
  });

  it('are ended on request', async () => {
    const on = await begun();
    const { id } = await on.captures.start(on.sid, script('setInterval(() => 0, 1000)'));
    await on.captures.stop(on.sid);
    const { record } = await on.captures.wait(on.sid, id, 0, FOREVER);
    assert.equal(record.endedBy, 'stopped');
    assert.equal(on.captures.isRunning(on.sid, id), false);
  });

  it('that fail with an error are recorded as failed', async () => {
    const on = await begun();
    const { record } = await captured(on, {
      ...command('x'),
      run: () => Promise.reject(new Error('broken')),
    });
    assert.deepEqual([record.endedBy, record.note], ['failed', 'broken']);
  });

  it('that were left open before the window reloaded are closed', async () => {
    const on = await begun();
    await on.captures.start(on.sid, script('setInterval(() => 0, 1000)'));
    const again = kept(on.root);
    await again.investigations.closeAbandoned(() => false);
    assert.equal((await again.investigations.find(on.sid)).captures[0]?.endedBy, 'window_closed');
    await on.captures.stop(on.sid);
  });

  it('are refused for an investigation that has ended or is unknown', async () => {
    const on = await begun();
    await on.investigations.update(on.sid, () => ({ endedAt: 'now' }));
    await assert.rejects(on.captures.start(on.sid, command('true')), failsWith('session_ended'));
    await assert.rejects(
      on.captures.start('260301-zzzz', command('true')),
      failsWith('investigation_not_found'),
    );
    await assert.rejects(on.captures.wait(on.sid, 'c9', 0, FOREVER), failsWith('invalid_input'));
  });
});
