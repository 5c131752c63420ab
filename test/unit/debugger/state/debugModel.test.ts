import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import type { DebugState } from '../../../../src/debugger/state/state';
import {
  answered,
  asked,
  created,
  ended,
  exited,
  launched,
  sessionOf,
  stopped,
  told,
} from '../../support/events';

function lifeOf(wanted: string) {
  return (state: DebugState): string | undefined => {
    const session = state.sessions.get('a');
    return session?.lifecycle === wanted ? session.id : undefined;
  };
}

const open = (): AbortSignal => new AbortController().signal;

describe('debug model: waits', () => {
  let model: DebugModel;

  beforeEach(() => {
    model = new DebugModel();
    for (const event of launched()) model.dispatch(event);
  });

  it('what is so already is found at once', async () => {
    const wait = model.wait(lifeOf('running'), { timeoutMs: 5000, signal: open() });
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'found', value: 's1' });
  });

  it('a change is found, and the wait leaves no listener behind', async () => {
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() });
    assert.equal(model.listenerCount, 1);
    model.dispatch(stopped(1));
    assert.equal(model.listenerCount, 0, 'gone in the same turn');
    assert.deepEqual(await wait.settled, { kind: 'found', value: 's1' });
  });

  it('what was so only between two messages is found all the same', async () => {
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() });
    model.dispatch(stopped(1));
    model.dispatch(told('continued', { threadId: 1 }));
    assert.equal((await wait.settled).kind, 'found');
  });

  it('falsy values count as found; only undefined does not', async () => {
    for (const value of [0, false, '', null]) {
      assert.deepEqual(await model.wait(() => value, { timeoutMs: 5000, signal: open() }).settled, {
        kind: 'found',
        value,
      });
    }
  });

  it('the time-out ends it, and not earlier', async () => {
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

  it('a time-out that comes late, because the process stood still, hears first what happened meanwhile', async () => {
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
        mock.timers.tick(1000);
        await done;
        assert.equal(result, isStopped ? 'found' : 'timeout');
        assert.equal(fresh.listenerCount, 0);
      } finally {
        mock.timers.reset();
        clock.mock.restore();
      }
    }
  });

  it('cancelling ends it', async () => {
    const controller = new AbortController();
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: controller.signal });
    controller.abort();
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'cancelled' });
  });

  it('one that was cancelled before it began ends at once, even if there is something to find', async () => {
    const wait = model.wait(lifeOf('running'), { timeoutMs: 5000, signal: AbortSignal.abort() });
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'cancelled' });
  });

  it('abandoning ends it as cancelled', async () => {
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: open() });
    wait.abandon();
    assert.equal(model.listenerCount, 0);
    assert.deepEqual(await wait.settled, { kind: 'cancelled' });
  });

  it('it settles once: what comes later changes nothing', async () => {
    const controller = new AbortController();
    const wait = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal: controller.signal });
    model.dispatch(stopped(1));
    wait.abandon();
    controller.abort();
    model.dispatch(ended());
    assert.deepEqual(await wait.settled, { kind: 'found', value: 's1' });
  });

  it('a question that throws at once rejects the wait and leaves nothing behind', async () => {
    const wait = model.wait(
      () => {
        throw new Error('bad question');
      },
      { timeoutMs: 5000, signal: open() },
    );
    assert.equal(model.listenerCount, 0);
    await assert.rejects(wait.settled, /bad question/);
  });

  it('a question that throws on a change rejects its own wait and no other, and not the dispatch', async () => {
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

  it('something else than an error that is thrown becomes one', async () => {
    const gone = AbortSignal.abort('words');
    await assert.rejects(
      model.wait(() => gone.throwIfAborted(), { timeoutMs: 5000, signal: open() }).settled,
      (error: unknown) => error instanceof Error && error.message === 'words',
    );
  });

  it('a look on its way is there for who asks, and is read before its answer', async () => {
    model.dispatch(stopped(1));
    model.dispatch(asked(7, 'threads'));
    assert.equal(sessionOf(model.state).pending.get(7)?.command, 'threads');
    model.dispatch(asked(8, 'stackTrace', { threadId: 1 }));
    const underWay = model.answers.underWay('a', 'stackTrace', { threadId: 1 });
    model.dispatch(answered(8, 'stackTrace', { stackFrames: [{ id: 5 }] }));
    assert.deepEqual(await underWay, { stackFrames: [{ id: 5 }] });
    model.dispatch(asked(9, 'scopes', { frameId: 5 }));
    model.dispatch(answered(9, 'scopes', { scopes: [] }));
    assert.deepEqual(model.answers.known('a', 'scopes', { frameId: 5 }), { scopes: [] });
  });

  it('an answer that somebody waits for is read at once, any other when somebody asks, and none is lost', async () => {
    model.dispatch(stopped(1));
    const seen: unknown[] = [];
    model.observe(
      (event) => seen.push((event as { message: { seq: number } }).message.seq),
      ['stackTrace', 'threads'],
    );
    model.dispatch(asked(7, 'stackTrace', { threadId: 1 }));
    model.dispatch(answered(7, 'stackTrace', { stackFrames: [] }));
    assert.deepEqual(seen, []);
    assert.deepEqual(model.answers.known('a', 'stackTrace', { threadId: 1 }), { stackFrames: [] });
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
    model.dispatch(told('continued'));
    assert.deepEqual(seen, [7, 1007, 8, 1008, 9, 1009, 10, 1010]);
    assert.equal(
      model.answers.known('a', 'stackTrace', { threadId: 3 }),
      undefined,
      'the program has moved on since',
    );
  });

  it('looks that nobody answers and nobody asks for are read all the same, in their order', () => {
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

  it('1,000 waits at once all end and leave nothing behind', async () => {
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

  it('no timer is left that would keep the process alive', async () => {
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

describe('debug model: changes', () => {
  it('a message that changes nothing wakes nobody', () => {
    const model = new DebugModel();
    for (const event of launched()) model.dispatch(event);
    let woken = 0;
    model.onDidChange(() => (woken += 1));
    model.dispatch(asked(9, 'stackTrace', { threadId: 1 }));
    model.dispatch({ type: 'fromAdapter', key: 'a', at: 0, message: 'nonsense' });
    assert.equal(woken, 0);
    model.dispatch(stopped(1));
    assert.equal(woken, 1);
  });

  it('a listener that was disposed is not called', () => {
    const model = new DebugModel();
    const subscription = model.onDidChange(() => assert.fail('called'));
    subscription.dispose();
    subscription.dispose();
    assert.equal(model.listenerCount, 0);
    model.dispatch(created());
  });

  it('who waits for things to settle is called once for all that came together, for stops and ends only', async () => {
    const model = new DebugModel();
    const calls: string[] = [];
    model.onDidSettle(() => {
      throw new Error('broken');
    });
    model.onDidSettle(() => calls.push('kept'));
    const subscription = model.onDidSettle(() => calls.push('disposed'));
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    mock.method(console, 'error', () => undefined);
    try {
      for (const event of [...launched(), stopped(1)]) model.dispatch(event);
      assert.deepEqual(calls, [], 'not in the way of the messages');
      await turn();
      assert.deepEqual(calls, ['kept', 'disposed']);
      subscription.dispose();
      model.dispatch(told('continued', { threadId: 1 }));
      await turn();
      assert.deepEqual(calls, ['kept', 'disposed', 'kept']);
      for (const event of [
        told('output', { category: 'stdout', output: 'x\n' }),
        asked(50, 'setBreakpoints', { source: { path: '/x' }, breakpoints: [] }),
        answered(50, 'setBreakpoints', { breakpoints: [] }),
      ])
        model.dispatch(event);
      await turn();
      assert.equal(calls.length, 3, 'nothing has begun, stopped or ended');
      model.dispatch(ended());
      await turn();
      assert.equal(calls.length, 4);
    } finally {
      mock.restoreAll();
    }
  });

  it('a listener that throws stops neither the messages nor the other listeners', () => {
    const model = new DebugModel();
    let woken = 0;
    model.onDidChange(() => {
      throw new Error('bad listener');
    });
    model.onDidChange(() => (woken += 1));
    assert.doesNotThrow(() => model.dispatch(created()));
    assert.equal(woken, 1);
  });
});

describe('debug model: output', () => {
  const output = (text: string, category?: string, key = 'a') =>
    told('output', { output: text, ...(category === undefined ? {} : { category }) }, key);

  function texts(model: DebugModel, key = 'a'): string[] {
    return model
      .output(sessionOf(model.state, key))
      .read({ since: 0 })
      .map((line) => `${line.category}: ${line.text}`);
  }

  it('what a program prints is kept by session and category', () => {
    const model = new DebugModel();
    for (const event of [
      created('a'),
      created('b'),
      output('one\n', 'stdout'),
      output('two\n', 'stderr'),
      output('three\n', 'stdout', 'b'),
    ])
      model.dispatch(event);
    assert.deepEqual(texts(model), ['stdout: one', 'stderr: two']);
    assert.deepEqual(texts(model, 'b'), ['stdout: three']);
  });

  it('output without a category is the console’s', () => {
    const model = new DebugModel();
    for (const event of [created(), output('hello\n')]) model.dispatch(event);
    assert.deepEqual(texts(model), ['console: hello']);
  });

  it('telemetry is kept nowhere and wakes nobody', () => {
    const model = new DebugModel();
    model.dispatch(created());
    model.onDidChange(() => assert.fail('woken by telemetry'));
    model.dispatch(output('{"secret":1}\n', 'telemetry'));
    assert.deepEqual(texts(model), []);
  });

  it('output wakes waits though the state is the same', async () => {
    const model = new DebugModel();
    model.dispatch(created());
    const { state } = model;
    const wait = model.wait(() => (texts(model).length > 0 ? texts(model) : undefined), {
      timeoutMs: 5000,
      signal: open(),
    });
    model.dispatch(output('ready\n', 'stdout'));
    assert.equal(model.state, state);
    assert.deepEqual(await wait.settled, { kind: 'found', value: ['stdout: ready'] });
  });

  it('a line without an end is counted at a stop, at terminated, and at the end of the session or its adapter', () => {
    for (const event of [stopped(1), told('terminated'), ended(), exited(0)]) {
      const model = new DebugModel();
      for (const each of [created(), output('name? ', 'stdout')]) model.dispatch(each);
      assert.equal(model.output(sessionOf(model.state)).cursor, 0);
      model.dispatch(event);
      assert.deepEqual(texts(model), ['stdout: name? ']);
      assert.equal(model.output(sessionOf(model.state)).cursor, 1);
    }
  });

  it('output of a session that is not known, and output that is no text, is left out', () => {
    const model = new DebugModel();
    for (const event of [
      output('lost\n', 'stdout', 'unknown'),
      created(),
      told('output', { output: 5 }),
      told('output', {}),
    ])
      model.dispatch(event);
    assert.deepEqual(texts(model), []);
  });

  it('what java-debug would have shown to the person is output of importance', () => {
    const model = new DebugModel();
    for (const event of [
      created(),
      told('usernotification', {
        notificationType: 'ERROR',
        message: 'Breakpoint condition error',
      }),
      told('usernotification', {}),
    ])
      model.dispatch(event);
    assert.deepEqual(texts(model), ['important: Breakpoint condition error']);
  });

  it('output can be read after the end, and goes when the session is forgotten', () => {
    const model = new DebugModel();
    for (const event of [created(), output('last words\n', 'stdout'), ended()])
      model.dispatch(event);
    const session = sessionOf(model.state);
    assert.deepEqual(texts(model), ['stdout: last words']);
    for (let each = 0; each < 50; each += 1)
      for (const event of [created(`x${each}`), ended(`x${each}`)]) model.dispatch(event);
    assert.equal(model.state.sessions.has('a'), false);
    assert.equal(model.output(session).cursor, 0);
  });
});
