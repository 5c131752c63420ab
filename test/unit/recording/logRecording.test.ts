import { strict as assert } from 'node:assert';
import type { CallRecorder } from '../../../src/recording/callRecorder';
import type { LoggedCall } from '../../../src/recording/logRecording';
import { created, eventOf, stopped } from '../support/events';
import { POINT, sent, settled, starting, vsCodeSends } from '../support/injecting';
import { begin, CALL, delve, MISSING, prints, signal } from '../support/loggedCalls';
import { bench, FILE, type Bench } from '../support/services';

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

  it('has the panic because of which a deferred closure of the call runs', async () => {
    const on = delve();
    const recorder = await begin(on, {
      ...CALL,
      lines: [{ line: 3 }, { line: 4, deferredAt: 3 }, { line: 5 }],
    });
    assert.ok(recorder);
    const older = [MISSING, '0x1000'];
    prints(on, 4, 1, '-300', MISSING, MISSING, MISSING, ...older);
    assert.equal(recorder.panic, undefined);
    prints(on, 4, 2, '-300', MISSING, MISSING, 'interface {}(string) "other"', ...older);
    assert.equal(recorder.panic, undefined, 'of another goroutine');
    prints(on, 4, 1, '-300', MISSING, MISSING, 'interface {}(string) "no tea"', ...older);
    assert.deepEqual(recorder.panic, { text: 'panic: "no tea"', deferredAt: 3 });
    assert.equal(recorder.read().length, 1);
    prints(on, 5, 1, '-456', '1', MISSING);
    assert.equal(recorder.panic, undefined, 'the call goes on');
  });

  it('returns after a panic from which it recovers, and passes its last line', async () => {
    const on = delve();
    const recorder = await begin(on, {
      ...CALL,
      lines: [{ line: 3 }, { line: 4, deferredAt: 3 }, { line: 5 }],
    });
    assert.ok(recorder);
    const panics = (frame: string): void =>
      prints(
        ...([on, 4, 1, '-300', MISSING, MISSING, 'interface {}(string) "no tea"'] as const),
        ...[`unsafe.Pointer(${frame})`, `65536 = 0x10000`],
      );
    panics('0xff00');
    const before: unknown = recorder.panic;
    assert.equal(before, undefined, 'of a recursive call');
    panics(`0x${(0x10000 - 456).toString(16)}`);
    assert.deepEqual(recorder.panic, { text: 'panic: "no tea"', deferredAt: 3, isOwn: true });
    prints(on, 5, 1, '-456', '1', MISSING);
    assert.equal(recorder.panic.text, 'panic: "no tea"');
    assert.equal(recorder.read().length, 1);
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
