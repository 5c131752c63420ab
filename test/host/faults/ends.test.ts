import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, insideExtension, stopOf, until } from '../support/client';
import { scriptFake, stopped } from '../support/fakeAdapter';

describe('faults: ends', () => {
  afterEach(cleanUp);

  const run = (end: string) =>
    call('start_debugging', { configuration_name: end, timeout_seconds: 20 });

  it('reports `terminated` without `exited` as completed, without an exit code', async () => {
    await scriptFake((adapter) =>
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('terminated');
      }),
    );
    const answer = await run('Fake');
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    assert.equal('exit_code' in answer, false);
  });

  it('reports the exit code of `exited` before `terminated`', async () => {
    await scriptFake((adapter) =>
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('output', { category: 'stdout', output: 'no newline at the end' });
        adapter.emit('exited', { exitCode: 42 });
        adapter.emit('terminated');
      }),
    );
    const answer = await run('Fake');
    assert.equal(answer['exit_code'], 42, JSON.stringify(answer));
    assert.deepEqual(answer['output'], ['no newline at the end']);
  });

  for (const name of ['Exits', 'Is killed']) {
    it(`reports that an adapter that ${name === 'Exits' ? 'ends' : 'is killed'} without an event has ended, with its last output`, async () => {
      const answer = await run(name);
      const error = errorOf(answer, 'adapter_error');
      assert.match(error.message, /is gone/);
      assert.deepEqual(error['output'], ['last words']);
      errorOf(await call('wait_for_stop', {}), 'no_session');
    });
  }

  it('reports a debugger that cannot be reached at once, and leaves no session', async () => {
    errorOf(await run('Nobody listens'), 'launch_failed');
    errorOf(await call('wait_for_stop', {}), 'no_session');
  });

  it('reports an adapter that refuses the initialize request at once, and leaves no session', async () => {
    await scriptFake((adapter) => {
      adapter.on('initialize', (request) => adapter.refuse(request, 'this client is too old'));
    });
    const { message } = errorOf(await run('Fake'), 'launch_failed');
    assert.match(message, /this client is too old/);
    errorOf(await call('wait_for_stop', {}), 'no_session');
  });

  it('ends the session on garbage from the adapter, and the answer says so', async () => {
    const answer = await call('start_debugging', {
      configuration_name: 'Sends garbage',
      timeout_seconds: 30,
    });
    const error = errorOf(answer, 'adapter_error');
    assert.match(error.message, /is gone: .*this.* is no json/s);
    assert.deepEqual(error['output'], ['last words']);
    await cleanUp();
    const after = await call('start_debugging', {
      configuration_name: 'Sends garbage, then stops',
      timeout_seconds: 30,
    });
    // VS Code ends the session at the garbage, at about the time when the stop is read. The call reports the stop or
    // that end.
    assert.ok(
      after.status === 'stopped' ||
        ['session_ended', 'adapter_error'].includes(String(after['code'])),
      JSON.stringify(after),
    );
    await until(
      (model) =>
        [...model.state.sessions.values()].every((session) => session.lifecycle === 'terminated'),
      'the end of the session',
    );
    errorOf(await call('wait_for_stop', {}), 'no_session');
  });

  it("reports the adapter's message for a launch that is refused", async () => {
    await scriptFake((adapter) =>
      adapter.on('launch', (request) => adapter.refuse(request, 'the compiler says no')),
    );
    const error = errorOf(await run('Fake'), 'launch_failed');
    assert.match(error.message, /the compiler says no/);
  });

  it('ends the wait for a silent adapter with a timeout, and reports the session as starting', async () => {
    await scriptFake((adapter) => adapter.on('launch', () => undefined));
    const answer = await call('start_debugging', {
      configuration_name: 'Fake',
      timeout_seconds: 1,
    });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    await until(
      (model) => [...model.state.sessions.values()].some((each) => each.lifecycle !== 'terminated'),
      'the session',
    );
    const [session] = (await call('get_debug_state', {}))['sessions'] as { state: string }[];
    assert.equal(session?.state, 'starting');
  });

  it('reports that the session ended during a request', async () => {
    const [adapter] = await started();
    assert.ok(adapter);
    adapter.on('evaluate', () => adapter.emit('terminated'));
    const stop = stopOf(await call('wait_for_stop', {}));
    errorOf(
      await call('evaluate_expression', {
        expression: 'exit()',
        frame_id: stop.call_stack[0]?.frame_id,
      }),
      'session_ended',
    );
    errorOf(
      await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }),
      'stale_reference',
    );
  });

  it('keeps the session id on a restart by the adapter, and makes the earlier references stale', async () => {
    const adapters = await started();
    const stop = stopOf(await call('wait_for_stop', {}));
    adapters[0]?.emit('terminated', { restart: true });
    await until(() => adapters.length === 2, 'the second adapter');
    await until(
      (model) => [...model.state.sessions.values()].some((each) => each.lifecycle === 'stopped'),
      'the stop after the restart',
    );
    const again = stopOf(await call('wait_for_stop', {}));
    errorOf(
      await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }),
      'stale_reference',
    );
    assert.deepEqual([again.session_id, again.stop_id], [stop.session_id, stop.stop_id + 1]);
  });

  it('keeps the session id on a restart by the person, and makes the earlier references stale', async () => {
    const adapters = await started();
    const stop = stopOf(await call('wait_for_stop', {}));
    await vscode.commands.executeCommand('workbench.action.debug.restart');
    await until(() => adapters.length === 2, 'the second adapter');
    await until(
      (model) =>
        [...model.state.sessions.values()].some(
          (each) => each.lifecycle === 'stopped' && each.lastStop?.id !== stop.stop_id,
        ),
      'the stop after the restart',
    );
    errorOf(
      await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }),
      'stale_reference',
    );
    const again = stopOf(await call('wait_for_stop', {}));
    assert.deepEqual(
      [again.reason, again.session_id, again.stop_id],
      ['entry', stop.session_id, stop.stop_id + 1],
    );
  });

  it('detaches from an attached program without ending it', async () => {
    const [adapter] = await started('Attach');
    assert.equal((await call('stop_debugging', {}))['ended'], true);
    const disconnect = adapter?.requests.find((each) => each.command === 'disconnect');
    assert.ok(disconnect !== undefined, 'the adapter is asked to disconnect');
    assert.notEqual(disconnect.arguments['terminateDebuggee'], true);
  });

  it('removes the earliest sessions from the model after 200 sessions', async () => {
    const { model } = await insideExtension();
    for (let count = 0; count < 200; count += 1) {
      const key = `made-up-${count}`;
      model.dispatch({
        type: 'sessionCreated',
        key,
        at: 0,
        name: key,
        sessionType: 'fake',
        configuration: {},
        parentKey: undefined,
        knowledge: 'full',
      });
      model.dispatch({ type: 'sessionEnded', key, at: 0 });
    }
    assert.ok(model.state.sessions.size <= 21, String(model.state.sessions.size));
  });

  /** Starts a session that stops at once. */
  async function started(configuration = 'Fake') {
    const adapters = await scriptFake((adapter) =>
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('stopped', stopped(1, 'entry'));
      }),
    );
    stopOf(await run(configuration));
    return adapters;
  }
});
