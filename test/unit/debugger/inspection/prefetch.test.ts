import { strict as assert } from 'node:assert';
import { runTool } from '../../../../src/tools/run';
import { stepExecution } from '../../../../src/tools/core/stepping';
import { answered, asked, ended, eventOf, launched, stopped } from '../../support/events';
import { bench, paused, type Bench } from '../../support/services';

/** The order in which requests are sent and messages are delivered during a step. */
async function stepOf(on: Bench): Promise<readonly string[]> {
  const seen: string[] = [];
  on.model.observe((event) => {
    if (event.type === 'fromAdapter' || event.type === 'toAdapter')
      seen.push(JSON.stringify(event.message));
  });
  on.host.on('next', () => {
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    seen.push('delivered stopped');
    return {};
  });
  const result = await runTool(
    stepExecution,
    { thread_id: 1, step_type: 'over' },
    on.services,
    on.call,
  );
  assert.equal(result.status, 'stopped', JSON.stringify(result));
  return seen;
}

/** An adapter that uses the same ids for frames and scopes at each stop. */
function repeating(): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
  on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
  return on;
}

const LOOKS = ['stackTrace', 'scopes', 'variables'] as const;

describe('prefetch: data for the report of a stop', () => {
  it('is requested while the stop is being delivered, and only once', async () => {
    const on = paused(bench());
    const seen = await stepOf(on);
    const stack = seen.findIndex((each) => each.includes('"command":"stackTrace"'));
    assert.ok(stack >= 0 && stack < seen.indexOf('delivered stopped'), seen.join('\n'));
    for (const command of LOOKS) assert.equal(on.host.sent(command).length, 1, command);
  });

  it('is requested for an exception as well', async () => {
    const on = paused(bench());
    on.model.dispatch({
      type: 'fromAdapter',
      key: 'a',
      at: 0,
      message: {
        type: 'event',
        event: 'capabilities',
        body: { capabilities: { supportsExceptionInfoRequest: true } },
      },
    });
    on.host
      .on('exceptionInfo', () => ({ exceptionId: 'Error', description: 'bad' }))
      .on('next', () => {
        on.host.emit('stopped', { reason: 'exception', threadId: 1 });
        return {};
      });
    const result = await runTool(
      stepExecution,
      { thread_id: 1, step_type: 'over' },
      on.services,
      on.call,
    );
    assert.match(JSON.stringify(result), /"exception":\{"type":"Error","message":"bad"\}/);
    assert.equal(on.host.sent('exceptionInfo').length, 1);
  });

  it('is not requested if no call waits because the person steps', async () => {
    const on = paused(bench());
    await stepOf(on);
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    for (const command of LOOKS) assert.equal(on.host.sent(command).length, 1, command);
  });

  it('is requested once more by the report if it was refused', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => {
      throw new Error('no scopes');
    });
    await stepOf(on);
    assert.equal(on.host.sent('stackTrace').length, 1);
    assert.equal(on.host.sent('scopes').length, 2);
    assert.equal(on.model.listenerCount, 0);
  });

  it('is requested at once, and not again, if an adapter repeats its ids', async () => {
    const on = repeating();
    await stepOf(on);
    const seen = await stepOf(on);
    const stop = seen.indexOf('delivered stopped');
    for (const command of LOOKS) {
      const at = seen.findIndex((each) => each.includes(`"command":"${command}","arguments"`));
      assert.ok(at >= 0 && at < stop, `${command}: ${seen.join('\n')}`);
      assert.equal(on.host.sent(command).length, 2, command);
    }
  });

  it('is read with the ids of this stop if an adapter does not repeat them', async () => {
    const on = repeating();
    await stepOf(on);
    on.host
      .on('stackTrace', () => ({ stackFrames: [{ id: 11, name: 'other', line: 9, column: 1 }] }))
      .on('scopes', ({ frameId }) => ({
        scopes: [{ name: 'Local', variablesReference: frameId === 11 ? 8 : 7, expensive: false }],
      }))
      .on('variables', ({ variablesReference: of }) => ({
        variables: [{ name: 'of', value: String(of), variablesReference: 0 }],
      }));
    const seen = await stepOf(on);
    assert.match(seen.at(-1) ?? '', /"value":"8"/);
    assert.deepEqual(
      on.host.sent('variables').map((each) => each['variablesReference']),
      [7, 7, 8],
    );
  });

  it('is not requested in advance while another thread runs', async () => {
    const on = repeating();
    await stepOf(on);
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    on.model.dispatch(eventOf('continued', { threadId: 2, allThreadsContinued: false }));
    const before = on.host.requests.length;
    const over = on.prefetch.expect('fields', on.call.signal);
    on.host.emit('stopped', { reason: 'step', threadId: 1, allThreadsStopped: false });
    over();
    assert.deepEqual(
      on.host.requests.slice(before).map((each) => each.command),
      ['stackTrace'],
    );
  });

  for (const [what, commands] of [
    ['frames', ['stackTrace']],
    ['variables', ['stackTrace', 'scopes', 'variables']],
    ['fields', ['stackTrace', 'scopes', 'variables', 'variables']],
  ] as const)
    it(`is the ${what} for a call that reads no more, and the most of both if two calls wait`, async () => {
      for (const others of [[], ['frames'] as const]) {
        const on = paused(bench());
        on.host.on('variables', ({ variablesReference: of }) => ({
          variables: of === 7 ? [{ name: 'item', value: 'Item', variablesReference: 9 }] : [],
        }));
        const over = [what, ...others].map((each) => on.prefetch.expect(each, on.call.signal));
        on.host.emit('stopped', { reason: 'step', threadId: 1 });
        await new Promise(setImmediate);
        for (const each of over) each();
        assert.deepEqual(
          on.host.requests.map((each) => each.command),
          commands,
        );
      }
    });

  it('is left to the report at a stop without a thread', () => {
    const on = paused(bench());
    const over = on.prefetch.expect('fields', on.call.signal);
    on.host.emit('stopped', { reason: 'pause' });
    assert.equal(on.host.sent('stackTrace').length, 0);
    over();
    over();
    on.host.emit('stopped', { reason: 'pause', threadId: 1 });
    assert.equal(on.host.sent('stackTrace').length, 0, 'ending a wait twice counts once');
  });
});

describe('prefetch: requests when a stop arrives', () => {
  /** The requests that are sent before the report is made, for a stop that a call waits for. */
  async function askedFor(on: Bench, event = stopped(1)): Promise<readonly string[]> {
    const over = on.prefetch.expect('fields', on.call.signal);
    const before = on.host.requests.length;
    on.model.dispatch(event);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    over();
    return on.host.requests.slice(before).map((each) => each.command);
  }

  const capable = (on: Bench): Bench => {
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsExceptionInfoRequest: true }),
    ])
      on.model.dispatch(event);
    on.host.on('exceptionInfo', () => ({ exceptionId: 'Error' }));
    return on;
  };

  it('include the exception if there is one and the adapter supports the request', async () => {
    const exception = stopped(1, { reason: 'exception' });
    const asksFor = async (on: Bench, event = exception): Promise<boolean> =>
      (await askedFor(on, event)).includes('exceptionInfo');
    assert.equal(await asksFor(capable(paused(bench()))), true);
    assert.equal(await asksFor(paused(bench())), false);
    assert.equal(await asksFor(capable(paused(bench())), stopped(1)), false);
  });

  it('include no values while another thread runs, because they may change before they are reported', async () => {
    const on = paused(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    assert.deepEqual(await askedFor(on), ['stackTrace']);
    assert.deepEqual(await askedFor(on, stopped(1, { allThreadsStopped: true })), [
      'stackTrace',
      'scopes',
      'variables',
    ]);
  });

  it('include no scopes for a thread without a frame', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames: [] }));
    assert.deepEqual(await askedFor(on), ['stackTrace']);
  });

  it('include the fields of objects whose text shows none, and of no others', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ variablesReference }) => ({
      variables:
        variablesReference === 7
          ? [
              { name: 'count', value: '3', variablesReference: 0 },
              { name: 'order', value: 'Order', variablesReference: 21 },
              { name: 'list', value: '(2) [1, 2]', variablesReference: 22 },
            ]
          : [],
    }));
    await askedFor(on);
    assert.deepEqual(
      on.host.sent('variables').map((each) => each['variablesReference']),
      [7, 21],
    );
  });

  it('read fields with one expression if the adapter’s own list would run code of the program', async () => {
    const on = bench();
    for (const event of launched('a', { sessionType: 'debugpy' })) on.model.dispatch(event);
    on.host
      .on('evaluate', () => ({ result: '' }))
      .on('variables', () => ({
        variables: [{ name: 'order', value: '<Order object at 0x1>', variablesReference: 21 }],
      }));
    assert.deepEqual(await askedFor(on), ['stackTrace', 'scopes', 'evaluate', 'variables']);
    assert.equal(on.host.sent('evaluate')[0]?.['frameId'], 10);
  });

  it('are limited in scopes and in variables that are searched', async () => {
    const on = paused(bench());
    on.host
      .on('scopes', () => ({
        scopes: Array.from({ length: 20 }, (_, index) => ({
          name: 'Block',
          variablesReference: index + 1,
          expensive: false,
        })),
      }))
      .on('variables', ({ variablesReference }) => ({
        variables: Array.from({ length: variablesReference === 1 ? 201 : 0 }, (_, index) => ({
          name: `v${index}`,
          value: index < 199 ? '1' : 'Order',
          variablesReference: index < 199 ? 0 : 100 + index,
        })),
      }));
    await askedFor(on);
    const read = on.host.sent('variables').map((each) => Number(each['variablesReference']));
    assert.deepEqual(
      read.sort((one, other) => one - other),
      [...Array.from({ length: 16 }, (_, index) => index + 1), 299],
    );
  });

  it('are not sent for other events', async () => {
    const on = paused(bench());
    for (const event of [
      eventOf('continued', { threadId: 1 }),
      eventOf('thread', { reason: 'started', threadId: 2 }),
      asked(9, 'threads', { threadId: 1 }),
    ])
      assert.deepEqual(await askedFor(on, event), []);
  });
});

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
