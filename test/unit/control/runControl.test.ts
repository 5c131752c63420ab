import { strict as assert } from 'node:assert';
import type { RunLimits } from '../../../src/control/outcome';
import { runToLine } from '../../../src/control/runToLine';
import { DebuggerError } from '../../../src/debugger/debuggerError';
import { binding } from '../support/breakpointCalls';
import { created, ended, launched, eventOf } from '../support/events';
import { never } from '../support/fakeHost';
import { bench, family, FILE, failsWith, paused, running, type Bench } from '../support/services';

const within = (on: Bench, milliseconds = 1000, more: Partial<RunLimits> = {}): RunLimits => ({
  deadline: performance.now() + milliseconds,
  signal: on.call.signal,
  ...more,
});

/** The program stops again as soon as it is resumed. */
function stepping(on: Bench): Bench {
  on.host.on('next', (_args, key) => {
    on.host.emit('stopped', { reason: 'step', threadId: 1 }, key);
    return {};
  });
  return on;
}

const READS = ['stackTrace', 'scopes', 'variables', 'exceptionInfo', 'source', 'threads'];
const reads = (on: Bench): readonly string[] =>
  on.host.requests.map((each) => each.command).filter((each) => READS.includes(each));

describe('run control: a move', () => {
  it('returns the session and the stop as data', async () => {
    const on = stepping(paused(bench()));
    const outcome = await on.services.control.move(on.session(), 1, 'next', within(on));
    assert.deepEqual(
      [
        outcome.kind,
        outcome.kind === 'stopped' && outcome.sessionKey,
        outcome.kind === 'stopped' && outcome.stop.id,
      ],
      ['stopped', 'a', 2],
    );
  });

  it('sends the step and nothing else for a step that the caller does not report', async () => {
    const on = stepping(paused(bench()));
    for (let step = 0; step < 5; step += 1)
      await on.services.control.move(on.session(), 1, 'next', within(on));
    assert.deepEqual([on.host.sent('next').length, reads(on), on.model.listenerCount], [5, [], 0]);
  });

  it('requests what a report needs as the stop arrives, for a caller that reports it', async () => {
    const on = stepping(paused(bench()));
    await on.services.control.move(
      on.session(),
      1,
      'next',
      within(on, 1000, { prefetch: 'fields' }),
    );
    assert.ok(reads(on).includes('stackTrace'));
  });

  it('that the adapter refuses fails with its message, and leaves no wait behind', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      throw new Error('cannot step here');
    });
    await assert.rejects(
      on.services.control.move(on.session(), 1, 'next', within(on)),
      failsWith('adapter_error'),
    );
    assert.equal(on.model.listenerCount, 0);
  });

  it('ends as timed out or as cancelled while the program runs on', async () => {
    const on = paused(bench());
    on.host.on('continue', () => ({}));
    const { control } = on.services;
    const late = await control.move(on.session(), 1, 'continue', within(on, 5));
    assert.equal(late.kind, 'timeout');
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    const moved = control.move(on.session(), 1, 'continue', within(on));
    on.cancel();
    assert.equal((await moved).kind, 'cancelled');
    assert.equal(on.model.listenerCount, 0);
  });

  it('whose adapter never answers ends with the stop, and does not block the next move', async () => {
    const on = paused(bench());
    on.host.on('next', (_args, key) => {
      on.host.emit('stopped', { reason: 'step', threadId: 1 }, key);
      return never();
    });
    const { control } = on.services;
    for (let step = 0; step < 2; step += 1)
      assert.equal((await control.move(on.session(), 1, 'next', within(on))).kind, 'stopped');
  });

  it('that ends the program returns its root', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      for (const event of [eventOf('exited', { exitCode: 0 }), eventOf('terminated'), ended()])
        on.model.dispatch(event);
      return {};
    });
    assert.deepEqual(await on.services.control.move(on.session(), 1, 'continue', within(on)), {
      kind: 'ended',
      rootKey: 'a',
    });
  });
});

describe('run control: waits', () => {
  it('end at a printed line that arrives before a stop', async () => {
    const on = running(bench());
    const lines: string[] = [];
    const waited = on.services.control.nextOrPrinted('a', () => lines[0], within(on));
    lines.push('ready');
    on.host.emit('output', { category: 'stdout', output: 'ready\n' });
    assert.deepEqual(await waited, { kind: 'printed', line: 'ready' });
  });

  it('fail with the error that the search for a line throws', async () => {
    const on = running(bench());
    const find = (): string => {
      throw new Error('too slow');
    };
    await assert.rejects(on.services.control.nextOrPrinted('a', find, within(on)), /too slow/);
    assert.equal(on.model.listenerCount, 0);
  });
});

describe('run control: a launch', () => {
  const plan = {
    launches: [{ name: 'Main', folderPath: undefined, configuration: { name: 'Main' } }],
    stopAll: false,
    noDebug: false,
  };

  it('that VS Code refuses is not started', async () => {
    const on = bench();
    const launching = on.services.control.launching(plan);
    assert.deepEqual(await launching.run(within(on)), { kind: 'notStarted', message: undefined });
    on.host.onStart = () => Promise.reject(new Error('no such type'));
    assert.deepEqual(await on.services.control.launching(plan).run(within(on)), {
      kind: 'notStarted',
      message: 'no such type',
    });
    assert.equal(on.model.listenerCount, 0);
  });

  it('identifies its sessions by their mark, and ignores others with the same name', async () => {
    const on = bench();
    on.host.onStart = (configuration) => {
      on.model.dispatch(
        created('other', {
          name: 'Main',
          configuration: { name: 'Main', __agentDebuggerLaunch: 'x' },
        }),
      );
      on.model.dispatch(created('mine', { name: 'Main', configuration }));
      on.host.emit('stopped', { reason: 'entry', threadId: 1 }, 'other');
      on.host.emit('stopped', { reason: 'entry', threadId: 1 }, 'mine');
      return Promise.resolve(true);
    };
    const launching = on.services.control.launching(plan);
    const outcome = await launching.run(within(on));
    assert.equal(outcome.kind === 'stopped' && outcome.sessionKey, 'mine');
    assert.deepEqual(
      launching.roots().map((each) => each.key),
      ['mine'],
    );
  });
});

describe('run control: run to a line', () => {
  it('leaves no breakpoint behind, whether the program reaches the line, is refused the move, or ends', async () => {
    for (const command of ['stopped', 'refused', 'ended'] as const) {
      const on = binding(paused(bench()));
      on.host.on('continue', () => {
        if (command === 'refused') throw new Error('no');
        if (command === 'ended') on.model.dispatch(ended());
        else on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
        return {};
      });
      const { control, breakpoints } = on.services;
      const place = { session: on.session(), thread: 1, path: FILE, line: 7 };
      await runToLine(control, breakpoints, place, within(on)).catch(() => undefined);
      assert.deepEqual(on.host.breakpoints(), [], command);
    }
  });

  it('keeps its breakpoint until the program stops if the wait ended first', async () => {
    const on = binding(paused(bench()));
    on.host.on('continue', () => ({}));
    const { control, breakpoints } = on.services;
    const place = { session: on.session(), thread: 1, path: FILE, line: 7 };
    const { outcome } = await runToLine(control, breakpoints, place, within(on, 5));
    assert.deepEqual([outcome.kind, on.host.breakpoints().length], ['timeout', 1]);
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    await new Promise(setImmediate);
    assert.deepEqual(on.host.breakpoints(), []);
  });
});

describe('run control: ending', () => {
  function stopping(on: Bench, ends: readonly string[]): string[] {
    const asked: string[] = [];
    on.host.onStop = (key) => {
      asked.push(key);
      for (const each of ends) on.model.dispatch(ended(each));
      return Promise.resolve();
    };
    return asked;
  }

  it('ends the topmost live session, and waits for the whole tree', async () => {
    const on = family(bench());
    const asked = stopping(on, ['child', 'parent']);
    assert.equal(await on.services.control.end(on.session('parent'), on.call.signal), true);
    assert.deepEqual(asked, ['parent']);
  });

  it('detaches from an attached program, and ends a launched one', async () => {
    for (const request of ['attach', 'launch'] as const) {
      const on = bench();
      for (const event of launched('a', { configuration: { request } })) on.model.dispatch(event);
      await on.services.control.end(on.session(), on.call.signal);
      assert.deepEqual(on.host.stops, [{ sessionKey: 'a', detach: request === 'attach' }]);
    }
  });

  it('ends a child that outlived its parent', async () => {
    const on = family(bench());
    on.model.dispatch(ended('parent'));
    const asked = stopping(on, ['child']);
    assert.equal(await on.services.control.end(on.session('parent'), on.call.signal), true);
    assert.deepEqual(asked, ['child']);
  });

  it('reports that the session has not ended if it is cancelled, and ends no further session', async () => {
    const on = running(running(bench()), 'b');
    const asked = stopping(on, []);
    const ending = on.services.control.end(on.session(), on.call.signal);
    on.cancel();
    assert.equal(await ending, false);
    await assert.rejects(
      on.services.control.endAll([on.session(), on.session('b')], on.call.signal),
      (error: unknown) => error instanceof DebuggerError && error.problem.kind === 'notEnded',
    );
    assert.deepEqual(asked, ['a', 'a']);
    assert.equal(on.model.listenerCount, 0);
  });

  it('ends several sessions one after the other', async () => {
    const on = running(running(bench()), 'b');
    const asked: string[] = [];
    on.host.onStop = (key) => {
      asked.push(key);
      on.model.dispatch(ended(key));
      return Promise.resolve();
    };
    await on.services.control.endAll([on.session(), on.session('b')], on.call.signal);
    assert.deepEqual(asked, ['a', 'b']);
  });

  it('fails if VS Code refuses, and leaves no wait behind', async () => {
    const on = running(bench());
    on.host.onStop = () => Promise.reject(new Error('VS Code says no'));
    await assert.rejects(
      on.services.control.end(on.session(), on.call.signal),
      (error: unknown) => error instanceof DebuggerError && error.problem.kind === 'adapterRefused',
    );
    assert.equal(on.model.listenerCount, 0);
  });
});
