import { strict as assert } from 'node:assert';
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';

const root = path.resolve(__dirname, '../../..');
const executable = path.join(root, 'scripts/vscodeHost/code.mjs');

interface Run {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly mark: string;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  says(text: string): Promise<void>;
}

/** Starts the executable with one of `test/fixtures/hostTests`. */
function start(tests: string): Run {
  const mark = randomUUID();
  const args = [
    path.join(root, 'test/fixtures/node'),
    `--extensionTestsPath=${path.join(root, 'test/fixtures/hostTests', tests)}`,
    `--extensionDevelopmentPath=${root}`,
    '--no-sandbox',
    '--some-flag-of-desktop=1',
  ];
  const child = spawn(executable, args, {
    env: { ...process.env, TEST_RUN_MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const read = (data: Buffer): void => {
    output += data.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const readRequest = (): void => {
        if (output.includes(text)) resolve();
      };
      listeners.add(readRequest);
      readRequest();
      void ended.then(() => reject(new Error(`ended without saying “${text}”:\n${output}`)));
    });
  return { child, mark, output: () => output, ended, says };
}

/** The live processes that inherited a run's mark, with their commands. */
function processesOf(mark: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      if (!readFileSync(`/proc/${entry}/environ`, 'latin1').includes(mark)) return [];
      return [
        {
          pid: Number(entry),
          command: readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' '),
        },
      ];
    } catch {
      return [];
    }
  });
}

describe('the npm-delivered VS Code with the flags of desktop VS Code', () => {
  it('passes the console through, and exits with 0', async () => {
    const run = start('pass.js');
    assert.equal(await run.ended, 0, run.output());
    assert.match(run.output(), /hello from \{ the: 'extension host' \}/);
    assert.deepEqual(processesOf(run.mark), []);
  });

  it('exits with 1 when the tests fail', async () => {
    const run = start('fail.js');
    assert.equal(await run.ended, 1, run.output());
    assert.match(run.output(), /about to fail/);
    assert.deepEqual(processesOf(run.mark), []);
  });

  it('leaves no process on Ctrl+C, not even one that left its group', async () => {
    const run = start('hang.js');
    await run.says('hanging');
    assert.ok(processesOf(run.mark).some((each) => each.command.includes('sleep 1000')));
    run.child.kill('SIGINT');
    assert.equal(await run.ended, 130, run.output());
    assert.deepEqual(processesOf(run.mark), []);
  });

  it('exits with 1 and cleans up when the browser dies', async () => {
    const run = start('hang.js');
    await run.says('hanging');
    const browser = processesOf(run.mark).find(
      (each) => each.command.includes('chrom') && !each.command.includes('--type='),
    );
    assert.ok(browser);
    process.kill(browser.pid, 'SIGKILL');
    assert.equal(await run.ended, 1, run.output());
    assert.match(run.output(), /the browser died/);
    assert.deepEqual(processesOf(run.mark), []);
  });

  const setup = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(root, 'scripts/vscodeHost/setup.mjs'), ...args], {
      encoding: 'utf8',
    });

  it('keeps several versions side by side, and refuses an unknown one', () => {
    const [present, oldest] = ['present', 'oldest'].map((name) =>
      setup(name, '--where').stdout.trim(),
    );
    assert.match(String(present), /code-server-4\.139\.\d+-node-24/);
    assert.match(String(oldest), /code-server-4\.103\.\d+-node-22/);
    const { status, stderr } = setup('newest', '--where');
    assert.equal(status, 1);
    assert.match(stderr, /no VS Code “newest”/);
  });

  it('continues an interrupted set-up', () => {
    const host = setup('--where').stdout.trim();
    // Other tests use the host at the same time, so the test interrupts the set-up of a copy.
    const cache = mkdtempSync(path.join(path.dirname(host), '..', 'interrupted-'));
    try {
      const copied = spawnSync('cp', ['-al', host, cache], { encoding: 'utf8' });
      assert.equal(copied.status, 0, copied.stderr);
      const stamp = path.join(cache, path.basename(host), '.done-extensions');
      rmSync(stamp);
      process.env['AGENT_DEBUGGER_HOST_CACHE'] = cache;
      const result = setup();
      assert.equal(result.status, 0, result.stderr);
      assert.match(result.stdout, /finishing its built-in extensions/);
      assert.doesNotMatch(result.stdout, /downloading|native modules/);
      assert.ok(existsSync(stamp));
    } finally {
      delete process.env['AGENT_DEBUGGER_HOST_CACHE'];
      rmSync(cache, { recursive: true });
    }
  });
});
