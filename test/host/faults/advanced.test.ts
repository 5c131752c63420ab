import { strict as assert } from 'node:assert';
import { call, cleanUp, errorOf, stopOf, switchAdvanced, type Answer } from '../support/client';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { scriptFake, stopped, type FakeAdapter, type FakeRequest } from '../support/fakeAdapter';

describe('faults: the advanced tools', () => {
  before(() => switchAdvanced(true));
  after(() => switchAdvanced(false));
  afterEach(cleanUp);

  /** Starts a session that is stopped in thread 1 and whose adapter has these capabilities. */
  async function start(capabilities: object): Promise<FakeAdapter> {
    const adapters = await scriptFake((adapter) => {
      adapter.capabilities = { ...adapter.capabilities, ...capabilities };
      adapter.on('configurationDone', (request) => {
        adapter.reply(request);
        adapter.emit('stopped', stopped(1, 'entry'));
      });
    });
    stopOf(await call('start_debugging', { configuration_name: 'Fake' }));
    const [adapter] = adapters;
    assert.ok(adapter);
    return adapter;
  }

  // No adapter from the registries steps back: delve does so only with rr.
  for (const [tool, command] of [
    ['step_back', 'stepBack'],
    ['reverse_continue', 'reverseContinue'],
  ] as const) {
    it(`${tool} goes back, even if the adapter sends no \`continued\` event`, async () => {
      const adapter = await start({ supportsStepBack: true });
      adapter.on(command, (request) => {
        adapter.reply(request);
        adapter.emit('stopped', stopped(1, 'step'));
      });
      const stop = stopOf(await call(tool, {}));
      assert.equal(stop.reason, 'step');
      assert.equal(adapter.requests.filter((each) => each.command === command).length, 1);
    });

    it(`${tool} is refused if the adapter does not support it`, async () => {
      const adapter = await start({});
      errorOf(await call(tool, {}), 'not_supported');
      assert.ok(!adapter.requests.some((each) => each.command === command));
    });
  }

  it('ends and starts again an adapter that does not support the restart request', async () => {
    const adapter = await start({});
    const again = stopOf(await call('restart_debugging', {}));
    assert.equal(again.reason, 'entry');
    assert.ok(adapter.requests.some((each) => /^(disconnect|terminate)$/.test(each.command)));
    const { sessions } = (await call('get_debug_state', {})) as Answer & {
      sessions: { session_id: string; state: string }[];
    };
    const live = sessions.filter((each) => each.state !== 'terminated');
    assert.deepEqual(
      live.map((each) => each.state),
      ['stopped'],
    );
    assert.equal(again.session_id, live[0]?.session_id);
  });

  it('keeps the agent’s data breakpoint in addition to the list that VS Code sends', async () => {
    const adapter = await start({ supportsDataBreakpoints: true });
    const lists: unknown[] = [];
    adapter.on('setDataBreakpoints', (request) => {
      lists.push(request.arguments['breakpoints']);
      const count = (request.arguments['breakpoints'] as unknown[]).length;
      adapter.reply(request, {
        breakpoints: Array.from({ length: count }, (_, id) => ({ id, verified: true })),
      });
    });
    const set = await call('set_data_breakpoint', { data_id: 'total', access_type: 'write' });
    assert.equal(set.status, 'success', JSON.stringify(set));
    const sent = adapter.requests.filter((each) => each.command === 'setDataBreakpoints').length;
    // VS Code sends this request when the person adds a data breakpoint.
    await adapter.session.customRequest('setDataBreakpoints', {
      breakpoints: [{ dataId: 'theirs' }],
    });
    await adapter.received('setDataBreakpoints', sent + 2);
    assert.deepEqual(lists.at(-1), [
      { dataId: 'theirs' },
      { dataId: 'total', accessType: 'write' },
    ]);
  });

  describe('with an adapter that has none of the capabilities', () => {
    /** One input for each tool that needs a capability. */
    const refused: Readonly<Record<string, object>> = {
      set_variable: { name: 'answer', value: '43' },
      goto_line: { file_path: 'program.txt', line_number: 1 },
      restart_frame: {},
      step_back: {},
      reverse_continue: {},
      data_breakpoint_info: { name: 'answer' },
      set_data_breakpoint: { data_id: 'answer' },
      set_instruction_breakpoint: { instruction_reference: '0x10' },
      disassemble: { memory_reference: '0x10' },
      read_memory: { memory_reference: '0x10', count: 4 },
      write_memory: { memory_reference: '0x10', data: '00' },
      get_modules: {},
      get_loaded_sources: {},
    };
    /** Tools that act on existing breakpoints or on any adapter. Other tests cover their refusals. */
    const others = ['remove_data_breakpoint', 'remove_instruction_breakpoint', 'custom_request'];

    it('refuses each tool of the set with the name of the adapter, and sends the adapter no request', async () => {
      const tools = ALL_TOOLS.filter((each) => each.set === 'advanced').map((each) => each.name);
      assert.deepEqual([...Object.keys(refused), ...others].sort(), tools.sort());
      const adapter = await start({});
      const before = adapter.requests.length;
      for (const [tool, input] of Object.entries(refused)) {
        const { message } = errorOf(await call(tool, input), 'not_supported');
        assert.match(message, /“fake”/, tool);
      }
      const reads = ['stackTrace', 'scopes', 'variables', 'threads'];
      const sent = adapter.requests.slice(before).map((each) => each.command);
      assert.deepEqual(
        sent.filter((each) => !reads.includes(each)),
        [],
      );
    });

    it('refuses to remove a breakpoint that was never set', async () => {
      await start({});
      for (const [tool, input] of [
        ['remove_data_breakpoint', { data_id: 'answer' }],
        ['remove_data_breakpoint', { breakpoint_id: 77 }],
        ['remove_instruction_breakpoint', { instruction_reference: '0x10' }],
        ['remove_instruction_breakpoint', { breakpoint_id: 77 }],
      ] as const)
        errorOf(await call(tool, input), 'breakpoint_not_found');
    });
  });

  it('does not send custom requests that would break the model, and leaves the session unchanged', async () => {
    const adapter = await start({});
    adapter.on('evolve', (request) => adapter.refuse(request, 'no such request'));
    const before = adapter.requests.length;
    for (const command of [
      'initialize',
      'launch',
      'attach',
      'configurationDone',
      'disconnect',
      'terminate',
      'restart',
      'continue',
      'next',
      'setBreakpoints',
      'setDataBreakpoints',
      'readMemory',
      'threads',
    ])
      errorOf(await call('custom_request', { command }), 'not_supported');
    assert.equal(adapter.requests.length, before);
    const unknown = await call('custom_request', { command: 'evolve' });
    assert.match(errorOf(unknown, 'adapter_error').message, /“fake”.*no such request/);
    const { sessions } = (await call('get_debug_state', {})) as Answer & {
      sessions: { state: string }[];
    };
    assert.equal(sessions.at(-1)?.state, 'stopped', JSON.stringify(sessions));
    const scopes = await call('get_scopes', {});
    assert.equal(scopes.status, 'success', JSON.stringify(scopes));
  });

  it('passes on the adapter’s message for memory that is read-only or not mapped', async () => {
    const adapter = await start({
      supportsReadMemoryRequest: true,
      supportsWriteMemoryRequest: true,
    });
    const refusing = (answerText: string) => (request: FakeRequest) =>
      adapter.refuse(request, answerText);
    adapter.on('writeMemory', refusing('the page at 0x10 is read-only'));
    const write = await call('write_memory', { memory_reference: '0x10', data: '00ff' });
    assert.match(errorOf(write, 'adapter_error').message, /read-only/);
    adapter.on('readMemory', refusing('nothing is mapped at 0x10'));
    const at = { memory_reference: '0x10', count: 4 };
    assert.match(errorOf(await call('read_memory', at), 'adapter_error').message, /mapped/);
    adapter.on('readMemory', (request) =>
      adapter.reply(request, { address: '0x10', unreadableBytes: 4 }),
    );
    const read = await call('read_memory', at);
    assert.deepEqual([read['bytes_read'], read['unreadable_bytes']], [0, 4]);
    const sent = adapter.requests.filter((each) => /Memory$/.test(each.command)).length;
    const huge = await call('read_memory', { ...at, count: 1_000_000_000 });
    assert.match(errorOf(huge, 'invalid_input').message, /count/);
    const none = { memory_reference: '0x10', data: '%%', encoding: 'base64' };
    errorOf(await call('write_memory', none), 'invalid_input');
    assert.equal(adapter.requests.filter((each) => /Memory$/.test(each.command)).length, sent);
  });
});
