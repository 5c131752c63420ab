import { strict as assert } from 'node:assert';
import { runTool } from '../../../../src/tools/run';
import { stepExecution } from '../../../../src/tools/core/stepping';
import { bench, paused, type Bench } from '../../support/services';

/** What is in the way of a message: the order in which requests leave and messages are delivered. */
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

const LOOKS = ['stackTrace', 'scopes', 'variables'] as const;

describe('what a stop’s answer will hold', () => {
  it('is asked for while the stop is being delivered, and each only once', async () => {
    const on = paused(bench());
    const seen = await stepOf(on);
    const stack = seen.findIndex((each) => each.includes('"command":"stackTrace"'));
    assert.ok(stack >= 0 && stack < seen.indexOf('delivered stopped'), seen.join('\n'));
    for (const command of LOOKS) assert.equal(on.host.sent(command).length, 1, command);
  });

  it('is asked for with an exception as well', async () => {
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

  it('is not asked for when nobody waits: the person steps alone', async () => {
    const on = paused(bench());
    await stepOf(on);
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    for (const command of LOOKS) assert.equal(on.host.sent(command).length, 1, command);
  });

  it('that is refused is asked once more by the answer, which tells of it in its own way', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => {
      throw new Error('no scopes');
    });
    await stepOf(on);
    assert.equal(on.host.sent('stackTrace').length, 1);
    assert.ok(on.host.sent('scopes').length <= 2);
    assert.equal(on.model.listenerCount, 0);
  });

  it('of a stop without a thread is left to the answer', () => {
    const on = paused(bench());
    const over = on.prefetch.expect();
    on.host.emit('stopped', { reason: 'pause' });
    assert.equal(on.host.sent('stackTrace').length, 0);
    over();
    over();
    on.host.emit('stopped', { reason: 'pause', threadId: 1 });
    assert.equal(on.host.sent('stackTrace').length, 0, 'ending a wait twice counts once');
  });
});
