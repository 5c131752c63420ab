import { strict as assert } from 'node:assert';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, errorOf, marked, stopOf, switchLive, until } from '../support/client';
import { explain } from './hang';

/** Starts a program that never stops by itself, and returns when it has printed a text. */
async function startUntil(program: string, printed: string): Promise<void> {
  const started = await call('start_debugging', {
    ...{ program, output_pattern: printed, timeout_seconds: 40 },
  });
  assert.ok(started['matched'] !== undefined, JSON.stringify(started));
}

describe('explain_hang', function () {
  this.timeout(300_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  it('fails if there is no session', async () => {
    errorOf(await explain(), 'no_session');
  });

  describe('in Python', () => {
    before(function () {
      needs(this, 'Python');
    });

    it('names the deadlock of two locks, and pauses nothing', async () => {
      const file = 'live/python/deadlock.py';
      await startUntil(file, 'both have one');
      const hang = await explain();
      const text = JSON.stringify(hang);
      assert.equal(hang.program, 'running', text);
      const line = marked(file, 'waits');
      assert.deepEqual(
        hang.deadlock?.map((each) => [each['thread'], each['held_by'], each['line_number']]).sort(),
        [
          ['back', 'there', line],
          ['there', 'back', line],
        ],
        text,
      );
      const main = hang.groups?.find((each) => each.waits_for['kind'] === 'join');
      assert.equal(main?.waits_for['owner'], 'there', text);
    });

    it('starts a program, names its deadlock and ends it in one call', async () => {
      const file = 'live/python/deadlock.py';
      const hang = await explain({ program: file });
      const text = JSON.stringify(hang);
      assert.deepEqual([hang.status, hang.program], ['success', 'ended'], text);
      const line = marked(file, 'waits');
      const waits = hang.deadlock?.map((each) => [each['thread'], each['line_number']]).sort();
      assert.deepEqual(
        waits,
        [
          ['back', line],
          ['there', line],
        ],
        text,
      );
      errorOf(await explain(), 'no_session');
    });

    it('says how many tasks of a queue are not done, also of those that were taken', async () => {
      const file = 'live/python/unfinished.py';
      await startUntil(file, 'taken');
      const hang = await explain();
      const text = JSON.stringify(hang);
      const main = hang.groups?.find((each) => each.waits_for['kind'] === 'queue');
      assert.equal(main?.waits_for['what'], 'join of a Queue with 1 unfinished tasks', text);
      assert.equal(main.waits_for['line_number'], marked(file, 'joins'), text);
      const worker = hang.groups?.find(({ threads }) => threads.includes('worker'));
      assert.equal(worker?.waits_for['kind'], 'event', text);
    });

    it('counts tasks that await the same, and names a coroutine that nothing awaits', async () => {
      await startUntil('live/python/forgotten.py', 'waiting');
      const hang = await explain();
      const text = JSON.stringify(hang);
      const found = (hang.tasks ?? []).map((each) => [
        each['state'],
        each['count'],
        each['waits_for'],
      ]);
      assert.deepEqual(
        found.slice(0, 2),
        [
          ['never_awaited', 1, undefined],
          ['pending', 10_000, 'wait of a Event'],
        ],
        text,
      );
      assert.match(JSON.stringify(hang.tasks?.at(0)), /load \(/, text);
      assert.equal(hang.groups?.[0]?.waits_for['kind'], 'event_loop', text);
      assert.equal(hang.deadlock, undefined, text);
    });
  });

  describe('in Node', () => {
    it('lists what an idle program waits for, and lets it go on', async () => {
      await startUntil('live/node/idle.js', 'asked');
      const hang = await explain();
      const text = JSON.stringify(hang);
      assert.equal(hang.groups?.[0]?.waits_for['kind'], 'event_loop', text);
      const pending = hang.pending ?? [];
      const has = (kind: string, what: RegExp): boolean =>
        pending.some((each) => each.kind === kind && what.test(each.what ?? ''));
      assert.ok(has('server', /^listens at 127\.0\.0\.1:\d+$/), text);
      assert.ok(has('socket', /waits for the answer to GET 127\.0\.0\.1\/slow/), text);
      assert.ok(has('timer', /setInterval/), text);
      await until(isRunning, 'the program goes on');
    });

    it('starts a program, names its loop and leaves it paused', async () => {
      const file = 'live/node/busy.js';
      const hang = await explain({ program: file, wait_seconds: 2, keep_paused: true });
      const text = JSON.stringify(hang);
      const { kind, line_number: line } = hang.groups?.[0]?.waits_for ?? {};
      assert.deepEqual([kind, line], ['running', marked(file, 'loops')], text);
      const { at, values } = hang.groups?.[0]?.variables ?? {};
      assert.match(`${at} of ${values}`, /^[012] of \(3\) \[1, 2, 3\]$/, text);
      assert.equal(hang.program, 'stopped', text);
      assert.match(JSON.stringify(await call('get_call_stack', {})), /search/);
    });

    it('tells the end of a program that does not hang', async () => {
      const hang = await explain({ program: 'node/prices.mjs' });
      assert.deepEqual([hang.status, hang.program], ['completed', 'ended'], JSON.stringify(hang));
      assert.equal(hang['exit_code'], 0, JSON.stringify(hang));
    });

    it('names the loop that holds the event loop', async () => {
      const file = 'live/node/busy.js';
      await call('set_breakpoint', { file_path: file, line_number: marked(file, 'begins') });
      stopOf(await call('start_debugging', { program: file }));
      // From here on, the program runs nothing but the loop.
      assert.equal((await call('continue_debugging', { timeout_seconds: 1 })).status, 'timeout');
      const hang = await explain({ keep_paused: true });
      const text = JSON.stringify(hang);
      assert.equal(hang.program, 'stopped', text);
      const main = hang.groups?.at(0);
      assert.ok(main, text);
      assert.ok(main.stack.join().includes('search'), text);
      const { kind, line_number: line } = main.waits_for;
      assert.deepEqual([kind, line], ['running', marked(file, 'loops')], text);
      assert.equal((await call('continue_debugging', { timeout_seconds: 1 })).status, 'timeout');
      const again = await explain();
      assert.equal(again.groups?.[0]?.waits_for['kind'], 'running', JSON.stringify(again));
      await until(isRunning, 'the program goes on');
    });
  });
});

const isRunning = ({ state }: Parameters<Parameters<typeof until>[0]>[0]): boolean =>
  [...state.sessions.values()].some(
    ({ lifecycle, threads }) => lifecycle === 'running' && threads.size > 0,
  );
