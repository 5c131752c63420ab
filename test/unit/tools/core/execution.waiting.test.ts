import { strict as assert } from 'node:assert';
import { asked, created, ended, launched, stopped } from '../../support/events';
import { never } from '../../support/fakeHost';
import { call, stopOf, stops, turn } from '../../support/runCalls';
import { bench, family, paused, running } from '../../support/services';

describe('run control: pausing, waiting, stopping', () => {
  it('reports the stop after a pause, and the current stop of a program that is already stopped', async () => {
    const on = running(bench());
    on.host.on('pause', () => {
      stops(on, 'pause');
      return {};
    });
    assert.equal(stopOf(await call(on, 'pause_debugging', {}))['reason'], 'pause');
    assert.equal(stopOf(await call(on, 'pause_debugging', {}))['stop_id'], 1);
    assert.deepEqual(on.host.sent('pause'), [{ threadId: 1 }]);
  });

  it('reports a refused pause as the adapter’s error, and leaves no listener behind', async () => {
    const on = running(bench());
    on.host.on('pause', () => {
      throw new Error('cannot pause');
    });
    assert.match(String((await call(on, 'pause_debugging', {}))['message']), /cannot pause/);
    assert.equal(on.model.listenerCount, 0);
  });

  it('refuses to pause a program that its debugger has not started yet at once, without a request', async () => {
    const on = bench();
    for (const event of [created(), asked(1, 'attach')]) on.model.dispatch(event);
    on.host.on('threads', never);
    const result = await call(on, 'pause_debugging', { timeout_seconds: 1 });
    assert.deepEqual(
      [result.status, result['code'], on.host.requests.length],
      ['error', 'not_running', 0],
    );
  });

  it('answers a wait at once if the program is stopped, and never moves it', async () => {
    const on = paused(bench());
    assert.equal(stopOf(await call(on, 'wait_for_stop', {}))['stop_id'], 1);
    assert.deepEqual(on.host.moves, []);
  });

  it('ends a wait at a stop in a child session', async () => {
    const on = family(bench());
    const waiting = call(on, 'wait_for_stop', { session_id: 's1' });
    await turn();
    on.model.dispatch(stopped(1, { reason: 'breakpoint' }, 'child'));
    assert.equal(stopOf(await waiting)['session_id'], 's2');
    assert.equal(on.model.listenerCount, 0);
  });

  it('ends a wait at a new line that matches, not at one that was already reported', async () => {
    const on = running(bench());
    const print = (output: string): void => on.host.emit('output', { category: 'stdout', output });
    print('listening on 1\n');
    on.services.stops.output.takeUnreported([on.session()]);
    const waiting = call(on, 'wait_for_stop', { output_pattern: 'listening on \\d+' });
    await turn();
    print('something else\n');
    print('listening on 2\n');
    const result = await waiting;
    assert.deepEqual(
      [result.status, result['matched']],
      ['success', { line: 'listening on 2', cursor: 3 }],
    );
    assert.equal(on.model.listenerCount, 0);
  });

  it('ends a wait at once for a line printed since the last answer, and only once for each line', async () => {
    const on = running(bench());
    const print = (output: string): void => on.host.emit('output', { category: 'stdout', output });
    const wait = () => call(on, 'wait_for_stop', { output_pattern: 'served \\d+' });
    print('served 1\nserved 2\nidle\n');
    const first = await wait();
    assert.deepEqual(first['matched'], { line: 'served 1', cursor: 1 });
    assert.match(String(first['message']), /printed .* before this call/);
    assert.deepEqual((await wait())['matched'], { line: 'served 2', cursor: 2 });
    const third = wait();
    assert.equal(await Promise.race([third, turn().then(() => 'waits')]), 'waits');
    print('served 3\n');
    assert.deepEqual(
      [(await third)['matched'], (await third)['message']],
      [
        { line: 'served 3', cursor: 4 },
        'The program printed a matching line and is still running.',
      ],
    );
    assert.deepEqual(
      on.services.stops.output.takeUnreported([on.session()]).lines,
      ['served 1', 'served 2', 'idle', 'served 3'],
      'the next answer still shows them',
    );
  });

  it('ends a wait with an error if the pattern would take too long on the output', async () => {
    const on = running(bench());
    const waiting = call(on, 'wait_for_stop', { output_pattern: 'a[ab]{990}[cd]' });
    await turn();
    on.host.emit('output', { category: 'stdout', output: `${'ab'.repeat(20_000)}\n` });
    const result = await waiting;
    assert.deepEqual(
      [result.status, result['code'], on.model.listenerCount],
      ['error', 'invalid_input', 0],
    );
    assert.match(String(result['message']), /takes too long/);
  });

  it('rejects an invalid pattern as invalid input', async () => {
    assert.equal(
      (await call(running(bench()), 'wait_for_stop', { output_pattern: '(' }))['code'],
      'invalid_input',
    );
  });

  it('stops the outermost session', async () => {
    const on = family(bench());
    const stoppedKeys: string[] = [];
    on.host.onStop = (key) => {
      stoppedKeys.push(key);
      for (const session of ['child', 'parent']) on.model.dispatch(ended(session));
      return Promise.resolve();
    };
    const result = await call(on, 'stop_debugging', { session_id: 's2' });
    assert.deepEqual(
      [result.status, result['ended'], result['session_id'], stoppedKeys],
      ['success', true, 's1', ['parent']],
    );
    assert.equal(on.model.listenerCount, 0);
  });
});

describe('an attached program after stop_debugging', () => {
  for (const [what, events, message] of [
    [
      'goes on',
      launched('a', { configuration: { request: 'attach' } }),
      /The program is still running/,
    ],
    [
      'that was never reached is not said to go on',
      [created('a', { configuration: { request: 'attach' } })],
      /not attached to a program yet/,
    ],
  ] as const) {
    it(what, async () => {
      const on = bench();
      for (const event of events) on.model.dispatch(event);
      on.host.onStop = (key) => {
        on.model.dispatch(ended(key));
        return Promise.resolve();
      };
      assert.match(String((await call(on, 'stop_debugging', {}))['message']), message);
    });
  }
});

describe('pause_debugging', () => {
  it('reports a program that runs no code as idle, and does not suggest another pause', async () => {
    const on = running(bench());
    on.host.on('pause', () => ({}));
    const result = await call(on, 'pause_debugging', {}, { maxWaitSeconds: 0.01 });
    assert.equal(result.status, 'timeout');
    assert.match(String(result['message']), /idle/);
    assert.doesNotMatch(String(result['message']), /pause_debugging/);
  });
});
