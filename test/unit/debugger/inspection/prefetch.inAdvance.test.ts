import { strict as assert } from 'node:assert';
import { answered, asked, ended, eventOf, launched, stopped } from '../../support/events';
import { bench, paused, type Bench } from '../../support/services';

describe('prefetch: requests in advance', () => {
  const START = { threadId: 1, startFrame: 0, levels: 20 };
  const STOPPED = { seq: 1, type: 'event', event: 'stopped', body: { threadId: 1 } };

  const numberOf = (args: Readonly<Record<string, unknown>>): unknown =>
    args['frameId'] ?? args['variablesReference'] ?? args['threadId'];

  /**
   * The requests that are sent while a stop is being delivered, before any response. All other requests are sent after
   * that.
   */
  async function inAdvance(
    on: Bench,
    event = stopped(1),
    what: Parameters<typeof on.prefetch.expect>[0] = 'fields',
  ): Promise<readonly string[]> {
    const over = on.prefetch.expect(what, on.call.signal);
    const before = on.host.requests.length;
    on.model.dispatch(event);
    const sent = on.host.requests
      .slice(before)
      .map(({ command, args }) => `${command} ${String(numberOf(args))}`);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    over();
    return sent;
  }

  /**
   * An adapter with this number for the frame at each stop. Its scope has ten times that number, and the object in it
   * one more.
   */
  function numbered(sessionType: string): { readonly on: Bench; number: number } {
    const on = bench();
    for (const event of launched('a', { sessionType })) on.model.dispatch(event);
    const at = { on, number: 1 };
    on.host
      .on('stackTrace', () => ({ stackFrames: [{ id: at.number, name: 'f', line: 3, column: 1 }] }))
      .on('scopes', ({ frameId }) => ({
        scopes: [{ name: 'Local', variablesReference: Number(frameId) * 10, expensive: false }],
      }))
      .on('variables', ({ variablesReference: of }) => ({
        variables:
          Number(of) % 10 === 0
            ? [{ name: 'order', value: 'Order @ 0x1', variablesReference: Number(of) + 1 }]
            : [],
      }));
    return at;
  }

  it('are those that followed from the stack at the previous stop', async () => {
    const { on } = numbered('lldb-dap');
    assert.deepEqual(await inAdvance(on), ['stackTrace 1']);
    assert.deepEqual(await inAdvance(on), [
      'stackTrace 1',
      'scopes 1',
      'variables 10',
      'variables 11',
    ]);
    assert.equal(on.host.sent('variables').length, 4, 'and nothing twice');
  });

  it('are those of the last two stops, each once, and scopes before their variables', async () => {
    const at = numbered('go');
    await inAdvance(at.on);
    at.number = 2;
    await inAdvance(at.on);
    assert.deepEqual(await inAdvance(at.on), [
      'stackTrace 1',
      'scopes 1',
      'scopes 2',
      'variables 10',
      'variables 11',
      'variables 20',
      'variables 21',
    ]);
    assert.deepEqual(await inAdvance(at.on), [
      'stackTrace 1',
      'scopes 2',
      'variables 20',
      'variables 21',
    ]);
  });

  it('are none if the adapter issues new ids', async () => {
    const { on } = numbered('test');
    await inAdvance(on);
    assert.deepEqual(await inAdvance(on), ['stackTrace 1']);
  });

  it('are none for a call that reads only the stack, and none after a stop whose stack alone was read', async () => {
    const { on } = numbered('lldb-dap');
    await inAdvance(on);
    assert.deepEqual(await inAdvance(on, stopped(1), 'frames'), ['stackTrace 1']);
    const fresh = numbered('lldb-dap').on;
    await inAdvance(fresh, stopped(1), 'frames');
    assert.deepEqual(await inAdvance(fresh), ['stackTrace 1']);
  });

  it('are none at a stop of another thread, and then only those that followed from that stop', async () => {
    const at = numbered('lldb-dap');
    await inAdvance(at.on);
    at.number = 2;
    const other = stopped(2, { allThreadsStopped: true });
    assert.deepEqual(await inAdvance(at.on, other), ['stackTrace 2']);
    assert.deepEqual(await inAdvance(at.on, other), [
      'stackTrace 2',
      'scopes 2',
      'variables 20',
      'variables 21',
    ]);
  });

  it('are none for a session that has ended', async () => {
    const { on } = numbered('lldb-dap');
    await inAdvance(on);
    on.model.dispatch(ended());
    for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
    assert.deepEqual(await inAdvance(on), ['stackTrace 1']);
  });

  it('are limited to twelve', async () => {
    const { on } = numbered('lldb-dap');
    on.host.on('scopes', () => ({
      scopes: Array.from({ length: 16 }, (_, index) => ({
        name: 'Block',
        variablesReference: 101 + index,
        expensive: false,
      })),
    }));
    await inAdvance(on, stopped(1), 'variables');
    const sent = await inAdvance(on, stopped(1), 'variables');
    assert.deepEqual(sent.slice(0, 3), ['stackTrace 1', 'scopes 1', 'variables 101']);
    assert.equal(sent.length, 1 + 12);
  });

  it('also follow from a stack that VS Code has requested meanwhile', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => {
      for (const event of [
        asked(500, 'stackTrace', { threadId: 1 }),
        answered(500, 'stackTrace', { stackFrames: [{ id: 10 }] }),
        asked(501, 'scopes', { frameId: 10 }),
        answered(501, 'scopes', { scopes: [{ name: 'Local', variablesReference: 7 }] }),
      ])
        on.model.dispatch(event);
      return { stackFrames: [{ id: 10, name: 'main', line: 3, column: 1 }] };
    });
    await inAdvance(on);
    assert.deepEqual(
      on.host.requests.map(({ command }) => command),
      ['stackTrace', 'variables'],
    );
  });

  it('stop once the only waiting call is cancelled, but continue if another call waits', async () => {
    for (const others of [0, 1]) {
      const on = paused(bench());
      let answer: (body: object) => void = () => undefined;
      on.host.on('stackTrace', () => new Promise((resolve) => (answer = resolve)));
      const controller = new AbortController();
      const ends = [on.prefetch.expect('variables', controller.signal)];
      if (others > 0) ends.push(on.prefetch.expect('variables', new AbortController().signal));
      on.model.dispatch(stopped(1));
      controller.abort();
      await new Promise(setImmediate);
      answer({ stackFrames: [{ id: 10, name: 'main', line: 3, column: 1 }] });
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      for (const end of ends) end();
      assert.equal(on.host.sent('scopes').length, others);
    }
  });

  it('stop if the stack is refused, even if VS Code receives its response later', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => {
      throw new Error('not now');
    });
    await inAdvance(on);
    on.model.dispatch(asked(500, 'stackTrace', START));
    on.model.dispatch(answered(500, 'stackTrace', { stackFrames: [{ id: 10 }] }));
    await new Promise(setImmediate);
    assert.deepEqual(on.host.sent('scopes'), []);
    assert.equal(on.model.answers.isAwaited('a', 'stackTrace'), false);
  });

  it('do not include an expression for a call that reads no fields', async () => {
    const { on } = numbered('debugpy');
    await inAdvance(on, stopped(1), 'variables');
    assert.deepEqual(
      on.host.requests.map(({ command }) => command),
      ['stackTrace', 'scopes', 'variables'],
    );
  });

  it('are none for messages that are no stops, and for unknown sessions', () => {
    const on = paused(bench());
    const over = on.prefetch.expect('fields', on.call.signal);
    for (const event of [
      eventOf('output', { threadId: 1 }),
      asked(9, 'next', { threadId: 1 }),
      answered(9, 'next', { threadId: 1 }),
      { type: 'toAdapter', key: 'a', at: 0, message: STOPPED } as const,
      { type: 'fromAdapter', key: 'a', at: 0, message: 'stopped' } as const,
      stopped(1, {}, 'unknown'),
      stopped(undefined),
    ])
      on.prefetch.observe(event);
    over();
    assert.deepEqual(on.host.requests, []);
  });
});
