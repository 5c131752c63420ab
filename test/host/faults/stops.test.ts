import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { liveSessions } from '../../../src/debugger/state/state';
import {
  call,
  cleanUp,
  errorOf,
  insideExtension,
  stopOf,
  until,
  type StopData,
} from '../support/client';
import { scriptFake, stopped, type FakeAdapter } from '../support/fakeAdapter';

describe('faults: stops and answers', () => {
  afterEach(cleanUp);

  /** Starts a session that is stopped in thread 1 as soon as it is configured. */
  async function start(
    script: (adapter: FakeAdapter) => void = () => undefined,
  ): Promise<{ adapter: FakeAdapter; stop: StopData }> {
    const adapters = await scriptFake((adapter) => {
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('stopped', stopped(1, 'entry'));
      });
      script(adapter);
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Fake' }));
    const [adapter] = adapters;
    assert.ok(adapter);
    return { adapter, stop };
  }

  it('finds a stop that arrives before the response', async () => {
    const { adapter, stop } = await start();
    adapter.on('next', (request) => {
      adapter.emit('stopped', stopped(1, 'step'));
      adapter.reply(request);
    });
    const next = stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' }));
    assert.equal(next.stop_id, stop.stop_id + 1);
    assert.equal(next.omitted?.['same_variables'], 1, 'answer is as it was');
    const state = (await call('get_debug_state', {}))['sessions'] as { state: string }[];
    assert.deepEqual(
      state.map((each) => each.state),
      ['stopped'],
      'the response does not undo the stop',
    );
  });

  it('moves the program of its session, although VS Code has not handled its threads yet', async () => {
    const { adapter: other } = await start();
    const { model } = await insideExtension();
    let moved: Promise<unknown> | undefined;
    const watching = model.observe(
      ({ key }) => {
        const session = model.state.sessions.get(key);
        moved ??= call('continue_debugging', { session_id: session?.id, timeout_seconds: 1 });
      },
      ['stopped'],
    );
    const adapters = await scriptFake((adapter) => {
      adapter.on('threads', (request) => {
        // VS Code handles each answer in a task of its own, and a command at once.
        for (let seq = 1_000_000; seq < 1_000_200 && moved === undefined; seq += 1)
          adapter.reply({ seq, command: 'none', arguments: {} });
        adapter.reply(request, { threads: [{ id: 1, name: 'main' }] });
        if (moved === undefined) adapter.emit('stopped', stopped(1, 'entry'));
      });
    });
    await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], 'Fake');
    const [adapter] = adapters;
    assert.ok(adapter);
    await adapter.received('continue');
    await moved;
    watching.dispose();
    const resumed = other.requests.filter(({ command }) => command === 'continue');
    assert.deepEqual(resumed, [], 'the other session stays where it is');
  });

  it('reports the program as running without a `continued` event', async () => {
    const { adapter } = await start();
    adapter.on('continue', (request) => adapter.reply(request, { allThreadsContinued: true }));
    const answer = await call('continue_debugging', { thread_id: 1, timeout_seconds: 1 });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    assert.deepEqual(
      ((await call('get_debug_state', {}))['sessions'] as { state: string }[]).map(
        (each) => each.state,
      ),
      ['running'],
    );
    errorOf(await call('step_execution', { thread_id: 1, step_type: 'over' }), 'not_stopped');
    adapter.emit('stopped', stopped(1, 'pause'));
    assert.equal(stopOf(await call('wait_for_stop', {})).reason, 'pause');
  });

  it('refuses a step if the program moves between the question to the person and the call', async () => {
    const { adapter, stop } = await start();
    let [isAsked, moves] = [false, 0];
    // VS Code's own requests (one frame, and later the other 19) are not answered, so that the question sends one for 20
    // frames. The call stack view may send one for 20, too, if its list is empty.
    adapter.on('stackTrace', (request) => {
      if (Number(request.arguments['levels']) < 20) return;
      if (!isAsked) {
        adapter.refuse(request, 'not yet');
        return;
      }
      moves += 1;
      if (moves <= 5) adapter.emit('stopped', stopped(1, 'step'));
      adapter.answer(request);
    });
    adapter.emit('stopped', stopped(1, 'step'));
    await until(
      (model) => liveSessions(model.state).some((each) => each.stopCount === stop.stop_id + 1),
      'the second stop',
    );
    isAsked = true;
    errorOf(await call('step_execution', { thread_id: 1, step_type: 'over' }), 'moved_meanwhile');
    assert.ok(moves > 0);
    assert.deepEqual(
      adapter.requests.filter((each) => each.command === 'next'),
      [],
    );
    adapter.on('stackTrace', (request) => adapter.answer(request));
    adapter.on('next', (request) => {
      adapter.reply(request);
      adapter.emit('stopped', stopped(1, 'step'));
    });
    const asked = stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' }));
    assert.ok(asked.stop_id > stop.stop_id + 2, 'asked anew, it is made');
    assert.equal(adapter.requests.filter((each) => each.command === 'next').length, 1);
  });

  it('reports another thread that stops first during a step', async () => {
    const { adapter } = await start(
      (each) =>
        (each.threads = [
          { id: 1, name: 'main' },
          { id: 2, name: 'worker' },
        ]),
    );
    adapter.on('next', (request) => {
      adapter.reply(request);
      adapter.emit('stopped', { reason: 'breakpoint', threadId: 2, allThreadsStopped: true });
    });
    const stop = stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' }));
    assert.equal(stop.thread_id, 2);
    assert.equal(stop.call_stack[0]?.function_name, 'frame of 2');
  });

  it('reports the newer of two stops in a row', async () => {
    const { adapter, stop } = await start();
    adapter.on('next', (request) => {
      adapter.reply(request);
      adapter.emit('stopped', stopped(1, 'step'));
      adapter.emit('stopped', stopped(1, 'breakpoint'));
    });
    const next = stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' }));
    assert.equal(next.stop_id, stop.stop_id + 2);
    assert.equal(next.reason, 'breakpoint');
  });

  it('reports the next stop if the thread ends during its step', async () => {
    const { adapter } = await start(
      (each) =>
        (each.threads = [
          { id: 1, name: 'main' },
          { id: 2, name: 'worker' },
        ]),
    );
    adapter.on('next', (request) => {
      adapter.reply(request);
      adapter.threads = [{ id: 2, name: 'worker' }];
      adapter.emit('thread', { reason: 'exited', threadId: 1 });
      adapter.emit('stopped', { reason: 'breakpoint', threadId: 2, allThreadsStopped: false });
    });
    assert.equal(
      stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' })).thread_id,
      2,
    );
    errorOf(await call('step_execution', { thread_id: 1, step_type: 'over' }), 'thread_not_found');
  });

  it('reports the thread that was already stopped if the continued thread ends', async () => {
    const { adapter } = await start(
      (each) =>
        (each.threads = [
          { id: 1, name: 'main' },
          { id: 2, name: 'worker' },
        ]),
    );
    adapter.emit('stopped', { reason: 'breakpoint', threadId: 2, allThreadsStopped: false });
    adapter.on('continue', (request) => {
      adapter.reply(request, { allThreadsContinued: false });
      adapter.threads = [{ id: 2, name: 'worker' }];
      adapter.emit('thread', { reason: 'exited', threadId: 1 });
    });
    assert.equal(stopOf(await call('continue_debugging', { thread_id: 1 })).thread_id, 2);
  });

  it("reports the adapter's message for a refused request, and the program stays at its stop", async () => {
    const { adapter, stop } = await start();
    adapter.on('next', (request) => adapter.refuse(request, 'the thread is busy'));
    const error = errorOf(
      await call('step_execution', { thread_id: 1, step_type: 'over' }),
      'adapter_error',
    );
    assert.match(error.message, /the thread is busy/);
    assert.equal(
      (await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id })).status,
      'success',
      'its references still hold',
    );
  });

  it('waits for a running thread while another thread is stopped', async () => {
    const { adapter } = await start(
      (each) =>
        (each.threads = [
          { id: 1, name: 'main' },
          { id: 2, name: 'worker' },
        ]),
    );
    await until(
      (model) =>
        liveSessions(model.state).some(
          (each) => each.lifecycle === 'stopped' && each.threads.size === 2,
        ),
      'both threads are known',
    );
    adapter.on('continue', (request) => adapter.reply(request, { allThreadsContinued: false }));
    assert.equal(
      (await call('continue_debugging', { thread_id: 1, timeout_seconds: 1 })).status,
      'timeout',
    );

    const held = stopOf(await call('wait_for_stop', {}));
    assert.equal(held.thread_id, 2, 'the one that is held');
    const reads = (): number =>
      adapter.requests.filter((each) => each.command === 'variables').length;
    const before = reads();
    const scopes = (await call('get_scopes', { frame_id: held.call_stack[0]?.frame_id }))[
      'scopes'
    ] as { variables_reference: number }[];
    for (let time = 0; time < 2; time += 1)
      await call('get_variables', { variables_reference: scopes[0]?.variables_reference });
    assert.ok(reads() >= before + 2, 'what a running thread may have changed is asked for anew');

    const waiting = call('wait_for_stop', { thread_id: 1, timeout_seconds: 20 });
    adapter.emit('stopped', { reason: 'pause', threadId: 1, allThreadsStopped: false });
    const stop = stopOf(await waiting);
    assert.deepEqual([stop.thread_id, stop.reason], [1, 'pause']);
    errorOf(await call('wait_for_stop', { thread_id: 9 }), 'thread_not_found');
  });

  it('reports the stop after a request that is never answered; without a stop the wait ends', async () => {
    const { adapter } = await start();
    adapter.on('next', () => adapter.emit('stopped', stopped(1, 'step')));
    assert.equal(
      stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' })).reason,
      'step',
    );
    adapter.on('next', () => undefined);
    const answer = await call('step_execution', {
      thread_id: 1,
      step_type: 'over',
      timeout_seconds: 1,
    });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
  });

  it('assigns responses that arrive out of order to their requests', async () => {
    const { adapter, stop } = await start();
    const held: (() => void)[] = [];
    adapter.on('evaluate', (request) => {
      held.unshift(() =>
        adapter.reply(request, {
          result: String(request.arguments['expression']),
          variablesReference: 0,
        }),
      );
      if (held.length === 3) for (const each of held) each();
    });
    const frame = stop.call_stack[0]?.frame_id;
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((expression) =>
        call('evaluate_expression', { expression, frame_id: frame }),
      ),
    );
    assert.deepEqual(
      answers.map((each) => each['result']),
      ['one', 'two', 'three'],
    );
  });

  it('reports a stop also if its stack cannot be read or is empty', async () => {
    const { adapter } = await start();
    adapter.on('next', (request) => {
      adapter.reply(request);
      adapter.emit('stopped', stopped(1, 'step'));
    });
    adapter.on('stackTrace', (request) => adapter.refuse(request, 'no stack today'));
    const refused = stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' }));
    assert.deepEqual(refused.call_stack, []);
    assert.equal(refused.top_frame_variables, null);
    adapter.on('stackTrace', (request) =>
      adapter.reply(request, { stackFrames: [], totalFrames: 0 }),
    );
    assert.deepEqual(
      stopOf(await call('step_execution', { thread_id: 1, step_type: 'over' })).call_stack,
      [],
    );
  });

  it('lists 100 threads within the budget, the stopped one first', async () => {
    const { adapter } = await start(
      (each) =>
        (each.threads = Array.from({ length: 100 }, (_, id) => ({
          id,
          name: `worker number ${id}`,
        }))),
    );
    adapter.on('continue', (request) => {
      adapter.reply(request);
      adapter.emit('stopped', { reason: 'breakpoint', threadId: 57, allThreadsStopped: false });
    });
    assert.equal(stopOf(await call('continue_debugging', { thread_id: 1 })).thread_id, 57);
    const [session] = (await call('get_debug_state', {}))['sessions'] as {
      threads: { id: number; state: string }[];
      omitted_threads: number;
    }[];
    assert.equal(session?.threads[0]?.state, 'stopped');
    assert.ok(session);
    assert.equal(session.threads.length + session.omitted_threads, 100);
  });

  it('makes references stale on `invalidated`, and ignores unknown events', async () => {
    const { adapter, stop } = await start();
    adapter.emit('of-the-future', { anything: [1, 2, 3] });
    adapter.raw({ type: 'event' });
    adapter.raw({ type: 'response', request_seq: 999_999, command: 'next', success: true });
    assert.equal(
      (await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id })).status,
      'success',
    );
    adapter.emit('invalidated', { areas: ['all'] });
    await until(
      (model) =>
        liveSessions(model.state).some((each) => each.epochOf.invalidation > each.epochOf.move),
      'the event',
    );
    errorOf(
      await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }),
      'stale_reference',
    );
    assert.equal(stopOf(await call('wait_for_stop', {})).stop_id, stop.stop_id);
  });

  it('uses the capabilities that a `capabilities` event changed', async () => {
    const { adapter, stop } = await start();
    adapter.emit('capabilities', { capabilities: { supportsExceptionInfoRequest: true } });
    adapter.on('exceptionInfo', (request) =>
      adapter.reply(request, {
        exceptionId: 'TooLate',
        description: 'it is too late',
        breakMode: 'always',
      }),
    );
    adapter.on('continue', (request) => {
      adapter.reply(request);
      adapter.emit('stopped', stopped(1, 'exception'));
    });
    const answer = stopOf(await call('continue_debugging', { thread_id: stop.thread_id }));
    assert.deepEqual(answer.exception, { type: 'TooLate', message: 'it is too late' });
  });

  it('leaves no listener behind', async () => {
    const { model } = await insideExtension();
    const before = model.listenerCount;
    const { adapter } = await start();
    adapter.on('next', (request) => adapter.refuse(request, 'no'));
    await call('step_execution', { thread_id: 1, step_type: 'over' });
    await call('wait_for_stop', {});
    // A call may end before VS Code delivers the last response. VS Code delivers it before the response to a later
    // request.
    await adapter.session.customRequest('threads');
    await until(() => model.listenerCount <= before + 1, 'no listener but this one');
  });
});
