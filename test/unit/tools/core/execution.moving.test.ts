import { strict as assert } from 'node:assert';
import type { ToolResult } from '../../../../src/tools/defineTool';
import { asked, ended, eventOf } from '../../support/events';
import { never } from '../../support/fakeHost';
import { call, step, stopOf, stops, turn } from '../../support/runCalls';
import { bench, FILE, paused, type Bench } from '../../support/services';

describe('run control: continuing and stepping', () => {
  it('performs each step with VS Code’s own command, and reports the new stop', async () => {
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

  it('does not lose a stop that arrives before the response', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      stops(on);
      return {};
    });
    assert.equal(stopOf(await step(on))['stop_id'], 2);
  });

  it('reports the stop of an adapter that never responds', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      stops(on);
      return never();
    });
    assert.equal(stopOf(await step(on))['stop_id'], 2);
    assert.equal(on.model.listenerCount, 0);
  });

  it('lets only one of two concurrent calls from the same stop move the program, and refuses the other', async () => {
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
      // From the new stop, any call may move it again.
      assert.equal(stopOf(await call(on, second, input(second)))['stop_id'], 3);
    }
  });

  it('can move the program from the same stop after a refusal', async () => {
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

  it('reports a refusal as the adapter’s error with its message, and the program stays at its stop', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      throw new Error('cannot step here');
    });
    const result = await step(on);
    assert.deepEqual([result.status, result['code']], ['error', 'adapter_error']);
    assert.match(String(result['message']), /cannot step here/);
    assert.deepEqual([on.session().lifecycle, on.session().lastStop?.id], ['stopped', 1]);
    assert.equal(on.model.listenerCount, 0);
  });

  it('sends its own request if VS Code’s command sends none', async () => {
    const on = paused(bench());
    on.host.onMove = () => Promise.resolve();
    on.host.on('next', () => {
      stops(on);
      return {};
    });
    assert.equal(stopOf(await step(on))['stop_id'], 2);
    assert.deepEqual(on.host.sent('next'), [{ threadId: 1 }]);
  });

  it('reports a refusal of its own request as the adapter’s error, too', async () => {
    const on = paused(bench());
    on.host.onMove = () => Promise.reject(new Error('no such command'));
    on.host.on('next', () => {
      throw new Error('cannot step here');
    });
    assert.match(String((await step(on))['message']), /cannot step here/);
    assert.equal(on.model.listenerCount, 0);
  });

  it('reports a refusal without a message with the message of VS Code’s command', async () => {
    const on = paused(bench());
    on.host.onMove = () => {
      on.model.dispatch(asked(60, 'next', { threadId: 1 }));
      on.model.dispatch({
        type: 'fromAdapter',
        key: 'a',
        at: 0,
        message: { type: 'response', request_seq: 60, command: 'next', success: false },
      });
      return Promise.reject(new Error('VS Code says no'));
    };
    const result = await step(on);
    assert.equal(result['code'], 'adapter_error');
    assert.match(String(result['message']), /VS Code says no/);
    assert.equal(on.model.listenerCount, 0);
  });

  it('sends nothing to a session that ends while VS Code’s command sends no request', async () => {
    const on = paused(bench());
    on.host.onMove = () => {
      for (const event of [eventOf('exited', { exitCode: 0 }), eventOf('terminated'), ended()])
        on.model.dispatch(event);
      return Promise.resolve();
    };
    on.host.on('next', () => ({}));
    assert.equal((await step(on)).status, 'completed');
    assert.deepEqual(on.host.sent('next'), []);
  });

  it('does not repeat a request that was already sent', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      on.model.dispatch(ended());
      return {};
    });
    assert.equal((await call(on, 'continue_debugging', { thread_id: 1 })).status, 'completed');
    assert.equal(on.host.sent('continue').length, 1);
  });

  it('reports the end of the program with its exit code', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      for (const event of [eventOf('exited', { exitCode: 3 }), eventOf('terminated'), ended()])
        on.model.dispatch(event);
      return {};
    });
    const result = await call(on, 'continue_debugging', { thread_id: 1 });
    assert.deepEqual([result.status, result['exit_code']], ['completed', 3]);
  });

  it('ends only the wait if the call is cancelled', async () => {
    const on = paused(bench());
    on.host.on('continue', () => {
      queueMicrotask(() => on.cancel());
      return {};
    });
    assert.equal((await call(on, 'continue_debugging', { thread_id: 1 })).status, 'interrupted');
    assert.equal(on.model.listenerCount, 0);
    assert.equal(on.host.sent('continue').length, 1);
    assert.equal(
      on.host.requests.some((request) =>
        ['pause', 'disconnect', 'terminate'].includes(request.command),
      ),
      false,
    );
  });

  it('leaves the program running after a timeout', async () => {
    const on = paused(bench());
    on.host.on('continue', () => ({}));
    const result = await call(on, 'continue_debugging', { thread_id: 1 }, { maxWaitSeconds: 0.02 });
    assert.deepEqual(
      [result.status, result['session_id'], on.session().lifecycle],
      ['timeout', 's1', 'running'],
    );
    assert.equal(on.model.listenerCount, 0);
  });

  it('reports an unanswered expression that may still be running', async () => {
    const on = paused(bench());
    on.host.on('evaluate', never).on('next', () => ({}));
    void on.requests
      .send(on.session(), 'evaluate', { expression: 'endless()' }, on.call.signal)
      .catch(() => undefined);
    const result = await step(on, {}, { maxWaitSeconds: 0.02 });
    assert.equal(result.status, 'timeout');
    assert.match(String(result['message']), /An evaluated expression has not returned/);
    const [session] = (await call(on, 'get_debug_state', {}))['sessions'] as {
      evaluating?: boolean;
    }[];
    assert.equal(session?.evaluating, true);
  });

  it('refuses to move a running thread', async () => {
    const on = paused(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    assert.equal((await step(on, { thread_id: 2 }))['code'], 'not_stopped');
    assert.deepEqual(on.host.moves, []);
  });
});

describe('run control: running to a line', () => {
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

  it('sets a breakpoint there, waits for its response, continues, and leaves none behind', async () => {
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

  it('reports that the adapter moved the breakpoint to another line, if the program stopped there', async () => {
    for (const [line, expected] of [
      [3, 'The debugger cannot stop at line 8. It stopped at line 3 instead.'],
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

  it('uses an existing breakpoint, and leaves it in place', async () => {
    const on = binding(paused(bench()));
    const own = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 8 });
    const there: (readonly object[])[] = [];
    on.host.on('continue', () => {
      there.push(on.host.breakpoints());
      stops(on, 'breakpoint');
      return {};
    });
    assert.equal(stopOf(await until(on))['reason'], 'breakpoint');
    assert.deepEqual([...there, on.host.breakpoints()], [[own], [own]]);
  });

  it('leaves no breakpoint behind if the adapter refuses', async () => {
    const on = binding(paused(bench()));
    on.host.on('continue', () => {
      throw new Error('no');
    });
    assert.equal((await until(on))['code'], 'adapter_error');
    assert.equal(on.host.breakpoints().length, 0);
  });

  it('moves nothing if the file does not have the line', async () => {
    const on = paused(bench());
    assert.equal((await until(on, 999))['code'], 'line_out_of_range');
    assert.deepEqual([on.host.moves, on.host.breakpoints()], [[], []]);
  });

  it('moves nothing for a line without a file, or a file without a line', async () => {
    const on = paused(bench());
    for (const half of [{ until_line: 3 }, { file_path: FILE }])
      assert.equal(
        (await call(on, 'continue_debugging', { thread_id: 1, ...half }))['code'],
        'invalid_input',
      );
    assert.deepEqual(on.host.moves, []);
  });

  it('does not move the program if the call is cancelled while the breakpoint is being set', async () => {
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
