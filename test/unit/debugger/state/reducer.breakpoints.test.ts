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
  told,
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

  it('an answer is paired with what was asked, in its order', () => {
    const answers = sessionAfter(bound).sourceBreakpoints.get(FILE);
    assert.equal(answers?.answers, 1);
    assert.deepEqual(of(answers), [
      [3, 1, true, 4, undefined],
      [7, 2, false, undefined, 'no code'],
    ]);
  });

  it('nothing is noted before the answer', () => {
    assert.equal(sessionAfter([...launched(), ask(5, [3])]).sourceBreakpoints.size, 0);
  });

  it('a refusal leaves none of the list verified, with its words', () => {
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

  it('an answer that is too short leaves the rest unverified', () => {
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

  it('the next answer for a file replaces the last and is counted', () => {
    const answers = sessionAfter([
      ...bound,
      ask(6, []),
      answered(6, 'setBreakpoints', { breakpoints: [] }),
    ]).sourceBreakpoints.get(FILE);
    assert.equal(answers?.answers, 2);
    assert.deepEqual(of(answers), []);
  });

  it('the answer to an earlier list of a file does not take away what the later one has, and is newer word on what both have', () => {
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

  it('the answer to an earlier list of a file brings back none that the later one left out', () => {
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

  it('an earlier list that is refused, late, refuses nothing of the later one', () => {
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

  it('no answer to the list that it has already leaves it as it is (js-debug)', () => {
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

  it('answers that come in another order than their requests go to the right file', () => {
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

  it('a file in a remote window is noted under the person’s path', () => {
    const session = sessionAfter([
      ...launched(),
      ask(5, [3], 'vscode-remote://ssh-remote%2Bbox/home/ada/a%20b.js'),
      answered(5, 'setBreakpoints', { breakpoints: [{ id: 1, verified: true }] }),
    ]);
    assert.deepEqual([...session.sourceBreakpoints.keys()], ['/home/ada/a b.js']);
  });

  it('function breakpoints are noted by name', () => {
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

  it('a changed breakpoint is updated, and its old message is gone', () => {
    const session = sessionAfter([
      ...bound,
      told('breakpoint', { reason: 'changed', breakpoint: { id: 2, verified: true, line: 8 } }),
    ]);
    assert.deepEqual(of(session.sourceBreakpoints.get(FILE)), [
      [3, 1, true, 4, undefined],
      [7, 2, true, 8, undefined],
    ]);
    assert.equal(session.sourceBreakpoints.get(FILE)?.answers, 1, 'an event is no answer');
  });

  it('a removed breakpoint is not verified any more', () => {
    assert.deepEqual(
      of(
        sessionAfter([
          ...bound,
          told('breakpoint', { reason: 'removed', breakpoint: { id: 1, verified: true } }),
        ]).sourceBreakpoints.get(FILE),
      )?.[0],
      [3, 1, false, 4, undefined],
    );
  });

  it('a breakpoint event with the id 0 is as good as any', () => {
    const session = sessionAfter([
      ...launched(),
      ask(5, [3]),
      answered(5, 'setBreakpoints', { breakpoints: [{ id: 0, verified: false }] }),
      told('breakpoint', { reason: 'changed', breakpoint: { id: 0, verified: true } }),
    ]);
    assert.equal(session.sourceBreakpoints.get(FILE)?.breakpoints[0]?.verified, true);
  });

  it('function breakpoints follow the event, too', () => {
    const session = sessionAfter([
      ...launched(),
      asked(5, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }),
      answered(5, 'setFunctionBreakpoints', { breakpoints: [{ id: 4, verified: false }] }),
      told('breakpoint', { reason: 'changed', breakpoint: { id: 4, verified: true } }),
    ]);
    assert.equal(session.functionBreakpoints?.breakpoints[0]?.verified, true);
  });

  it('a breakpoint event without an id changes nothing', () => {
    const state = after(bound);
    assert.equal(
      after([told('breakpoint', { reason: 'changed', breakpoint: { verified: false } })], state),
      state,
    );
  });

  it('a breakpoint event with an unknown id changes nothing, so that nobody is woken', () => {
    const state = after(bound);
    assert.deepEqual(
      sessionOf(
        after(
          [told('breakpoint', { reason: 'changed', breakpoint: { id: 99, verified: true } })],
          state,
        ),
      ),
      sessionOf(state),
    );
    assert.equal(
      after(
        [told('breakpoint', { reason: 'changed', breakpoint: { id: 99, verified: true } })],
        state,
      ),
      state,
    );
  });

  it('an answer whose request named no file changes no breakpoint', () => {
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
