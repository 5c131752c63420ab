import { strict as assert } from 'node:assert';
import { nextOutcome } from '../../../../src/control/nextOutcome';
import type { Outcome } from '../../../../src/control/outcome';
import { Superseded } from '../../../../src/debugger/inspection/inspector';
import { limitsOf, reportRun, timeoutResult } from '../../../../src/tools/reports/runReport';
import { asked, created, ended, stopped, told } from '../../support/events';
import { never } from '../../support/fakeHost';
import { bench, family, paused, running, type Bench } from '../../support/services';

const NONE = new Map<string, number>();

describe('how long a call waits', () => {
  it('as long as it asks for, but no longer than its caller may', () => {
    const { call } = bench();
    const seconds = (asked: number, maxWaitSeconds: number): number => {
      const before = performance.now();
      const { deadline } = limitsOf(asked, { ...call, maxWaitSeconds });
      return Math.floor((deadline - before) / 1000);
    };
    assert.equal(seconds(30, 300), 30);
    assert.equal(seconds(300, 45), 45);
  });
});

describe('how a wait that ended first is told', () => {
  it('a program that runs is running; one that its debugger has not started or found yet is not said to be', () => {
    assert.match(
      timeoutResult(running(bench()).services, 'a').message ?? '',
      /still running.*pause_debugging/,
    );
    const on = bench();
    for (const event of [created(), asked(1, 'attach')]) on.model.dispatch(event);
    const { message = '' } = timeoutResult(on.services, 'a');
    assert.match(message, /still starting.*stop_debugging/);
    assert.doesNotMatch(message, /running|pause_debugging/);
  });
});

describe('the outcome of a wait', () => {
  const report = async (
    on: Bench,
    { key = 'a', within = 1000 }: { readonly key?: string; readonly within?: number } = {},
  ) => {
    const outcome: Outcome = nextOutcome(on.model.state, key, NONE) ?? { kind: 'timeout' };
    const { signal } = on.call;
    return await reportRun(on.services, on.call, key, outcome, {
      deadline: performance.now() + within,
      signal,
      prefetch: 'fields',
    });
  };

  it('a stop is told with its place', async () => {
    const on = paused(bench());
    const outcome = await report(on);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.line], ['stopped', 3]);
  });

  it('a time-out and a cancelled wait say that the program goes on', async () => {
    const on = running(bench());
    const limits = { deadline: performance.now(), signal: on.call.signal };
    const wait = (kind: 'timeout' | 'cancelled') =>
      reportRun(on.services, on.call, 'a', { kind }, limits);
    const timeout = await wait('timeout');
    assert.deepEqual([timeout.status, timeout.session_id], ['timeout', 's1']);
    assert.match(timeout.message ?? '', /wait_for_stop/);
    assert.equal((await wait('cancelled')).status, 'interrupted');
  });

  it('a time-out tells what was printed meanwhile, once', async () => {
    const on = running(bench());
    const timeout = () => report(on);
    on.model.dispatch(told('output', { category: 'stdout', output: 'listening on 3000\n' }));
    assert.deepEqual((await timeout()).output, ['listening on 3000']);
    assert.equal('output' in (await timeout()), false);
    for (let line = 1; line <= 10; line += 1)
      on.model.dispatch(told('output', { category: 'stdout', output: `${line}\n` }));
    assert.deepEqual((await timeout()).omitted, {
      output_lines: 2,
      fetch_output_lines: 'get_debug_output',
    });
  });

  it('a stop that was left during the report gives way to the next one', async () => {
    const on = paused(bench());
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      if (asks === 1) {
        on.host.emit('continued', { threadId: 1 });
        on.host.emit('stopped', { reason: 'step', threadId: 1 });
      }
      return { scopes: [] };
    });
    const outcome = await report(on);
    assert.deepEqual(
      [outcome.status, outcome.stop_event_data?.stop_id, outcome.stop_event_data?.reason],
      ['stopped', 2, 'step'],
    );
    assert.equal(on.model.listenerCount, 0);
  });

  for (const command of ['stackTrace', 'scopes', 'variables']) {
    it(`a program that ends while it is asked for ${command} is told as ended`, async () => {
      const on = paused(bench());
      on.host.on(command, () => {
        for (const event of [told('exited', { exitCode: 0 }), told('terminated'), ended()])
          on.model.dispatch(event);
        return never();
      });
      const outcome = await report(on);
      assert.deepEqual(
        [outcome.status, outcome.code, outcome.exit_code],
        ['completed', undefined, 0],
      );
      assert.equal(on.model.listenerCount, 0);
    });
  }

  it('a stop whose values become invalid during the report is told all the same', async () => {
    const on = paused(bench());
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      if (asks === 1) on.host.emit('invalidated', { areas: ['variables'] });
      return { scopes: [] };
    });
    const outcome = await report(on, { within: 50 });
    assert.deepEqual([outcome.status, outcome.stop_event_data?.stop_id], ['stopped', 1]);
  });

  it('when only the reported thread goes on, another that is still held is told', async () => {
    const on = paused(paused(bench(), 'a', 1), 'b', 9);
    on.model.dispatch(stopped(2, { reason: 'breakpoint' }));
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      if (asks === 1) on.host.emit('continued', { threadId: 2, allThreadsContinued: false });
      return { scopes: [] };
    });
    const outcome = await report(on, { within: 50 });
    assert.deepEqual([outcome.status, outcome.stop_event_data?.thread_id], ['stopped', 1]);
  });

  it('a stop that names no thread is told of the first thread that it holds', async () => {
    const on = running(bench());
    on.model.dispatch(stopped(undefined, { reason: 'pause' }));
    const outcome = await report(on);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.thread_id], ['stopped', 1]);
    assert.equal(on.host.sent('threads').length, 1);
  });

  it('a stop that is superseded past the deadline is refused, not followed on and on', async () => {
    const on = paused(bench());
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      on.host.emit('continued', { threadId: 1 });
      if (asks < 20) on.host.emit('stopped', { reason: 'step', threadId: 1 });
      return { scopes: [] };
    });
    await assert.rejects(report(on, { within: -1 }), Superseded);
    assert.deepEqual([asks, on.model.listenerCount], [1, 0]);
  });

  it('a child’s stop is told as the child’s', async () => {
    const on = family(bench());
    on.model.dispatch(stopped(1, {}, 'child'));
    assert.equal((await report(on, { key: 'parent' })).stop_event_data?.session_id, 's2');
  });
});
