import { strict as assert } from 'node:assert';
import { call, cleanUp, inWorkspace, marked, stopOf, variable } from '../support/client';

describe('a session on Node', () => {
  afterEach(cleanUp);

  it('stops at a breakpoint, steps, looks, evaluates and ends with the exit code', async () => {
    const line = marked('src/loop.js', 'call');
    console.log(JSON.stringify(await call('get_debugger_configurations', {})).slice(0, 300));
    console.log(JSON.stringify(await call('set_breakpoint', { file_path: 'src/loop.js', line_number: line })));
    const started = await call('start_debugging', { configuration_name: 'Loop' });
    console.log(JSON.stringify(started));
    const stop = stopOf(started);
    assert.equal(stop.line, line);
    assert.equal(stop.source?.path, inWorkspace('src/loop.js'));
    assert.equal(variable(stop, 'i').value, '1');
    const stepped = await call('step_execution', { thread_id: stop.thread_id, step_type: 'over' });
    console.log(JSON.stringify(stepped));
    const second = stopOf(stepped);
    assert.equal(variable(second, 'squared').value, '1');
    console.log(JSON.stringify(await call('get_debug_state', {})));
    console.log(JSON.stringify(await call('get_breakpoints', {})));
    const into = stopOf(await call('continue_debugging', { thread_id: second.thread_id }));
    assert.deepEqual(into.hit_breakpoint_ids?.length, 1);
    const scopes = await call('get_scopes', { frame_id: into.call_stack[0]?.frame_id });
    console.log(JSON.stringify(scopes));
    const value = await call('evaluate_expression', { expression: '({a: [1,2], i})', frame_id: into.call_stack[0]?.frame_id });
    console.log(JSON.stringify(value));
    console.log(JSON.stringify(await call('get_variables', { variables_reference: value['variables_reference'] })));
    console.log(JSON.stringify(await call('remove_breakpoint', { clear_all: true })));
    const done = await call('continue_debugging', { thread_id: into.thread_id });
    console.log(JSON.stringify(done));
    assert.equal(done.status, 'completed');
    console.log(JSON.stringify(await call('get_debug_output', {})));
    console.log(JSON.stringify(await call('get_debug_state', {})));
  });
});
