import { strict as assert } from 'node:assert';
import type { Frame } from '../../../src/debugger/inspection/stackAndVariables';
import { fields, listOf, textOf } from '../../../src/debugger/protocol';
import type { CallRecorder } from '../../../src/recording/callRecorder';
import type { LoggedCall } from '../../../src/recording/logRecording';
import { created, eventOf, stopped } from '../support/events';
import { POINT, sent, settled, starting, vsCodeSends } from '../support/injecting';
import { bench, FILE, type Bench } from '../support/services';

const LIMITS = { maxHits: 3, shown: { text: 10, items: 3, depth: 2 } };
const signal = new AbortController().signal;

function delve(): Bench {
  const on = starting(bench(), 'go');
  on.model.dispatch(eventOf('initialized'));
  on.model.dispatch(eventOf('capabilities', { capabilities: { supportsLogPoints: true } }));
  on.host.on('evaluate', () => ({ result: '-456' }));
  return on;
}

const CALL = {
  path: FILE,
  lines: [{ line: 3 }, { line: 4, returns: ['sum', 'nil'] }],
  names: ['sum', 'each'],
  entry: { line: 3, values: new Map([['sum', '0']]) },
};

async function begin(
  on: Bench,
  call: LoggedCall = CALL,
  limits = LIMITS,
): Promise<CallRecorder | undefined> {
  const stopped = { session: on.session(), threadId: 1, frameId: 7 };
  return await on.services.recordings.beginLog(stopped, call, limits, signal);
}

/** The adapter prints the log message of a line, with `values` in place of the message's expressions. */
function prints(on: Bench, line: number, goroutine: number, ...values: string[]): void {
  const [list] = on.host.sent('setBreakpoints').filter((each) => listOf(each['breakpoints'])[0]);
  const message = listOf(list?.['breakpoints'])
    .map(fields)
    .find((each) => each['line'] === line)?.['logMessage'];
  let next = 0;
  const output = (textOf(message) ?? '').replace(/\{[^}]*\}/g, () => values[next++] ?? '');
  on.model.dispatch(eventOf('output', { output: `> [Go ${goroutine}]: ${output}\n` }));
}

const MISSING = '{eval err: &{could not find symbol value for each}}';

describe('a call that is recorded by logpoints', () => {
  it('has the lines of its own activation and thread, with the changed values', async () => {
    const on = delve();
    const recorder = await begin(on);
    assert.ok(recorder);
    prints(on, 4, 1, '-456', '5', MISSING, '5', 'nil');
    prints(on, 4, 1, '-496', '6', MISSING, '6', 'nil');
    prints(on, 4, 2, '-456', '7', MISSING, '7', 'nil');
    assert.deepEqual(
      recorder.read().map(({ point, seq, locals }) => [point, seq, locals]),
      [
        [3, 1, { sum: '0' }],
        [4, 2, { sum: '5' }],
      ],
    );
    assert.equal(await recorder.returned?.(signal), '5, nil');
    assert.equal(recorder.isFull, false);
  });

  it('cuts long values, lists variables that have gone out of scope, and discards an earlier line’s return value', async () => {
    const on = delve();
    const recorder = await begin(on);
    assert.ok(recorder);
    prints(on, 4, 1, '-456', '"0123456789"', '1', MISSING, 'nil');
    assert.equal(await recorder.returned?.(signal), undefined);
    prints(on, 3, 1, '-456', '5', MISSING);
    assert.deepEqual(recorder.read()[1]?.locals, { sum: '"012345678… (12 characters)', each: '1' });
    assert.deepEqual(recorder.read()[2]?.locals, { sum: '5', each: undefined });
  });

  it('ends at its limit, and removes the logpoints from the running program', async () => {
    const on = delve();
    const recorder = await begin(on);
    assert.ok(recorder);
    for (const sum of ['1', '2', '3']) prints(on, 4, 1, '-456', sum, MISSING, sum, 'nil');
    await settled();
    assert.equal(recorder.read().length, 3);
    assert.equal(recorder.isFull, true);
    assert.deepEqual(sent(on).at(-1), []);
    await recorder.dispose();
  });

  it('loses its logpoints at the next stop of its own session', async () => {
    const on = delve();
    const recorder = await begin(on);
    assert.ok(recorder);
    const set = sent(on).at(-1);
    on.model.dispatch(created('b', { sessionType: 'go' }));
    on.model.dispatch(stopped(1, {}, 'b'));
    await settled();
    assert.deepEqual(sent(on).at(-1), set);
    prints(on, 4, 1, '-456', '5', MISSING, '5', 'nil');
    on.model.dispatch(stopped(1));
    await settled();
    assert.deepEqual(sent(on).at(-1), []);
    const lists = sent(on).length;
    await recorder.dispose();
    assert.equal(sent(on).length, lists);
    assert.equal(recorder.read().length, 2);
  });

  it('is not started if a breakpoint of the person is on one of its lines', async () => {
    const on = delve();
    vsCodeSends(on, 5, [{ line: POINT.line }]);
    assert.equal(await begin(on), undefined);
    await settled();
    assert.deepEqual(sent(on).at(-1), [[POINT.line, undefined]]);
  });

  it('is not started with a debugger that cannot distinguish calls', async () => {
    const on = starting(bench(), 'java');
    on.model.dispatch(eventOf('initialized'));
    assert.equal(await begin(on), undefined);
    assert.deepEqual(on.host.sent('evaluate'), []);
  });
});

describe('the calls of a call that is recorded by logpoints', () => {
  const CALLEES = [
    {
      ...{ name: 'tax', path: FILE, line: 20, args: ['a', 'b'] },
      ends: [
        { line: 22, expressions: ['a * 2', 'nil'] },
        { line: 24, expressions: [] },
      ],
    },
    { name: 'other', path: '/app/other.go', line: 1, args: [], ends: [] },
  ];
  const CALLING: LoggedCall = {
    ...CALL,
    lines: [{ line: 3 }, { line: 4, returns: ['sum', 'nil'], isCall: true }],
  };
  const briefly = (recorder: CallRecorder): readonly string[] =>
    recorder.readCalls().map((call) => {
      if (call.kind === 'called')
        return `${call.name}(${call.args.map(([name, value]) => `${name}=${value}`).join()})`;
      return call.kind === 'ended' ? `→ ${call.value ?? '?'}` : '';
    });
  const session = (on: Bench) => on.session();

  it('are those whose frames begin where that of the call ends, with the values that were logged', async () => {
    const on = delve();
    const recorder = await begin(on, { ...CALLING, callees: CALLEES });
    assert.ok(recorder);
    prints(on, 4, 1, '-456', '5', MISSING, '5', 'nil', '1400 = 0x578', '2000 = 0x7d0');
    prints(on, 20, 1, '-600', '1', MISSING);
    // A function that the called one calls, one of another goroutine, and one that called the recorded one.
    prints(on, 20, 1, '-900', '2', '2');
    prints(on, 22, 1, '-900', '4', 'nil');
    prints(on, 20, 2, '-600', '3', '3');
    prints(on, 22, 1, '-100', '9', 'nil');
    prints(on, 22, 1, '-600', '2', 'nil');
    prints(on, 20, 1, '-600', '4', '"0123456789"');
    prints(on, 22, 1, '-600', MISSING, 'nil');
    prints(on, 20, 1, '-600', '5', '5');
    prints(on, 24, 1, '-600');
    assert.deepEqual(briefly(recorder), [
      'tax(a=1)',
      '→ 2, nil',
      'tax(a=4,b="012345678… (12 characters))',
      '→ ?',
      'tax(a=5,b=5)',
      '→ void',
    ]);
    const [hit] = recorder.read().slice(1);
    const [call] = recorder.readCalls();
    assert.ok(hit !== undefined && call !== undefined && hit.seq < call.seq);
    await settled();
    assert.equal(recorder.recordedCalls?.(session(on)), 'all');
    const part = await begin(on, { ...CALL, callees: [], hasAllCallees: false });
    assert.equal(part?.recordedCalls?.(session(on)), 'some');
    const none = await begin(on);
    assert.equal(none?.recordedCalls?.(session(on)), 'none');
  });

  it('include calls of the function itself, by the logpoints of the call', async () => {
    const on = delve();
    const own = { name: 'f', path: FILE, line: 3, args: ['sum'], ends: [] };
    const recorder = await begin(on, { ...CALLING, callees: [own] });
    assert.ok(recorder);
    assert.equal(sent(on).at(-1)?.length, 2);
    prints(on, 4, 1, '-456', '5', MISSING, '5', 'nil', '1400', '2000');
    prints(on, 3, 1, '-600', '7', MISSING);
    prints(on, 4, 1, '-600', '7', MISSING, '8', 'nil', '1', '2');
    assert.deepEqual(briefly(recorder), ['f(sum=7)', '→ 8, nil']);
    assert.equal(recorder.read().length, 2);
  });

  it('are left out if the debugger does not show where the frame of the call ends', async () => {
    const on = delve();
    const recorder = await begin(on, { ...CALLING, callees: CALLEES });
    assert.ok(recorder);
    prints(on, 4, 1, '-456', '5', MISSING, '5', 'nil', MISSING, '2000');
    prints(on, 20, 1, '-600', '1', '2');
    assert.deepEqual(briefly(recorder), []);
    assert.equal(recorder.recordedCalls?.(session(on)), 'some');
  });

  it('are given up after many lines, and only their logpoints are removed', async () => {
    const on = delve();
    const recorder = await begin(on, { ...CALLING, callees: CALLEES });
    assert.ok(recorder);
    prints(on, 20, 2, '-600', '1', '2');
    prints(on, 4, 1, '-456', '5', MISSING, '5', 'nil', '1400', '2000');
    prints(on, 20, 1, '-600', '1', '2');
    for (let i = 0; i < 600; i += 1) prints(on, 20, 2, '-600', '1', '2');
    await settled();
    assert.equal(recorder.recordedCalls?.(session(on)), 'some');
    assert.deepEqual(
      [sent(on).at(-2), sent(on).at(-1)].map((list) => list?.map(([line]) => line)),
      [[3, 4], []],
    );
    assert.deepEqual(briefly(recorder), ['tax(a=1,b=2)']);
  });
});

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
    unread: { instruction: '0x10', own: OWN, isOwnWanted: true, callees: [TAX] },
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
