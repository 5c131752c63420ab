import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, inWorkspace, marked, stopOf, switchLive } from '../support/client';
import { explain, type Hang } from './hang';

/** Starts a program, and returns once it stops at the line from which on all of its other threads wait. */
async function stopAtHang(source: string, start: object, marker = 'joins'): Promise<void> {
  await call('set_breakpoint', { file_path: source, line_number: marked(source, marker) });
  stopOf(await call('start_debugging', { timeout_seconds: 45, ...start }));
}

/** Lets the stopped program run into its hang. */
async function runOn(): Promise<void> {
  assert.equal((await call('continue_debugging', { timeout_seconds: 1 })).status, 'timeout');
}

const waitsAt = (hang: Hang, line: number): NonNullable<Hang['groups']> =>
  (hang.groups ?? []).filter((each) => each.waits_for['line_number'] === line);

describe('explain_hang of threads that wait for each other', function () {
  this.timeout(300_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  it('in Go: names mutexes and channels by their addresses, and no holder', async function () {
    needs(this, 'Go');
    const file = 'live/go/hangs/main.go';
    await stopAtHang(file, { program: file });
    const stopped = await explain();
    assert.equal(stopped.program, 'stopped', JSON.stringify(stopped));
    await runOn();
    const hang = await explain();
    const text = JSON.stringify(hang);
    assert.equal(hang.program, 'running', text);
    const locks = waitsAt(hang, marked(file, 'waits'));
    const mutexes = locks.map((each) => String(each.waits_for['what']));
    assert.equal(new Set(mutexes).size, 2, text);
    for (const each of mutexes) assert.match(each, /^sync\.Mutex at 0x[\da-f]+$/, text);
    assert.ok(
      locks.every((each) => each.count === 1 && each.waits_for['owner'] === undefined),
      text,
    );
    const [workers, ...others] = waitsAt(hang, marked(file, 'receives'));
    assert.deepEqual([workers?.count, others], [3, []], text);
    assert.match(String(workers?.waits_for['what']), /^receive from the channel at 0x/, text);
    assert.equal(hang.deadlock, undefined, text);
    assert.match(String(hang.unknown), /does not note which goroutine has a mutex/, text);
  });

  it('in Java: names the deadlock of two monitors, without a pause and at one', async function () {
    needs(this, 'Java');
    const file = 'java/src/Hangs.java';
    const started = await call('start_debugging', {
      ...{ program: file, output_pattern: 'all wait', timeout_seconds: 100 },
    });
    assert.ok(started['matched'] !== undefined, JSON.stringify(started));
    const hang = await explain({ keep_paused: true });
    const again = await explain();
    for (const each of [hang, again]) {
      const text = JSON.stringify(each);
      assert.equal(each.program, 'stopped', text);
      const line = marked(file, 'waits');
      const cycle = each.deadlock?.map((one) => [
        one['thread'],
        one['held_by'],
        one['line_number'],
      ]);
      assert.deepEqual(
        cycle?.sort(),
        [
          ['back', 'there', line],
          ['there', 'back', line],
        ],
        text,
      );
      assert.match(
        String(each.deadlock?.[0]?.['waits_for']),
        /^the monitor of the java\.lang\.Object/,
      );
      assert.equal(each.deadlock?.[0]?.['file_path'], inWorkspace(file), text);
      const [reader] = waitsAt(each, marked(file, 'locks'));
      assert.deepEqual([reader?.threads, reader?.waits_for['owner']], [['reader'], 'main'], text);
    }
  });

  it('in C++: names the deadlock of two mutexes with their owners', async function () {
    needs(this, 'C++');
    const file = 'live/native/hangs.cpp';
    await stopAtHang(file, { program: compiled(file) });
    await runOn();
    const hang = await explain();
    const text = JSON.stringify(hang);
    assert.equal(hang.program, 'running', text);
    const line = marked(file, 'waits');
    const [one, other, ...more] = hang.deadlock ?? [];
    assert.deepEqual(more, [], text);
    assert.deepEqual([one?.['line_number'], other?.['line_number']], [line, line], text);
    assert.deepEqual(
      [one?.['held_by'], other?.['held_by']],
      [other?.['thread'], one?.['thread']],
      text,
    );
    assert.match(String(one?.['waits_for']), /^mutex at 0x/, text);
    const [awaits] = waitsAt(hang, marked(file, 'awaits'));
    assert.deepEqual(
      [awaits?.waits_for['kind'], awaits?.waits_for['owner']],
      ['condition', undefined],
      text,
    );
  });
});

/** Compiles a program of C++ into the folder of programs. @returns its path in the workspace */
function compiled(source: string): string {
  const program = path.join('native/out', path.basename(source, '.cpp'));
  mkdirSync(path.dirname(inWorkspace(program)), { recursive: true });
  const args = ['-g', '-O0', '-pthread', '-o', inWorkspace(program), inWorkspace(source)];
  const { status, stderr } = spawnSync('g++', args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return program;
}
