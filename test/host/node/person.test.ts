import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import {
  call,
  cleanUp,
  errorOf,
  insideExtension,
  inWorkspace,
  marked,
  startServer,
  stopOf,
  until,
  variable,
} from '../support/client';

/** Tests actions of the person in VS Code during a session, by VS Code's own commands. */
describe('actions of the person during a session', () => {
  afterEach(cleanUp);

  const startAtCall = async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    return stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
  };
  const stoppedAgain = (session: string, stopId: number) =>
    until(
      (model) =>
        [...model.state.sessions.values()].some(
          (each) => each.id === session && each.stopCount > stopId && each.lifecycle === 'stopped',
        ),
      'the next stop',
    );

  it("F10: the agent's references are stale, and the state is the new one", async () => {
    const stop = await startAtCall();
    await vscode.commands.executeCommand('workbench.action.debug.stepOver');
    await stoppedAgain(stop.session_id, stop.stop_id);
    errorOf(
      await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }),
      'stale_reference',
    );
    const now = stopOf(await call('wait_for_stop', {}));
    assert.equal(now.line, marked('src/loop.js', 'add'));
    assert.equal(now.stop_id, stop.stop_id + 1);
  });

  it('edit of the file: the stop reports that the shown lines may differ from the running program', async () => {
    const stop = await startAtCall();
    assert.equal(stop.source_changed_since_start, undefined);
    const next = marked('src/loop.js', 'add');
    const document = await vscode.workspace.openTextDocument(inWorkspace('src/loop.js'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// not what runs\n'));
    try {
      const step = stopOf(
        await call('step_execution', { thread_id: stop.thread_id, step_type: 'over' }),
      );
      assert.equal(step.line, next, 'where the program is, in the text that it was started with');
      assert.equal(step.source_changed_since_start, true);
    } finally {
      // VS Code may have saved the file itself in the meantime.
      await editor.edit((edit) => edit.delete(new vscode.Range(0, 0, 1, 0)));
      await document.save();
    }
  });

  it('Continue: the next stop is found', async () => {
    const stop = await startAtCall();
    await vscode.commands.executeCommand('workbench.action.debug.continue');
    await stoppedAgain(stop.session_id, stop.stop_id);
    const now = stopOf(await call('wait_for_stop', {}));
    assert.equal(variable(now, 'i').value, '2');
  });

  it('Stop: the agent’s wait ends with the session', async () => {
    await startServer();
    const waiting = call('wait_for_stop', { timeout_seconds: 20 });
    await vscode.debug.stopDebugging();
    const over = await waiting;
    assert.equal(over.status, 'completed');
    assert.match(String(over['message']), /^The person or stop_debugging ended the debug session/);
    errorOf(await call('pause_debugging', {}), 'no_session');
  });

  it('pause: ends another call’s wait with the same stop', async () => {
    await startServer();
    const waiting = call('wait_for_stop', { timeout_seconds: 20 });
    const paused = stopOf(await call('pause_debugging', {}));
    const found = stopOf(await waiting);
    assert.equal(found.stop_id, paused.stop_id);
    const going = call('continue_debugging', { thread_id: paused.thread_id, timeout_seconds: 20 });
    await until(
      (model) =>
        [...model.state.sessions.values()].some(
          (each) => each.lifecycle === 'running' && each.threads.size > 0,
        ),
      'running again',
    );
    const again = stopOf(await call('pause_debugging', { session_id: paused.session_id }));
    assert.equal(stopOf(await going).stop_id, again.stop_id);
  });

  it('cancel: the call ends at once, no listener is left, and the program goes on', async () => {
    const { model } = await insideExtension();
    await startServer();
    const before = model.listenerCount;
    let quickest = Infinity;
    // The quickest of some calls counts: a busy machine may take a second to pass one cancellation on.
    for (let round = 0; round < 5 && quickest >= 1000; round += 1) {
      const source = new vscode.CancellationTokenSource();
      const waiting = call('wait_for_stop', { timeout_seconds: 60 }, source.token).catch(
        (error: unknown) => error,
      );
      await until(() => model.listenerCount > before + 1, 'the wait');
      const cancelled = performance.now();
      source.cancel();
      const answer = await waiting;
      quickest = Math.min(quickest, performance.now() - cancelled);
      // VS Code itself ends a cancelled call; if it passes our answer on, the answer says that it was interrupted.
      if (!(answer instanceof Error))
        assert.equal((answer as { status: string }).status, 'interrupted');
      await until(() => model.listenerCount <= before + 1, 'no listener left');
    }
    assert.ok(quickest < 1000, `at once: ${quickest} ms`);
    assert.ok([...model.state.sessions.values()].some((each) => each.lifecycle === 'running'));
  });

  it('take-over: the agent’s calls are refused with that reason until the person gives control back', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    await vscode.commands.executeCommand('agentDebugger.takeOver');
    for (const [tool, input] of [
      ['step_execution', { thread_id: stop.thread_id, step_type: 'over' }],
      ['get_debug_state', {}],
      ['stop_debugging', {}],
    ] as const)
      errorOf(await call(tool, input), 'person_took_over');
    await vscode.commands.executeCommand('agentDebugger.giveBack');
    assert.equal(stopOf(await call('wait_for_stop', {})).stop_id, stop.stop_id, 'where it was');
  });

  it('own breakpoints: they are listed, hit, and never removed', async () => {
    const theirs = new vscode.SourceBreakpoint(
      new vscode.Location(
        vscode.Uri.file(inWorkspace('src/loop.js')),
        new vscode.Position(marked('src/loop.js', 'return') - 1, 0),
      ),
    );
    vscode.debug.addBreakpoints([theirs]);
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'end'),
    });
    const listed = (await call('get_breakpoints', {}))['breakpoints'] as {
      id: number;
      owner: string;
      line: number;
    }[];
    assert.deepEqual(listed.map((each) => each.owner).sort(), ['agent', 'user']);
    const removed = await call('remove_breakpoint', { clear_all: true });
    assert.equal((removed['removed'] as number[]).length, 1);
    assert.equal(removed['kept'], 1);
    const own = listed.find((each) => each.owner === 'user');
    errorOf(
      await call('remove_breakpoint', {
        location: { file_path: 'src/loop.js', line_number: own?.line },
      }),
      'not_supported',
    );
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    assert.deepEqual(stop.hit_breakpoint_ids, [own?.id]);
    assert.equal(vscode.debug.breakpoints.length, 1);
  });
});
