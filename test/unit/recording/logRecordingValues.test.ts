import { strict as assert } from 'node:assert';
import type { Frame } from '../../../src/debugger/inspection/stackAndVariables';
import { fields, listOf } from '../../../src/debugger/protocol';
import type { LoggedCall } from '../../../src/recording/logRecording';
import { eventOf, stopped } from '../support/events';
import { settled } from '../support/injecting';
import { begin, CALL, delve, LIMITS, MISSING, prints, signal } from '../support/loggedCalls';
import { FILE } from '../support/services';

describe('values that no logpoint can evaluate', () => {
  const OWN = { name: 'f', path: FILE, start: 1, end: 9, results: ['err'], known: [2] };
  const TAX = { name: 'tax', path: FILE, start: 20, end: 24, results: [], known: [] };
  const CALLEES = [
    {
      ...{ name: 'tax', path: FILE, line: 20, args: [] },
      ends: [{ line: 22, expressions: ['g()'] }],
    },
  ];
  const CALLING: LoggedCall = {
    ...CALL,
    lines: [{ line: 3 }, { line: 4, returns: ['g(sum)', 'nil'], isCall: true }],
    callees: CALLEES,
    unread: { instruction: '0x10', own: OWN, isOwnRequested: true, callees: [TAX] },
  };
  /** The instructions from an address on. The call is 8 bytes behind the next instruction. */
  const CODE: Readonly<Record<string, readonly object[]>> = {
    '0x10': [
      { address: '0x10', line: 3, instruction: 'SUBQ $0x20, SP', instructionBytes: '4883ec20' },
      { address: '0x11', instruction: 'CALL $main.tax(SB)', instructionBytes: 'e808000000' },
      { address: '0x16', instruction: 'CALL $fmt.Println(SB)', instructionBytes: 'e8ff000000' },
      { address: '0x1a', line: 2, instruction: 'RET', instructionBytes: 'c3' },
      { address: '0x1b', line: 4, instruction: 'RET', instructionBytes: 'c3' },
      { address: '0x1c', line: 12, instruction: 'RET', instructionBytes: 'c3' },
    ],
    '0x1e': [
      { address: '0x1e', line: 20, instruction: 'RET', instructionBytes: 'c3' },
      { address: '0x1f', line: 21, location: { path: '/app/b.go' }, instruction: 'RET' },
    ],
  };
  const ACTIVATIONS = ['-456', '-600'];
  const frameAt = (id: number, instructionPointerReference: string): Frame => ({
    ...{ id, name: 'f', path: FILE, line: 4, column: 1, sourceName: undefined },
    ...{ subtle: false, isLabel: false, instructionPointerReference },
  });

  async function unread(variables: readonly object[], capability = true) {
    const on = delve();
    on.model.dispatch(
      eventOf('capabilities', {
        capabilities: {
          supportsInstructionBreakpoints: capability,
          supportsDisassembleRequest: true,
        },
      }),
    );
    on.host
      .on('evaluate', ({ expression, frameId }) => {
        if (expression === 'runtime.frameoff') return { result: ACTIVATIONS[Number(frameId) - 7] };
        return { result: expression === 'runtime.curg.stack.hi' ? '2000 = 0x7d0' : '1432' };
      })
      .on('disassemble', ({ memoryReference }) => ({
        instructions: CODE[String(memoryReference)] ?? [],
      }))
      .on('setInstructionBreakpoints', ({ breakpoints }) => ({
        breakpoints: listOf(breakpoints).map((_, index) => ({ id: 50 + index, verified: true })),
      }))
      .on('scopes', () => ({ scopes: [{ name: 'Locals', variablesReference: 1 }] }))
      .on('variables', () => ({ variables }));
    const recorder = await begin(on, CALLING, { ...LIMITS, maxHits: 100 });
    assert.ok(recorder);
    const lists = () =>
      on.host.sent('setInstructionBreakpoints').map(({ breakpoints }) =>
        listOf(breakpoints).map((each) => {
          const { instructionReference, condition } = fields(each);
          return [instructionReference, condition];
        }),
      );
    const stopsAt = async (id: number, frameId: number) => {
      on.model.dispatch(stopped(1, { reason: 'instruction breakpoint', hitBreakpointIds: [id] }));
      return await recorder.readValue?.({
        ...{ session: on.session(), top: frameAt(frameId, id === 51 ? '0x1b' : '0x1e'), signal },
        shown: () => Promise.reject(new Error('the recorder reads it')),
      });
    };
    return { on, recorder, lists, stopsAt };
  }

  const IN_ANY = 'runtime.curg.goid == 1 && (runtime.frameoff == -456 || runtime.frameoff == -600)';
  const IN_OWN = 'runtime.curg.goid == 1 && (runtime.frameoff == -456)';

  it('are read at stops at the return instructions of the call and of those that it calls', async () => {
    const { on, recorder, lists, stopsAt } = await unread([
      { name: 'n', value: '1' },
      { name: '~r0', value: '7' },
      // An inner variable hides the result.
      { name: '(err)', value: 'nil' },
      { name: 'err', value: 'EOF' },
    ]);
    assert.deepEqual(lists(), [
      [
        ['0x1e', IN_ANY],
        ['0x1b', IN_ANY],
      ],
    ]);
    prints(on, 4, 1, '-456', '5', MISSING, MISSING, 'nil', '1400', '2000');
    prints(on, 20, 1, '-600');
    prints(on, 22, 1, '-600', MISSING);
    assert.equal(await stopsAt(50, 8), 'stepOut');
    // The logpoints are still needed.
    prints(on, 20, 1, '-600');
    assert.equal(await stopsAt(50, 8), 'stepOut');
    assert.deepEqual(
      recorder.readCalls().map((call) => (call.kind === 'ended' ? call.value : call.kind)),
      ['called', '7', 'called', '7'],
    );
    assert.equal(await recorder.returned?.(signal), undefined);
    assert.equal(await stopsAt(51, 7), 'stepOut');
    assert.equal(await recorder.returned?.(signal), 'nil');
    on.model.dispatch(stopped(1, { reason: 'step' }));
    const top = frameAt(7, '0x1b');
    const shown = (): Promise<undefined> => Promise.resolve(undefined);
    assert.equal(
      await recorder.readValue?.({ session: on.session(), top, signal, shown }),
      undefined,
    );
    assert.equal(recorder.valueStops, 3);
    await recorder.dispose();
    assert.deepEqual(lists().at(-1), []);
  });

  it('of many calls are no longer read, but that of the call itself is', async () => {
    const { recorder, lists, stopsAt } = await unread([]);
    for (let stops = 0; stops < 20; stops += 1) await stopsAt(50, 8);
    assert.deepEqual(lists().at(-1), [['0x1b', IN_OWN]]);
    assert.equal(await stopsAt(50, 7), 'stepOut');
    await recorder.dispose();
  });

  it('belong only to the call that was recorded last', async () => {
    const { on, recorder, stopsAt } = await unread([{ name: '~r0', value: '7' }]);
    prints(on, 4, 1, '-456', '5', MISSING, MISSING, 'nil', '1400', '2000');
    prints(on, 20, 1, '-600');
    await stopsAt(50, 8);
    // The beginning of this call was not recorded.
    await stopsAt(50, 8);
    assert.deepEqual(
      recorder.readCalls().map(({ kind }) => kind),
      ['called', 'ended'],
    );
    await recorder.dispose();
  });

  it('are removed at the next stop if the debugger refuses that while the program runs', async () => {
    const { on, recorder, lists } = await unread([]);
    on.host.on('setInstructionBreakpoints', () => {
      throw new Error('debuggee is running');
    });
    await recorder.dispose();
    const refused = lists().length;
    on.host.on('setInstructionBreakpoints', () => ({ breakpoints: [] }));
    on.model.dispatch(stopped(1));
    await settled();
    assert.deepEqual(lists().slice(refused), [[]]);
  });

  it('are unknown with a debugger that has no instruction breakpoints', async () => {
    const { recorder, lists, stopsAt } = await unread([], false);
    assert.deepEqual(lists(), []);
    assert.equal(await stopsAt(50, 8), undefined);
    await recorder.dispose();
  });
});
