import { strict as assert } from 'node:assert';
import { capable } from '../../support/advancedInputs';
import { created, launched, stopped } from '../../support/events';
import { ask, toolNamed } from '../../support/asking';
import { readCard } from '../../support/card';
import { bench, failsWith, paused, type Bench } from '../../support/services';

const setting = (more: object = {}): Bench => {
  const on = capable(paused(bench()), more);
  on.host
    .on('setVariable', ({ value }) => ({ value, type: 'number', variablesReference: 0 }))
    .on('setExpression', ({ value }) => ({ value, variablesReference: 9 }));
  return on;
};

describe('set_variable', () => {
  it('sets a variable in its scope, and requests the scopes of the frame immediately before', async () => {
    const on = setting();
    const answer = await ask(on, 'set_variable', { name: 'count', value: '4' });
    assert.deepEqual(answer, {
      status: 'success',
      value: '4',
      type: 'number',
      variables_reference: 0,
    });
    assert.deepEqual(on.host.sent('setVariable'), [
      { variablesReference: 7, name: 'count', value: '4' },
    ]);
    const commands = on.host.requests.map((request) => request.command).slice(-2);
    assert.deepEqual(commands, ['scopes', 'setVariable']);
  });

  it('sets a member of a container', async () => {
    const on = setting();
    const place = on.services.inspector.placeOf(on.session(), 1);
    const reference = on.services.inspector.handles.variables(place, 33, 10);
    const input = { name: 'age', value: '37', variables_reference: reference };
    assert.equal((await ask(on, 'set_variable', input)).status, 'success');
    assert.deepEqual(on.host.sent('setVariable'), [
      { variablesReference: 33, name: 'age', value: '37' },
    ]);
    const stale = await ask(on, 'set_variable', { ...input, variables_reference: 999 });
    assert.equal(stale['code'], 'unknown_reference');
  });

  it('sets an expression if the adapter supports it, and returns a reference to expand the value', async () => {
    const on = setting();
    const answer = await ask(on, 'set_variable', { name: 'a.b[0]', value: '{}' });
    assert.ok(Number(answer['variables_reference']) > 0, JSON.stringify(answer));
    assert.deepEqual(on.host.sent('setExpression'), [
      { expression: 'a.b[0]', value: '{}', frameId: 10 },
    ]);
  });

  it('returns an error if the adapter cannot set expressions, or cannot set members', async () => {
    const noExpressions = setting({ supportsSetExpression: false });
    const none = await ask(noExpressions, 'set_variable', { name: 'a.b', value: '1' });
    assert.equal(none['code'], 'variable_not_found');
    const noMembers = setting({ supportsSetVariable: false });
    const place = noMembers.services.inspector.placeOf(noMembers.session(), 1);
    const reference = noMembers.services.inspector.handles.variables(place, 33, 10);
    const input = { name: 'age', value: '1', variables_reference: reference };
    assert.equal((await ask(noMembers, 'set_variable', input))['code'], 'not_supported');
    await assert.rejects(
      toolNamed('set_variable').check(input).question(noMembers.services),
      failsWith('not_supported'),
    );
  });

  it('needs consent for a change, and shows the whole value', async () => {
    const on = setting();
    const call = toolNamed('set_variable').check({ name: 'count', value: 'launch()' });
    assert.equal(call.consent(on.services), 'change');
    assert.match(String((await call.question(on.services))?.message), /`count` to `launch\(\)`/);
  });
});

describe('set_variable: the question about a member', () => {
  it('names the container of the member', async () => {
    const on = setting();
    const place = on.services.inspector.placeOf(on.session(), 1);
    const { handles } = on.services.inspector;
    const counts = { indexedVariables: undefined, namedVariables: undefined };
    const asked = async (reference: number): Promise<string> => {
      const input = { name: 'count', value: '4', variables_reference: reference };
      const question = await toolNamed('set_variable').check(input).question(on.services);
      return readCard(question?.message ?? '').join();
    };
    const named = handles.variables(place, 33, 10, { ...counts, evaluateName: 'order.items' });
    assert.match(await asked(named), /Set the member count of order\.items to 4 in /);
    const long = handles.variables(place, 34, 10, { ...counts, evaluateName: 'x'.repeat(300) });
    assert.match(await asked(long), /Set the member count of a value to 4 in /);
    const scope = handles.variables(place, 35, 10, undefined, 10);
    assert.match(await asked(scope), /Set count to 4 in /);
  });
});

describe('disassemble', () => {
  const code = (count: number): object => ({
    instructions: Array.from({ length: count }, (_, index) => ({
      address: `0x10${index}`,
      instruction: '  mov\t%eax,  %ebx',
      ...(index === 0
        ? { symbol: 'main', line: 3, location: { path: 'vscode-remote://x/home/ada/a.c' } }
        : {}),
      ...(index === 2 ? { presentationHint: 'invalid' } : {}),
    })),
  });

  it('begins at the frame’s instruction and marks it', async () => {
    const on = capable(paused(bench()));
    on.host
      .on('stackTrace', () => ({
        stackFrames: [{ id: 10, name: 'main', line: 3, instructionPointerReference: '0x100' }],
      }))
      .on('disassemble', () => code(3));
    const answer = await ask(on, 'disassemble', { instruction_count: 3 });
    assert.deepEqual(answer, {
      status: 'success',
      instructions: [
        {
          address: '0x100',
          instruction: 'mov %eax, %ebx',
          symbol: 'main',
          file_path: '/home/ada/a.c',
          line: 3,
          current: true,
        },
        { address: '0x101', instruction: 'mov %eax, %ebx' },
      ],
      unreadable_instructions: 1,
    });
    assert.equal(on.host.sent('disassemble')[0]?.['memoryReference'], '0x100');
  });

  it('takes an address, and needs one if the adapter reports none', async () => {
    const on = capable(paused(bench()));
    on.host.on('disassemble', () => code(500));
    assert.equal((await ask(on, 'disassemble'))['code'], 'not_supported');
    const answer = await ask(on, 'disassemble', {
      memory_reference: '0x20',
      instruction_count: 200,
      instruction_offset: -5,
    });
    assert.equal(answer.status, 'success');
    assert.equal(on.host.sent('disassemble')[0]?.['instructionOffset'], -5);
    assert.ok((answer['instructions'] as unknown[]).length <= 200);
  });
});

describe('disassemble: addresses without code', () => {
  const at = { memory_reference: '0x1', instruction_count: 3 };

  it('reports an adapter error, whether the adapter sends invalid instructions or none', async () => {
    for (const instructions of [[], [{ address: '0x1', presentationHint: 'invalid' }], undefined]) {
      const on = capable(paused(bench()));
      on.host.on('disassemble', () => ({ instructions }));
      const answer = await ask(on, 'disassemble', at);
      assert.equal(answer['code'], 'adapter_error', JSON.stringify(answer));
      assert.match(String(answer['message']), /“test”.* 0x1\b/);
    }
  });

  it('counts the instructions that the adapter left out', async () => {
    const on = capable(paused(bench()));
    on.host.on('disassemble', () => ({ instructions: [{ address: '0x1', instruction: 'ret' }] }));
    assert.equal((await ask(on, 'disassemble', at))['unreadable_instructions'], 2);
  });
});

describe('get_modules', () => {
  const modules = (count: number): object[] =>
    Array.from({ length: count }, (_, id) => ({ id, name: `lib${id}`, symbolStatus: 'loaded' }));

  it('pages, even if the adapter does not page and reports no total', async () => {
    const on = capable(paused(bench()));
    on.host.on('modules', () => ({ modules: modules(7) }));
    const page = await ask(on, 'get_modules', { start: 2, count: 3 });
    assert.deepEqual(
      (page['modules'] as { name: string }[]).map((module) => module.name),
      ['lib2', 'lib3', 'lib4'],
    );
    assert.deepEqual(
      [page['total'], page['omitted']],
      [7, { modules: 2, fetch_modules: 'start=5' }],
    );
    const last = await ask(on, 'get_modules', { start: 5 });
    assert.deepEqual(
      (last['modules'] as { name: string }[]).map((module) => module.name),
      ['lib5', 'lib6'],
    );
    assert.deepEqual([last['total'], last['omitted']], [7, undefined]);
    const beyond = await ask(on, 'get_modules', { start: Number.MAX_SAFE_INTEGER });
    assert.deepEqual([beyond['modules'], beyond['omitted']], [[], undefined]);
  });

  it('counts the modules that the budget leaves out', async () => {
    const on = capable(paused(bench()));
    on.host.on('modules', () => ({ modules: modules(400), totalModules: 400 }));
    const answer = await ask(on, 'get_modules', { count: 400 });
    const shown = (answer['modules'] as unknown[]).length;
    assert.deepEqual(answer['omitted'], {
      modules: 400 - shown,
      fetch_modules: `start=${shown}`,
    });
  });
});

describe('get_loaded_sources', () => {
  it('filters and pages', async () => {
    const on = capable(paused(bench()));
    on.host.on('loadedSources', () => ({
      sources: ['a.js', 'b.ts', 'c.js'].map((name) => ({ name, path: `/home/ada/${name}` })),
    }));
    const answer = await ask(on, 'get_loaded_sources', { name_pattern: '\\.js$', count: 1 });
    assert.deepEqual(answer, {
      status: 'success',
      sources: [{ name: 'a.js', path: '/home/ada/a.js' }],
      total: 2,
      omitted: { sources: 1, fetch_sources: 'start=1' },
    });
    const wrong = await ask(on, 'get_loaded_sources', { name_pattern: '(' });
    assert.equal(wrong['code'], 'invalid_input');
  });
});

describe('custom_request', () => {
  it('sends the arguments that the card shows, with the adapter’s own ids, and needs consent for a change', async () => {
    const on = capable(paused(bench()));
    on.host.on('evolve', () => ({ done: true }));
    const place = on.services.inspector.placeOf(on.session(), 1);
    const frame = on.services.inspector.handles.frame(place, 10);
    const input = { command: 'evolve', arguments: { frameId: frame, by: [1, 'two'] } };
    const call = toolNamed('custom_request').check(input);
    assert.equal(call.consent(on.services), 'change');
    const shown = readCard((await call.question(on.services))?.message ?? '').join();
    assert.match(shown, /evolve.*"frameId":10,"by":\[1,"two"\]/);
    const answer = await ask(on, 'custom_request', input);
    assert.deepEqual(answer, { status: 'success', body: { done: true } });
    assert.deepEqual(on.host.sent('evolve'), [{ frameId: 10, by: [1, 'two'] }]);
    const stale = await ask(on, 'custom_request', { ...input, arguments: { frameId: 99 } });
    assert.equal(stale['code'], 'unknown_reference');
  });

  it('refuses a command that has its own tool, and names the tool', async () => {
    const on = capable(paused(bench()));
    for (const [command, tool] of [
      ['initialize', 'start_debugging'],
      ['disconnect', 'stop_debugging'],
      ['setBreakpoints', 'set_breakpoint'],
      ['next', 'step_execution'],
      ['setDataBreakpoints', 'set_data_breakpoint'],
      ['readMemory', 'read_memory'],
      ['writeMemory', 'write_memory'],
      ['disassemble', 'disassemble'],
      ['modules', 'get_modules'],
      ['loadedSources', 'get_loaded_sources'],
      ['threads', 'get_debug_state'],
      ['exceptionInfo', 'wait_for_stop'],
    ] as const) {
      const answer = await ask(on, 'custom_request', { command });
      assert.deepEqual([answer['code'], answer['tool']], ['not_supported', tool]);
      assert.doesNotThrow(() => toolNamed(tool));
    }
    for (const command of ['toString', 'constructor'])
      assert.equal((await ask(on, 'custom_request', { command }))['code'], 'adapter_error');
    assert.deepEqual(
      on.host.requests.map((request) => request.command),
      ['toString', 'constructor'],
    );
  });

  it('refuses a request that opens access without questions, in sessions of any type', async () => {
    const on = capable(paused(bench()));
    for (const command of ['requestCDPProxy', 'networkCall']) {
      const answer = await ask(on, 'custom_request', { command });
      assert.equal(answer['code'], 'not_supported');
      const call = toolNamed('custom_request').check({ command });
      await assert.rejects(call.question(on.services), failsWith('not_supported'));
    }
    assert.deepEqual(on.host.requests, []);
  });

  it('says of an adapter’s own request that it may grant everything, and not of one of the protocol', async () => {
    const on = capable(paused(bench()));
    const card = async (command: string): Promise<string> => {
      const call = toolNamed('custom_request').check({ command });
      return readCard((await call.question(on.services))?.message ?? '').join();
    };
    assert.match(await card('evolve'), /may grant everything.*without another question/);
    assert.doesNotMatch(await card('stepInTargets'), /everything/);
  });

  it('bounds and redacts every response body', async () => {
    const on = capable(paused(bench()));
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { in: nested(depth - 1) });
    const bodies: unknown[] = [
      { key: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
      { text: 'x'.repeat(1_000_000) },
      { list: Array.from({ length: 50_000 }, (_, index) => index) },
      { texts: Array.from({ length: 5000 }, () => 'y'.repeat(500)) },
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key ${index}`, index])),
      { ['k'.repeat(100_000)]: 1, small: 2 },
      nested(1000),
    ];
    for (const body of bodies) {
      on.host.on('evolve', () => body);
      const answer = await ask(on, 'custom_request', { command: 'evolve' });
      assert.equal(answer.status, 'success', JSON.stringify(answer));
      assert.doesNotMatch(JSON.stringify(answer), /ghp_abcdefgh/);
    }
    on.host.on('evolve', () => bodies[2]);
    const { body, omitted } = await ask(on, 'custom_request', { command: 'evolve' });
    const kept = (body as { list: number[] }).list.length;
    assert.deepEqual(omitted, { values: 50_000 - kept });
  });
});

/** Two stopped children of one parent, whose adapters use the same ids for frames and containers. */
function siblings(): { on: Bench; frame: number; container: number } {
  const on = bench();
  on.model.dispatch(created('parent'));
  for (const key of ['one', 'two']) {
    for (const event of launched(key, { parentKey: 'parent' })) on.model.dispatch(event);
    on.model.dispatch(stopped(1, { reason: 'breakpoint' }, key));
    capable(on, {}, key);
  }
  const { inspector } = on.services;
  const place = inspector.placeOf(on.session('one'), 1);
  return {
    on,
    frame: inspector.handles.frame(place, 10),
    container: inspector.handles.variables(place, 33, 10),
  };
}

describe('references that belong to another session of the family', () => {
  const { id: owner } = siblings().on.session('one');
  const { id: other } = siblings().on.session('two');
  const cases: Readonly<
    Record<string, (ids: { frame: number; container: number }) => readonly [string, object]>
  > = {
    'set_variable: a container': ({ container }) => [
      'set_variable',
      { name: 'age', value: '1', variables_reference: container },
    ],
    'data_breakpoint_info: a container': ({ container }) => [
      'data_breakpoint_info',
      { name: 'age', variables_reference: container },
    ],
    'custom_request: a container': ({ container }) => [
      'custom_request',
      { command: 'evolve', arguments: { variablesReference: container } },
    ],
    'custom_request: a frame': ({ frame }) => [
      'custom_request',
      { command: 'evolve', arguments: { frameId: frame } },
    ],
  };
  for (const [name, inputOf] of Object.entries(cases))
    it(`${name} is refused, and nothing is sent`, async () => {
      const { on, ...ids } = siblings();
      const [tool, input] = inputOf(ids);
      on.host.requests.length = 0;
      const answer = await ask(on, tool, { ...input, session_id: other });
      assert.equal(answer['code'], 'wrong_session', JSON.stringify(answer));
      assert.match(String(answer['hint']), new RegExp(`session_id=${owner}\\b`));
      const commands = ['setVariable', 'setExpression', 'dataBreakpointInfo', 'evolve'];
      assert.deepEqual(
        on.host.requests.filter((request) => commands.includes(request.command)),
        [],
      );
      // In its own session, the reference resolves to the adapter's id.
      on.host.on('setVariable', () => ({ value: '1' }));
      on.host.on('dataBreakpointInfo', () => ({ dataId: 'x' })).on('evolve', () => ({}));
      const own = await ask(on, tool, { ...input, session_id: owner });
      assert.equal(own.status, 'success', JSON.stringify(own));
    });
});
