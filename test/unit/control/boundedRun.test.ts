import { strict as assert } from 'node:assert';
import { BoundedRun } from '../../../src/control/boundedRun';
import type { LaunchPlan } from '../../../src/control/launching';
import { asked, created, ended, eventOf } from '../support/events';
import { bench, failsWith, paused, running, type Bench } from '../support/services';

const PLAN: LaunchPlan = {
  launches: [{ name: 'app', folderPath: undefined, configuration: { type: 'test' } }],
  stopAll: false,
  noDebug: false,
};

const limits = (on: Bench, milliseconds = 1000) => ({
  deadline: performance.now() + milliseconds,
  signal: on.call.signal,
});

/** A host whose program stops at once, and steps. */
function starting(then: readonly ['stop' | 'end' | 'run'] = ['stop']): Bench {
  const on = bench();
  on.host.onStart = (configuration) => {
    on.model.dispatch(created('a', { name: 'app', configuration }));
    on.model.dispatch(eventOf('initialized'));
    if (then[0] === 'stop') on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    if (then[0] === 'end') on.model.dispatch(ended());
    return Promise.resolve(true);
  };
  on.host.on('next', (_args, key) => {
    on.host.emit('stopped', { reason: 'step', threadId: 1 }, key);
    return {};
  });
  on.host.onStop = (key) => {
    for (const event of [asked(900, 'terminate'), ended(key)]) on.model.dispatch(event);
    return Promise.resolve();
  };
  return on;
}

const start = (on: Bench, milliseconds?: number): BoundedRun =>
  BoundedRun.starting(on.services.control, PLAN, 'collect_values', limits(on, milliseconds));

describe('BoundedRun', () => {
  it('starts the program, holds its lease, and moves it', async () => {
    const on = starting();
    const run = start(on);
    assert.equal((await run.begin()).kind, 'stopped');
    await assert.rejects(
      on.services.control.move(on.session(), 1, 'next', limits(on)),
      failsWith('session_busy'),
    );
    assert.equal((await run.move('next', on.session(), 1)).kind, 'stopped');
    assert.deepEqual(
      [run.state(), run.isLaunch, run.includes(on.session())],
      ['stopped', true, true],
    );
  });

  it('ends the program and releases the lease', async () => {
    const on = starting();
    const run = start(on);
    await run.begin();
    assert.equal(await run.finish('stopProgram'), 'ended');
    assert.equal(on.services.control.leases.of(on.session()), undefined);
    assert.equal(on.model.listenerCount, 0);
  });

  it('reports the end of a program that never stops', async () => {
    const on = starting(['end']);
    const run = start(on);
    assert.equal((await run.begin()).kind, 'ended');
    assert.equal(await run.finish('stayStopped'), 'ended');
  });

  it('ends at its limit, and pauses the program if it is to stay stopped', async () => {
    const on = starting(['run']);
    on.host.on('pause', (_args, key) => {
      on.host.emit('stopped', { reason: 'pause', threadId: 1 }, key);
      return {};
    });
    const run = start(on, 20);
    assert.equal((await run.begin()).kind, 'timeout');
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
    assert.equal(await run.finish('stayStopped'), 'stopped');
  });

  it('continues past the entry stop of a process that waited for the debugger, if requested', async () => {
    for (const passesEntry of [false, true]) {
      const on = starting(['run']);
      const begin = on.host.onStart;
      on.host.onStart = async (configuration) => {
        const isStarted = await begin(configuration);
        on.host.emit('stopped', { reason: 'entry', threadId: 1 });
        return isStarted;
      };
      on.host.on('continue', (_args, key) => {
        on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }, key);
        return {};
      });
      const run = BoundedRun.starting(on.services.control, PLAN, 'trace_function', {
        ...limits(on),
        passesEntry,
      });
      const first = await run.begin();
      assert.equal(
        first.kind === 'stopped' && first.stop.reason,
        passesEntry ? 'breakpoint' : 'entry',
      );
    }
  });

  it('begins at the present stop of an existing program, and lets the program continue at the end', async () => {
    const on = paused(bench());
    on.host.on('continue', () => ({}));
    const run = BoundedRun.of(on.services.control, on.session(), 'trace_function', limits(on));
    assert.equal((await run.begin()).kind, 'stopped');
    assert.equal(await run.finish('continue'), 'running');
    assert.deepEqual([run.mark, on.host.sent('continue').length], [undefined, 1]);
  });

  it('is lost when the person moves the program, and then leaves the program to them', async () => {
    const on = running(bench());
    const run = BoundedRun.of(on.services.control, on.session(), 'trace_function', limits(on));
    const next = run.begin();
    on.model.dispatch(asked(900, 'pause', { threadId: 1 }));
    assert.deepEqual(await next, { kind: 'lost', why: 'moved' });
    const finished = run.finish('stopProgram');
    on.host.emit('stopped', { reason: 'pause', threadId: 1 });
    assert.equal(await finished, 'stopped', 'where the person has brought it');
    assert.equal(on.host.requests.length, 0);
  });

  it('refuses a program that another call runs', () => {
    const on = paused(bench());
    const { control } = on.services;
    BoundedRun.of(control, on.session(), 'trace_function', limits(on));
    assert.throws(
      () => BoundedRun.of(control, on.session(), 'collect_values', limits(on)),
      failsWith('session_busy'),
    );
  });

  it('ends a program that starts only after the call was cancelled', async () => {
    const on = starting(['run']);
    const begin = on.host.onStart;
    let come: () => void = () => undefined;
    on.host.onStart = async (configuration) => {
      await new Promise<void>((resolve) => (come = resolve));
      return await begin(configuration);
    };
    const run = start(on);
    const first = run.begin();
    on.cancel();
    assert.equal((await first).kind, 'cancelled');
    assert.equal(run.state(), 'running');
    assert.equal(await run.finish('stopProgram'), 'ended');
    come();
    await new Promise(setImmediate);
    assert.equal(on.host.stops.length, 1);
    assert.equal(on.model.listenerCount, 0);
  });

  it('does not wait for a program that VS Code did not start', async () => {
    const on = bench();
    let refuse: () => void = () => undefined;
    on.host.onStart = () => new Promise((resolve) => (refuse = () => resolve(false)));
    const run = start(on);
    const first = run.begin();
    on.cancel();
    await first;
    const finished = run.finish('stopProgram');
    refuse();
    assert.equal(await finished, 'ended');
  });

  it('reports the state of the program if its debugger refuses to pause or end it', async () => {
    for (const [at, command] of [
      ['stayStopped', 'pause'],
      ['stopProgram', 'terminate'],
    ] as const) {
      const on = running(bench());
      on.host.onStop = () => Promise.reject(new Error('not now'));
      on.host.on(command, () => {
        throw new Error('not now');
      });
      const run = BoundedRun.of(on.services.control, on.session(), 'collect_values', limits(on));
      assert.equal(await run.finish(at), 'running');
      assert.equal(on.services.control.leases.of(on.session()), undefined);
    }
  });

  it('continues the program even if VS Code’s command does nothing', async () => {
    const on = paused(bench());
    on.host.onMove = () => Promise.resolve();
    on.host.on('continue', () => ({}));
    const run = BoundedRun.of(on.services.control, on.session(), 'collect_values', limits(on));
    assert.equal(await run.finish('continue'), 'running');
  });
});
