import { strict as assert } from 'node:assert';
import { BoundedRun } from '../../../src/control/boundedRun';
import type { LaunchPlan } from '../../../src/control/launching';
import { asked, created, ended, refused, stopped, told } from '../support/events';
import { bench, family, paused, running, type Bench } from '../support/services';

const PLAN: LaunchPlan = {
  launches: [{ name: 'app', folderPath: undefined, configuration: { type: 'test' } }],
  stopAll: false,
  noDebug: false,
};

const limits = (on: Bench, milliseconds = 1000) => ({
  deadline: performance.now() + milliseconds,
  signal: on.call.signal,
});

const of = (on: Bench, key = 'a'): BoundedRun =>
  BoundedRun.of(on.services.control, on.session(key), 'trace_function', limits(on));

const starting = (on: Bench): BoundedRun =>
  BoundedRun.starting(on.services.control, PLAN, 'trace_function', limits(on));

/** VS Code starts what it is told to, which then runs. */
function starts(on: Bench, then: () => void = () => undefined): Bench {
  on.host.onStart = (configuration) => {
    on.model.dispatch(created('a', { name: 'app', configuration }));
    then();
    return Promise.resolve(true);
  };
  return on;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the sessions of a run', () => {
  it('are those of its program, and no others', () => {
    const on = running(family(bench()), 'other');
    const run = of(on, 'child');
    assert.deepEqual(
      run.sessions.map((each) => each.key),
      ['parent', 'child'],
    );
    assert.deepEqual(
      ['parent', 'child', 'other'].map((key) => run.includes(on.session(key))),
      [true, true, false],
    );
    assert.equal(run.isLaunch, false);
  });

  it('are none before the program is started, and where it was not started', async () => {
    const on = bench();
    const run = starting(on);
    assert.deepEqual([run.sessions, run.state()], [[], 'ended']);
    assert.deepEqual(await run.begin(), { kind: 'notStarted', message: undefined });
    assert.deepEqual([run.sessions, run.state()], [[], 'ended']);
  });

  it('are stopped where one of them is', () => {
    const on = family(bench());
    const run = of(on, 'child');
    assert.equal(run.state(), 'running');
    on.model.dispatch(stopped(1, {}, 'child'));
    assert.equal(run.state(), 'stopped');
  });
});

describe('a run that is refused or lost', () => {
  it('says with the adapter’s words why nothing was started', async () => {
    const on = starts(bench(), () => {
      on.model.dispatch(asked(1, 'launch'));
      on.model.dispatch(refused(1, 'launch', 'no such program'));
    });
    assert.deepEqual(await starting(on).begin(), {
      kind: 'notStarted',
      message: 'no such program',
    });
  });

  it('moves nothing any more, and says why', async () => {
    const on = paused(bench());
    const run = of(on);
    on.services.control.leases.loseAll('takenOver');
    assert.deepEqual(await run.move('next', on.session(), 1), { kind: 'lost', why: 'takenOver' });
    await run.hold();
    assert.deepEqual([on.host.moves, on.host.requests], [[], []]);
  });

  it('waits for nothing before its program is there', async () => {
    assert.deepEqual(await starting(bench()).next(), { kind: 'cancelled' });
  });

  it('ends its waits when the person takes over while the program is coming', async () => {
    const on = starts(bench());
    const first = starting(on).begin();
    await turn();
    on.services.control.leases.loseAll('takenOver');
    assert.deepEqual(await first, { kind: 'lost', why: 'takenOver' });
    assert.equal(on.model.listenerCount, 0);
  });

  it('is an end, where the program ends in the turn in which the call is cancelled', async () => {
    const on = running(bench());
    const run = of(on);
    const next = run.next();
    on.cancel();
    on.model.dispatch(ended());
    assert.deepEqual(await next, { kind: 'ended', rootKey: 'a' });
  });

  it('is cancelled by its caller while the program runs on', async () => {
    const on = running(bench());
    const next = of(on).next();
    on.cancel();
    assert.deepEqual(await next, { kind: 'cancelled' });
  });
});

describe('how a run leaves the program', () => {
  it('that the person has taken over: as it is, at once', async () => {
    const on = paused(bench());
    const run = of(on);
    on.services.control.leases.loseAll('takenOver');
    assert.equal(await run.finish('stopProgram'), 'stopped');
    assert.deepEqual([on.host.stops, on.host.moves], [[], []]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('that the person moves: where their move leads', async () => {
    const on = paused(bench());
    const run = of(on);
    on.model.dispatch(asked(900, 'next', { threadId: 1 }));
    on.host.emit('continued', { threadId: 1 });
    let isDone = false;
    const finished = run.finish('stopProgram').finally(() => (isDone = true));
    await turn();
    assert.equal(isDone, false, 'the step is on its way');
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    assert.equal(await finished, 'stopped');
    assert.deepEqual(on.host.stops, []);
  });

  it('that the person has moved and that has stopped again: there, at once', async () => {
    const on = paused(bench());
    const run = of(on);
    on.model.dispatch(asked(900, 'next', { threadId: 1 }));
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    const finished = run.finish('continue');
    await turn();
    assert.equal(on.model.listenerCount, 0, 'nothing is waited for');
    assert.equal(await finished, 'stopped');
  });

  it('that is stopped and stays so: unasked', async () => {
    const on = paused(bench());
    assert.equal(await of(on).finish('stayStopped'), 'stopped');
    assert.deepEqual(on.host.requests, []);
  });

  it('that runs and is to run: unasked', async () => {
    const on = running(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 1 }));
    assert.equal(await of(on).finish('continue'), 'running');
    assert.deepEqual([on.host.requests, on.host.moves], [[], []]);
  });

  it('that runs without a thread to pause: running', async () => {
    const on = running(bench());
    assert.equal(await of(on).finish('stayStopped'), 'running');
    assert.deepEqual(on.host.requests, []);
  });

  it('of which only a child has threads: paused there', async () => {
    const on = family(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 4 }, 'child'));
    on.host.on('pause', (_args, key) => {
      on.host.emit('stopped', { reason: 'pause', threadId: 4 }, key);
      return {};
    });
    assert.equal(await of(on, 'child').finish('stayStopped'), 'stopped');
    assert.deepEqual(
      on.host.requests.map(({ sessionKey, args }) => [sessionKey, args['threadId']]),
      [['child', 4]],
    );
  });

  it('with the lease given back, also when VS Code itself breaks', async () => {
    const on = paused(bench());
    const broken = new TypeError('broken');
    on.services.control.end = () => Promise.reject(broken);
    await assert.rejects(of(on).finish('stopProgram'), broken);
    assert.equal(on.services.control.leases.of(on.session()), undefined);
  });

  it('that has ended: as ended, and nothing is asked of it', async () => {
    for (const at of ['stopProgram', 'stayStopped', 'continue'] as const) {
      const on = running(bench());
      const run = of(on);
      on.model.dispatch(ended());
      assert.equal(await run.finish(at), 'ended');
      assert.deepEqual([on.host.stops, on.host.requests], [[], []]);
    }
  });

  it('that VS Code is still starting: as it comes, where it is not to be ended', async () => {
    const on = bench();
    on.host.onStart = () => new Promise(() => undefined);
    const run = starting(on);
    const first = run.begin();
    on.cancel();
    await first;
    await run.finish('continue');
    on.model.dispatch(created('a', { name: 'app' }));
    await turn();
    assert.deepEqual(on.host.stops, []);
  });
});

describe('a run that passes the entry', () => {
  it('of each process that waited for the debugger, and reports an end before any other stop', async () => {
    const on = starts(bench(), () => on.host.emit('stopped', { reason: 'entry', threadId: 1 }));
    let passed = 0;
    on.host.on('continue', (_args, key) => {
      passed += 1;
      if (passed === 1) on.host.emit('stopped', { reason: 'entry', threadId: 2 }, key);
      else on.model.dispatch(ended(key));
      return {};
    });
    const run = BoundedRun.starting(on.services.control, PLAN, 'trace_function', {
      ...limits(on),
      passesEntry: true,
    });
    assert.deepEqual([(await run.begin()).kind, passed], ['ended', 2]);
  });

  it('that names no thread waits for what follows', async () => {
    const on = starts(bench(), () => on.host.emit('stopped', { reason: 'entry' }));
    const run = BoundedRun.starting(on.services.control, PLAN, 'trace_function', {
      ...limits(on),
      passesEntry: true,
    });
    const first = run.begin();
    await turn();
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    const step = await first;
    assert.equal(step.kind === 'stopped' && step.stop.reason, 'breakpoint');
  });
});
