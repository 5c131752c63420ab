import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  marked,
  startServer,
  stopOf,
  until,
  type Answer,
} from '../support/client';

/** The longest time in ms of a wait that ends early, before its time-out. */
const AT_ONCE_MS = 15_000;

interface Set {
  readonly id: number;
  readonly verified: boolean;
  readonly line?: number;
}

describe('the parameters of a call for a configuration', () => {
  afterEach(cleanUp);

  it('replace the configuration’s properties, but add environment variables to the existing ones', async () => {
    const cwd = inWorkspace('src');
    const answer = await call('start_debugging', {
      configuration_name: 'Environment',
      args: ['2', 'x y'],
      cwd: 'src',
      env: { ADDED: 'yes' },
      stop_on_entry: true,
    });
    const stop = stopOf(answer);
    assert.equal(stop.reason, 'entry');
    const value = async (expression: string): Promise<unknown> =>
      (await call('evaluate_expression', { expression }))['result'];
    assert.equal(await value('JSON.stringify(process.argv.slice(2))'), '\'["2","x y"]\'');
    assert.equal(await value('process.cwd()'), `'${cwd}'`);
    assert.equal(await value('process.env.ADDED + process.env.KEPT'), "'yesas it was'");
    assert.deepEqual(answer['configuration'], {
      args: ['2', 'x y'],
      cwd,
      env: { KEPT: 'as it was', ADDED: 'yes' },
      stopOnEntry: true,
    });
  });

  it('are refused if they have no effect: for a compound, for an attach configuration, and a type with a configuration', async () => {
    const compound = errorOf(
      await call('start_debugging', {
        configuration_name: 'Pair',
        args: ['1'],
        stop_on_entry: true,
      }),
      'invalid_input',
    );
    assert.match(compound.message, /compound.*args, stop_on_entry/);
    assert.deepEqual(compound['available'], ['Loop', 'Throws']);
    assert.match(
      errorOf(
        await call('start_debugging', { configuration_name: 'Attaching', env: { A: '1' } }),
        'invalid_input',
      ).message,
      /attaches.*env/,
    );
    assert.match(
      errorOf(
        await call('start_debugging', { configuration_name: 'Loop', type: 'chrome' }),
        'invalid_input',
      ).message,
      /type can be passed only with program/,
    );
    assert.doesNotMatch(JSON.stringify(await call('get_debug_state', {})), /Pair|Attaching|Loop/);
  });
});

describe('start_debugging: an experiment in one call', () => {
  afterEach(cleanUp);

  it('sets breakpoints before the start, reports their state, and marks them as the agent’s', async () => {
    const line = marked('src/loop.js', 'add');
    const answer = await call('start_debugging', {
      program: 'src/loop.js',
      breakpoints: [
        { file_path: 'src/loop.js', line_number: line, condition: 'i === 2' },
        { file_path: 'src/loop.js', line_content: 'return result;', log_message: 'squared {n}' },
      ],
    });
    const stop = stopOf(answer);
    assert.equal(stop.line, line);
    const [broken, logging] = answer['breakpoints'] as Set[];
    assert.deepEqual(
      [broken?.line, broken?.verified, logging?.verified],
      [line, true, true],
      JSON.stringify(answer['breakpoints']),
    );
    assert.deepEqual(stop.hit_breakpoint_ids, [broken?.id]);
    assert.ok(stop.output?.includes('squared 1'), JSON.stringify(stop.output));
    const removed = await call('remove_breakpoint', { clear_all: true });
    assert.deepEqual(new Set(removed['removed'] as number[]), new Set([broken?.id, logging?.id]));
  });

  it('changes nothing if one of the breakpoints cannot be set', async () => {
    const before = vscode.debug.breakpoints.length;
    const good = { file_path: 'src/loop.js', line_number: 1 };
    errorOf(
      await call('start_debugging', {
        program: 'src/loop.js',
        breakpoints: [good, { file_path: 'src/loop.js', line_number: 9999 }],
      }),
      'line_out_of_range',
    );
    errorOf(
      await call('start_debugging', {
        program: 'src/loop.js',
        breakpoints: [good, { file_path: 'src/loop.js' }],
      }),
      'invalid_input',
    );
    errorOf(
      await call('start_debugging', {
        program: 'src/loop.js',
        breakpoints: [{ ...good, colour: 'red' }],
      }),
      'invalid_input',
    );
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(
        new vscode.Location(vscode.Uri.file(inWorkspace('src/loop.js')), new vscode.Position(0, 0)),
        true,
        'theirs',
      ),
    ]);
    errorOf(
      await call('start_debugging', {
        program: 'src/loop.js',
        breakpoints: [{ file_path: 'src/loop.js', line_number: 2 }, good],
      }),
      'not_supported',
    );
    assert.equal(vscode.debug.breakpoints.length, before + 1);
    const sessions = (await call('get_debug_state', {}))['sessions'] as { state: string }[];
    assert.ok(
      sessions.every((each) => each.state === 'terminated'),
      JSON.stringify(sessions),
    );
  });

  it('ends the wait at a printed line, long before the time-out', async () => {
    const began = performance.now();
    const answer = await call('start_debugging', {
      configuration_name: 'Server',
      output_pattern: '^rea(dy)$',
      timeout_seconds: 60,
    });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    assert.equal((answer['matched'] as { line: string }).line, 'ready');
    assert.match(String(answer['message']), /printed a matching line and is still running/);
    assert.ok(performance.now() - began < AT_ONCE_MS);
    errorOf(
      await call('start_debugging', { configuration_name: 'Loop', output_pattern: '(' }),
      'invalid_input',
    );
  });

  it('ends the wait at a stop or an end if the line is never printed', async () => {
    assert.equal(
      (await call('start_debugging', { configuration_name: 'Loop', output_pattern: 'never' }))
        .status,
      'completed',
    );
    stopOf(
      await call('start_debugging', { configuration_name: 'Throws', output_pattern: 'never' }),
    );
  });

  it('replaces the session that runs the configuration, and no other', async () => {
    await startServer();
    const sessions = async (): Promise<readonly Answer[]> =>
      (await call('get_debug_state', {}))['sessions'] as Answer[];
    const live = async (): Promise<readonly unknown[]> =>
      (await sessions())
        .filter((each) => each['parent'] === undefined && each['state'] !== 'terminated')
        .map((each) => each['session_id']);
    const [first] = await live();
    stopOf(await call('start_debugging', { configuration_name: 'Throws' }));
    const answer = await call('start_debugging', {
      configuration_name: 'Server',
      replace: true,
      output_pattern: 'ready',
      timeout_seconds: 60,
    });
    assert.equal((answer['matched'] as { line: string }).line, 'ready', JSON.stringify(answer));
    const now = await live();
    assert.equal(now.length, 2, JSON.stringify(await sessions()));
    assert.ok(!now.includes(first) && now.includes(answer['session_id']));
    await until(
      (model) =>
        [...model.state.sessions.values()].some(
          (each) => each.id === first && each.lifecycle === 'terminated' && each.endRequested,
        ),
      'the first one was ended',
    );
  });
});

describe('omitted thread_id and frame_id', () => {
  afterEach(cleanUp);

  it('default to those of the current stop', async () => {
    await call('start_debugging', {
      configuration_name: 'Loop',
      breakpoints: [{ file_path: 'src/loop.js', line_number: marked('src/loop.js', 'square') }],
    });
    assert.equal((await call('evaluate_expression', { expression: 'n' }))['result'], '1');
    assert.ok(((await call('get_scopes', {}))['scopes'] as unknown[]).length > 0);
    assert.equal(
      stopOf(await call('step_execution', { step_type: 'out' })).call_stack[0]?.function_name,
      'main',
    );
    assert.equal(
      stopOf(await call('continue_debugging', {})).line,
      marked('src/loop.js', 'square'),
    );
    await call('remove_breakpoint', { clear_all: true });
    assert.equal((await call('continue_debugging', {})).status, 'completed');
    errorOf(await call('continue_debugging', {}), 'no_session');
  });

  it('are refused as ambiguous if several sessions are stopped, and as not stopped if the session runs', async () => {
    await startServer();
    errorOf(await call('step_execution', { step_type: 'over' }), 'not_stopped');
    errorOf(await call('evaluate_expression', { expression: '1' }), 'not_stopped');
    const first = stopOf(await call('start_debugging', { configuration_name: 'Throws' }));
    stopOf(await call('start_debugging', { configuration_name: 'Loop', stop_on_entry: true }));
    const error = errorOf(await call('continue_debugging', {}), 'ambiguous_session');
    assert.ok(
      (error['sessions'] as { session_id: string }[]).some(
        (each) => each.session_id === first.session_id,
      ),
    );
    assert.equal(
      (await call('continue_debugging', { session_id: first.session_id })).status,
      'completed',
    );
  });
});
