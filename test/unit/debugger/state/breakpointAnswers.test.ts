import { strict as assert } from 'node:assert';
import { answered, asked, launched, sessionAfter, eventOf } from '../../support/events';

const FILE = '/home/ada/main.js';
const WHOLE = { line: 3, column: 5, condition: 'x > 1', hitCondition: '4', logMessage: 'at {x}' };
const send = (seq: number, breakpoints: readonly object[], source: object = { path: FILE }) =>
  asked(seq, 'setBreakpoints', { source, breakpoints });
const answer = (seq: number, breakpoints: readonly object[]) =>
  answered(seq, 'setBreakpoints', { breakpoints });

describe('reducer: responses about breakpoints', () => {
  it('keeps all parts that were requested and all that the adapter reports', () => {
    const session = sessionAfter([
      ...launched(),
      send(5, [WHOLE]),
      answer(5, [{ id: 1, verified: true, line: 4, column: 9, message: 'moved' }]),
    ]);
    assert.deepEqual(session.sourceBreakpoints.get(FILE)?.breakpoints, [
      {
        requestedLine: 3,
        requestedColumn: 5,
        requestedName: undefined,
        requestedCondition: 'x > 1',
        requestedHitCondition: '4',
        requestedLogMessage: 'at {x}',
        id: 1,
        verified: true,
        line: 4,
        column: 9,
        message: 'moved',
      },
    ]);
  });

  it('keeps the previous list after an empty response only if all parts of the breakpoints are the same', () => {
    const verified = (next: readonly object[]): readonly boolean[] | undefined =>
      sessionAfter([
        ...launched(),
        send(5, [WHOLE]),
        answer(5, [{ id: 1, verified: true }]),
        send(6, next),
        answer(6, []),
      ])
        .sourceBreakpoints.get(FILE)
        ?.breakpoints.map((breakpoint) => breakpoint.verified);
    assert.deepEqual(verified([WHOLE]), [true]);
    for (const other of [
      { line: 4 },
      { column: 6 },
      { condition: 'x > 2' },
      { hitCondition: '5' },
      { logMessage: 'x' },
    ])
      assert.deepEqual(verified([{ ...WHOLE, ...other }]), [false], JSON.stringify(other));
    assert.deepEqual(verified([WHOLE, WHOLE]), [false, false]);
    assert.deepEqual(verified([]), []);
  });

  it('leaves the breakpoints unverified if the first response is empty', () => {
    const session = sessionAfter([...launched(), send(5, [WHOLE]), answer(5, [])]);
    assert.deepEqual(
      session.sourceBreakpoints.get(FILE)?.breakpoints.map((breakpoint) => breakpoint.verified),
      [false],
    );
  });

  it('keeps the previous function breakpoints after an empty response only if the names are the same', () => {
    const verified = (name: string): readonly boolean[] | undefined =>
      sessionAfter([
        ...launched(),
        asked(5, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }),
        answered(5, 'setFunctionBreakpoints', { breakpoints: [{ id: 1, verified: true }] }),
        asked(6, 'setFunctionBreakpoints', { breakpoints: [{ name }] }),
        answered(6, 'setFunctionBreakpoints', { breakpoints: [] }),
      ]).functionBreakpoints?.breakpoints.map((breakpoint) => breakpoint.verified);
    assert.deepEqual([verified('main'), verified('other')], [[true], [false]]);
  });

  it('replaces the breakpoints of the same list if the response contains breakpoints', () => {
    const session = sessionAfter([
      ...launched(),
      send(5, [WHOLE]),
      answer(5, [{ id: 1, verified: true }]),
      send(6, [WHOLE]),
      answer(6, [{ id: 2, verified: false }]),
    ]);
    assert.deepEqual(
      session.sourceBreakpoints.get(FILE)?.breakpoints.map(({ id, verified }) => [id, verified]),
      [[2, false]],
    );
  });

  it('keeps the breakpoints of a source without a path under its name', () => {
    const session = sessionAfter([
      ...launched(),
      send(5, [{ line: 1 }], { name: 'eval.js' }),
      answer(5, [{ id: 1, verified: true }]),
    ]);
    assert.equal(session.sourceBreakpoints.get('eval.js')?.breakpoints.length, 1);
  });
});

describe('reducer: breakpoint events', () => {
  const before = [
    ...launched(),
    send(5, [{ line: 3 }]),
    answer(5, [{ id: 1, verified: false, line: 3, column: 2, message: 'not yet' }]),
  ];
  const after = (breakpoint: object, reason = 'changed') => {
    const session = sessionAfter([...before, eventOf('breakpoint', { reason, breakpoint })]);
    const [bound] = session.sourceBreakpoints.get(FILE)?.breakpoints ?? [];
    return [bound?.verified, bound?.line, bound?.column, bound?.message];
  };

  it('updates what the event reports, and keeps a position that it does not report', () => {
    assert.deepEqual(after({ id: 1, verified: true, line: 4, column: 7, message: 'moved' }), [
      true,
      4,
      7,
      'moved',
    ]);
    assert.deepEqual(after({ id: 1 }), [false, 3, 2, undefined]);
  });

  it('leaves the breakpoints of other files unchanged', () => {
    const other = { path: '/home/ada/other.js' };
    const events = [...before, send(6, [{ line: 1 }], other), answer(6, [{ id: 2 }])];
    const unchanged = sessionAfter(events).sourceBreakpoints.get(other.path);
    const session = sessionAfter([
      ...events,
      eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 1, verified: true } }),
    ]);
    assert.deepEqual(session.sourceBreakpoints.get(other.path), unchanged);
    assert.equal(session.sourceBreakpoints.get(FILE)?.breakpoints[0]?.verified, true);
  });
});
