import { strict as assert } from 'node:assert';
import { runTool } from '../../../../src/tools/run';
import { stepExecution } from '../../../../src/tools/core/stepExecution';
import { answered, asked, eventOf, launched, stopped } from '../../support/events';
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
