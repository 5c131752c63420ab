import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, inWorkspace, marked, stopOf, until } from '../support/client';

describe('start_debugging: launches', () => {
  afterEach(cleanUp);

  it('lists every configuration with all its properties', async () => {
    const answer = await call('get_debugger_configurations', {});
    const configurations = answer['configurations'] as Record<string, unknown>[];
    const loop = configurations.find((each) => each['name'] === 'Loop');
    assert.deepEqual(loop, {
      name: 'Loop',
      type: 'node',
      request: 'launch',
      program: '${workspaceFolder}/src/loop.js',
      args: ['3'],
      folder: 'node',
    });
    assert.ok(configurations.length >= 10);
  });

  it('lists the existing configurations if the name is wrong', async () => {
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Nope' }),
      'configuration_not_found',
    );
    assert.ok((error['available'] as string[]).includes('Loop'));
  });

  it('refuses a debug type that is not installed, without a dialog', async () => {
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Unknown type' }),
      'debugger_not_installed',
    );
    assert.match(error.message, /cobol/);
    assert.ok((error['installed'] as string[]).includes('node'));
  });

  it('reports that the preLaunchTask failed, with its exit code', async () => {
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Failing task' }),
      'task_failed',
    );
    assert.match(error.message, /“fail” ended with exit code 3/);
    assert.deepEqual(
      error['output'],
      ['src/loop.js:4: n is too small', 'compile error'],
      JSON.stringify(error),
    );
    assert.deepEqual(error['problems'], [`${inWorkspace('src/loop.js')}:4: n is too small`]);
  });

  it('runs a good preLaunchTask before the program', async () => {
    assert.equal(
      (await call('start_debugging', { configuration_name: 'Good task' })).status,
      'completed',
    );
  });

  it('ends the wait for an endless preLaunchTask at the time limit, reports it, and starts nothing', async () => {
    try {
      const error = errorOf(
        await call('start_debugging', { configuration_name: 'Endless task', timeout_seconds: 2 }),
        'task_failed',
      );
      assert.match(
        error.message,
        /“Endless task” has not ended within the time limit; it still runs, and nothing was started/,
      );
      assert.match(error.hint, /isBackground/);
      assert.doesNotMatch(JSON.stringify(await call('get_debug_state', {})), /Endless task/);
    } finally {
      for (const each of vscode.tasks.taskExecutions) each.terminate();
    }
  });

  it('refuses a preLaunchTask that does not exist, and lists the existing ones', async () => {
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Missing task' }),
      'task_failed',
    );
    assert.match(error.message, /There is no task “[^”]+”/);
    assert.ok((error['tasks'] as string[]).includes('fail'), JSON.stringify(error));
    assert.doesNotMatch(JSON.stringify(await call('get_debug_state', {})), /Missing task/);
  });

  it("reports the adapter's message when the launch fails", async () => {
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Bad runtime' }),
      'launch_failed',
    );
    assert.match(error.message, /no\/such\/node|ENOENT|Can't find|runtime/i);
  });

  it('stops if a program cannot be loaded, and reports why', async () => {
    const answer = await call('start_debugging', { configuration_name: 'Missing program' });
    const answerText = JSON.stringify(answer);
    const stop = stopOf(answer);
    assert.equal(stop.reason, 'exception', answerText);
    assert.match(answerText, /Cannot find module .*nowhere\.js/);
    const end = await call('continue_debugging', { thread_id: stop.thread_id });
    assert.equal(end.status, 'completed', JSON.stringify(end));
  });

  it('runs without debugging to the end and captures the output', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    const answer = await call('start_debugging', { configuration_name: 'Loop', no_debug: true });
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    const lines = (await call('get_debug_output', {}))['lines'] as { text: string }[];
    assert.ok(
      lines.some((each) => each.text === 'total=14'),
      JSON.stringify(lines),
    );
  });

  it('starts a program without a configuration', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'return'),
    });
    const answer = await call('start_debugging', { program: 'src/loop.js', args: ['2'] });
    const stop = stopOf(answer);
    assert.equal(stop.line, marked('src/loop.js', 'return'));
    assert.deepEqual(
      (answer['configuration'] as { program: string }).program,
      inWorkspace('src/loop.js'),
    );
  });

  it('refuses a missing program, and both or none of name and program', async () => {
    errorOf(await call('start_debugging', { program: 'src/absent.js' }), 'file_not_found');
    errorOf(await call('start_debugging', { program: '/absent.js' }), 'program_not_found');
    errorOf(await call('start_debugging', {}), 'invalid_input');
    errorOf(
      await call('start_debugging', { program: 'src/loop.js', configuration_name: 'Loop' }),
      'invalid_input',
    );
  });

  it('reports that the program still runs when the wait ends first, and can wait again', async () => {
    const answer = await call('start_debugging', {
      configuration_name: 'Server',
      timeout_seconds: 2,
    });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    assert.match(String(answer['message']), /still running|not started yet/);
    await until(
      (model) =>
        [...model.state.sessions.values()].some(
          (each) => each.lifecycle === 'running' && each.threads.size > 0,
        ),
      'the program runs',
    );
    const printed = await call('wait_for_stop', { output_pattern: '^ticks=', timeout_seconds: 20 });
    assert.equal(printed.status, 'success', JSON.stringify(printed));
    const paused = stopOf(await call('pause_debugging', {}));
    assert.equal(paused.reason, 'pause');
    const stopped = await call('stop_debugging', {});
    assert.equal(stopped['ended'], true);
    const state = await call('get_debug_state', {});
    assert.ok(
      (state['sessions'] as { state: string }[]).every((each) => each.state === 'terminated'),
    );
  });
});
