import { strict as assert } from 'node:assert';
import { BoundedRun } from '../../../src/control/boundedRun';
import type { LaunchPlan } from '../../../src/control/launching';
import { asked, created, ended, refused, stopped, eventOf } from '../support/events';
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

/** VS Code starts the requested configuration, and the program then runs. */
function starts(on: Bench, then: () => void = () => undefined): Bench {
  on.host.onStart = (configuration) => {
    on.model.dispatch(created('a', { name: 'app', configuration }));
    then();
    return Promise.resolve(true);
  };
  return on;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('BoundedRun: sessions', () => {
  it('are those of its program and no others', () => {
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

  it('are none before the program is started, and if it was not started', async () => {
    const on = bench();
    const run = starting(on);
    assert.deepEqual([run.sessions, run.state()], [[], 'ended']);
    assert.deepEqual(await run.begin(), { kind: 'notStarted', message: undefined });
    assert.deepEqual([run.sessions, run.state()], [[], 'ended']);
  });

  it('count as stopped if one of them is stopped', () => {
    const on = family(bench());
    const run = of(on, 'child');
    assert.equal(run.state(), 'running');
    on.model.dispatch(stopped(1, {}, 'child'));
    assert.equal(run.state(), 'stopped');
  });
});

describe('BoundedRun: refused or lost', () => {
  it('reports the adapter’s message if nothing was started', async () => {
    const on = starts(bench(), () => {
      on.model.dispatch(asked(1, 'launch'));
      on.model.dispatch(refused(1, 'launch', 'no such program'));
    });
    assert.deepEqual(await starting(on).begin(), {
      kind: 'notStarted',
      message: 'no such program',
    });
  });

  it('sends no further requests after the person takes over, and reports the reason', async () => {
    const on = paused(bench());
    const run = of(on);
    on.services.control.leases.loseAll('takenOver');
    assert.deepEqual(await run.move('next', on.session(), 1), { kind: 'lost', why: 'takenOver' });
    await run.pause();
    assert.deepEqual([on.host.moves, on.host.requests], [[], []]);
  });

  it('does not wait before its program has started', async () => {
    assert.deepEqual(await starting(bench()).next(), { kind: 'cancelled' });
  });

  it('ends its waits when the person takes over while the program is starting', async () => {
    const on = starts(bench());
    const first = starting(on).begin();
    await turn();
    on.services.control.leases.loseAll('takenOver');
    assert.deepEqual(await first, { kind: 'lost', why: 'takenOver' });
    assert.equal(on.model.listenerCount, 0);
  });

  it('reports the end if the program ends in the turn in which the call is cancelled', async () => {
    const on = running(bench());
    const run = of(on);
    const next = run.next();
    on.cancel();
    on.model.dispatch(ended());
    assert.deepEqual(await next, { kind: 'ended', rootKey: 'a' });
  });

  it('can be cancelled by its caller while the program keeps running', async () => {
    const on = running(bench());
    const next = of(on).next();
    on.cancel();
    assert.deepEqual(await next, { kind: 'cancelled' });
  });
});

describe('BoundedRun: finish', () => {
  it('leaves a program that the person has taken over as it is, at once', async () => {
    const on = paused(bench());
    const run = of(on);
    on.services.control.leases.loseAll('takenOver');
    assert.equal(await run.finish('stopProgram'), 'stopped');
    assert.deepEqual([on.host.stops, on.host.moves], [[], []]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('waits for the person’s move to end, and leaves the program there', async () => {
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

  it('returns at once if the program has already stopped after the person’s move', async () => {
    const on = paused(bench());
    const run = of(on);
    on.model.dispatch(asked(900, 'next', { threadId: 1 }));
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    const finished = run.finish('continue');
    await turn();
    assert.equal(on.model.listenerCount, 0, 'nothing is waited for');
    assert.equal(await finished, 'stopped');
  });

  it('sends no request if the program is stopped and is to stay stopped', async () => {
    const on = paused(bench());
    assert.equal(await of(on).finish('stayStopped'), 'stopped');
    assert.deepEqual(on.host.requests, []);
  });

  it('sends no request if the program runs and is to keep running', async () => {
    const on = running(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }));
    assert.equal(await of(on).finish('continue'), 'running');
    assert.deepEqual([on.host.requests, on.host.moves], [[], []]);
  });

  it('leaves the program running if there is no thread to pause', async () => {
    const on = running(bench());
    assert.equal(await of(on).finish('stayStopped'), 'running');
    assert.deepEqual(on.host.requests, []);
  });

  it('pauses the child session if only the child has threads', async () => {
    const on = family(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 4 }, 'child'));
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

  it('releases the lease even if VS Code itself fails', async () => {
    const on = paused(bench());
    const broken = new TypeError('broken');
    on.services.control.end = () => Promise.reject(broken);
    await assert.rejects(of(on).finish('stopProgram'), broken);
    assert.equal(on.services.control.leases.of(on.session()), undefined);
  });

  it('sends no request if the program has ended', async () => {
    for (const at of ['stopProgram', 'stayStopped', 'continue'] as const) {
      const on = running(bench());
      const run = of(on);
      on.model.dispatch(ended());
      assert.equal(await run.finish(at), 'ended');
      assert.deepEqual([on.host.stops, on.host.requests], [[], []]);
    }
  });

  it('does not end a program that VS Code is still starting if the program is to continue', async () => {
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

describe('BoundedRun: entry stops', () => {
  it('continues past the entry stop of each waiting process, and reports an end before any other stop', async () => {
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

  it('waits for the next outcome if the entry stop names no thread', async () => {
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
