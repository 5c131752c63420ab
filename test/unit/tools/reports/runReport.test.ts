import { strict as assert } from 'node:assert';
import { nextOutcome } from '../../../../src/control/nextOutcome';
import type { Outcome } from '../../../../src/control/outcome';
import { Superseded } from '../../../../src/debugger/inspection/stopRequests';
import { limitsOf, reportRun, timeoutResult } from '../../../../src/tools/reports/runReport';
import { asked, created, ended, stopped, eventOf } from '../../support/events';
import { never } from '../../support/fakeHost';
import { bench, family, paused, running, type Bench } from '../../support/services';

const NONE = new Map<string, number>();

describe('the time limit of a call', () => {
  it('is the requested time, but no longer than its caller may wait', () => {
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

describe('timeoutResult', () => {
  it('reports a running program as running, but not one that its debugger has not started or found yet', () => {
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

describe('reportRun', () => {
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

  it('reports a stop with its location', async () => {
    const on = paused(bench());
    const outcome = await report(on);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.line], ['stopped', 3]);
  });

  it('reports a timeout and a cancelled wait of a program that keeps running', async () => {
    const on = running(bench());
    const limits = { deadline: performance.now(), signal: on.call.signal };
    const wait = (kind: 'timeout' | 'cancelled') =>
      reportRun(on.services, on.call, 'a', { kind }, limits);
    const timeout = await wait('timeout');
    assert.deepEqual([timeout.status, timeout.session_id], ['timeout', 's1']);
    assert.match(timeout.message ?? '', /wait_for_stop/);
    assert.equal((await wait('cancelled')).status, 'interrupted');
  });

  it('reports the output of the meantime with a timeout, once', async () => {
    const on = running(bench());
    const timeout = () => report(on);
    on.model.dispatch(eventOf('output', { category: 'stdout', output: 'listening on 3000\n' }));
    assert.deepEqual((await timeout()).output, ['listening on 3000']);
    assert.equal('output' in (await timeout()), false);
    for (let line = 1; line <= 10; line += 1)
      on.model.dispatch(eventOf('output', { category: 'stdout', output: `${line}\n` }));
    assert.deepEqual((await timeout()).omitted, {
      output_lines: 2,
      fetch_output_lines: 'get_debug_output',
    });
  });

  it('reports the next stop if the program leaves a stop during the report', async () => {
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
    it(`reports a program as ended if it ends during the ${command} request`, async () => {
      const on = paused(bench());
      on.host.on(command, () => {
        for (const event of [eventOf('exited', { exitCode: 0 }), eventOf('terminated'), ended()])
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

  it('still reports a stop whose values become invalid during the report', async () => {
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

  it('reports another stopped thread if only the reported thread continues', async () => {
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

  it('reports a stop that names no thread with the first stopped thread', async () => {
    const on = running(bench());
    on.model.dispatch(stopped(undefined, { reason: 'pause' }));
    const outcome = await report(on);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.thread_id], ['stopped', 1]);
    assert.equal(on.host.sent('threads').length, 1);
  });

  it('fails for a stop that is superseded after the deadline, and does not follow further stops', async () => {
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

  it('reports a child’s stop with the child’s id', async () => {
    const on = family(bench());
    on.model.dispatch(stopped(1, {}, 'child'));
    assert.equal((await report(on, { key: 'parent' })).stop_event_data?.session_id, 's2');
  });
});
