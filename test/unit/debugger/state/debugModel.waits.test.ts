import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import type { DebugState } from '../../../../src/debugger/state/state';
import {
  answered,
  asked,
  ended,
  launched,
  sessionOf,
  stopped,
  eventOf,
} from '../../support/events';

function lifeOf(expected: string) {
  return (state: DebugState): string | undefined => {
    const session = state.sessions.get('a');
    return session?.lifecycle === expected ? session.id : undefined;
  };
}

const open = (): AbortSignal => new AbortController().signal;

describe('debug model: waits', () => {
  let model: DebugModel;

  beforeEach(() => {
    model = new DebugModel();
    for (const event of launched()) model.dispatch(event);
  });

  it('end at once if the condition already holds', async () => {
    const wait = model.wait(lifeOf('running'), { timeoutMs: 5000, signal: open() });
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'found', value: 's1' });
  });

  it('find a change and leave no listener behind', async () => {
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() });
    assert.equal(model.listenerCount, 1);
    model.dispatch(stopped(1));
    assert.equal(model.listenerCount, 0, 'gone in the same turn');
    assert.deepEqual(await wait.settled, { kind: 'found', value: 's1' });
  });

  it('find a state that existed only between two messages', async () => {
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() });
    model.dispatch(stopped(1));
    model.dispatch(eventOf('continued', { threadId: 1 }));
    assert.equal((await wait.settled).kind, 'found');
  });

  it('treat falsy values as found, and only undefined as not found', async () => {
    for (const value of [0, false, '', null]) {
      assert.deepEqual(await model.wait(() => value, { timeoutMs: 5000, signal: open() }).settled, {
        kind: 'found',
        value,
      });
    }
  });

  it('end at the timeout and not earlier', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let result: string | undefined;
      const wait = model.wait(lifeOf('stopped'), { timeoutMs: 1000, signal: open() });
      const done = wait.settled.then((settled) => (result = settled.kind));
      mock.timers.tick(999);
      await Promise.resolve();
      assert.equal(result, undefined);
      assert.equal(model.listenerCount, 1);
      mock.timers.tick(1);
      await done;
      assert.equal(result, 'timeout');
      assert.equal(model.listenerCount, 0);
    } finally {
      mock.timers.reset();
    }
  });

  it('receive the events of the meantime before a timeout that is late because the process was suspended', async () => {
    for (const isStopped of [true, false]) {
      let now = performance.now();
      const clock = mock.method(performance, 'now', () => now);
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const fresh = new DebugModel();
        for (const event of launched()) fresh.dispatch(event);
        let result: string | undefined;
        const done = fresh
          .wait(lifeOf('stopped'), { timeoutMs: 1000, signal: open() })
          .settled.then((settled) => (result = settled.kind));
        now += 60_000;
        mock.timers.tick(1000);
        await Promise.resolve();
        assert.equal(result, undefined);
        if (isStopped) fresh.dispatch(stopped(1));
        mock.timers.tick(3000);
        await done;
        assert.equal(result, isStopped ? 'found' : 'timeout');
        assert.equal(fresh.listenerCount, 0);
      } finally {
        mock.timers.reset();
        clock.mock.restore();
      }
    }
  });

  it('end when they are cancelled', async () => {
    const controller = new AbortController();
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: controller.signal });
    controller.abort();
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'cancelled' });
  });

  it('end at once if they were cancelled before they began, even if the condition holds', async () => {
    const wait = model.wait(lifeOf('running'), { timeoutMs: 5000, signal: AbortSignal.abort() });
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'cancelled' });
  });

  it('end as cancelled when they are abandoned', async () => {
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() });
    wait.abandon();
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'cancelled' });
  });

  it('settle once: later events change nothing', async () => {
    const controller = new AbortController();
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: controller.signal });
    model.dispatch(stopped(1));
    wait.abandon();
    controller.abort();
    model.dispatch(ended());
    assert.deepEqual(await wait.settled, { kind: 'found', value: 's1' });
  });

  it('are rejected and leave no listener behind if the condition throws at once', async () => {
    const wait = model.wait(
      () => {
        throw new Error('bad question');
      },
      { timeoutMs: 5000, signal: open() },
    );
    assert.equal(model.listenerCount, 0);
    await assert.rejects(wait.settled, /bad question/);
  });

  it('are rejected alone if the condition throws on a change: other waits and the dispatch continue', async () => {
    const bad = model.wait(
      (state) => {
        if (sessionOf(state).lifecycle === 'stopped') throw new Error('bad question');
        return undefined;
      },
      { timeoutMs: 5000, signal: open() },
    );
    const good = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() });
    model.dispatch(stopped(1));
    assert.equal(model.listenerCount, 0);
    await assert.rejects(bad.settled, /bad question/);
    assert.equal((await good.settled).kind, 'found');
  });

  it('convert a thrown value that is no error to an error', async () => {
    const gone = AbortSignal.abort('words');
    await assert.rejects(
      model.wait(() => gone.throwIfAborted(), { timeoutMs: 5000, signal: open() }).settled,
      (error: unknown) => error instanceof Error && error.message === 'words',
    );
  });

  it('a pending read-only request is found in the state, and is processed before its response', async () => {
    model.dispatch(stopped(1));
    model.dispatch(asked(7, 'threads'));
    assert.equal(sessionOf(model.state).pending.get(7)?.command, 'threads');
    model.dispatch(asked(8, 'stackTrace', { threadId: 1 }));
    const underWay = model.answers.underWay('a', 'stackTrace', { threadId: 1 });
    model.dispatch(answered(8, 'stackTrace', { stackFrames: [{ id: 5 }] }));
    assert.deepEqual(await underWay, { stackFrames: [{ id: 5 }] });
    model.dispatch(asked(9, 'scopes', { frameId: 5 }));
    model.dispatch(answered(9, 'scopes', { scopes: [] }));
    assert.deepEqual(model.answers.cached('a', 'scopes', { frameId: 5 }), { scopes: [] });
  });

  it('a response is processed at once if somebody waits for it, otherwise when the state is read, and none is lost', async () => {
    model.dispatch(stopped(1));
    const seen: unknown[] = [];
    model.observe(
      (event) => seen.push((event as { message: { seq: number } }).message.seq),
      ['stackTrace', 'threads'],
    );
    model.dispatch(asked(7, 'stackTrace', { threadId: 1 }));
    model.dispatch(answered(7, 'stackTrace', { stackFrames: [] }));
    assert.deepEqual(seen, []);
    assert.deepEqual(model.answers.cached('a', 'stackTrace', { threadId: 1 }), { stackFrames: [] });
    assert.deepEqual(seen, [7, 1007]);

    model.dispatch(asked(8, 'threads'));
    const named = model.wait((state) => state.sessions.get('a')?.threads.get(2)?.name, {
      timeoutMs: 5000,
      signal: open(),
    });
    model.dispatch(
      answered(8, 'threads', {
        threads: [
          { id: 1, name: 'main' },
          { id: 2, name: 'worker' },
        ],
      }),
    );
    assert.deepEqual(await named.settled, { kind: 'found', value: 'worker' });

    const heard: unknown[] = [];
    const stop = model.answers.listen('a', 'stackTrace', { threadId: 2 }, (body) =>
      heard.push(body),
    );
    model.dispatch(asked(9, 'stackTrace', { threadId: 2 }));
    model.dispatch(answered(9, 'stackTrace', { stackFrames: [{ id: 3 }] }));
    assert.deepEqual(heard, [{ stackFrames: [{ id: 3 }] }]);
    stop();

    model.dispatch(asked(10, 'stackTrace', { threadId: 3 }));
    model.dispatch(answered(10, 'stackTrace', { stackFrames: [] }));
    model.dispatch(eventOf('continued'));
    assert.deepEqual(seen, [7, 1007, 8, 1008, 9, 1009, 10, 1010]);
    assert.equal(
      model.answers.cached('a', 'stackTrace', { threadId: 3 }),
      undefined,
      'the program has moved on since',
    );
  });

  it('read-only requests are processed in their order, even if nobody answers them or reads the state', () => {
    model.dispatch(stopped(1));
    const seen: unknown[] = [];
    model.observe(
      (event) => seen.push((event as { message: { seq: number } }).message.seq),
      ['stackTrace', 'continue'],
    );
    for (let seq = 100; seq < 350; seq += 1)
      model.dispatch(asked(seq, 'stackTrace', { threadId: 1 }));
    model.dispatch(asked(350, 'continue', { threadId: 1 }));
    assert.deepEqual(
      seen,
      Array.from({ length: 251 }, (_, index) => 100 + index),
    );
  });

  it('all end and leave no listener behind if there are 1,000 at once', async () => {
    const waits = Array.from({ length: 1000 }, () =>
      model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() }),
    );
    assert.equal(model.listenerCount, 1000);
    model.dispatch(stopped(1));
    assert.equal(model.listenerCount, 0);
    assert.ok(
      (await Promise.all(waits.map((wait) => wait.settled))).every(
        (settled) => settled.kind === 'found',
      ),
    );
  });

  it('leave no timer that would keep the process alive', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const wait = model.wait(lifeOf('stopped'), { timeoutMs: 1000, signal: open() });
      model.dispatch(stopped(1));
      mock.timers.tick(5000);
      assert.equal((await wait.settled).kind, 'found');
    } finally {
      mock.timers.reset();
    }
  });
});
