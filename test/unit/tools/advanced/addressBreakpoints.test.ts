import { strict as assert } from 'node:assert';
import { listOf } from '../../../../src/debugger/protocol';
import { asked, ended, eventOf, launched, stopped } from '../../support/events';
import { capable } from '../../support/advancedInputs';
import { ask, toolNamed, type Answer } from '../../support/asking';
import { bench, paused, type Bench } from '../../support/services';

/** An adapter that verifies every data and instruction breakpoint, and numbers them in each list from 50 on. */
function watching(): Bench {
  const on = capable(paused(bench()));
  const answer = ({ breakpoints }: { breakpoints?: unknown }): object => ({
    breakpoints: (Array.isArray(breakpoints) ? breakpoints : []).map((_, index) => ({
      id: 50 + index,
      verified: true,
    })),
  });
  on.host.on('setDataBreakpoints', answer).on('setInstructionBreakpoints', answer);
  return on;
}

const idOf = (answer: Answer): number => {
  assert.equal(answer.status, 'success', JSON.stringify(answer));
  return (answer['breakpoint'] as { id: number }).id;
};

const listed = async (on: Bench): Promise<{ id: number; hits?: number; verified: boolean }[]> =>
  ((await ask(on, 'get_breakpoints'))['address_breakpoints'] ?? []) as {
    id: number;
    hits?: number;
    verified: boolean;
  }[];

/** The breakpoint lists that this extension sent, once everything under way has finished. */
async function sentLists(on: Bench, command = 'setDataBreakpoints'): Promise<unknown[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return on.host.sent(command).map((request) => request['breakpoints']);
}

describe('data breakpoints', () => {
  it('are set in addition to each other and to the person’s breakpoints, and keep their ids', async () => {
    const on = watching();
    on.model.dispatch(
      asked(5, 'setDataBreakpoints', { breakpoints: [{ dataId: 'theirs', accessType: 'read' }] }),
    );
    const first = idOf(
      await ask(on, 'set_data_breakpoint', {
        data_id: 'a',
        access_type: 'write',
        description: 'total',
      }),
    );
    const second = idOf(
      await ask(on, 'set_data_breakpoint', {
        data_id: 'b',
        condition: 'x > 1',
        hit_condition: '2',
      }),
    );
    assert.equal(
      idOf(await ask(on, 'set_data_breakpoint', { data_id: 'a', access_type: 'readWrite' })),
      first,
    );
    assert.deepEqual((await sentLists(on)).at(-1), [
      { dataId: 'theirs', accessType: 'read' },
      { dataId: 'b', condition: 'x > 1', hitCondition: '2' },
      { dataId: 'a', accessType: 'readWrite' },
    ]);
    assert.deepEqual(
      (await listed(on)).map((breakpoint) => breakpoint.id),
      [second, first],
    );
  });

  it('are sent again after VS Code has replaced the list, together with VS Code’s own breakpoints', async () => {
    const on = watching();
    await ask(on, 'set_data_breakpoint', { data_id: 'a' });
    const theirs = [{ dataId: 'theirs' }];
    on.model.dispatch(asked(6, 'setDataBreakpoints', { breakpoints: theirs }));
    assert.deepEqual(await sentLists(on), [
      [{ dataId: 'a' }],
      [{ dataId: 'theirs' }, { dataId: 'a' }],
    ]);
    on.model.dispatch(asked(7, 'setDataBreakpoints', { breakpoints: [] }));
    assert.deepEqual((await sentLists(on)).at(-1), [{ dataId: 'a' }]);
    await ask(on, 'remove_data_breakpoint', { data_id: 'a' });
    const count = (await sentLists(on)).length;
    assert.deepEqual((await sentLists(on)).at(-1), []);
    on.model.dispatch(asked(8, 'setDataBreakpoints', { breakpoints: theirs }));
    assert.equal((await sentLists(on)).length, count, 'VS Code’s list needs nothing added');
  });

  it('are reported as hit by a stop that names the adapter’s ids', async () => {
    const on = watching();
    await ask(on, 'set_data_breakpoint', { data_id: 'a' });
    const second = idOf(await ask(on, 'set_data_breakpoint', { data_id: 'b' }));
    on.host.on('continue', () => {
      on.model.dispatch(stopped(1, { reason: 'data breakpoint', hitBreakpointIds: [51] }));
      return {};
    });
    const stop = (await ask(on, 'continue_debugging', { thread_id: 1 }))['stop_event_data'];
    assert.deepEqual((stop as { hit_breakpoint_ids: unknown }).hit_breakpoint_ids, [second]);
    assert.deepEqual(
      (await listed(on)).map((breakpoint) => breakpoint.hits),
      [undefined, 1],
    );
  });

  it('are not kept if the adapter refuses them', async () => {
    const on = watching();
    const first = idOf(await ask(on, 'set_data_breakpoint', { data_id: 'a' }));
    on.host.on('setDataBreakpoints', ({ breakpoints }) => {
      if (JSON.stringify(breakpoints).includes('bad')) throw new Error('no such data');
      return { breakpoints: [{ id: 50, verified: true }] };
    });
    const answer = await ask(on, 'set_data_breakpoint', { data_id: 'bad' });
    assert.equal(answer['code'], 'adapter_error');
    assert.deepEqual((await sentLists(on)).at(-1), [{ dataId: 'a' }], 'the others are sent again');
    assert.deepEqual(
      (await listed(on)).map((breakpoint) => breakpoint.id),
      [first],
    );
  });

  it('follow later breakpoint events from the adapter', async () => {
    const on = watching();
    await ask(on, 'set_data_breakpoint', { data_id: 'a' });
    on.model.dispatch(
      eventOf('breakpoint', {
        reason: 'changed',
        breakpoint: { id: 50, verified: false, message: 'out of scope' },
      }),
    );
    assert.deepEqual(
      (await listed(on)).map((breakpoint) => breakpoint.verified),
      [false],
    );
    on.model.dispatch(eventOf('breakpoint', { reason: 'removed', breakpoint: { id: 50 } }));
    assert.deepEqual(await listed(on), []);
  });

  it('end with their session', async () => {
    const on = watching();
    await ask(on, 'set_data_breakpoint', { data_id: 'a' });
    on.model.dispatch(ended());
    assert.deepEqual(await listed(on), []);
    const answer = await ask(on, 'remove_data_breakpoint', { data_id: 'a' });
    assert.equal(answer['code'], 'breakpoint_not_found');
  });

  it('are removed by remove_breakpoint: one by its id, all with clear_all', async () => {
    const on = watching();
    const first = idOf(await ask(on, 'set_data_breakpoint', { data_id: 'a' }));
    const second = idOf(
      await ask(on, 'set_instruction_breakpoint', { instruction_reference: '0x10' }),
    );
    const one = await ask(on, 'remove_breakpoint', { breakpoint_id: first });
    assert.deepEqual(one['removed'], [first]);
    const all = await ask(on, 'remove_breakpoint', { clear_all: true });
    assert.deepEqual(all['removed'], [second]);
    assert.deepEqual(await listed(on), []);
    assert.deepEqual((await sentLists(on, 'setInstructionBreakpoints')).at(-1), []);
  });

  it('are kept and sent again if the adapter refuses their removal', async () => {
    const on = watching();
    const ids = [
      idOf(await ask(on, 'set_data_breakpoint', { data_id: 'a' })),
      idOf(await ask(on, 'set_data_breakpoint', { data_id: 'b' })),
    ];
    let refusals = 1;
    on.host.on('setDataBreakpoints', ({ breakpoints }) => {
      refusals -= 1;
      if (refusals >= 0) throw new Error('the program runs');
      return { breakpoints: listOf(breakpoints).map(() => ({ verified: true })) };
    });
    const answer = await ask(on, 'remove_data_breakpoint', { data_id: 'a' });
    assert.equal(answer['code'], 'adapter_error', JSON.stringify(answer));
    assert.match(String(answer['message']), /the program runs/);
    const kept = (await listed(on)).map((breakpoint) => breakpoint.id);
    assert.deepEqual([...kept].sort(), [...ids].sort());
    assert.deepEqual((await sentLists(on)).slice(-2), [
      [{ dataId: 'b' }],
      [{ dataId: 'b' }, { dataId: 'a' }],
    ]);
    assert.equal((await ask(on, 'remove_data_breakpoint', { data_id: 'a' })).status, 'success');
  });

  it('are removed from the other sessions if one session refuses the removal', async () => {
    const on = capable(paused(watching(), 'b'), {}, 'b');
    const [one, two] = [on.session('a').id, on.session('b').id];
    const kept = idOf(await ask(on, 'set_data_breakpoint', { data_id: 'x', session_id: one }));
    idOf(await ask(on, 'set_data_breakpoint', { data_id: 'x', session_id: two }));
    on.host.on('setDataBreakpoints', (_, key) => {
      if (key === 'a') throw new Error('the program runs');
      return { breakpoints: [] };
    });
    const answer = await ask(on, 'remove_data_breakpoint', { data_id: 'x' });
    assert.equal(answer['code'], 'adapter_error', JSON.stringify(answer));
    assert.deepEqual(
      (await listed(on)).map((breakpoint) => breakpoint.id),
      [kept],
    );
  });

  it('do not outlive a session that ends during their removal', async () => {
    const on = watching();
    await ask(on, 'set_data_breakpoint', { data_id: 'a' });
    on.host.on('setDataBreakpoints', () => {
      if (on.session().lifecycle !== 'terminated') on.model.dispatch(ended());
      throw new Error('the session has ended');
    });
    const answer = await ask(on, 'remove_data_breakpoint', { data_id: 'a' });
    assert.equal(answer.status, 'error', JSON.stringify(answer));
    assert.deepEqual(on.services.addressBreakpoints.all(), []);
  });

  it('are each named with their session in the question before they are removed', async () => {
    const on = capable(paused(watching(), 'b'), {}, 'b');
    for (const key of ['a', 'b'])
      await ask(on, 'set_data_breakpoint', {
        data_id: '0x10/4',
        description: 'total',
        session_id: on.session(key).id,
      });
    const call = toolNamed('remove_data_breakpoint').check({ data_id: '0x10/4' });
    assert.deepEqual((await call.question(on.services))?.message.split('\n\n'), [
      'Remove the breakpoint at `total` in **program a**',
      'Remove the breakpoint at `total` in **program b**',
    ]);
  });

  it('need consent for a change if they have a condition, and for control otherwise', () => {
    const on = watching();
    const consent = (input: object): unknown =>
      toolNamed('set_data_breakpoint').check(input).consent(on.services);
    assert.equal(consent({ data_id: 'a' }), 'control');
    assert.equal(consent({ data_id: 'a', condition: 'f()' }), 'change');
  });

  it('need a data_id, which data_breakpoint_info returns if the adapter supplies one', async () => {
    const on = watching();
    on.host.on('dataBreakpointInfo', ({ name }) =>
      name === 'count'
        ? { dataId: '0x10/4', description: '4 bytes', accessTypes: ['write'] }
        : { dataId: null, description: 'is in a register' },
    );
    const info = await ask(on, 'data_breakpoint_info', { name: 'count' });
    assert.deepEqual(info, {
      status: 'success',
      data_id: '0x10/4',
      description: '4 bytes',
      access_types: ['write'],
    });
    const commands = on.host.requests.map((request) => request.command).slice(-2);
    assert.deepEqual(commands, ['scopes', 'dataBreakpointInfo'], 'in the frame’s own scope');
    assert.equal(on.host.sent('dataBreakpointInfo')[0]?.['variablesReference'], 7);
    const none = await ask(on, 'data_breakpoint_info', { name: 'a + b' });
    assert.equal(none['code'], 'not_supported');
    assert.match(String(none['message']), /register/);
  });
});

describe('the data_id of a variable that is in no scope', () => {
  it('is that of its name, although LLDB takes the value for an address', async () => {
    const on = bench();
    for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
    on.model.dispatch(stopped(1));
    capable(on);
    on.host.on('dataBreakpointInfo', ({ name }) => ({ dataId: String(name), description: '' }));
    for (const [name, sent] of [
      ['counter', '&(counter)'],
      ['::Account::made', '&(::Account::made)'],
      ['list->head.next', '&(list->head.next)'],
      ['&counter', '&counter'],
      ['0x7ffe10', '0x7ffe10'],
      ['2', '2'],
    ]) {
      const info = await ask(on, 'data_breakpoint_info', { name });
      assert.deepEqual([info['data_id'], info['description']], [sent, name]);
    }
  });
});

describe('instruction breakpoints', () => {
  it('are unique per address and offset, and are recognized by the address of the stop', async () => {
    const on = watching();
    on.host.on('setInstructionBreakpoints', ({ breakpoints }) => ({
      breakpoints: (breakpoints as unknown[]).map((_, index) => ({
        verified: true,
        instructionReference: `0x00${index + 1}0`,
      })),
    }));
    const at = { instruction_reference: '0x10' };
    const first = idOf(await ask(on, 'set_instruction_breakpoint', at));
    const second = idOf(await ask(on, 'set_instruction_breakpoint', { ...at, offset: 16 }));
    assert.notEqual(first, second);
    on.host
      .on('stackTrace', () => ({
        stackFrames: [
          { id: 10, name: 'main', line: 3, column: 5, instructionPointerReference: '0x20' },
        ],
      }))
      .on('continue', () => {
        on.model.dispatch(stopped(1, { reason: 'instruction breakpoint' }));
        return {};
      });
    const stop = (await ask(on, 'continue_debugging', { thread_id: 1 }))['stop_event_data'];
    assert.deepEqual((stop as { hit_breakpoint_ids: unknown }).hit_breakpoint_ids, [second]);
    const removed = await ask(on, 'remove_instruction_breakpoint', { ...at, offset: 16 });
    assert.deepEqual(removed['removed'], [second]);
    assert.deepEqual(
      (await listed(on)).map((breakpoint) => breakpoint.id),
      [first],
    );
  });

  it('are removed by exactly one of id and address', async () => {
    const on = watching();
    for (const name of ['remove_instruction_breakpoint', 'remove_data_breakpoint'])
      assert.equal((await ask(on, name))['code'], 'invalid_input');
    const id = idOf(await ask(on, 'set_data_breakpoint', { data_id: 'a' }));
    const other = await ask(on, 'remove_instruction_breakpoint', { breakpoint_id: id });
    assert.equal(other['code'], 'breakpoint_not_found', 'it is a data breakpoint');
  });
});
