import { strict as assert } from 'node:assert';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { injectedMessage } from '../../../../src/debugger/breakpoints/injectedLines';
import type { OutputLine } from '../../../../src/debugger/output/outputLog';
import { readMessage } from '../../../../src/debugger/protocol';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import type { DebugEvent, DebugState } from '../../../../src/debugger/state/state';
import {
  answered,
  asked,
  created,
  ended,
  eventOf,
  exited,
  launched,
  refused,
  sessionOf,
  stopped,
} from '../../support/events';

/** The session's id once it is in this phase of its lifecycle. */
function lifeOf(lifecycle: string) {
  return (state: DebugState): string | undefined => {
    const session = state.sessions.get('a');
    return session?.lifecycle === lifecycle ? session.id : undefined;
  };
}

const open = (): AbortSignal => new AbortController().signal;

describe('debug model: recorded output', () => {
  const recorded = (...events: readonly DebugEvent[]): readonly OutputLine[] => {
    const model = new DebugModel();
    for (const event of [created(), ...events]) model.dispatch(event);
    return model.output(sessionOf(model.state)).read({ since: 0 });
  };
  const texts = (...events: readonly DebugEvent[]): readonly string[] =>
    recorded(...events).map(({ category, text }) => `${category}: ${text}`);
  const injected = injectedMessage('n', 1, ['x']);

  it('includes terminal output, and the end of the session or its adapter ends the last line', () => {
    const terminal = (text: string): DebugEvent => ({
      type: 'terminalOutput',
      key: 'a',
      at: 0,
      text,
    });
    assert.deepEqual(texts(terminal('one\ntwo')), ['terminal: one', 'terminal: two']);
    for (const [event, cursor] of [
      [ended(), 2],
      [exited(0), 2],
      [eventOf('continued'), 1],
    ] as const) {
      const model = new DebugModel();
      for (const each of [created(), terminal('one\ntwo'), event]) model.dispatch(each);
      assert.equal(model.output(sessionOf(model.state)).cursor, cursor);
    }
  });

  it('excludes messages to the adapter and messages that are no output events', () => {
    const message = { seq: 1, type: 'event', event: 'output', body: { output: 'x\n' } };
    assert.deepEqual(
      texts(
        { type: 'toAdapter', key: 'a', at: 0, message },
        answered(1, 'output', { output: 'x\n' }),
        eventOf('module', { output: 'x\n' }),
      ),
      [],
    );
  });

  it('excludes the output of injected logpoints and js-debug’s messages about files of other languages', () => {
    assert.deepEqual(
      texts(eventOf('output', { output: `${injected}\n` }), eventOf('output', { output: 'x\n' })),
      ['console: x'],
    );
    const model = new DebugModel();
    const complaint = {
      category: 'stderr',
      output: 'Syntax error, condition "x is None" on line 3',
    };
    for (const event of [
      created('a', { sessionType: 'pwa-node' }),
      asked(5, 'setBreakpoints', {
        source: { path: '/app/a.py' },
        breakpoints: [{ line: 3, condition: 'x is None' }],
      }),
      eventOf('output', complaint),
      eventOf('output', { category: 'stderr', output: 'other\n' }),
    ])
      model.dispatch(event);
    assert.deepEqual(
      model
        .output(sessionOf(model.state))
        .read({ since: 0 })
        .map(({ text }) => text),
      ['other'],
    );
  });

  it('has the reference of logged objects, with the epoch in which it is valid', () => {
    const model = new DebugModel();
    const log = (output: string, variablesReference?: number): DebugEvent =>
      eventOf('output', { output, variablesReference });
    for (const event of [...launched(), log('a\n', 7), log('b\n', 0), log('c\n')])
      model.dispatch(event);
    const session = sessionOf(model.state);
    assert.deepEqual(
      model
        .output(session)
        .read({ since: 0 })
        .map(({ logged }) => logged),
      [{ reference: 7, epoch: session.epochOf.resume }, undefined, undefined],
    );
  });

  it('is marked if a logpoint printed it', () => {
    const [line, other] = recorded(
      asked(5, 'setBreakpoints', {
        source: { path: '/app/a.js' },
        breakpoints: [{ line: 3, logMessage: 'total is {x}' }],
      }),
      answered(5, 'setBreakpoints', { breakpoints: [{ verified: true, line: 3 }] }),
      eventOf('output', { output: 'total is 3\n' }),
      eventOf('output', { output: 'ready\n' }),
    );
    assert.deepEqual([line?.isOfLogpoint, other?.isOfLogpoint], [true, undefined]);
  });

  it('has a category of at most forty characters', () => {
    const [line] = recorded(eventOf('output', { output: 'x\n', category: 'c'.repeat(100) }));
    assert.equal(line?.category, `${'c'.repeat(40)}… (100 characters)`);
  });

  it('has its position among the lines of all sessions', () => {
    const model = new DebugModel();
    const log = (key: string, output: string): DebugEvent => eventOf('output', { output }, key);
    for (const event of [
      created('a'),
      created('b'),
      log('a', 'one\ntwo\n'),
      log('b', 'three\n'),
      log('a', 'four\n'),
    ])
      model.dispatch(event);
    const ordersOf = (key: string): number[] =>
      model
        .output(sessionOf(model.state, key))
        .read({ since: 0 })
        .map(({ order }) => order);
    assert.deepEqual([ordersOf('a'), ordersOf('b')], [[1, 2, 4], [3]]);
  });

  it('is limited to the given capacity', () => {
    const model = new DebugModel(100);
    model.dispatch(created());
    for (let line = 0; line < 50; line += 1)
      model.dispatch(eventOf('output', { output: `line ${line}\n` }));
    const log = model.output(sessionOf(model.state));
    assert.deepEqual([log.cursor, log.dropped > 30], [50, true]);
  });

  it('notifies listeners, also if it is a notification or terminal output; excluded output does not', () => {
    const model = new DebugModel();
    model.dispatch(created());
    let woken = 0;
    model.onDidChange(() => (woken += 1));
    for (const [event, count] of [
      [eventOf('output', { output: 'x' }), 1],
      [{ type: 'terminalOutput', key: 'a', at: 0, text: 'x' }, 2],
      [eventOf('usernotification', { message: 'x' }), 3],
      [eventOf('usernotification', {}), 3],
      [eventOf('output', { output: injected }), 3],
      [eventOf('output', {}), 3],
    ] as const) {
      model.dispatch(event);
      assert.equal(woken, count);
    }
  });
});

describe('debug model: observers', () => {
  const seqsSeen = (model: DebugModel, names?: readonly string[]) => {
    const seen: unknown[] = [];
    const observing = model.observe(
      (event) => seen.push('message' in event ? readMessage(event.message)?.type : event.type),
      names,
    );
    return { seen, observing };
  };

  it('receive what they name: an event, a command, or the type of an event that is no message', () => {
    const model = new DebugModel();
    const { seen } = seqsSeen(model, ['stopped', 'next', 'sessionEnded']);
    for (const event of [
      ...launched(),
      stopped(1),
      asked(5, 'next', { threadId: 1 }),
      answered(5, 'next'),
      eventOf('output', { output: 'x' }),
      exited(0),
      ended(),
    ])
      model.dispatch(event);
    assert.deepEqual(seen, ['event', 'request', 'response', 'sessionEnded']);
  });

  it('receive everything if they name nothing, and nothing once they are disposed', () => {
    const model = new DebugModel();
    const all = seqsSeen(model);
    const kept = seqsSeen(model);
    const named = seqsSeen(model, ['stopped', 'continued']);
    const keptNamed = seqsSeen(model, ['stopped']);
    for (const event of [created(), stopped(1)]) model.dispatch(event);
    all.observing.dispose();
    named.observing.dispose();
    for (const event of [eventOf('continued', { threadId: 1 }), stopped(1)]) model.dispatch(event);
    assert.deepEqual(all.seen, ['sessionCreated', 'event']);
    assert.deepEqual(kept.seen, ['sessionCreated', 'event', 'event', 'event']);
    assert.deepEqual(named.seen, ['event']);
    assert.deepEqual(keptNamed.seen, ['event', 'event']);
  });

  it('are reported if they fail, and do not stop others', () => {
    const model = new DebugModel();
    const errors = mock.method(console, 'error', () => undefined);
    try {
      const fail = (): never => {
        throw new Error('broken');
      };
      model.observe(fail);
      model.observe(fail, ['sessionCreated']);
      const { seen } = seqsSeen(model, ['sessionCreated']);
      model.dispatch(created());
      assert.deepEqual(seen, ['sessionCreated']);
      assert.equal(errors.mock.callCount(), 2);
      assert.match(
        errors.mock.calls.map(({ arguments: args }) => args.map(String).join(' ')).join('\n'),
        /^Agent Debugger: a listener failed: .*broken/,
      );
    } finally {
      errors.mock.restore();
    }
  });
});

describe('debug model: deferred messages', () => {
  /** The number of messages that have been processed after each one. */
  function processed(...events: readonly DebugEvent[]): number[] {
    const model = new DebugModel();
    for (const event of [...launched(), stopped(1)]) model.dispatch(event);
    let count = 0;
    model.observe(() => (count += 1));
    return events.map((event) => {
      model.dispatch(event);
      return count;
    });
  }

  it('are read-only requests to the adapter and the responses to them, until another message arrives', () => {
    assert.deepEqual(
      processed(
        asked(5, 'stackTrace', { threadId: 1 }),
        answered(5, 'stackTrace', {}),
        asked(6, 'threads'),
        answered(6, 'threads', {}),
        refused(7, 'scopes', 'no'),
        eventOf('output', {}),
      ),
      [0, 0, 0, 0, 0, 6],
    );
  });

  it('do not include requests that change something, requests from the adapter, or its events', () => {
    const swapped = (event: DebugEvent): DebugEvent =>
      event.type === 'toAdapter'
        ? { ...event, type: 'fromAdapter' }
        : event.type === 'fromAdapter'
          ? { ...event, type: 'toAdapter' }
          : event;
    assert.deepEqual(
      processed(asked(5, 'next', { threadId: 1 }), swapped(asked(6, 'stackTrace')), {
        type: 'fromAdapter',
        key: 'a',
        at: 0,
        message: { seq: 7, type: 'event', event: 'x', command: 'scopes' },
      }),
      [1, 2, 3],
    );
  });

  it('are limited to twenty', () => {
    const requests = Array.from({ length: 23 }, (_, index) =>
      asked(5 + index, 'stackTrace', { threadId: 1 }),
    );
    assert.deepEqual(processed(...requests), [...Array<number>(20).fill(0), 21, 21, 21]);
  });

  it('do not include a list of threads while somebody waits for a change', () => {
    const model = new DebugModel();
    for (const event of [...launched(), stopped(1)]) model.dispatch(event);
    let count = 0;
    model.observe(() => (count += 1), ['threads']);
    model.dispatch(answered(6, 'threads', { threads: [] }));
    assert.equal(count, 0);
    const listening = model.onDidChange(() => undefined);
    model.dispatch(answered(6, 'threads', { threads: [] }));
    assert.equal(count, 2);
    listening.dispose();
    model.dispatch(answered(6, 'threads', { threads: [] }));
    assert.equal(count, 2);
  });
});

describe('debug model: the end of a wait', () => {
  it('removes its listener from the abort signal, however the wait ended', async () => {
    const model = new DebugModel();
    for (const event of launched()) model.dispatch(event);
    const { signal } = new AbortController();
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    const failing = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal });
    const finding = model.wait(lifeOf('stopped'), { timeoutMs: 5000, signal });
    assert.equal(listeners(), 2);
    failing.fail(new Error('refused'));
    assert.equal(listeners(), 1);
    assert.equal(model.listenerCount, 1);
    model.dispatch(stopped(1));
    assert.equal(listeners(), 0);
    finding.fail(new Error('too late'));
    await assert.rejects(failing.settled, /^Error: refused$/);
    assert.equal((await finding.settled).kind, 'found');
  });

  it('comes on time if the timer is slightly late, and three seconds later if it is half a second late', async () => {
    for (const [late, kind] of [
      [499, 'timeout'],
      [500, undefined],
    ] as const) {
      let now = 0;
      const clock = mock.method(performance, 'now', () => now);
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const model = new DebugModel();
        let result: string | undefined;
        const wait = model.wait(lifeOf('stopped'), { timeoutMs: 1000, signal: open() });
        const done = wait.settled.then((settled) => (result = settled.kind));
        now = 1000 + late;
        mock.timers.tick(1000);
        for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
        assert.equal(result, kind);
        mock.timers.tick(2999);
        for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
        assert.equal(result, kind);
        mock.timers.tick(1);
        assert.equal(await done, 'timeout');
      } finally {
        mock.timers.reset();
        clock.mock.restore();
      }
    }
  });
});
