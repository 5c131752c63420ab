import { strict as assert } from 'node:assert';
import { answered, asked, ended, eventOf } from '../support/events';
import { bench, failsWith, family, paused, type Bench } from '../support/services';

const limits = (on: Bench) => ({ deadline: performance.now() + 1000, signal: on.call.signal });

function leased(): Bench & {
  lease: ReturnType<Bench['services']['control']['leases']['acquire']>;
} {
  const on = paused(bench());
  on.host.on('next', (_args, key) => {
    on.host.emit('stopped', { reason: 'step', threadId: 1 }, key);
    return {};
  });
  return { ...on, lease: on.services.control.leases.acquire(on.session(), 'debug_test') };
}

describe('a lease on a session', () => {
  it('lets its holder move the program, and stays valid', async () => {
    const on = leased();
    const { control } = on.services;
    for (let step = 0; step < 3; step += 1)
      await control.move(on.session(), 1, 'next', { ...limits(on), lease: on.lease });
    assert.deepEqual([on.lease.loss, on.lease.signal.aborted], [undefined, false]);
  });

  it('refuses every other call that would move or end it, with the holder’s name', async () => {
    const on = leased();
    const { control } = on.services;
    const session = on.session();
    for (const call of [
      () => control.move(session, 1, 'next', limits(on)),
      () => control.pause(session, 1, limits(on)),
      () => control.end(session, on.call.signal),
    ])
      await assert.rejects(call(), failsWith('session_busy'));
    assert.throws(
      () => control.leases.acquire(session, 'collect_values'),
      failsWith('session_busy'),
    );
    assert.deepEqual([on.host.requests.length, on.lease.loss], [0, undefined]);
  });

  it('is lost when the person moves the program, and the session is then free', () => {
    const on = leased();
    on.model.dispatch(asked(900, 'continue', { threadId: 1 }));
    assert.deepEqual([on.lease.loss, on.lease.signal.aborted], ['moved', true]);
    on.services.control.leases.acquire(on.session(), 'another').dispose();
  });

  it('is lost when the person ends the session', () => {
    const on = leased();
    on.model.dispatch(asked(900, 'terminate'));
    assert.equal(on.lease.loss, 'moved');
  });

  it('is lost as ended when the program ends by itself, although VS Code then disconnects', () => {
    const on = leased();
    for (const event of [
      eventOf('exited', { exitCode: 0 }),
      eventOf('terminated'),
      asked(9, 'disconnect'),
    ])
      on.model.dispatch(event);
    assert.notEqual(on.lease.loss, 'moved');
    on.model.dispatch(ended());
    assert.equal(on.lease.loss, 'ended');
  });

  it('is not lost when its holder ends the session', async () => {
    const on = leased();
    const { control } = on.services;
    on.host.onStop = (key) => {
      // VS Code sends `terminate` to the adapter, and then disconnects.
      for (const event of [asked(900, 'terminate'), asked(901, 'disconnect'), ended(key)])
        on.model.dispatch(event);
      return Promise.resolve();
    };
    assert.equal(await control.end(on.session(), on.call.signal, on.lease), true);
    assert.deepEqual([on.lease.loss, on.lease.signal.aborted], [undefined, false]);
  });

  it('is lost when the person takes over', () => {
    const on = leased();
    on.services.control.leases.loseAll('takenOver');
    assert.equal(on.lease.loss, 'takenOver');
  });

  it('that was lost and is released late does not free the session of its next holder', () => {
    const on = leased();
    const { leases } = on.services.control;
    on.lease.lose('takenOver');
    const next = leases.acquire(on.session(), 'another');
    on.lease.dispose();
    assert.equal(leases.of(on.session()), next);
    on.lease.lose('moved');
    assert.equal(on.lease.loss, 'takenOver', 'the first reason stays');
  });

  it('treats the next request as the person’s if the announced request was never sent', () => {
    const on = leased();
    on.lease.announce();
    on.lease.retract();
    on.lease.retract();
    on.model.dispatch(asked(900, 'continue', { threadId: 1 }));
    assert.equal(on.lease.loss, 'moved');
  });

  it('leaves a session without a lease free while another session has one', () => {
    const on = leased();
    paused(on, 'b');
    on.services.control.leases.check(on.session('b'));
    on.model.dispatch(asked(900, 'continue', { threadId: 1 }, 'b'));
    assert.equal(on.lease.loss, undefined);
  });

  it('is not lost through VS Code’s read-only requests', () => {
    const on = leased();
    on.model.dispatch(asked(900, 'stackTrace', { threadId: 1 }));
    on.model.dispatch(asked(901, 'variables', { variablesReference: 7 }));
    assert.equal(on.lease.loss, undefined);
  });

  it('that is released leaves the session free', async () => {
    const on = leased();
    on.lease.dispose();
    const outcome = await on.services.control.move(on.session(), 1, 'next', limits(on));
    assert.equal(outcome.kind, 'stopped');
  });

  it('treats a request as the person’s after a move that the adapter refused', async () => {
    const on = leased();
    on.host.onMove = () => Promise.reject(new Error('no'));
    on.host.on('next', () => {
      throw new Error('refused');
    });
    const { control } = on.services;
    await control
      .move(on.session(), 1, 'next', { ...limits(on), lease: on.lease })
      .catch(() => undefined);
    on.model.dispatch(asked(900, 'continue', { threadId: 1 }));
    assert.equal(on.lease.loss, 'moved');
  });

  it('treats the next request as the person’s once the announced request has been sent', () => {
    const on = leased();
    for (let request = 0; request < 2; request += 1) on.lease.announce();
    on.lease.retract();
    on.model.dispatch(asked(900, 'next', { threadId: 1 }));
    assert.equal(on.lease.loss, undefined, 'one of two was sent');
    on.model.dispatch(asked(901, 'next', { threadId: 1 }));
    assert.equal(on.lease.loss, 'moved');
  });

  it('is not lost through a response of the adapter: only a request moves the program', () => {
    const on = leased();
    on.model.dispatch(asked(900, 'next', { threadId: 1 }));
    const after = on.services.control.leases.acquire(on.session(), 'another');
    on.model.dispatch(answered(900, 'next'));
    assert.equal(after.loss, undefined);
  });

  it('is not lost when VS Code disconnects from or terminates a program that has announced its end', () => {
    for (const command of ['disconnect', 'terminate']) {
      const on = leased();
      on.model.dispatch(eventOf('terminated'));
      on.model.dispatch(asked(900, command));
      assert.equal(on.lease.loss, undefined, command);
    }
  });

  it('on a session tree covers the children, and is lost as ended only when the whole tree has ended', () => {
    const on = family(bench());
    const { leases } = on.services.control;
    const lease = leases.acquire(on.session('child'), 'debug_test');
    assert.equal(leases.of(on.session('parent')), lease);
    on.model.dispatch(ended('parent'));
    assert.equal(lease.loss, undefined);
    on.model.dispatch(ended('child'));
    assert.equal(lease.loss, 'ended');
  });
});
