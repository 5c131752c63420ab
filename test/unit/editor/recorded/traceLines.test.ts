import { strict as assert } from 'node:assert';
import {
  loopAt,
  recordedFiles,
  traceLines,
  type Rounds,
} from '../../../../src/editor/recorded/traceLines';
import type { CallHistory } from '../../../../src/tools/trace/function/callModel';
import { change, executed, history, LOOP } from './histories';

const shown = (traced: CallHistory, rounds: Rounds = new Map()) =>
  traceLines({ kind: 'trace', history: traced, firstLine: 1 }, rounds);
const texts = (traced: CallHistory, rounds?: Rounds): readonly string[] =>
  shown(traced, rounds)
    .lines.map(({ line, notes }) => `${line} ${notes.join(', ')}`)
    .sort();

describe('the values beside the lines of a trace', () => {
  it('are those of the last round, with the arguments and the returned value', () => {
    assert.deepEqual(texts(LOOP), [
      '1 items = [3, 5]',
      '2 sum = 0',
      '3 round 2 of 2, item: 3 → 5',
      '4 sum: 3 → 8',
      '7 returned 8',
    ]);
  });

  it('are those of a chosen round, and never those of a round that does not exist', () => {
    const [loop] = shown(LOOP).loops;
    assert.ok(loop);
    assert.deepEqual([loop.first, loop.last, loop.round, loop.rounds], [3, 4, 2, 2]);
    const first = texts(LOOP, new Map([[loop.key, 1]]));
    assert.deepEqual(first.slice(2, 4), ['3 round 1 of 2, item = 3', '4 sum: 0 → 3']);
    assert.deepEqual(texts(LOOP, new Map([[loop.key, 99]])), texts(LOOP));
    assert.deepEqual(texts(LOOP, new Map([[loop.key, -1]])), first);
  });

  it('leave out lines that the chosen round has not executed', () => {
    const traced = history([
      executed(3, [change('item', '1')]),
      executed(4, [change('sum', '1')]),
      executed(3, [change('item', '2', '1')]),
      executed(3),
      executed(7),
    ]);
    const [loop] = shown(traced).loops;
    assert.equal(loop?.rounds, 2);
    assert.equal(texts(traced).filter((text) => text.startsWith('4')).length, 0);
  });

  it('follow the round of an inner loop in the chosen round of the outer one', () => {
    const round = (item: string, parts: readonly string[]) => [
      executed(3, [change('item', item)]),
      executed(4),
      ...parts.flatMap((part) => [executed(5, [change('part', part)]), executed(6)]),
      executed(5),
    ];
    const traced = history([...round('a', ['1', '2', '3']), ...round('b', ['4']), executed(3)]);
    const { loops } = shown(traced);
    assert.deepEqual(
      loops.map(({ first, last, round: number, rounds }) => [first, last, number, rounds]),
      [[3, 6, 2, 2]],
      'the last outer round has one inner round',
    );
    const outer = new Map([[loops[0]?.key ?? '', 1]]);
    const inner = shown(traced, outer);
    assert.deepEqual(
      inner.loops.map(({ first, rounds }) => [first, rounds]),
      [
        [3, 2],
        [5, 3],
      ],
    );
    assert.equal(loopAt(inner, '/shop/cart.py', 6)?.first, 5);
    assert.equal(loopAt(inner, '/shop/cart.py', 4)?.first, 3);
    assert.equal(loopAt(inner, '/shop/cart.py', 1)?.first, 3, 'the first one from outside');
    assert.equal(loopAt(inner, '/shop/other.py', 4), undefined);
  });

  it('are those of the traced call where it calls itself, and of the last call of another function', () => {
    const opened = (name: string, value: string, path = '/shop/price.py') => ({
      name,
      end: { kind: 'returned', value } as const,
      history: history([executed(2, [change('price', value)])], {
        ...{ name, path, args: [], end: { kind: 'open' } },
      }),
    });
    const traced = history([
      executed(2, [change('sum', '0')], [opened('total', '9', '/shop/cart.py')]),
      executed(4, [], [opened('price', '1'), opened('price', '2')]),
    ]);
    assert.deepEqual(
      shown(traced)
        .lines.filter(({ line }) => line === 2)
        .map(({ path, notes }) => [path, ...notes]),
      [
        ['/shop/cart.py', 'total(…) → 9', 'sum = 0'],
        ['/shop/price.py', 'price = 2'],
      ],
    );
    assert.deepEqual(
      recordedFiles({ kind: 'trace', history: traced, firstLine: 1 }).map(({ path, lines }) => [
        path,
        [...lines],
      ]),
      [
        ['/shop/cart.py', [1, 2, 4]],
        ['/shop/price.py', [2]],
      ],
    );
  });

  it('show characters that would hide or reorder text as escapes, on one line', () => {
    const [line] = texts(
      history([executed(2, [change('sum', 'a\u202eb\nc\u0007')])]),
      new Map(),
    ).slice(1);
    assert.match(line ?? '', /sum = a\\u202eb ⏎ c/);
    assert.doesNotMatch(line ?? '', /[\u0000-\u001f\u202e]/);
  });

  it('are not shown without the source', () => {
    assert.deepEqual(texts({ ...LOOP, source: [] }), []);
    assert.deepEqual(texts({ ...LOOP, path: undefined }), []);
  });
});
