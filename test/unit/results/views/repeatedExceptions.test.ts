import { strict as assert } from 'node:assert';
import type { Frame } from '../../../../src/debugger/inspection/stackAndVariables';
import {
  RepeatedExceptions,
  type ThrownAt,
} from '../../../../src/results/views/repeatedExceptions';

const frame = (name: string, line = 1, path = '/app/main.py'): Frame => ({
  id: 1,
  name,
  path,
  sourceName: undefined,
  line,
  column: 1,
  subtle: false,
  isLabel: false,
  instructionPointerReference: undefined,
});

const INNER = frame('inner', 3);
const OUTER = frame('outer', 7);
const MAIN = frame('main', 9);

const thrown = (
  stopId: number,
  frames: readonly Frame[],
  more: Partial<ThrownAt> = {},
): ThrownAt => ({
  stopId,
  type: 'ValueError',
  message: 'broken',
  frames,
  total: frames.length,
  ...more,
});

/** The id of the earlier stop that the second of two stops at exceptions repeats. */
function repeated(first: ThrownAt, second: ThrownAt): number | undefined {
  const repeats = new RepeatedExceptions();
  assert.equal(repeats.before('a', 1, first, true), undefined);
  return repeats.before('a', 1, second, true);
}

describe('an exception that propagates', () => {
  const first = thrown(1, [INNER, OUTER, MAIN]);

  it('is the same in the next frame further out, on any line of it', () => {
    assert.equal(repeated(first, thrown(2, [OUTER, MAIN])), 1);
    assert.equal(repeated(first, thrown(2, [frame('outer', 8), MAIN])), 1);
    assert.equal(repeated(first, thrown(2, [MAIN])), 1);
  });

  it('is a different one in the same frame or further in', () => {
    assert.equal(repeated(first, thrown(2, [INNER, OUTER, MAIN])), undefined);
    assert.equal(repeated(thrown(1, [OUTER, MAIN]), thrown(2, [INNER, OUTER, MAIN])), undefined);
  });

  it('is a different one after a stop in between', () => {
    assert.equal(repeated(first, thrown(3, [OUTER, MAIN])), undefined);
  });

  it('is a different one with another type or message', () => {
    assert.equal(repeated(first, thrown(2, [OUTER, MAIN], { type: 'KeyError' })), undefined);
    assert.equal(repeated(first, thrown(2, [OUTER, MAIN], { message: 'other' })), undefined);
  });

  it('is a different one with other callers', () => {
    assert.equal(repeated(first, thrown(2, [frame('other', 7), MAIN])), undefined);
    assert.equal(repeated(first, thrown(2, [frame('outer', 7, '/app/b.py'), MAIN])), undefined);
    assert.equal(repeated(first, thrown(2, [OUTER, frame('main', 10)])), undefined);
    assert.equal(repeated(first, thrown(2, [OUTER, frame('start', 9)])), undefined);
  });

  it('cannot be distinguished from another without the number of frames', () => {
    const unknown = { total: undefined };
    assert.equal(repeated(first, thrown(2, [OUTER, MAIN], unknown)), undefined);
    assert.equal(repeated(thrown(1, first.frames, unknown), thrown(2, [OUTER, MAIN])), undefined);
  });

  it('is the same if the whole trace stays and the mark moves outwards', () => {
    const marked = (at: number): Frame[] =>
      [INNER, OUTER, MAIN].map((each, index) =>
        index === at ? { ...each, name: `${each.name} (Current frame)` } : each,
      );
    assert.equal(repeated(thrown(1, marked(0)), thrown(2, marked(1))), 1);
    assert.equal(repeated(thrown(1, marked(1)), thrown(2, marked(1))), undefined);
    assert.equal(repeated(thrown(1, marked(1)), thrown(2, marked(0))), undefined);
  });

  it('is the same if the known frames of a deep stack match', () => {
    const deep = thrown(1, [INNER, OUTER], { total: 50 });
    const callers = [OUTER, MAIN, frame('start', 2)];
    assert.equal(repeated(deep, thrown(2, callers, { total: 49 })), 1);
    assert.equal(
      repeated(deep, thrown(2, [MAIN], { total: 48 })),
      undefined,
      'its frame is not known',
    );
    assert.equal(
      repeated(thrown(1, [INNER, OUTER], { total: 2 }), thrown(2, [OUTER, MAIN], { total: 1 })),
      undefined,
      'all frames are known',
    );
  });
});

describe('remembered exceptions', () => {
  const first = thrown(1, [INNER, OUTER, MAIN]);
  const second = thrown(2, [OUTER, MAIN]);

  it('are separate for each thread and each session', () => {
    const repeats = new RepeatedExceptions();
    repeats.before('a', 1, first, true);
    assert.equal(repeats.before('a', 2, second, true), undefined);
    assert.equal(repeats.before('b', 1, second, true), undefined);
    assert.equal(repeats.before('a', 1, second, true), 1);
  });

  it('are compared with the previous stop, however often a stop is reported', () => {
    const repeats = new RepeatedExceptions();
    repeats.before('a', 1, first, true);
    for (let times = 0; times < 3; times += 1)
      assert.equal(repeats.before('a', 1, second, true), 1);
  });

  it('do not include those that were only seen by a read-only request', () => {
    const repeats = new RepeatedExceptions();
    repeats.before('a', 1, first, false);
    assert.equal(repeats.before('a', 1, second, true), undefined);
    const seen = new RepeatedExceptions();
    seen.before('a', 1, first, true);
    assert.equal(seen.before('a', 1, second, false), 1);
    assert.equal(seen.before('a', 1, second, true), 1);
  });

  it('are forgotten with their session', () => {
    const repeats = new RepeatedExceptions();
    repeats.before('a', 1, first, true);
    repeats.before('b', 1, first, true);
    repeats.prune(new Set(['b']));
    assert.equal(repeats.before('a', 1, second, true), undefined);
    assert.equal(repeats.before('b', 1, second, true), 1);
  });
});
