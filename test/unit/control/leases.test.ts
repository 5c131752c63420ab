import { strict as assert } from 'node:assert';
import { answered, asked, ended, told } from '../support/events';
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
  it('lets its holder move the program, and stays', async () => {
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

  it('is lost when the person moves the program, and the session is free', () => {
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

  it('is lost as ended when the program ends by itself, though VS Code disconnects then', () => {
    const on = leased();
    for (const event of [
      told('exited', { exitCode: 0 }),
      told('terminated'),
      asked(9, 'disconnect'),
    ])
      on.model.dispatch(event);
    assert.notEqual(on.lease.loss, 'moved');
    on.model.dispatch(ended());
    assert.equal(on.lease.loss, 'ended');
  });

  it('is given back when its holder ends the session, and is no loss', async () => {
    const on = leased();
    const { control } = on.services;
    on.host.onStop = (key) => {
      // VS Code asks the adapter to end, and leaves it then.
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

  it('that was lost and is given back late does not free the session of its next holder', () => {
    const on = leased();
    const { leases } = on.services.control;
    on.lease.lose('takenOver');
    const next = leases.acquire(on.session(), 'another');
    on.lease.dispose();
    assert.equal(leases.of(on.session()), next);
    on.lease.lose('moved');
    assert.equal(on.lease.loss, 'takenOver', 'the first reason stays');
  });

  it('whose announced request was never sent counts the next one as the person’s', () => {
    const on = leased();
    on.lease.announce();
    on.lease.retract();
    on.lease.retract();
    on.model.dispatch(asked(900, 'continue', { threadId: 1 }));
    assert.equal(on.lease.loss, 'moved');
  });

  it('says of a session without a lease that it is free, while another session has one', () => {
    const on = leased();
    paused(on, 'b');
    on.services.control.leases.check(on.session('b'));
    on.model.dispatch(asked(900, 'continue', { threadId: 1 }, 'b'));
    assert.equal(on.lease.loss, undefined);
  });

  it('is not lost by what VS Code reads', () => {
    const on = leased();
    on.model.dispatch(asked(900, 'stackTrace', { threadId: 1 }));
    on.model.dispatch(asked(901, 'variables', { variablesReference: 7 }));
    assert.equal(on.lease.loss, undefined);
  });

  it('that is given back leaves the session free', async () => {
    const on = leased();
    on.lease.dispose();
    const outcome = await on.services.control.move(on.session(), 1, 'next', limits(on));
    assert.equal(outcome.kind, 'stopped');
  });

  it('that a refused move announced counts no later request of the person as its own', async () => {
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

  it('whose announced request comes counts the next one as the person’s', () => {
    const on = leased();
    for (let request = 0; request < 2; request += 1) on.lease.announce();
    on.lease.retract();
    on.model.dispatch(asked(900, 'next', { threadId: 1 }));
    assert.equal(on.lease.loss, undefined, 'one of two was sent');
    on.model.dispatch(asked(901, 'next', { threadId: 1 }));
    assert.equal(on.lease.loss, 'moved');
  });

  it('is not lost by what the adapter says: only a request moves the program', () => {
    const on = leased();
    on.model.dispatch(asked(900, 'next', { threadId: 1 }));
    const after = on.services.control.leases.acquire(on.session(), 'another');
    on.model.dispatch(answered(900, 'next'));
    assert.equal(after.loss, undefined);
  });

  it('is not lost by VS Code’s leave of a program that has announced its end', () => {
    for (const command of ['disconnect', 'terminate']) {
      const on = leased();
      on.model.dispatch(told('terminated'));
      on.model.dispatch(asked(900, command));
      assert.equal(on.lease.loss, undefined, command);
    }
  });

  it('on a tree is that of its children, and is lost as ended only when all of it has ended', () => {
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
