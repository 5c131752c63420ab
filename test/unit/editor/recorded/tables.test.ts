import { strict as assert } from 'node:assert';
import { collectionTables } from '../../../../src/editor/recorded/collectionTables';
import { chartOf, HEIGHT, WIDTH } from '../../../../src/editor/recorded/chart';
import { pageOf } from '../../../../src/editor/recorded/page';
import { MAX_SHOWN, nextSorted, tableState } from '../../../../src/editor/recorded/pageState';
import { RecordedResults } from '../../../../src/editor/recorded/results';
import { chosenRows, numberIn, type Row, type Table } from '../../../../src/editor/recorded/table';
import { traceTable } from '../../../../src/editor/recorded/traceTable';
import type { Collection } from '../../../../src/tools/trace/collect/collections';
import type { Hit } from '../../../../src/tools/trace/collect/collector';
import type { Recorded } from '../../../../src/tools/trace/recorded';
import { executed, history, LOOP } from './histories';

const rowsOf = (texts: readonly (readonly string[])[]): readonly Row[] =>
  texts.map((row) => ({ cells: row.map((text) => ({ text })) }));
const tableOf = (texts: readonly (readonly string[])[]): Table => ({
  ...{ title: 't', columns: ['a', 'b'], rows: rowsOf(texts), remarks: [] },
});
const texts = (rows: readonly Row[]): readonly string[] =>
  rows.map(({ cells }) => cells.map(({ text }) => text).join(' '));

const hit = (number: number, values: Hit['values'], claim?: boolean | string): Hit => ({
  ...{ probe: 1, number, thread: 'main', caller: 'main:1', values, claim, stack: undefined },
});

function collection(id: string, hits: readonly Hit[], more: Partial<Collection> = {}): Collection {
  return {
    id,
    probes: [
      {
        ...{ id: 1, path: '/shop/cart.py', line: 4, expressions: ['total'], condition: undefined },
        expect: hits.some(({ claim }) => claim !== undefined) ? 'total < 20' : undefined,
      },
    ],
    hits,
    isCut: false,
    ...more,
  };
}

const tables = (now: Collection, compared?: Collection, mayMissHits = false): readonly Table[] =>
  collectionTables({ kind: 'collection', collection: now, compared, mayMissHits });

describe('the table of recorded values', () => {
  const table = tableOf([
    ['1', '10'],
    ['2', '9'],
    ['3', 'apple'],
    ['4', ''],
    ['5', '-1e2'],
  ]);

  it('is sorted by numbers, then by texts, with missing values last', () => {
    const sorted = (isDown: boolean) =>
      texts(chosenRows(table, { filter: '', sorted: { column: 1, isDown } }));
    assert.deepEqual(sorted(false), ['5 -1e2', '2 9', '1 10', '3 apple', '4 ']);
    assert.deepEqual(sorted(true), [...sorted(false)].reverse());
    assert.deepEqual(texts(chosenRows(table, { filter: '' })).length, 5);
  });

  it('is filtered by any cell, without regard to case', () =>
    assert.deepEqual(texts(chosenRows(table, { filter: ' APP' })), ['3 apple']));

  it('is sorted up, down, and then as it was recorded', () => {
    const up = nextSorted({ filter: '' }, 1);
    const down = nextSorted({ filter: '', sorted: up }, 1);
    assert.deepEqual([up?.isDown, down?.isDown], [false, true]);
    assert.equal(nextSorted({ filter: '', sorted: down }, 1), undefined);
    assert.deepEqual(nextSorted({ filter: '', sorted: down }, 0), { column: 0, isDown: false });
  });

  it('knows numbers from texts that contain one', () => {
    assert.deepEqual(
      ['1', '-2.5', '+.5', '1e3', '1e999', '1px', '', 'NaN', '0x10', '.'].map(numberIn),
      [1, -2.5, 0.5, 1000, ...Array.from({ length: 6 }, () => undefined)],
    );
  });

  it('draws a bounded number of rows, and says so', () => {
    const long = tableOf(Array.from({ length: 2000 }, (_, index) => [`${index}`, 'x']));
    const state = tableState(long, { filter: '' });
    assert.equal(state.rows.length, MAX_SHOWN);
    assert.match(state.count, /500 of 2000 rows/);
    assert.match(tableState(long, { filter: '1999' }).count, /1 of 2000 rows/);
  });
});

describe('the chart of a column', () => {
  const chart = (values: readonly string[]) => chartOf(rowsOf(values.map((text) => [text])), 0);

  it('is a line from the first to the last value', () => {
    const found = chart(['0', '5', '10']);
    assert.deepEqual(found, {
      ...{ least: 0, most: 10, values: 3 },
      lines: [`0,${HEIGHT - 1} ${WIDTH / 2},${HEIGHT / 2} ${WIDTH},1`],
    });
  });

  it('is interrupted where a value is missing, and does not exist for texts and for one value', () => {
    assert.equal(chart(['1', '', '2', '3'])?.lines.length, 2);
    assert.equal(chart(['1', 'x', '2']), undefined);
    assert.equal(chart(['1', '']), undefined);
  });

  it('is in the middle for equal values, and has numbers for huge ones', () => {
    assert.deepEqual(chart(['7', '7'])?.lines, [`0,${HEIGHT / 2} ${WIDTH},${HEIGHT / 2}`]);
    assert.doesNotMatch(chart(['-1.7e308', '0', '1.7e308'])?.lines.join() ?? 'NaN', /NaN|Infinity/);
  });

  it('has the extremes of very many values', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => (index === 7777 ? '100' : '1'));
    const [line = ''] = chart(values)?.lines ?? [];
    const points = line.split(' ');
    assert.ok(points.length <= 240, `${points.length}`);
    assert.ok(points.some((point) => point.endsWith(',1')));
  });
});

describe('the tables of a collection', () => {
  it('show a refuted claim, its hits, and errors', () => {
    const hits = [hit(1, ['9'], true), hit(2, ['27'], false), hit(3, [{ error: 'gone' }], 'gone')];
    const [table] = tables(collection('c1', hits));
    assert.ok(table);
    assert.equal(table.title, 'c1 · cart.py:4');
    assert.deepEqual(table.columns, ['Hit', 'total', 'total < 20']);
    assert.deepEqual(texts(table.rows), ['1 9 holds', '2 27 refuted', '3 !gone !gone']);
    assert.deepEqual(
      table.rows.map(({ cells }) => cells.at(-1)?.state),
      [undefined, 'refuted', 'error'],
    );
    assert.deepEqual(table.remarks, [{ text: 'Refuted at 1 of 3 hits: total < 20', isBad: true }]);
  });

  it('confirm a claim only if no hit may be missing', () => {
    const held = collection('c1', [hit(1, ['9'], true)]);
    assert.match(tables(held)[0]?.remarks[0]?.text ?? '', /^Confirmed at all 1 hits/);
    const [unsure] = tables(held, undefined, true);
    assert.match(
      unsure?.remarks.map(({ text }) => text).join('|') ?? '',
      /^Not refuted .*\|Some hits may be missing/,
    );
  });

  it('show two collections side by side, and only known differences as such', () => {
    const before = collection('c1', [hit(1, ['9']), hit(2, ['18']), hit(3, ['[1, 2, ...]'])]);
    const now = collection('c2', [
      hit(1, ['9']),
      hit(2, ['20']),
      hit(3, ['[1, 2, ...]']),
      hit(4, ['5']),
    ]);
    const [table] = tables(now, before);
    assert.deepEqual(table?.columns, ['Hit', 'total (c1)', 'total (c2)', 'Difference']);
    assert.deepEqual(texts(table.rows), [
      '1 9 9 same',
      '2 18 20 different',
      '3 [1, 2, ...] [1, 2, ...] unknown',
      '4  5 only in c2',
    ]);
    const [cut] = tables(now, { ...before, isCut: true });
    assert.equal(texts(cut?.rows ?? []).at(-1), '4  5 not compared');
  });
});

describe('the table of a trace', () => {
  it('has each executed line in order, with its place', () => {
    const table = traceTable({ kind: 'trace', history: LOOP, firstLine: 1 }, false);
    assert.equal(table.title, 'total · cart.py');
    assert.deepEqual(texts(table.rows).slice(0, 3), [
      '1 2 sum = 0 sum = 0',
      '2 3 for item in items: item = 3',
      '3 4 sum += item sum: 0 → 3',
    ]);
    assert.deepEqual(table.rows[1]?.place, { path: '/shop/cart.py', line: 3 });
    assert.deepEqual(
      table.remarks.map(({ text }) => text),
      ['items = [3, 5]', 'returned 8'],
    );
  });
});

describe('the kept results', () => {
  const traceOf = (lines: number): Recorded => ({
    ...{ kind: 'trace', firstLine: 1 },
    history: history(Array.from({ length: lines }, () => executed(2))),
  });

  it('are bounded in number and in size, newest first', () => {
    const results = new RecordedResults();
    for (let index = 0; index < 15; index += 1) results.add(traceOf(1));
    assert.deepEqual(
      results.all.map(({ id }) => id),
      [15, 14, 13, 12, 11, 10, 9, 8, 7, 6],
    );
    for (let index = 0; index < 5; index += 1) results.add(traceOf(30_000));
    assert.deepEqual(
      results.all.map(({ result, isCut }) => [
        result.kind === 'trace' && result.history.lines.length,
        isCut,
      ]),
      [
        [20_000, true],
        [20_000, true],
      ],
    );
    results.clear();
    assert.deepEqual(results.all, []);
  });
});

describe('the page', () => {
  it('has a strict policy, and texts only as text', () => {
    const page = pageOf({
      ...{ script: 'https://x/"><script>evil()</script>', style: 'https://x/a.css' },
      ...{ own: 'https://x', nonce: 'abc', language: 'en' },
    });
    assert.match(
      page,
      /content="default-src 'none'; style-src https:\/\/x; script-src 'nonce-abc'"/,
    );
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.doesNotMatch(page, /style="|onclick|innerHTML/);
  });
});
