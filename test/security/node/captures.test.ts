import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { skip } from '../../support/skip';
import { processTable } from '../../../src/editor/investigation/terminalProcesses';
import { ChildProcessRunner } from '../../../src/investigation/childProcess';
import { allowedEnvironment } from '../../../src/investigation/environment';
import type { RunEnd } from '../../../src/investigation/runs';

const GRACE_MS = 200;
/** Whether a process runs. A process that has ended and that nobody has waited for does not. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

interface Ended {
  readonly end: RunEnd;
  /** The ids that the command printed. */
  readonly pids: readonly number[];
}

/** Runs a command that prints the ids of its processes, and stops it once it has printed this many. */
async function run(text: string, stopAfter = Infinity): Promise<Ended> {
  const stop = new AbortController();
  let printed = '';
  const runner = new ChildProcessRunner(processTable, GRACE_MS);
  const end = await runner.run(
    { text, cwd: process.cwd(), env: allowedEnvironment(process.env, []) },
    async (_stream, data) => {
      printed += Buffer.from(data).toString();
      if (printed.split('\n').length > stopAfter) stop.abort();
    },
    stop.signal,
  );
  const pids = printed.split('\n').filter(Boolean).map(Number);
  assert.ok(pids.length > 0 && pids.every((pid) => pid > 1), printed);
  return { end, pids };
}

/** Commands whose processes leave the group of the command. Each prints the ids of its processes. */
const LEAVING: Readonly<Record<string, string>> = {
  'in a session of its own': 'setsid sh -c "echo \\$\\$; exec sleep 300" & sleep 300',
  'that ignores the end of the terminal': 'nohup sleep 300 > /dev/null 2>&1 & echo $!; sleep 300',
  'with closed output in a session of its own':
    'setsid sh -c "echo \\$\\$; exec sleep 300 > /dev/null 2>&1" & sleep 300',
  // Ignored signals stay ignored in the programs that the shell starts.
  'that ignores the request to end':
    "trap '' TERM; setsid sh -c 'echo $$; exec sleep 300' & sleep 300",
  'whose parent has ended': '(setsid sh -c "echo \\$\\$; exec sleep 300" &) ; sleep 300',
  'without our variables, while its parent lives':
    'setsid env -i sh -c "echo \\$\\$; exec /bin/sleep 300"',
};

describe('a captured command that starts a process', () => {
  before(function () {
    if (process.platform !== 'linux') skip(this, 'It looks into /proc.');
  });

  for (const [what, text] of Object.entries(LEAVING)) {
    it(`${what} is ended with it at its limit`, async () => {
      const { pids, end } = await run(text, 1);
      assert.deepEqual(pids.filter(isAlive), [], JSON.stringify(end));
    });
  }

  for (const [what, text] of [
    [
      'in a session of its own',
      'setsid sh -c "echo \\$\\$; exec sleep 300 > /dev/null 2>&1" & sleep 0.1',
    ],
    ['that ignores the end of the terminal', 'nohup sleep 300 > /dev/null 2>&1 & echo $!'],
    ['that keeps the output open', 'sleep 300 & echo $!'],
  ] as const) {
    it(`${what} and ends itself takes it along, and says so`, async () => {
      const { pids, end } = await run(text);
      assert.deepEqual(pids.filter(isAlive), []);
      assert.match(end.note ?? '', /which were ended: (?:nohup )?sleep 300 \(pid \d+\)/);
      assert.equal(end.exitCode, 0);
    });
  }

  it('that cannot be ended names it', async () => {
    const runner = new ChildProcessRunner({ ...processTable, signal: () => false }, GRACE_MS);
    let pid = '';
    const { note } = await runner.run(
      { text: 'sleep 300 > /dev/null 2>&1 & echo $!', cwd: '/', env: {} },
      async (_stream, data) => void (pid += Buffer.from(data).toString()),
      new AbortController().signal,
    );
    process.kill(Number(pid), 'SIGKILL');
    assert.match(note ?? '', /could not be ended: (?:nohup )?sleep 300 \(pid \d+\)/);
  });
});
