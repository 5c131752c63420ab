import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { TOOLS } from '../../../../src/tools/catalog';
import type { ToolResult } from '../../../../src/tools/defineTool';
import { isFields, type Fields } from '../../../../src/debugger/protocol';
import { runTool } from '../../../../src/tools/run';
import { asked, created, ended, launched, stopped, told } from '../../support/events';
import { never } from '../../support/fakeHost';
import { bench, family, FILE, paused, running, type Bench } from '../../support/services';

function call(on: Bench, name: string, input: object): Promise<ToolResult> {
  const tool = TOOLS.find((each) => each.name === name);
  assert.ok(tool !== undefined);
  return runTool(tool, input, on.services, on.call);
}

const step = (on: Bench, more: object = {}): Promise<ToolResult> =>
  call(on, 'step_execution', { thread_id: 1, step_type: 'over', ...more });

function stopOf(result: ToolResult): Fields {
  assert.equal(result.status, 'stopped', JSON.stringify(result));
  assert.ok(isFields(result['stop_event_data']));
  return result['stop_event_data'];
}

/** Until all that can happen without a message from outside has happened. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const stops = (on: Bench, reason = 'step', threadId = 1): void =>
  on.host.emit('stopped', { reason, threadId });

describe('letting the program go on', () => {
  it('each step is VS Code’s own command, and the new stop is told', async () => {
    for (const [type, command] of [
      ['over', 'next'],
      ['into', 'stepIn'],
      ['out', 'stepOut'],
    ] as const) {
      const on = paused(bench());
      on.host.on(command, () => {
        queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => stops(on))));
        return {};
      });
      assert.deepEqual(
        [stopOf(await step(on, { step_type: type }))['stop_id'], on.host.moves],
        [2, [{ sessionKey: 'a', threadId: 1, command }]],
      );
      assert.equal(on.model.listenerCount, 0);
    }
  });

  it('a stop that comes before the answer is found, not lost', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      stops(on);
      return {};
    });
    assert.equal(stopOf(await step(on))['stop_id'], 2);
  });

  it('an adapter that never answers but stops is no obstacle', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      stops(on);
      return never();
    });
    assert.equal(stopOf(await step(on))['stop_id'], 2);
    assert.equal(on.model.listenerCount, 0);
  });

  it('of two calls at once from the same stop one moves the program, and the other is told so', async () => {
    for (const [first, second] of [
      ['continue_debugging', 'continue_debugging'],
      ['step_execution', 'continue_debugging'],
      ['step_execution', 'step_execution'],
    ] as const) {
      const on = paused(bench());
      let goOn = (): void => undefined;
      const meanwhile = new Promise<void>((resolve) => (goOn = resolve));
      const moves = async (): Promise<object> => {
        await meanwhile;
        stops(on);
        return {};
      };
      on.host.on('continue', moves).on('next', moves);
      const input = (name: string): object => ({
        thread_id: 1,
        ...(name === 'step_execution' ? { step_type: 'over' } : {}),
      });
      const moved = call(on, first, input(first));
      await turn();
      const refused = await call(on, second, input(second));
      assert.deepEqual([refused['code'], on.host.moves.length], ['moved_meanwhile', 1]);
      assert.match(String(refused['hint']), /wait_for_stop/);
      goOn();
      assert.equal(stopOf(await moved)['stop_id'], 2);
      // From the new stop it may be moved again, by whomever.
      assert.equal(stopOf(await call(on, second, input(second)))['stop_id'], 3);
    }
  });

  it('after a refusal it can be moved from the same stop', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      throw new Error('cannot step here');
    });
    await step(on);
    on.host.on('next', () => {
      stops(on);
      return {};
    });
    assert.equal(stopOf(await step(on))['stop_id'], 2);
  });

  it('a refusal is the adapter’s error with its words, and the program is where it was', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      throw new Error('cannot step here');
    });
    const result = await step(on);
    assert.deepEqual([result.status, result['code']], ['error', 'adapter_error']);
    assert.match(String(result['message']), /cannot step here/);
    assert.equal(on.session().lifecycle, 'stopped');
    assert.equal(on.model.listenerCount, 0);
  });

  it('a command of VS Code that sends nothing is made up for by a request of our own', async () => {
    const on = paused(bench());
    on.host.onMove = () => Promise.resolve();
    on.host.on('next', () => {
      stops(on);
      return {};
    });
    assert.equal(stopOf(await step(on))['stop_id'], 2);
    assert.deepEqual(on.host.sent('next'), [{ threadId: 1 }]);
  });

  it('a refusal of that request is the adapter’s error, too', async () => {
    const on = paused(bench());
    on.host.onMove = () => Promise.reject(new Error('no such command'));
    on.host.on('next', () => {
      throw new Error('cannot step here');
    });
    assert.match(String((await step(on))['message']), /cannot step here/);
    assert.equal(on.model.listenerCount, 0);
  });

  it('nothing is sent to a session that ends while VS Code’s command sends no request', async () => {
    const on = paused(bench());
    on.host.onMove = () => {
      for (const event of [told('exited', { exitCode: 0 }), told('terminated'), ended()])
        on.model.dispatch(event);
      return Promise.resolve();
    };
    on.host.on('next', () => ({}));
    assert.equal((await step(on)).status, 'completed');
    assert.deepEqual(on.host.sent('next'), []);
  });

  it('a request that was sent is not sent again', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      on.model.dispatch(ended());
      return {};
    });
    assert.equal((await call(on, 'continue_debugging', { thread_id: 1 })).status, 'completed');
    assert.equal(on.host.sent('continue').length, 1);
  });

  it('the end is told with its exit code', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      for (const event of [told('exited', { exitCode: 3 }), told('terminated'), ended()])
        on.model.dispatch(event);
      return {};
    });
    const result = await call(on, 'continue_debugging', { thread_id: 1 });
    assert.deepEqual([result.status, result['exit_code']], ['completed', 3]);
  });

  it('cancelling ends the wait and nothing else', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      queueMicrotask(() => on.cancel());
      return {};
    });
    assert.equal((await call(on, 'continue_debugging', { thread_id: 1 })).status, 'interrupted');
    assert.equal(on.model.listenerCount, 0);
    assert.equal(on.host.sent('continue').length, 1);
    assert.equal(
      on.host.requests.some((each) => ['pause', 'disconnect', 'terminate'].includes(each.command)),
      false,
    );
  });

  it('when the time is over the program goes on', async () => {
    const on = paused(bench());
    on.host.on('continue', () => ({}));
    const result = await runTool(
      TOOLS.find((each) => each.name === 'continue_debugging') ?? assert.fail(),
      { thread_id: 1 },
      on.services,
      { ...on.call, maxWaitSeconds: 0.02 },
    );
    assert.deepEqual(
      [result.status, result['session_id'], on.session().lifecycle],
      ['timeout', 's1', 'running'],
    );
    assert.equal(on.model.listenerCount, 0);
  });

  it('an expression that has not been answered is told of while it may still run', async () => {
    const on = paused(bench());
    on.host.on('evaluate', never).on('next', () => ({}));
    void on.requests
      .send(on.session(), 'evaluate', { expression: 'endless()' }, on.call.signal)
      .catch(() => undefined);
    const result = await runTool(
      TOOLS.find((each) => each.name === 'step_execution') ?? assert.fail(),
      { thread_id: 1, step_type: 'over' },
      on.services,
      { ...on.call, maxWaitSeconds: 0.02 },
    );
    assert.equal(result.status, 'timeout');
    assert.match(
      String(result['message']),
      /an expression that was evaluated has not been answered/,
    );
    const [session] = (await call(on, 'get_debug_state', {}))['sessions'] as {
      evaluating?: boolean;
    }[];
    assert.equal(session?.evaluating, true);
  });

  it('a thread that runs cannot be moved', async () => {
    const on = paused(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 2 }));
    assert.equal((await step(on, { thread_id: 2 }))['code'], 'not_stopped');
    assert.deepEqual(on.host.moves, []);
  });
});

describe('several steps', () => {
  it('are as many as asked for', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      stops(on);
      return {};
    });
    assert.equal(stopOf(await step(on, { count: 5 }))['stop_id'], 6);
    assert.equal(on.host.moves.length, 5);
  });

  it('end early at anything else than a step, and in another thread', async () => {
    for (const [reason, threadId] of [
      ['breakpoint', 1],
      ['exception', 1],
      ['step', 2],
    ] as const) {
      const on = paused(bench());
      on.host.on('next', () => {
        stops(
          on,
          on.host.moves.length < 3 ? 'step' : reason,
          on.host.moves.length < 3 ? 1 : threadId,
        );
        return {};
      });
      assert.equal(stopOf(await step(on, { count: 10 }))['reason'], reason);
      assert.equal(on.host.moves.length, 3);
    }
  });

  it('begin no further step when the time is over', async () => {
    const on = paused(bench());
    let now = performance.now();
    const clock = mock.method(performance, 'now', () => now);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      on.host.on('next', () => {
        now += 600;
        mock.timers.tick(600);
        stops(on);
        return {};
      });
      await step(on, { count: 10, timeout_seconds: 1 });
      assert.ok(on.host.moves.length <= 2, `${on.host.moves.length} steps of 0.6 s in 1 s`);
    } finally {
      mock.timers.reset();
      clock.mock.restore();
    }
  });

  it('begin no further step when reading a stop has outlasted the deadline', async () => {
    const on = paused(bench());
    let late = 0;
    const began = performance.now();
    const clock = mock.method(performance, 'now', () => began + late);
    try {
      on.host.on('next', () => {
        stops(on);
        return {};
      });
      on.host.on('scopes', () => {
        late = 2000;
        return { scopes: [] };
      });
      assert.equal(stopOf(await step(on, { count: 5, timeout_seconds: 1 }))['stop_id'], 2);
      assert.equal(on.host.moves.length, 1);
    } finally {
      clock.mock.restore();
    }
  });

  for (const hours of [-1, 1]) {
    it(`take the time they were given when the machine’s clock is set by ${hours} h meanwhile`, async () => {
      const on = paused(bench());
      let offset = 0;
      const { now } = Date;
      const clock = mock.method(Date, 'now', () => now() + offset);
      try {
        on.host.on('next', () => {
          offset = hours * 3_600_000;
          if (on.host.moves.length < 3) stops(on);
          return {};
        });
        const began = performance.now();
        assert.equal((await step(on, { count: 10, timeout_seconds: 1 })).status, 'timeout');
        assert.equal(on.host.moves.length, 3);
        assert.ok(performance.now() - began < 2000);
      } finally {
        clock.mock.restore();
      }
    });
  }
});

describe('running to a line', () => {
  const until = (on: Bench, line = 8): Promise<ToolResult> =>
    call(on, 'continue_debugging', { thread_id: 1, until_line: line, file_path: FILE });
  const binding = (on: Bench): Bench => {
    on.host.on('setBreakpoints', ({ breakpoints }) => ({
      breakpoints: Array.isArray(breakpoints)
        ? breakpoints.map((_, id) => ({ id, verified: true }))
        : [],
    }));
    return on;
  };

  it('sets a breakpoint there, waits for it, goes on, and leaves none behind', async () => {
    const on = binding(paused(bench()));
    let there = 0;
    on.host.on('continue', () => {
      there = on.host.breakpoints().length;
      stops(on, 'breakpoint');
      return {};
    });
    assert.equal(stopOf(await until(on))['reason'], 'breakpoint');
    assert.deepEqual([there, on.host.breakpoints().length], [1, 0]);
  });

  it('says when the adapter has put the breakpoint on another line, and the program stopped there', async () => {
    for (const [line, expected] of [
      [3, 'The debugger cannot stop at line 8; it stopped at line 3 in its place.'],
      [8, undefined],
      [5, undefined],
    ] as const) {
      const on = paused(bench());
      on.host.on('setBreakpoints', ({ breakpoints }) => ({
        breakpoints: Array.isArray(breakpoints)
          ? breakpoints.map((_, id) => ({ id, verified: true, line }))
          : [],
      }));
      on.host.on('continue', () => {
        stops(on, 'breakpoint');
        return {};
      });
      const answer = await until(on);
      assert.deepEqual([stopOf(answer)['line'], answer['message']], [3, expected]);
    }
  });

  it('uses the breakpoint that is there already, and leaves it', async () => {
    const on = binding(paused(bench()));
    on.host.addBreakpoint({ kind: 'source', path: FILE, line: 8 });
    on.host.on('continue', () => {
      stops(on, 'breakpoint');
      return {};
    });
    await until(on);
    assert.equal(on.host.breakpoints().length, 1);
  });

  it('leaves no breakpoint behind when the adapter refuses', async () => {
    const on = binding(paused(bench()));
    on.host.on('continue', () => {
      throw new Error('no');
    });
    assert.equal((await until(on))['code'], 'adapter_error');
    assert.equal(on.host.breakpoints().length, 0);
  });

  it('a line that the file does not have moves nothing', async () => {
    const on = paused(bench());
    assert.equal((await until(on, 999))['code'], 'line_out_of_range');
    assert.deepEqual([on.host.moves, on.host.breakpoints()], [[], []]);
  });

  it('a line without a file, or a file without a line, moves nothing', async () => {
    const on = paused(bench());
    for (const half of [{ until_line: 3 }, { file_path: FILE }])
      assert.equal(
        (await call(on, 'continue_debugging', { thread_id: 1, ...half }))['code'],
        'invalid_input',
      );
    assert.deepEqual(on.host.moves, []);
  });

  it('cancelling while the breakpoint is being set lets the program stay where it is', async () => {
    const on = paused(bench());
    on.host.on('setBreakpoints', () => {
      queueMicrotask(() => on.cancel());
      return never();
    });
    on.host.on('continue', () => ({}));
    assert.equal((await until(on)).status, 'interrupted');
    assert.deepEqual(on.host.moves, []);
  });
});

describe('pausing, waiting, stopping', () => {
  it('pausing tells the stop, and what is stopped already is told as it is', async () => {
    const on = running(bench());
    on.host.on('pause', () => {
      stops(on, 'pause');
      return {};
    });
    assert.equal(stopOf(await call(on, 'pause_debugging', {}))['reason'], 'pause');
    assert.equal(stopOf(await call(on, 'pause_debugging', {}))['stop_id'], 1);
    assert.deepEqual(on.host.sent('pause'), [{ threadId: 1 }]);
  });

  it('a pause that is refused is the adapter’s error and leaves nothing behind', async () => {
    const on = running(bench());
    on.host.on('pause', () => {
      throw new Error('cannot pause');
    });
    assert.match(String((await call(on, 'pause_debugging', {}))['message']), /cannot pause/);
    assert.equal(on.model.listenerCount, 0);
  });

  it('of a program that its debugger has not started yet is refused at once, and nothing is asked', async () => {
    const on = bench();
    for (const event of [created(), asked(1, 'attach')]) on.model.dispatch(event);
    on.host.on('threads', never);
    const result = await call(on, 'pause_debugging', { timeout_seconds: 1 });
    assert.deepEqual(
      [result.status, result['code'], on.host.requests.length],
      ['error', 'not_running', 0],
    );
  });

  it('waiting answers at once when it is stopped, and never moves anything', async () => {
    const on = paused(bench());
    assert.equal(stopOf(await call(on, 'wait_for_stop', {}))['stop_id'], 1);
    assert.deepEqual(on.host.moves, []);
  });

  it('waiting finds a stop in a child', async () => {
    const on = family(bench());
    const waiting = call(on, 'wait_for_stop', { session_id: 's1' });
    await turn();
    on.model.dispatch(stopped(1, { reason: 'breakpoint' }, 'child'));
    assert.equal(stopOf(await waiting)['session_id'], 's2');
    assert.equal(on.model.listenerCount, 0);
  });

  it('waiting ends with a new line that matches, not with one that was told', async () => {
    const on = running(bench());
    const print = (output: string): void => on.host.emit('output', { category: 'stdout', output });
    print('listening on 1\n');
    on.services.stops.output.untold([on.session()]);
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

  it('waiting ends at once with a line that was printed since the last answer, and with each but once', async () => {
    const on = running(bench());
    const print = (output: string): void => on.host.emit('output', { category: 'stdout', output });
    const wait = () => call(on, 'wait_for_stop', { output_pattern: 'served \\d+' });
    print('served 1\nserved 2\nidle\n');
    const first = await wait();
    assert.deepEqual(first['matched'], { line: 'served 1', cursor: 1 });
    assert.match(String(first['message']), /had printed .* before this call/);
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
      on.services.stops.output.untold([on.session()]).lines,
      ['served 1', 'served 2', 'idle', 'served 3'],
      'the next answer still shows them',
    );
  });

  it('waiting ends where the pattern would take too long on what is printed, and says so', async () => {
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

  it('a pattern that is none is invalid input', async () => {
    assert.equal(
      (await call(running(bench()), 'wait_for_stop', { output_pattern: '(' }))['code'],
      'invalid_input',
    );
  });

  it('stopping ends the outermost session', async () => {
    const on = family(bench());
    const stoppedKeys: string[] = [];
    on.host.onStop = (key) => {
      stoppedKeys.push(key);
      for (const each of ['child', 'parent']) on.model.dispatch(ended(each));
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

describe('letting an attached program go', () => {
  for (const [what, events, words] of [
    ['goes on', launched('a', { configuration: { request: 'attach' } }), /the program goes on/],
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
      assert.match(String((await call(on, 'stop_debugging', {}))['message']), words);
    });
  }
});

describe('pausing', () => {
  it('a program that runs no code is said to be idle, not to be paused once more', async () => {
    const on = running(bench());
    on.host.on('pause', () => ({}));
    const tool = TOOLS.find((each) => each.name === 'pause_debugging');
    assert.ok(tool !== undefined);
    const result = await runTool(tool, {}, on.services, { ...on.call, maxWaitSeconds: 0.01 });
    assert.equal(result.status, 'timeout');
    assert.match(String(result['message']), /idle/);
    assert.doesNotMatch(String(result['message']), /pause_debugging/);
  });
});
