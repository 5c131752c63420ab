import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import {
  call,
  cleanUp,
  errorOf,
  marked,
  stopOf,
  variable,
  type StopData,
  type VariableData,
} from '../support/client';

/** Behaviour that is specific to each adapter, in addition to the shared scenario. */
describe('adapter-specific behaviour', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const stopAt = async (configuration: string, file: string, marker: string): Promise<StopData> => {
    await call('set_breakpoint', { file_path: file, line_number: marked(file, marker) });
    return stopOf(
      await call('start_debugging', { configuration_name: configuration, timeout_seconds: 100 }),
    );
  };
  const names = (stop: StopData): string[] =>
    stop.top_frame_variables?.variables.map((each) => each.name) ?? [];

  it('Node: the parent session has no threads and stands for its child; closures are not among the locals', async () => {
    const stop = await stopAt('Node', 'node/scenario.js', 'add');
    const sessions = (await call('get_debug_state', {}))['sessions'] as {
      session_id: string;
      parent?: string;
      threads?: object[];
    }[];
    const parent = sessions.find((each) => each.parent === undefined);
    assert.ok(parent && parent.threads === undefined && parent.session_id !== stop.session_id);
    assert.equal(
      stopOf(await call('wait_for_stop', { session_id: parent.session_id })).session_id,
      stop.session_id,
    );
    assert.ok(!names(stop).includes('square') && names(stop).includes('squared'));
  });

  it('Python: from the first stop on, debugpy’s answers are not held back by its connection', async () => {
    const stop = await stopAt('Python', 'python/scenario.py', 'add');
    const connection =
      "(lambda modules: modules['_pydevd_bundle.pydevd_constants'].get_global_debugger().writer.sock.getsockopt(" +
      "modules['socket'].IPPROTO_TCP, modules['socket'].TCP_NODELAY))(__import__('sys').modules)";
    const read = await call('evaluate_expression', {
      expression: connection,
      frame_id: stop.call_stack[0]?.frame_id,
    });
    assert.notEqual(read['result'], '0', JSON.stringify(read));
    assert.equal(read.status, 'success', JSON.stringify(read));
  });

  it('Python: an assignment in the console changes the values that are read next', async () => {
    const stop = await stopAt('Python', 'python/scenario.py', 'add');
    const frame = stop.call_stack[0]?.frame_id;
    assert.equal(variable(stop, 'sum').value, '0');
    assert.equal(
      (
        await call('evaluate_expression', {
          expression: 'sum = 100',
          frame_id: frame,
          context: 'repl',
        })
      ).status,
      'success',
    );
    const [locals] = (await call('get_scopes', { frame_id: frame }))['scopes'] as {
      variables_reference: number;
    }[];
    const after = (
      await call('get_variables', {
        variables_reference: locals?.variables_reference,
        name_pattern: '^sum$',
      })
    )['variables'] as VariableData[];
    assert.deepEqual(
      after.map((each) => each.value),
      ['100'],
    );
    assert.equal(
      variable(
        stopOf(await call('step_execution', { thread_id: stop.thread_id, step_type: 'over' })),
        'sum',
      ).value,
      '101',
    );
  });

  /** After report 02: debugpy evaluates a condition so that such names are globals, and never stopped. */
  it('Python: names in the comprehensions of a condition mean what they mean at its line', async () => {
    const file = 'python/conditions.py';
    const condition = 'any(x > limit for x in items) and len([x for x in self.__levels]) > 4';
    const breakpoints = [{ file_path: file, line_number: marked(file, 'filled'), condition }];
    const stop = stopOf(await call('start_debugging', { program: file, breakpoints }));
    assert.equal(variable(stop, 'items').value, '[7, 9]');
    const expression = 'any(x > limit and self.__levels for x in items)';
    const answer = await call('evaluate_expression', { expression });
    assert.equal(answer['result'], 'True', JSON.stringify(answer));
    const listed = (await call('get_breakpoints', {}))['breakpoints'] as { condition?: string }[];
    assert.match(listed[0]?.condition ?? '', /^any\(x > limit for x in items\) and /);
    assert.equal(
      (await call('continue_debugging', { thread_id: stop.thread_id })).status,
      'completed',
    );
  });

  it('Python: what runs after the program has replaced the trace function is not told as not reached', async () => {
    const file = 'python/replaced.py';
    const line = marked(file, 'total');
    const breakpoints = [{ file_path: file, line_number: line }];
    const started = await call('start_debugging', { program: file, breakpoints });
    const missed = started['missed_breakpoints'] as { readonly why: string }[] | undefined;
    // A debugger that uses sys.monitoring still stops.
    if (started.status !== 'stopped') assert.equal(missed?.[0]?.why, 'unknown');
    await cleanUp();
    const probes = [{ file_path: file, line, expressions: ['n'], expect: 'n == 4' }];
    const collected = await call('collect_values', { probes, program: file });
    const [probe] = collected['probes'] as { readonly expect: string; never_reached?: string }[];
    if (collected['hits'] === 1) assert.equal(probe?.expect, 'refuted');
    else assert.deepEqual([probe?.expect, probe?.never_reached], ['unknown', 'unknown']);
    await cleanUp();
    const traced = await call('trace_function', {
      function_name: 'double',
      file_path: file,
      program: file,
    });
    if (traced['returned'] !== '6') assert.equal(traced['reached'], 'unknown');
  });

  it('C++: registers are a separate scope, and not among the variables of the stop', async () => {
    const stop = await stopAt('Native', 'native/scenario.cpp', 'add');
    const scopes = (await call('get_scopes', { frame_id: stop.call_stack[0]?.frame_id }))[
      'scopes'
    ] as { name: string }[];
    assert.ok(scopes.some((each) => /register/i.test(each.name)));
    assert.ok(!names(stop).some((each) => /^r(ax|ip|sp)$|general purpose/i.test(each)));
    assert.equal(
      (
        await call('evaluate_expression', {
          expression: 'person.age',
          frame_id: stop.call_stack[0]?.frame_id,
        })
      )['result'],
      '36',
    );
  });

  it('C++: a program that lldb loses is not reported as ended', async () => {
    const stop = await stopAt('Native loop', 'native/scenario.cpp', 'inside');
    await call('remove_breakpoint', { clear_all: true });
    assert.equal(
      (await call('continue_debugging', { thread_id: stop.thread_id, timeout_seconds: 1 })).status,
      'timeout',
    );
    const [session] = (await call('get_debug_state', {}))['sessions'] as { pid: number }[];
    const program = session?.pid ?? 0;
    const server = Number(
      /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${program}/status`, 'utf8'))?.[1],
    );
    assert.match(readFileSync(`/proc/${server}/comm`, 'utf8'), /^lldb-server/);
    process.kill(server, 'SIGKILL');
    // lldb notices when the last end of the connection is closed, and the program has one open.
    process.kill(program, 'SIGKILL');
    const error = errorOf(
      await call('wait_for_stop', { session_id: stop.session_id, timeout_seconds: 60 }),
      'adapter_error',
    );
    assert.match(error.message, /may still run/);
  });

  it("Go: a goroutine is a thread; a failed build is reported with the compiler's message", async () => {
    const stop = await stopAt('Go', 'go/scenario.go', 'add');
    const [session] = (await call('get_debug_state', {}))['sessions'] as {
      threads: { id: number; name?: string }[];
    }[];
    assert.match(session?.threads.find((each) => each.id === stop.thread_id)?.name ?? '', /Go \d+/);
    await call('stop_debugging', {});
    const error = errorOf(
      await call('start_debugging', {
        program: './go',
        args: [],
        type: 'go',
        cwd: 'python',
        env: { GOFLAGS: '-mod=nonsense' },
      }),
      'launch_failed',
    );
    assert.match(JSON.stringify(error), /nonsense|Build error|build/i);
  });

  it('Java: the scopes of a calling frame are read after an evaluation in it', async () => {
    const stop = await stopAt('Java', 'java/src/Scenario.java', 'add');
    const caller = stop.call_stack[1]?.frame_id;
    for (const expression of ['1 + 1', 'String.valueOf(7).length()']) {
      const value = await call('evaluate_expression', { expression, frame_id: caller });
      assert.equal(value.status, 'success', JSON.stringify(value));
      const scopes = await call('get_scopes', { frame_id: caller });
      assert.equal(scopes.status, 'success', JSON.stringify(scopes));
      const [locals] = scopes['scopes'] as { variables_reference: number }[];
      const variables = await call('get_variables', {
        variables_reference: locals?.variables_reference,
      });
      assert.equal(variables.status, 'success', JSON.stringify(variables));
    }
  });

  it('Java: a method is called in an expression, and lambdas are frames', async () => {
    const stop = await stopAt('Java', 'java/src/Scenario.java', 'add');
    assert.equal(
      (
        await call('evaluate_expression', {
          expression: 'person.name.length()',
          frame_id: stop.call_stack[0]?.frame_id,
        })
      )['result'],
      '3',
    );
    await call('stop_debugging', {});
    await call('remove_breakpoint', { clear_all: true });
    const worker = await stopAt('Java threads', 'java/src/Scenario.java', 'worker');
    assert.ok(
      worker.call_stack.some((each) => /lambda/.test(each.function_name)),
      JSON.stringify(worker.call_stack),
    );
  });
});
