import { strict as assert } from 'node:assert';
import { Collections } from '../../../../../src/tools/trace/collect/collections';
import type { Hit } from '../../../../../src/tools/trace/collect/collector';
import { compareCollections } from '../../../../../src/tools/trace/collect/compare';
import type { Probe } from '../../../../../src/tools/trace/collect/probes';
import { keptHits, type Keep } from '../../../../../src/tools/trace/collect/kept';
import { tableOf } from '../../../../../src/tools/trace/collect/table';

const PROBE: Probe = {
  id: 1,
  path: '/app/a.js',
  line: 3,
  expressions: ['x'],
  condition: undefined,
  expect: undefined,
};
const SECOND: Probe = { ...PROBE, id: 2, line: 9 };

function hits(...values: readonly (string | readonly [number, string])[]): Hit[] {
  const counts = new Map<number, number>();
  return values.map((each) => {
    const [probe, value] = typeof each === 'string' ? [1, each] : each;
    const number = (counts.get(probe) ?? 0) + 1;
    counts.set(probe, number);
    return {
      probe,
      number,
      thread: 'main',
      caller: 'run (a.js:1)',
      values: [value],
      claim: undefined,
      stack: undefined,
    };
  });
}

const of = (all: Hit[], isCut = false) => ({
  id: 'c1',
  probes: [PROBE, SECOND],
  hits: all,
  isCut,
});

describe('the comparison of two collections', () => {
  it('finds nothing if only addresses differ', () => {
    const { first } = compareCollections(of(hits('0x7ffe12345678')), of(hits('0x7ffe87654321')));
    assert.equal(first, undefined);
  });

  it('reports the first value that differs, the hits before it, and the number of other differences', () => {
    const { first, neighbours, others } = compareCollections(
      of(hits('1', '2', '3', '4', '5')),
      of(hits('1', '2', '3', '40', '50')),
    );
    assert.deepEqual([first?.kind, first?.probe, first?.hit], ['value', 1, 4]);
    assert.deepEqual(
      neighbours.map((each) => each.values),
      [['2'], ['3']],
    );
    assert.equal(others, 1);
  });

  it('aligns by probe and number: a missing or added hit does not shift the others', () => {
    const before = of(hits('1', [2, 'a'], '2', [2, 'b']));
    const missing = compareCollections(before, of(hits('1', '2', [2, 'a'])));
    assert.deepEqual(
      [missing.first?.kind, missing.first?.probe, missing.first?.hit],
      ['missing', 2, 2],
    );
    const extra = compareCollections(before, of(hits('1', [2, 'a'], '2', '3', [2, 'b'])));
    assert.deepEqual([extra.first?.kind, extra.first?.hit, extra.others], ['extra', 3, 0]);
  });
});

describe('the comparison of collections that are incomplete', () => {
  it('reports no divergence for hits after the end of a collection that was cut', () => {
    const [few, many] = [hits('1', '2'), hits('1', '2', '3', '4')];
    const more = compareCollections(of(few, true), of(many));
    assert.deepEqual([more.first, more.uncompared, more.others], [undefined, 2, 0]);
    const fewer = compareCollections(of(many), of(few, true));
    assert.deepEqual([fewer.first, fewer.uncompared, fewer.others], [undefined, 2, 0]);
    const ended = compareCollections(of(many), of(few));
    assert.deepEqual([ended.first?.kind, ended.uncompared, ended.others], ['missing', 0, 1]);
  });

  it('reports a value that differs before the end of a collection that was cut', () => {
    const { first, uncompared } = compareCollections(
      of(hits('1', '2'), true),
      of(hits('1', '0', '3')),
    );
    assert.deepEqual([first?.hit, uncompared], [2, 1]);
  });

  it('names hits that look equal, but are shown only in part', () => {
    const long = '[1, 2, … 90 more]';
    const { first, partial } = compareCollections(
      of(hits(long, '2', 'a…', '[]int len: 100, cap: 100, [0,...+36 more]', '0x7ffe12345678')),
      of(hits(long, '2', 'b…', '[]int len: 100, cap: 100, [0,...+36 more]', '0x7ffe87654321')),
    );
    assert.equal(first?.hit, 3);
    assert.deepEqual(
      partial.map(({ hit, values }) => [hit.number, values]),
      [
        [1, [0]],
        [4, [0]],
        [5, [0]],
      ],
    );
  });
});

describe('the table of hits', () => {
  it('leaves out values that are the same in all rows, and the probe if there is only one', () => {
    assert.deepEqual(tableOf(hits('1', '2'), [PROBE], 1000), {
      columns: ['hit', 'x'],
      rows: [
        [1, '1'],
        [2, '2'],
      ],
      omitted: 0,
      thread: 'main',
      caller: 'run (a.js:1)',
    });
    const { columns, rows } = tableOf(hits('1', [2, '2']), [PROBE, SECOND], 1000);
    assert.deepEqual(columns, ['hit', 'probe', 'values…']);
    assert.deepEqual(rows[1], [1, 2, '2']);
  });

  it('tells the calls of one function that were open at once, and the processes', () => {
    const [hit] = hits('1');
    assert.ok(hit);
    const at = (call: number, probe: number, process = 7) => ({ ...hit, call, probe, process });
    const columns = (...all: ReturnType<typeof at>[]) =>
      tableOf(all, [PROBE, SECOND], 1000).columns;
    const PLAIN = ['hit', 'probe', 'values…'];
    assert.deepEqual(columns(at(1, 1), at(1, 2), at(2, 1), at(2, 2)), PLAIN, 'one after another');
    assert.deepEqual(columns(at(1, 1), at(2, 2), at(1, 1), at(3, 2)), PLAIN, 'of two functions');
    const both = tableOf([at(1, 1), at(2, 1), at(1, 2), at(2, 2)], [PROBE, SECOND], 1000);
    assert.deepEqual(both.columns, ['hit', 'probe', 'call', 'values…']);
    assert.deepEqual(
      both.rows.map((row) => row[2]),
      [1, 2, 1, 2],
    );
    assert.deepEqual(columns(at(1, 1), at(2, 1, 8)), ['hit', 'probe', 'process', 'values…']);
  });

  it('keeps the first and the last rows of many, and counts the others', () => {
    const { rows, omitted } = tableOf(
      hits(...Array.from({ length: 1000 }, (_, n) => `v${n}`)),
      [PROBE],
      300,
    );
    assert.equal(rows[0]?.[1], 'v0');
    assert.equal(rows.at(-1)?.[1], 'v999');
    assert.equal(rows.length + omitted, 1000);
    assert.ok(JSON.stringify(rows).length <= 320);
  });

  it('keeps all, changes, first or last hits', () => {
    const all = hits('1', '1', [2, 'a'], '2', [2, 'a']);
    const kept = (keep: Keep) =>
      keptHits(all, keep).hits.map((each) => `${each.probe}/${each.number}`);
    assert.equal(kept('all').length, 5);
    assert.deepEqual(kept('changes'), ['1/1', '2/1', '1/3']);
    assert.deepEqual(kept('first'), ['1/1', '2/1']);
    assert.deepEqual(kept('last'), ['1/3', '2/2']);
  });

  it('names the hits that are left out although only a part of their values is known', () => {
    const all = hits('size=2', 'size=2', '1', 'size=3');
    const { hits: kept, unknown } = keptHits(all, 'changes');
    assert.deepEqual(
      [kept.map(({ number }) => number), unknown.map(({ hit }) => hit.number)],
      [[1, 3, 4], [2]],
    );
    const known = all.map((hit) => ({ ...hit, wholes: [`whole ${hit.number}`] }));
    assert.equal(keptHits(known, 'changes').hits.length, 4);
    const same = all.map((hit) => ({ ...hit, wholes: ['whole'] }));
    const { hits: fewer, unknown: none } = keptHits(same, 'changes');
    assert.deepEqual([fewer.length, none.length], [3, 0]);
  });
});

describe('collections', () => {
  it('are numbered, and the oldest are dropped for new ones', () => {
    const collections = new Collections(5);
    assert.equal(collections.add([PROBE], hits('1', '2', '3'), false).id, 'c1');
    collections.add([PROBE], hits('1', '2', '3'), false);
    assert.deepEqual(collections.ids(), ['c2']);
    collections.add([PROBE], hits('1', '2', '3', '4', '5', '6', '7'), false);
    assert.deepEqual(collections.ids(), ['c3'], 'the newest is kept, however large');
    assert.equal(collections.get('c1'), undefined);
  });
});
