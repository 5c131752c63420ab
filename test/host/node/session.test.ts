import { strict as assert } from 'node:assert';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  marked,
  stopOf,
  variable,
  type StopData,
  type VariableData,
} from '../support/client';

interface BoundBreakpoint {
  readonly verified: boolean;
  readonly bound?: readonly { readonly reason?: string; readonly message?: string }[];
}

describe('a session on Node', () => {
  afterEach(cleanUp);

  it('stops at a breakpoint, steps over, into and out, and runs to the end', async () => {
    const line = marked('src/loop.js', 'call');
    const set = await call('set_breakpoint', { file_path: 'src/loop.js', line_number: line });
    const breakpoint = set['breakpoint'] as { id: number; verified: boolean; message: string };
    assert.equal(breakpoint.verified, false);
    assert.match(breakpoint.message, /No debug session is running/);

    const first = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    assert.equal(first.reason, 'breakpoint');
    assert.equal(first.source?.path, inWorkspace('src/loop.js'));
    assert.equal(first.line, line);
    assert.equal(first.call_stack[0]?.function_name, 'main');
    assert.deepEqual(first.hit_breakpoint_ids, [breakpoint.id]);
    assert.deepEqual(first.top_frame_variables?.scope_name, 'Local: main');
    assert.deepEqual(
      Object.fromEntries(
        first.top_frame_variables.variables.map((each) => [each.name, each.value]),
      ),
      { squared: 'undefined', this: 'undefined', i: '1', count: '3', sum: '0' },
    );
    assert.equal(first.source_lines?.[1]?.startsWith(`>${line} `), true);

    const into = stopOf(
      await call('step_execution', { thread_id: first.thread_id, step_type: 'into' }),
    );
    assert.equal(into.call_stack[0]?.function_name, 'square');
    assert.equal(into.line, marked('src/loop.js', 'square'));
    assert.equal(into.stop_id, first.stop_id + 1);
    const out = stopOf(
      await call('step_execution', {
        thread_id: into.thread_id,
        step_type: 'out',
        session_id: into.session_id,
      }),
    );
    assert.equal(out.call_stack[0]?.function_name, 'main');
    const over = stopOf(
      await call('step_execution', { thread_id: out.thread_id, step_type: 'over' }),
    );
    assert.ok(over.line > out.line, 'one line on in the same function');
    // The step stayed in its frame: the change is shown, and the rest is as shown at the stop before.
    assert.equal(variable(out, 'squared').value, '1');
    assert.deepEqual(over.changed, [{ name: 'sum', before: '0', now: '1' }]);
    const others = first.top_frame_variables.variables.length - 1;
    assert.equal(over.omitted?.['same_variables'], others);
    // The same applies to the step that returned to the frame.
    assert.deepEqual(out.changed, [{ name: 'squared', before: 'undefined', now: '1' }]);
    assert.equal(out.omitted?.['same_variables'], others);
    const scopes = (await call('get_scopes', { frame_id: over.call_stack[0]?.frame_id }))[
      'scopes'
    ] as { variables_reference: number }[];
    const all = await Promise.all(
      scopes
        .slice(0, 2)
        .map(
          async (each) =>
            (await call('get_variables', { variables_reference: each.variables_reference }))[
              'variables'
            ] as VariableData[],
        ),
    );
    assert.equal(all.flat().find((each) => each.name === 'squared')?.value, '1');

    const again = stopOf(await call('continue_debugging', { thread_id: over.thread_id }));
    assert.equal(again.line, line);
    assert.equal(variable(again, 'i').value, '2');
    assert.deepEqual(again.output, ['i=1 sum=1']);

    assert.deepEqual(
      (await call('remove_breakpoint', { breakpoint_id: breakpoint.id }))['removed'],
      [breakpoint.id],
    );
    const done = await call('continue_debugging', { thread_id: again.thread_id });
    assert.equal(done.status, 'completed', JSON.stringify(done));
    assert.deepEqual(done['output'], ['i=2 sum=5', 'i=3 sum=14', 'total=14']);
    const output = await call('get_debug_output', {});
    const lines = output['lines'] as { text: string; session_id?: string }[];
    assert.deepEqual(
      lines.filter((each) => each.session_id === undefined).map((each) => each.text),
      ['i=1 sum=1', 'i=2 sum=5', 'i=3 sum=14', 'total=14'],
    );
    assert.ok(
      lines.some((each) => each.session_id !== undefined && each.text.includes('loop.js')),
      'what js-debug prints in the parent is there, too',
    );
  });

  it('reads scopes, variables and their members, and evaluates in the chosen frame', async () => {
    await call('set_breakpoint', {
      file_path: 'src/types.js',
      line_content: 'return [text, number',
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Types' }));
    const names = stop.top_frame_variables?.variables.map((each) => each.name) ?? [];
    for (const name of [
      'inner',
      'text',
      'number',
      'nothing',
      'missing',
      'list',
      'object',
      'map',
      'big',
    ])
      assert.ok(names.includes(name), `${name} in ${names.join()}`);
    assert.ok(names.indexOf('inner') < names.indexOf('text'), 'the inner block comes first');

    const object = await call('get_variables', {
      variables_reference: variable(stop, 'object').variables_reference,
    });
    const members = object['variables'] as VariableData[];
    const nested = members.find((each) => each.name === 'nested');
    assert.ok(nested && nested.variables_reference > 0);
    const deep = await call('get_variables', {
      variables_reference: nested.variables_reference,
      name_pattern: '^deep$',
    });
    assert.deepEqual(
      (deep['variables'] as VariableData[]).map(({ name, value }) => ({ name, value })),
      [{ name: 'deep', value: 'true' }],
    );
    const deeper = (
      await call('get_variables', {
        variables_reference: variable(stop, 'object').variables_reference,
        depth: 2,
        filter: 'named',
      })
    )['variables'] as (VariableData & { children?: VariableData[] })[];
    assert.equal(
      deeper.find((each) => each.name === 'nested')?.children?.find((each) => each.name === 'deep')
        ?.value,
      'true',
      JSON.stringify(deeper),
    );
    const list = await call('get_variables', {
      variables_reference: variable(stop, 'list').variables_reference,
      filter: 'indexed',
    });
    assert.deepEqual(
      (list['variables'] as VariableData[]).map((each) => each.value),
      ['1', '2', '3'],
    );

    const frame = stop.call_stack[0]?.frame_id;
    const scopes = await call('get_scopes', { frame_id: frame });
    const shown = scopes['scopes'] as {
      name: string;
      expensive: boolean;
      variables_reference: number;
    }[];
    assert.ok(shown.some((each) => each.name.startsWith('Local')));
    assert.ok(shown.some((each) => each.expensive && each.name === 'Global'));
    const value = await call('evaluate_expression', {
      expression: 'object.name + list.length',
      frame_id: frame,
    });
    assert.equal(value['result'], "'Ada3'");
    assert.equal(value['variables_reference'], 0);
    const refused = errorOf(
      await call('evaluate_expression', { expression: 'no_such_name', frame_id: frame }),
      'adapter_error',
    );
    assert.match(refused.message, /no_such_name is not defined/);
    const outer = await call('evaluate_expression', {
      expression: 'typeof text',
      frame_id: stop.call_stack[1]?.frame_id,
    });
    assert.equal(outer['result'], "'undefined'", 'another frame, other names');
  });

  it('refuses references of an earlier stop, and unknown ones', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    const frame = stop.call_stack[0]?.frame_id ?? 0;
    const scopes = (await call('get_scopes', { frame_id: frame }))['scopes'] as {
      variables_reference: number;
    }[];
    await call('step_execution', { thread_id: stop.thread_id, step_type: 'over' });
    errorOf(await call('get_scopes', { frame_id: frame }), 'stale_reference');
    errorOf(
      await call('evaluate_expression', { frame_id: frame, expression: '1' }),
      'stale_reference',
    );
    errorOf(
      await call('get_variables', { variables_reference: scopes[0]?.variables_reference }),
      'stale_reference',
    );
    errorOf(await call('get_scopes', { frame_id: 99_999 }), 'unknown_reference');
    errorOf(await call('get_variables', { variables_reference: 99_999 }), 'unknown_reference');
    errorOf(await call('step_execution', { thread_id: 77, step_type: 'over' }), 'thread_not_found');
    errorOf(
      await call('continue_debugging', { thread_id: stop.thread_id, session_id: 's999' }),
      'session_not_found',
    );
  });

  it('breaks on a condition, and prints with a logpoint', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'add'),
      condition: 'i === 2',
    });
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'return'),
      log_message: 'sum is {sum}',
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    assert.equal(variable(stop, 'i').value, '2');
    assert.equal(
      (await call('continue_debugging', { thread_id: stop.thread_id })).status,
      'completed',
    );
    const printed = await call('get_debug_output', { pattern: '^sum is' });
    assert.deepEqual(
      (printed['lines'] as { text: string }[]).map((each) => each.text),
      ['sum is 14'],
    );
  });

  it('reports the own frame of an exception in a library', async () => {
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Missing file' }));
    assert.equal(stop.reason, 'exception');
    assert.match(JSON.stringify(stop.exception), /ENOENT/);
    const own = stop.exception?.own_frame;
    assert.deepEqual(
      [own?.function_name.includes('load'), own?.line_number],
      [true, marked('src/missing.js', 'load')],
      JSON.stringify(stop),
    );
    assert.equal(own?.variables.find((each) => each.name === 'folder')?.value, "'/no/such/folder'");
  });

  it('runs to a line and leaves no breakpoint behind', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    await call('remove_breakpoint', { clear_all: true });
    const line = marked('src/loop.js', 'return');
    const there = stopOf(
      await call('continue_debugging', {
        thread_id: stop.thread_id,
        until_line: line,
        file_path: 'src/loop.js',
      }),
    );
    assert.equal(there.line, line);
    assert.deepEqual((await call('get_breakpoints', {}))['breakpoints'], []);
  });

  it('reports that js-debug truncated a long value in the middle, and how to get the whole value', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    const frame = stopOf(await call('start_debugging', { configuration_name: 'Loop' }))
      .call_stack[0]?.frame_id;
    const expression = 'JSON.stringify(Array.from({ length: 1000 }, (_, index) => index))';
    const cut = await call('evaluate_expression', { expression, frame_id: frame });
    assert.deepEqual(
      cut['omitted'],
      { cut_by_debugger: 1, fetch_cut_by_debugger: 'context=clipboard' },
      JSON.stringify(cut),
    );
    const whole = await call('evaluate_expression', {
      expression,
      frame_id: frame,
      context: 'clipboard',
    });
    assert.match(String(whole['result']), /^"\[0,1,2,.*,998,999\]"$/);
    assert.equal(whole['omitted'], undefined);
    assert.equal(
      (await call('evaluate_expression', { expression: '"a".repeat(998)', frame_id: frame }))[
        'omitted'
      ],
      undefined,
      'not cut',
    );
  });

  it('does not report a condition that does not parse as a line without code', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    const line = marked('src/loop.js', 'add');
    const broken = (
      await call('set_breakpoint', {
        file_path: 'src/loop.js',
        line_number: line,
        condition: 'sum === (',
      })
    )['breakpoint'] as BoundBreakpoint;
    assert.deepEqual(
      [broken.verified, broken.bound?.[0]?.reason],
      [false, 'unknown'],
      JSON.stringify(broken),
    );
    assert.match(broken.bound?.[0]?.message ?? '', /condition/);
    const whole = (
      await call('set_breakpoint', {
        file_path: 'src/loop.js',
        line_number: line,
        condition: 'sum === 3',
      })
    )['breakpoint'] as BoundBreakpoint;
    assert.equal(whole.verified, true, JSON.stringify(whole));
  });

  it('takes several steps in one call', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    const later = stopOf(
      await call('step_execution', { thread_id: stop.thread_id, step_type: 'over', count: 2 }),
    );
    assert.equal(later.line, marked('src/loop.js', 'add') + 1);
    assert.equal(later.stop_id, stop.stop_id + 2);
  });

  it('reports the changes since the stop before, and the path of several steps', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'add'),
    });
    const first = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    assert.equal(first.changed, undefined, 'nothing to compare with');
    const second = stopOf(await call('continue_debugging', { thread_id: first.thread_id }));
    const i = second.changed?.find((each) => each.name === 'i');
    assert.deepEqual(i, {
      name: 'i',
      before: variable(first, 'i').value,
      now: variable(second, 'i').value,
    });
    await call('remove_breakpoint', { clear_all: true });
    const answer = await call('step_execution', {
      thread_id: first.thread_id,
      step_type: 'over',
      count: 3,
    });
    const steps = answer['path'] as {
      line: number;
      file?: string;
      changed?: Record<string, string>;
    }[];
    assert.equal(steps.length, 3, JSON.stringify(answer));
    assert.equal(steps[0]?.file, inWorkspace('src/loop.js'));
    assert.equal(steps[1]?.file, undefined, 'named once');
    assert.equal(steps[2]?.line, stopOf(answer).line);
    assert.ok(
      steps.some((each) => each.changed?.['sum'] !== undefined),
      JSON.stringify(steps),
    );
    const third = stopOf(answer);
    const names = (stop: StopData): string[] =>
      (stop.top_frame_variables?.variables ?? []).map((each) => each.name);
    const known = new Map(
      (second.top_frame_variables?.variables ?? []).map((each) => [each.name, each.value]),
    );
    assert.ok(
      names(third).length < names(second).length,
      'what was shown before the steps and is the same is not shown again',
    );
    assert.ok(
      third.top_frame_variables?.variables.every((each) => each.value !== known.get(each.name)),
      JSON.stringify(third),
    );
    assert.ok(Number(third.omitted?.['same_variables']) > 0, 'but counted');
  });

  it('reports no session at rest', async () => {
    const state = await call('get_debug_state', {});
    assert.equal(
      (state['sessions'] as { state: string }[]).some((each) => each.state !== 'terminated'),
      false,
    );
    errorOf(await call('stop_debugging', {}), 'no_session');
    errorOf(await call('continue_debugging', { thread_id: 0 }), 'no_session');
    errorOf(await call('wait_for_stop', {}), 'no_session');
  });
});
