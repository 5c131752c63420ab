import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import {
  answered,
  asked,
  created,
  ended,
  exited,
  launched,
  sessionOf,
  stopped,
  eventOf,
} from '../../support/events';

const open = (): AbortSignal => new AbortController().signal;

describe('debug model: changes', () => {
  it('notifies no listener of a message that changes nothing', () => {
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

  it('does not call a listener that was disposed', () => {
    const model = new DebugModel();
    const subscription = model.onDidChange(() => assert.fail('called'));
    subscription.dispose();
    subscription.dispose();
    assert.equal(model.listenerCount, 0);
    model.dispatch(created());
  });

  it('calls a settle listener once for all that arrived together, and only if something began, stopped or ended', async () => {
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
      model.dispatch(eventOf('continued', { threadId: 1 }));
      await turn();
      assert.deepEqual(calls, ['kept', 'disposed', 'kept']);
      for (const event of [
        eventOf('output', { category: 'stdout', output: 'x\n' }),
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

  it('processes messages and calls the other listeners even if a listener throws', () => {
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
    eventOf('output', { output: text, ...(category === undefined ? {} : { category }) }, key);

  function texts(model: DebugModel, key = 'a'): string[] {
    return model
      .output(sessionOf(model.state, key))
      .read({ since: 0 })
      .map((line) => `${line.category}: ${line.text}`);
  }

  it('is kept by session and category', () => {
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

  it('has the category console if the event names none', () => {
    const model = new DebugModel();
    for (const event of [created(), output('hello\n')]) model.dispatch(event);
    assert.deepEqual(texts(model), ['console: hello']);
  });

  it('does not include telemetry, which notifies nobody', () => {
    const model = new DebugModel();
    model.dispatch(created());
    model.onDidChange(() => assert.fail('woken by telemetry'));
    model.dispatch(output('{"secret":1}\n', 'telemetry'));
    assert.deepEqual(texts(model), []);
  });

  it('notifies waits although the state is unchanged', async () => {
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

  it('includes an unfinished line from a stop, from terminated, or from the end of the session or its adapter', () => {
    for (const event of [stopped(1), eventOf('terminated'), ended(), exited(0)]) {
      const model = new DebugModel();
      for (const each of [created(), output('name? ', 'stdout')]) model.dispatch(each);
      assert.equal(model.output(sessionOf(model.state)).cursor, 0);
      model.dispatch(event);
      assert.deepEqual(texts(model), ['stdout: name? ']);
      assert.equal(model.output(sessionOf(model.state)).cursor, 1);
    }
  });

  it('excludes output of an unknown session and output that is no text', () => {
    const model = new DebugModel();
    for (const event of [
      output('lost\n', 'stdout', 'unknown'),
      created(),
      eventOf('output', { output: 5 }),
      eventOf('output', {}),
    ])
      model.dispatch(event);
    assert.deepEqual(texts(model), []);
  });

  it('includes java-debug’s notifications to the person as important', () => {
    const model = new DebugModel();
    for (const event of [
      created(),
      eventOf('usernotification', {
        notificationType: 'ERROR',
        message: 'Breakpoint condition error',
      }),
      eventOf('usernotification', {}),
    ])
      model.dispatch(event);
    assert.deepEqual(texts(model), ['important: Breakpoint condition error']);
  });

  it('can be read after the end of its session, and is removed when the session is forgotten', () => {
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
