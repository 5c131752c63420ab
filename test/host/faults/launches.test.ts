import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { threadOfStop } from '../../../src/debugger/state/state';
import { call, cleanUp, errorOf, stopOf, until } from '../support/client';
import { scriptFake, stopped } from '../support/fakeAdapter';

describe('faults: launches', () => {
  afterEach(cleanUp);

  const stopsAtOnce = () =>
    scriptFake((adapter) =>
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('stopped', stopped(1, 'entry'));
      }),
    );

  it('refuses a configuration with inputs and returns its question, and starts it with the answer', async () => {
    const adapters = await stopsAtOnce();
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Asks' }),
      'input_needed',
    );
    assert.deepEqual(error['questions'], [
      { id: 'which', description: 'Which program?', options: ['one', 'two'] },
    ]);
    assert.equal(adapters.length, 0, 'nothing was started');
    assert.match(
      errorOf(
        await call('start_debugging', { configuration_name: 'Asks', inputs: { which: 'three' } }),
        'invalid_input',
      ).message,
      /“three” is not one of the values/,
    );
    stopOf(await call('start_debugging', { configuration_name: 'Asks', inputs: { which: 'two' } }));
    assert.equal(
      adapters[0]?.requests.find((each) => each.command === 'launch')?.arguments['program'],
      'two',
    );
  });

  it('shows no save dialog for an active untitled file, and saves the other files before the start', async () => {
    await stopsAtOnce();
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-save-'));
    const file = path.join(folder, 'written.txt');
    writeFileSync(file, 'before');
    try {
      const written = await vscode.window.showTextDocument(vscode.Uri.file(file), {
        preview: false,
      });
      await written.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 6), 'after'));
      const untitled = await vscode.workspace.openTextDocument({ content: 'never saved' });
      await vscode.window.showTextDocument(untitled, { preview: false });
      stopOf(await call('start_debugging', { configuration_name: 'Fake', timeout_seconds: 10 }));
      assert.equal(readFileSync(file, 'utf8'), 'after');
      assert.deepEqual([untitled.isDirty, untitled.getText()], [true, 'never saved']);
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses a command input that opens a list in the same way', async () => {
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Picks' }),
      'input_needed',
    );
    assert.deepEqual(error['questions'], [{ id: 'pickProcess' }]);
  });

  it('starts and reports all members of a compound, and addresses each by its session id', async () => {
    const adapters = await stopsAtOnce();
    const answer = await call('start_debugging', { configuration_name: 'Both' });
    const stop = stopOf(answer);
    const state = await call('wait_for_stop', { session_id: stop.session_id });
    assert.equal(stopOf(state).stop_id, stop.stop_id);
    // The second member may connect only after the stop of the first one.
    await until(
      ({ state }) =>
        [...state.sessions.values()].filter((session) => threadOfStop(session) !== undefined)
          .length === 2,
      'both members have stopped',
    );
    const sessions = (await call('get_debug_state', {}))['sessions'] as {
      session_id: string;
      name: string;
    }[];
    assert.deepEqual(sessions.map((each) => each.name).sort(), ['Fake', 'Second fake']);
    assert.ok(
      (answer['members'] as { session_id: string }[]).some(
        (each) => each.session_id === stop.session_id,
      ),
    );
    for (const { session_id } of sessions)
      assert.equal(stopOf(await call('wait_for_stop', { session_id })).session_id, session_id);

    const error = errorOf(await call('continue_debugging', { thread_id: 1 }), 'ambiguous_session');
    assert.equal((error['sessions'] as unknown[]).length, 2);
    const [first, second] = sessions;
    assert.ok(first && second);
    const frameOf = async (session_id: string): Promise<number> =>
      stopOf(await call('wait_for_stop', { session_id })).call_stack[0]?.frame_id ?? 0;
    errorOf(
      await call('get_scopes', {
        frame_id: await frameOf(first.session_id),
        session_id: second.session_id,
      }),
      'wrong_session',
    );
    const [one] = adapters;
    one?.on('next', (request) => {
      one.reply(request);
      one.emit('stopped', stopped(1, 'step'));
    });
    const stepped = stopOf(
      await call('step_execution', {
        thread_id: 1,
        step_type: 'over',
        session_id: first.session_id,
      }),
    );
    assert.equal(stepped.session_id, first.session_id);
    assert.equal(
      await frameOf(second.session_id)
        .then((frame) => call('get_scopes', { frame_id: frame }))
        .then((each) => each.status),
      'success',
      'the other session is where it was',
    );
  });

  it('refuses a compound whose members have inputs and returns the question, and starts it with the answer', async () => {
    const adapters = await stopsAtOnce();
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'One asks' }),
      'input_needed',
    );
    assert.deepEqual(
      (error['questions'] as { id: string }[]).map((each) => each.id),
      ['which'],
    );
    assert.equal(adapters.length, 0, 'nothing was started');
    stopOf(
      await call('start_debugging', { configuration_name: 'One asks', inputs: { which: 'two' } }),
    );
    await until(
      () =>
        adapters.length === 2 &&
        adapters.every((each) => each.requests.some((one) => one.command === 'launch')),
      'both are launched',
    );
    assert.deepEqual(
      adapters
        .map((each) => each.requests.find((one) => one.command === 'launch')?.arguments['program'])
        .sort(),
      ['two', undefined],
    );
  });

  it('reports a compound’s task that fails, and starts no member', async () => {
    const adapters = await stopsAtOnce();
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'After a task that fails' }),
      'task_failed',
    );
    assert.match(error.message, /\b4\b/);
    assert.equal(adapters.length, 0);
  });

  it('starts nothing for a compound without members or with an unknown member', async () => {
    const adapters = await stopsAtOnce();
    errorOf(await call('start_debugging', { configuration_name: 'Of none' }), 'launch_failed');
    errorOf(
      await call('start_debugging', { configuration_name: 'Of unknown ones' }),
      'configuration_not_found',
    );
    assert.equal(adapters.length, 0);
  });

  it('with stopAll leaves the other members running when one ends by itself', async () => {
    const adapters = await stopsAtOnce();
    stopOf(await call('start_debugging', { configuration_name: 'Both' }));
    await until(
      (model) =>
        adapters.length === 2 &&
        [...model.state.sessions.values()].filter((each) => each.lifecycle === 'stopped').length ===
          2,
      'both are stopped',
    );
    const [first, second] = adapters;
    assert.ok(first !== undefined && second !== undefined);
    first.emit('terminated', {});
    await until(
      (model) => [...model.state.sessions.values()].some((each) => each.lifecycle === 'terminated'),
      'one has ended',
    );
    // Any request to the other adapter would have been sent before this call is answered.
    await call('get_debug_state', {});
    assert.equal(
      second.requests.some((each) => ['terminate', 'disconnect'].includes(each.command)),
      false,
    );
    assert.equal(
      ((await call('get_debug_state', {}))['sessions'] as { state: string }[]).filter(
        (each) => each.state === 'stopped',
      ).length,
      1,
    );
  });

  it('stops all members together with one if stopAll is set; otherwise the others go on', async () => {
    for (const [name, left] of [
      ['Both', 0],
      ['Both on their own', 1],
    ] as const) {
      const adapters = await stopsAtOnce();
      const stop = stopOf(await call('start_debugging', { configuration_name: name }));
      await until(
        (model) =>
          adapters.length === 2 &&
          [...model.state.sessions.values()].filter((each) => each.lifecycle === 'stopped')
            .length === 2,
        'both are stopped',
      );
      await call('stop_debugging', { session_id: stop.session_id });
      await until(
        (model) =>
          [...model.state.sessions.values()].filter((each) => each.lifecycle !== 'terminated')
            .length === left,
        `${left} go on`,
      );
      await cleanUp();
    }
  });

  it('reports the message of a member that cannot be launched, and the members of the compound', async () => {
    const adapters = await scriptFake((adapter) => {
      if (adapter.session.name === 'Second fake')
        adapter.on('launch', (request) => adapter.refuse(request, 'no such program'));
    });
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Both on their own' }),
      'launch_failed',
    );
    assert.match(error.message, /no such program/);
    assert.ok((error['members'] as { name: string }[]).some((each) => each.name === 'Second fake'));
    assert.ok(adapters.length >= 1);
  });

  it('sets the filter for uncaught exceptions in the members of a compound as in other sessions of the agent', async () => {
    const adapters = await scriptFake((adapter) => {
      adapter.capabilities = {
        ...adapter.capabilities,
        exceptionBreakpointFilters: [{ filter: 'uncaught', label: 'Uncaught' }],
      };
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('stopped', stopped(1, 'entry'));
      });
    });
    stopOf(await call('start_debugging', { configuration_name: 'Both on their own' }));
    await until(
      () =>
        adapters.length === 2 &&
        adapters.every((each) =>
          each.requests.some(
            (one) =>
              one.command === 'setExceptionBreakpoints' &&
              JSON.stringify(one.arguments).includes('uncaught'),
          ),
        ),
      'both were told of the filter',
    );
  });

  it('does not block calls on one session during a wait on another', async () => {
    const adapters = await stopsAtOnce();
    const first = stopOf(await call('start_debugging', { configuration_name: 'Fake' }));
    const second = stopOf(await call('start_debugging', { configuration_name: 'Second fake' }));
    const [one] = adapters;
    one?.on('continue', (request) => one.reply(request));
    const waiting = call('continue_debugging', {
      thread_id: 1,
      session_id: first.session_id,
      timeout_seconds: 20,
    });
    await one?.received('continue');
    const scopes = await call('get_scopes', { frame_id: second.call_stack[0]?.frame_id });
    assert.equal(scopes.status, 'success', JSON.stringify(scopes));
    one?.emit('stopped', stopped(1, 'breakpoint'));
    assert.equal(stopOf(await waiting).session_id, first.session_id);
  });

  it('distinguishes two sessions of the same name by their ids, and lists them for a wrong id', async () => {
    await stopsAtOnce();
    const first = stopOf(await call('start_debugging', { configuration_name: 'Fake' }));
    const second = stopOf(await call('start_debugging', { configuration_name: 'Fake' }));
    assert.notEqual(first.session_id, second.session_id);
    for (const session_id of ['Fake', 's0', 's-1', '1']) {
      const error = errorOf(await call('wait_for_stop', { session_id }), 'session_not_found');
      assert.equal((error['sessions'] as unknown[]).length, 2);
    }
    await call('stop_debugging', { session_id: first.session_id });
    errorOf(await call('wait_for_stop', { session_id: first.session_id }), 'session_ended');
    assert.equal(stopOf(await call('wait_for_stop', {})).session_id, second.session_id);
  });
});
