import { strict as assert } from 'node:assert';
import type { AddressBreakpoint } from '../../../../src/debugger/breakpoints/addressBreakpoint';
import { framesOf } from '../../../../src/debugger/inspection/stackAndVariables';
import { isFields } from '../../../../src/debugger/protocol';
import { asked, created, ended, launched, stopped, eventOf } from '../../support/events';
import { bench, paused, type Bench } from '../../support/services';

const DATA = { kind: 'data', reference: 'total' } as const;
const INSTRUCTION = { kind: 'instruction', reference: '0x10' } as const;

/** An adapter that verifies what it is sent. Data breakpoints have ids from 50 on. */
function watching(on: Bench = paused(bench())): Bench {
  const verified = (more: (index: number) => object) => (args: { breakpoints?: unknown }) => ({
    breakpoints: (Array.isArray(args.breakpoints) ? args.breakpoints : []).map((_, index) => ({
      verified: true,
      ...more(index),
    })),
  });
  on.host
    .on(
      'setDataBreakpoints',
      verified((index) => ({ id: 50 + index })),
    )
    .on(
      'setInstructionBreakpoints',
      verified(() => ({})),
    );
  return on;
}

/** Sets a breakpoint, with the request that the tools send. */
function set(
  on: Bench,
  requested: Parameters<Bench['services']['addressBreakpoints']['set']>[1],
  key = 'a',
): Promise<AddressBreakpoint> {
  return on.services.addressBreakpoints.set(on.session(key), requested, (session, command, args) =>
    on.host.request(session.key, command, args),
  );
}

const sent = (on: Bench, command = 'setDataBreakpoints'): unknown[] =>
  on.host.sent(command).map(({ breakpoints }) => breakpoints);

const hits = (on: Bench): number[] => on.services.addressBreakpoints.all().map((each) => each.hits);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('breakpoints at addresses', () => {
  it('are sent as their kind requires, in a separate list for each kind and session', async () => {
    const on = watching(paused(paused(bench()), 'b'));
    await set(on, { ...DATA, accessType: 'write' });
    await set(on, { ...INSTRUCTION, offset: 4 });
    await set(on, { ...INSTRUCTION, offset: 0 });
    await set(on, DATA, 'b');
    assert.deepEqual(sent(on), [[{ dataId: 'total', accessType: 'write' }], [{ dataId: 'total' }]]);
    assert.deepEqual(sent(on, 'setInstructionBreakpoints').at(-1), [
      { instructionReference: '0x10', offset: 4 },
      { instructionReference: '0x10' },
    ]);
    const { addressBreakpoints } = on.services;
    assert.equal(addressBreakpoints.at('data', 'total').length, 2);
    assert.equal(addressBreakpoints.at('data', 'total', { session: on.session() }).length, 1);
    assert.equal(addressBreakpoints.at('data', '0x10').length, 0);
    assert.equal(addressBreakpoints.at('instruction', '0x10').length, 1);
  });

  it('keep the previous one if the adapter refuses the new one', async () => {
    const on = watching();
    const before = await set(on, { ...DATA, accessType: 'write' });
    on.host.on('setDataBreakpoints', () => {
      throw new Error('no more registers');
    });
    await assert.rejects(set(on, { ...DATA, accessType: 'read' }), /no more registers/);
    assert.deepEqual(on.services.addressBreakpoints.all(), [before]);
    await turn();
    assert.deepEqual(sent(on).at(-1), [{ dataId: 'total', accessType: 'write' }]);
  });

  it('are unverified if the adapter says so or does not respond for them', async () => {
    const on = watching();
    on.host.on('setDataBreakpoints', () => ({
      breakpoints: [{ id: 9, verified: false, message: 'not writable' }],
    }));
    const first = await set(on, DATA);
    assert.deepEqual([first.verified, first.message, first.adapterId], [false, 'not writable', 9]);
    const second = await set(on, { ...DATA, reference: 'other' });
    assert.deepEqual([second.verified, second.adapterId], [false, undefined]);
  });

  it('take the responses that follow those to VS Code’s own breakpoints', async () => {
    const on = watching();
    on.model.dispatch(asked(5, 'setDataBreakpoints', { breakpoints: [{ dataId: 'theirs' }] }));
    assert.equal((await set(on, DATA)).adapterId, 51);
  });

  it('are removed with their session; a restarted session has none', async () => {
    for (const event of [ended(), created()]) {
      const on = watching(paused(paused(bench()), 'b'));
      await set(on, DATA);
      await set(on, DATA, 'b');
      on.model.dispatch(asked(5, 'setDataBreakpoints', { breakpoints: [{ dataId: 'theirs' }] }));
      on.model.dispatch(event);
      assert.deepEqual(
        on.services.addressBreakpoints.all().map(({ sessionKey }) => sessionKey),
        ['b'],
      );
      on.model.dispatch(ended());
      for (const again of [...launched(), stopped(1)]) on.model.dispatch(again);
      await set(on, DATA);
      assert.deepEqual(sent(on).at(-1), [{ dataId: 'total' }], 'VS Code has sent it none yet');
    }
  });

  it('are sent after each list of VS Code, even if it equals ours', async () => {
    const on = watching();
    await set(on, DATA);
    const list = { breakpoints: [{ dataId: 'total' }] };
    on.model.dispatch(asked(5, 'setDataBreakpoints', list));
    await turn();
    assert.deepEqual(sent(on).slice(1), [[{ dataId: 'total' }, { dataId: 'total' }]]);
    on.model.dispatch(asked(6, 'setInstructionBreakpoints', list));
    on.model.dispatch(asked(7, 'setFunctionBreakpoints', { breakpoints: [] }));
    await turn();
    assert.equal(sent(on).length, 2, 'other lists are other lists');
    assert.equal(sent(on, 'setInstructionBreakpoints').length, 0);
  });
});

describe('adapter events about breakpoints at addresses', () => {
  it('refer to a breakpoint of their session by the adapter’s id', async () => {
    const on = watching(paused(paused(bench()), 'b'));
    await set(on, DATA);
    await set(on, DATA, 'b');
    await set(on, INSTRUCTION);
    const verified = (): boolean[] =>
      on.services.addressBreakpoints.all().map((each) => each.verified);
    on.model.dispatch(
      eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 50, verified: false } }),
    );
    assert.deepEqual(verified(), [false, true, true]);
    on.model.dispatch(
      eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 50, message: 'x' } }),
    );
    assert.deepEqual(on.services.addressBreakpoints.all()[0]?.message, 'x');
    assert.deepEqual(verified(), [false, true, true], 'what it does not say stays');
    for (const breakpoint of [{ id: 7 }, {}])
      on.model.dispatch(eventOf('breakpoint', { reason: 'removed', breakpoint }));
    assert.equal(verified().length, 3);
    on.model.dispatch(eventOf('breakpoint', { reason: 'removed', breakpoint: { id: 50 } }, 'b'));
    assert.deepEqual(verified(), [false, true]);
  });

  it('report which breakpoints a stop hit, by their ids', async () => {
    const on = watching();
    await set(on, DATA);
    await set(on, { ...DATA, reference: 'other' });
    on.model.dispatch(stopped(1, { reason: 'data breakpoint', hitBreakpointIds: [51] }));
    on.model.dispatch(stopped(1, { reason: 'step' }));
    assert.deepEqual(hits(on), [0, 1]);
  });

  it('count a hit of the only data breakpoint if a stop at one names none', async () => {
    const hitsAfter = async (
      reason: string,
      change: (on: Bench) => Promise<unknown> = () => Promise.resolve(),
    ): Promise<number | undefined> => {
      const on = watching();
      await set(on, DATA);
      await change(on);
      on.model.dispatch(stopped(1, { reason }));
      return hits(on)[0];
    };
    assert.equal(await hitsAfter('data breakpoint'), 1);
    assert.equal(await hitsAfter('breakpoint'), 0);
    assert.equal(
      await hitsAfter('data breakpoint', (on) => set(on, { ...DATA, reference: 'other' })),
      0,
      'nobody knows which of two',
    );
    assert.equal(
      await hitsAfter('data breakpoint', async (on) => {
        on.model.dispatch(asked(5, 'setDataBreakpoints', { breakpoints: [{ dataId: 'theirs' }] }));
        await turn();
      }),
      0,
      'it may be the person’s',
    );
    const lldb = bench();
    for (const event of [...launched('a', { sessionType: 'lldb-dap' }), stopped(1)])
      lldb.model.dispatch(event);
    await set(watching(lldb), DATA);
    lldb.model.dispatch(stopped(1, { reason: 'exception', description: 'watchpoint 1' }));
    assert.deepEqual(hits(lldb), [1], 'lldb-dap says it in its own words');
  });

  it('report a hit of the instruction at which the program is', async () => {
    const on = watching(paused(paused(bench()), 'b'));
    const { id } = await set(on, { ...INSTRUCTION, reference: '0x0010' });
    await set(on, { ...INSTRUCTION, reference: 'main+4' });
    await set(on, { ...INSTRUCTION, reference: '0x10' }, 'b');
    await set(on, DATA);
    const hitAt = (address: string | undefined, reason = 'instruction breakpoint'): unknown => {
      on.model.dispatch(stopped(1, { reason }));
      const { lastStop } = on.session();
      const [top] = framesOf([{ id: 10, line: 3, instructionPointerReference: address }]);
      assert.ok(lastStop && top);
      return on.services.breakpoints.hit(on.session(), lastStop, top);
    };
    for (const address of ['0x10', '0X00000010', '16']) assert.deepEqual(hitAt(address), [id]);
    for (const address of ['0x11', 'x0x10', '0x10z', undefined])
      assert.equal(hitAt(address), null, String(address));
    assert.equal(hitAt('0x10', 'step'), null);
    assert.deepEqual(hitAt('main+4'), [id + 1], 'a name is compared as it is');
  });
});

describe('removing breakpoints at addresses', () => {
  it('leaves those of other kinds and sessions unchanged', async () => {
    const on = watching(paused(paused(bench()), 'b'));
    const { addressBreakpoints } = on.services;
    const chosen = [await set(on, DATA), await set(on, INSTRUCTION, 'b')];
    await set(on, INSTRUCTION);
    on.host.on('setDataBreakpoints', () => {
      throw new Error('not now');
    });
    const removing = addressBreakpoints.remove(chosen, async (session, command, args) => {
      const body = await on.host.request(session.key, command, args);
      return isFields(body) ? body : {};
    });
    await assert.rejects(removing, /not now/);
    assert.deepEqual(
      addressBreakpoints.all().map(({ sessionKey, requested: { kind } }) => [sessionKey, kind]),
      [
        ['a', 'instruction'],
        ['a', 'data'],
      ],
    );
  });
});
