import { strict as assert } from 'node:assert';
import { BoundedRun } from '../../../src/control/boundedRun';
import { nextOutcome, epochsOf } from '../../../src/control/nextOutcome';
import { adapterOf } from '../../../src/debugger/adapters/registry';
import { ended, eventOf, launched } from '../support/events';
import { bench, type Bench } from '../support/services';

/** A running program of an adapter, with one thread, whose `pause` is answered without a stop. */
function silent(sessionType: string): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType })) on.model.dispatch(event);
  on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
  on.host.on('pause', () => ({}));
  return on;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const requested = (on: Bench): readonly string[] => on.host.requests.map(({ command }) => command);

/** A pause of the session whose time is up at once. */
async function pausedTooLate(on: Bench): Promise<void> {
  const { control } = on.services;
  const limits = { deadline: performance.now(), signal: on.call.signal };
  const outcome = await control.pause(on.session(), 1, limits);
  assert.equal(outcome.kind, 'timeout');
}

describe('a pause at which the program has not stopped in time', () => {
  it('is taken back where the adapter can', async () => {
    const on = silent('debugpy');
    on.host.on('evaluate', () => ({}));
    await pausedTooLate(on);
    await on.services.control.giveUpPause(on.session(), 1);
    assert.deepEqual(requested(on), ['pause', 'evaluate']);
    assert.match(String(on.host.sent('evaluate')[0]?.['expression']), /resume_threads/);
    assert.equal(on.model.listenerCount, 0);
  });

  it('is no outcome of a later wait, and the program goes on from its late stop', async () => {
    const on = silent('pwa-node');
    on.host.on('evaluate', () => new Promise(() => undefined));
    on.host.on('continue', () => ({}));
    await pausedTooLate(on);
    const given = on.services.control.giveUpPause(on.session(), 1);
    await turn();
    assert.deepEqual(requested(on), ['pause', 'evaluate'], 'an idle program is made to stop');
    const since = epochsOf(on.model.state);
    const limits = { deadline: performance.now() + 1000, signal: on.call.signal };
    const run = BoundedRun.of(on.services.control, on.session(), 'trace_function', limits);
    on.host.emit('stopped', { reason: 'pause', threadId: 1 });
    assert.equal(nextOutcome(on.model.state, 'a', since), undefined);
    assert.equal(run.state(), 'running');
    await given;
    assert.equal(on.session().lifecycle, 'running');
    assert.deepEqual(requested(on), ['pause', 'evaluate', 'continue']);
    assert.equal(on.model.listenerCount, 0);
  });

  it('leaves another stop that comes first as it is', async () => {
    const on = silent('pwa-node');
    await pausedTooLate(on);
    const since = epochsOf(on.model.state);
    const given = on.services.control.giveUpPause(on.session(), 1);
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    await given;
    assert.equal(nextOutcome(on.model.state, 'a', since)?.kind, 'stopped');
    assert.deepEqual([on.host.sent('continue'), on.model.listenerCount], [[], 0]);
  });

  it('is that of a newer request to pause, if there is one', async () => {
    const on = silent('pwa-node');
    await pausedTooLate(on);
    const given = on.services.control.giveUpPause(on.session(), 1);
    const limits = { deadline: performance.now() + 20_000, signal: on.call.signal };
    const again = on.services.control.pause(on.session(), 1, limits);
    on.host.emit('stopped', { reason: 'pause', threadId: 1 });
    assert.equal((await again).kind, 'stopped');
    await given;
    assert.deepEqual(on.host.sent('continue'), []);
  });

  it('is not waited for after the end of the program', async () => {
    const on = silent('pwa-node');
    await pausedTooLate(on);
    const given = on.services.control.giveUpPause(on.session(), 1);
    on.model.dispatch(ended());
    await given;
    assert.equal(on.model.listenerCount, 0);
  });

  it('is not requested again by the same call', async () => {
    const on = silent('debugpy');
    on.host.on('evaluate', () => ({}));
    const limits = { deadline: performance.now() + 1000, signal: on.call.signal };
    const run = BoundedRun.of(on.services.control, on.session(), 'trace_function', limits);
    const { pausesWithin = Infinity } = adapterOf('debugpy');
    assert.ok(pausesWithin <= 2000);
    await run.pause();
    assert.equal(await run.finish('stayStopped'), 'running');
    assert.deepEqual(requested(on), ['pause', 'evaluate']);
    assert.equal(run.lost, undefined, 'its own request is not the person’s');
  });
});
