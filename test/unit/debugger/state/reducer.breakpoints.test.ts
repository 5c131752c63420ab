import { strict as assert } from 'node:assert';
import type { BreakpointAnswer } from '../../../../src/debugger/state/state';
import {
  after,
  answered,
  asked,
  launched,
  refused,
  sessionAfter,
  sessionOf,
  eventOf,
} from '../../support/events';

const FILE = '/home/ada/main.js';

function ask(seq: number, lines: readonly number[], path = FILE) {
  return asked(seq, 'setBreakpoints', {
    source: { path },
    breakpoints: lines.map((line) => ({ line })),
  });
}

function of(answers: BreakpointAnswer | undefined): readonly (readonly unknown[])[] | undefined {
  return answers?.breakpoints.map((each) => [
    each.requestedLine,
    each.id,
    each.verified,
    each.line,
    each.message,
  ]);
}

describe('reducer: breakpoints', () => {
  const bound = [
    ...launched(),
    ask(5, [3, 7]),
    answered(5, 'setBreakpoints', {
      breakpoints: [
        { id: 1, verified: true, line: 4 },
        { id: 2, verified: false, message: 'no code' },
      ],
    }),
  ];

  it('pairs the response with the requested breakpoints, in their order', () => {
    const answers = sessionAfter(bound).sourceBreakpoints.get(FILE);
    assert.equal(answers?.answers, 1);
    assert.deepEqual(of(answers), [
      [3, 1, true, 4, undefined],
      [7, 2, false, undefined, 'no code'],
    ]);
  });

  it('records nothing before the response', () => {
    assert.equal(sessionAfter([...launched(), ask(5, [3])]).sourceBreakpoints.size, 0);
  });

  it('marks the whole list as unverified with the error message if it is refused', () => {
    assert.deepEqual(
      of(
        sessionAfter([
          ...launched(),
          ask(5, [3, 7]),
          refused(5, 'setBreakpoints', 'no'),
        ]).sourceBreakpoints.get(FILE),
      ),
      [
        [3, undefined, false, undefined, 'no'],
        [7, undefined, false, undefined, 'no'],
      ],
    );
  });

  it('leaves the rest unverified if the response is too short', () => {
    assert.deepEqual(
      of(
        sessionAfter([
          ...launched(),
          ask(5, [3, 7]),
          answered(5, 'setBreakpoints', { breakpoints: [{ verified: true }] }),
        ]).sourceBreakpoints.get(FILE),
      ),
      [
        [3, undefined, true, undefined, undefined],
        [7, undefined, false, undefined, undefined],
      ],
    );
  });

  it('replaces the previous response for a file with the next one and counts it', () => {
    const answers = sessionAfter([
      ...bound,
      ask(6, []),
      answered(6, 'setBreakpoints', { breakpoints: [] }),
    ]).sourceBreakpoints.get(FILE);
    assert.equal(answers?.answers, 2);
    assert.deepEqual(of(answers), []);
  });

  it('keeps the later list of a file when the response to an earlier one arrives, and takes from it newer data about breakpoints of both', () => {
    const session = sessionAfter([
      ...launched(),
      ask(5, [3]),
      ask(6, [3, 9]),
      answered(6, 'setBreakpoints', {
        breakpoints: [
          { id: 3, verified: false },
          { id: 9, verified: true },
        ],
      }),
      answered(5, 'setBreakpoints', { breakpoints: [{ id: 3, verified: true, line: 4 }] }),
    ]);
    assert.deepEqual(of(session.sourceBreakpoints.get(FILE)), [
      [3, 3, true, 4, undefined],
      [9, 9, true, undefined, undefined],
    ]);
    assert.equal(session.sourceBreakpoints.get(FILE)?.answers, 2);
  });

  it('does not restore breakpoints that the later list of a file omitted when the response to an earlier one arrives', () => {
    const session = sessionAfter([
      ...bound,
      ask(6, [3, 7, 9]),
      ask(7, [9]),
      answered(7, 'setBreakpoints', { breakpoints: [{ id: 9, verified: true }] }),
      answered(6, 'setBreakpoints', {
        breakpoints: [
          { id: 1, verified: true },
          { id: 2, verified: true },
          { id: 9, verified: true },
        ],
      }),
    ]);
    assert.deepEqual(of(session.sourceBreakpoints.get(FILE)), [[9, 9, true, undefined, undefined]]);
  });

  it('rejects nothing of the later list when an earlier one is refused late', () => {
    const session = sessionAfter([
      ...launched(),
      ask(5, [3]),
      ask(6, [3, 9]),
      answered(6, 'setBreakpoints', { breakpoints: [{ verified: true }, { verified: true }] }),
      refused(5, 'setBreakpoints', 'no'),
    ]);
    assert.deepEqual(of(session.sourceBreakpoints.get(FILE)), [
      [3, undefined, true, undefined, undefined],
      [9, undefined, true, undefined, undefined],
    ]);
  });

  it('leaves an unchanged list as it is if the response is empty (js-debug)', () => {
    const same = sessionAfter([
      ...bound,
      ask(6, [3, 7]),
      answered(6, 'setBreakpoints', { breakpoints: [] }),
    ]).sourceBreakpoints.get(FILE);
    assert.deepEqual(
      [same?.answers, of(same)],
      [
        2,
        [
          [3, 1, true, 4, undefined],
          [7, 2, false, undefined, 'no code'],
        ],
      ],
    );
    const other = sessionAfter([
      ...bound,
      ask(6, [3, 8]),
      answered(6, 'setBreakpoints', { breakpoints: [] }),
    ]).sourceBreakpoints.get(FILE);
    assert.deepEqual(of(other), [
      [3, undefined, false, undefined, undefined],
      [8, undefined, false, undefined, undefined],
    ]);
  });

  it('assigns responses that arrive out of order to the right file', () => {
    const session = sessionAfter([
      ...launched(),
      ask(5, [3]),
      ask(6, [9], '/home/ada/other.js'),
      answered(6, 'setBreakpoints', { breakpoints: [{ id: 9, verified: true }] }),
      answered(5, 'setBreakpoints', { breakpoints: [{ id: 3, verified: true }] }),
    ]);
    assert.deepEqual(of(session.sourceBreakpoints.get(FILE)), [[3, 3, true, undefined, undefined]]);
    assert.deepEqual(of(session.sourceBreakpoints.get('/home/ada/other.js')), [
      [9, 9, true, undefined, undefined],
    ]);
  });

  it('records a file in a remote window under the person’s path', () => {
    const session = sessionAfter([
      ...launched(),
      ask(5, [3], 'vscode-remote://ssh-remote%2Bbox/home/ada/a%20b.js'),
      answered(5, 'setBreakpoints', { breakpoints: [{ id: 1, verified: true }] }),
    ]);
    assert.deepEqual([...session.sourceBreakpoints.keys()], ['/home/ada/a b.js']);
  });

  it('records function breakpoints by name', () => {
    const session = sessionAfter([
      ...launched(),
      asked(5, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }),
      answered(5, 'setFunctionBreakpoints', { breakpoints: [{ id: 4, verified: true }] }),
    ]);
    assert.deepEqual(
      session.functionBreakpoints?.breakpoints.map((each) => [
        each.requestedName,
        each.id,
        each.verified,
      ]),
      [['main', 4, true]],
    );
  });

  it('updates a changed breakpoint and removes its old message', () => {
    const session = sessionAfter([
      ...bound,
      eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 2, verified: true, line: 8 } }),
    ]);
    assert.deepEqual(of(session.sourceBreakpoints.get(FILE)), [
      [3, 1, true, 4, undefined],
      [7, 2, true, 8, undefined],
    ]);
    assert.equal(session.sourceBreakpoints.get(FILE)?.answers, 1, 'an event is no answer');
  });

  it('marks a removed breakpoint as unverified', () => {
    assert.deepEqual(
      of(
        sessionAfter([
          ...bound,
          eventOf('breakpoint', { reason: 'removed', breakpoint: { id: 1, verified: true } }),
        ]).sourceBreakpoints.get(FILE),
      )?.[0],
      [3, 1, false, 4, undefined],
    );
  });

  it('accepts 0 as the id in a breakpoint event', () => {
    const session = sessionAfter([
      ...launched(),
      ask(5, [3]),
      answered(5, 'setBreakpoints', { breakpoints: [{ id: 0, verified: false }] }),
      eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 0, verified: true } }),
    ]);
    assert.equal(session.sourceBreakpoints.get(FILE)?.breakpoints[0]?.verified, true);
  });

  it('updates function breakpoints from the event, too', () => {
    const session = sessionAfter([
      ...launched(),
      asked(5, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }),
      answered(5, 'setFunctionBreakpoints', { breakpoints: [{ id: 4, verified: false }] }),
      eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 4, verified: true } }),
    ]);
    assert.equal(session.functionBreakpoints?.breakpoints[0]?.verified, true);
  });

  it('ignores a breakpoint event without an id', () => {
    const state = after(bound);
    assert.equal(
      after([eventOf('breakpoint', { reason: 'changed', breakpoint: { verified: false } })], state),
      state,
    );
  });

  it('ignores a breakpoint event with an unknown id and notifies nobody', () => {
    const state = after(bound);
    assert.deepEqual(
      sessionOf(
        after(
          [eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 99, verified: true } })],
          state,
        ),
      ),
      sessionOf(state),
    );
    assert.equal(
      after(
        [eventOf('breakpoint', { reason: 'changed', breakpoint: { id: 99, verified: true } })],
        state,
      ),
      state,
    );
  });

  it('changes no breakpoint if the request of a response named no file', () => {
    assert.equal(
      sessionAfter([
        ...launched(),
        asked(5, 'setBreakpoints', { breakpoints: [{ line: 1 }] }),
        answered(5, 'setBreakpoints', { breakpoints: [{ verified: true }] }),
      ]).sourceBreakpoints.size,
      0,
    );
  });
});
