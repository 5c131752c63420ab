import { strict as assert } from 'node:assert';
import type { RunLimits } from '../../../src/control/outcome';
import { DebuggerError, type Problem } from '../../../src/debugger/debuggerError';
import { asked, AT, created, ended, exited, eventOf, launched } from '../support/events';
import { bench, paused, running, type Bench } from '../support/services';

const within = (on: Bench, milliseconds = 1000): RunLimits => ({
  deadline: performance.now() + milliseconds,
  signal: on.call.signal,
});

/** The adapter refuses these requests. */
function refusing(on: Bench, ...commands: readonly string[]): Bench {
  for (const command of commands)
    on.host.on(command, () => {
      throw new Error(`no ${command}`);
    });
  return on;
}

/** Asserts that the call fails with a problem of this kind, about this request. */
async function failsAs(
  done: Promise<unknown>,
  kind: Problem['kind'],
  command?: string,
): Promise<void> {
  await assert.rejects(done, (error: unknown) => {
    assert.ok(error instanceof DebuggerError, String(error));
    const { problem } = error;
    assert.deepEqual(
      [problem.kind, 'command' in problem ? problem.command : undefined],
      [kind, command],
    );
    return true;
  });
}

/** Whether the promise is still pending. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  void promise.then(() => (isSettled = true));
  await new Promise(setImmediate);
  return !isSettled;
}

describe('run control: a refused request', () => {
  for (const [command, begin] of [
    ['pause', (on: Bench) => on.services.control.pause(on.session(), 1, within(on))],
    ['restart', (on: Bench) => on.services.control.restart(on.session(), within(on))],
    [
      'goto',
      (on: Bench) =>
        on.services.control.moveBy(on.session(), 1, { command: 'goto', args: {} }, within(on)),
    ],
    ['continue', (on: Bench) => on.services.control.letGo(on.session(), 1, undefined)],
  ] as const)
    it(`${command}: fails with its name, and leaves no wait behind`, async () => {
      const on = refusing(paused(bench()), command);
      await failsAs(begin(on), 'adapterRefused', command);
      assert.equal(on.model.listenerCount, 0);
    });

  it('to end the program fails as a disconnect', async () => {
    const on = running(bench());
    on.host.onStop = () => Promise.reject(new Error('no'));
    await failsAs(
      on.services.control.end(on.session(), on.call.signal),
      'adapterRefused',
      'disconnect',
    );
  });

  it('does not claim the next request of the person', async () => {
    for (const [command, begin] of [
      ['pause', 'pause'],
      ['restart', 'restart'],
      ['continue', 'letGo'],
    ] as const) {
      const on = refusing(paused(bench()), command);
      const { control } = on.services;
      // The request does not reach the adapter: VS Code itself refuses it.
      on.host.request = () => Promise.reject(new Error('no'));
      const lease = control.leases.acquire(on.session(), 'debug_test');
      const limits = { ...within(on), lease };
      await (
        begin === 'pause'
          ? control.pause(on.session(), 1, limits)
          : begin === 'restart'
            ? control.restart(on.session(), limits)
            : control.letGo(on.session(), 1, lease)
      ).catch(() => undefined);
      on.model.dispatch(asked(900, 'next', { threadId: 1 }));
      assert.equal(lease.loss, 'moved', begin);
    }
  });

  it('to continue does not keep the program from being moved from the same stop', async () => {
    const on = refusing(paused(bench()), 'continue');
    const { control } = on.services;
    await control.letGo(on.session(), 1, undefined).catch(() => undefined);
    on.host.on('next', (_args, key) => {
      on.host.emit('stopped', { reason: 'step', threadId: 1 }, key);
      return {};
    });
    assert.equal((await control.move(on.session(), 1, 'next', within(on))).kind, 'stopped');
  });
});

describe('run control: a pause that the adapter has lost', () => {
  it('is requested again by js-debug’s sessions, and by no others', async () => {
    for (const [sessionType, requests] of [
      ['node', 2],
      ['test', 1],
    ] as const) {
      const on = bench();
      for (const event of launched('a', { sessionType })) on.model.dispatch(event);
      on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
      let asks = 0;
      on.host.on('pause', (_args, key) => {
        asks += 1;
        if (asks === 2) on.host.emit('stopped', { reason: 'pause', threadId: 1 }, key);
        return {};
      });
      const { kind } = await on.services.control.pause(on.session(), 1, within(on, 3500));
      assert.deepEqual([kind, asks], [requests === 2 ? 'stopped' : 'timeout', requests]);
    }
  });
});

describe('run control: a program that is let go', () => {
  it('runs on, and its holder keeps the lease', async () => {
    const on = paused(bench());
    on.host.on('continue', () => ({}));
    const { control } = on.services;
    const lease = control.leases.acquire(on.session(), 'debug_test');
    await control.letGo(on.session(), 1, lease);
    assert.deepEqual([on.session().lifecycle, lease.loss], ['running', undefined]);
  });

  it('gets no continue request if its thread is not stopped or is unknown', async () => {
    const on = running(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
    for (const thread of [1, 99]) await on.services.control.letGo(on.session(), thread, undefined);
    assert.deepEqual(on.host.moves, []);
  });
});

describe('run control: moves', () => {
  it('of a thread that is not stopped or is unknown fail and send nothing', async () => {
    const on = running(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
    for (const thread of [1, 99])
      await failsAs(
        on.services.control.move(on.session(), thread, 'next', within(on)),
        'notStopped',
      );
    assert.deepEqual(on.host.moves, []);
  });

  it('of two sessions at once do not keep each other from moving', async () => {
    const on = paused(paused(bench()), 'b');
    on.host.on('next', () => ({}));
    const moves = ['a', 'b'].map((key) =>
      on.services.control.move(on.session(key), 1, 'next', within(on)),
    );
    for (const key of ['a', 'b']) on.host.emit('stopped', { reason: 'step', threadId: 1 }, key);
    assert.deepEqual(
      (await Promise.all(moves)).map((each) => each.kind === 'stopped' && each.sessionKey),
      ['a', 'b'],
    );
  });
});

describe('run control: the outcome for a session', () => {
  it('is the next stop, for a caller that has seen the present one', async () => {
    const on = paused(bench());
    const next = on.services.control.next('a', within(on));
    assert.ok(await isOpen(next));
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    const outcome = await next;
    assert.equal(outcome.kind === 'stopped' && outcome.stop.id, 2);
  });

  it('is the present stop, or else the next outcome', async () => {
    const on = paused(bench());
    const { control } = on.services;
    const now = await control.present('a', 'a', within(on));
    assert.equal(now.kind === 'stopped' && now.stop.id, 1);
    on.host.emit('continued', { threadId: 1 });
    const next = control.present('a', 'a', within(on));
    assert.ok(await isOpen(next));
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    const later = await next;
    assert.equal(later.kind === 'stopped' && later.stop.id, 2);
  });

  it('is an end if the session is no longer known', async () => {
    const on = bench();
    assert.deepEqual(await on.services.control.present('gone', 'gone', within(on)), {
      kind: 'ended',
      rootKey: 'gone',
    });
  });
});

describe('run control: the exit code that a terminal’s shell reports', () => {
  const asksForTerminal = {
    type: 'fromAdapter',
    key: 'a',
    at: AT,
    message: { seq: 1, type: 'request', command: 'runInTerminal', arguments: {} },
  } as const;
  const prints = { type: 'terminalOutput', key: 'a', at: AT, text: 'hello' } as const;
  const shellReports = {
    type: 'programExited',
    key: 'a',
    at: AT,
    code: 3,
    signal: undefined,
    by: 'shell',
  } as const;

  function inTerminal(isRead = true): Bench {
    const on = running(bench());
    on.model.dispatch(asksForTerminal);
    if (isRead) on.model.dispatch(prints);
    return on;
  }

  const reported = (on: Bench): Promise<void> =>
    on.services.control.exitReported('a', on.call.signal);

  it('is waited for after the debugger has reported the end of the session', async () => {
    const on = inTerminal();
    on.model.dispatch(created('child', { parentKey: 'a' }));
    on.model.dispatch(eventOf('terminated'));
    const wait = reported(on);
    assert.ok(await isOpen(wait));
    on.model.dispatch(shellReports);
    await wait;
    assert.equal(on.model.listenerCount, 0);
  });

  it('is not waited for longer than the call', async () => {
    const on = inTerminal();
    const wait = reported(on);
    on.cancel();
    await wait;
    assert.equal(on.model.listenerCount, 0);
  });

  it('is not waited for if no shell output is read', async () => {
    assert.equal(await isOpen(reported(running(bench()))), false);
    assert.equal(await isOpen(reported(inTerminal(false))), false);
    assert.equal(await isOpen(reported(bench())), false, 'nor of a session that is not known');
  });

  it('is not waited for if the end is known, requested or a failure', async () => {
    for (const event of [eventOf('exited', { exitCode: 0 }), asked(9, 'terminate'), exited(1)]) {
      const on = inTerminal();
      on.model.dispatch(created('child', { parentKey: 'a' }));
      on.model.dispatch(event);
      assert.equal(await isOpen(reported(on)), false);
    }
  });

  it('is still waited for if only the session has ended', async () => {
    const on = inTerminal();
    on.model.dispatch(eventOf('terminated'));
    on.model.dispatch(ended());
    const wait = reported(on);
    assert.ok(await isOpen(wait));
    on.cancel();
    await wait;
  });
});
