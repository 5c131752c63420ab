import { strict as assert } from 'node:assert';
import {
  isSynthetic,
  isLength,
  isText,
  readMembers,
  type MemberPage,
  type MemberQuery,
} from '../../../../src/debugger/inspection/variableReader';
import { variablesOf } from '../../../../src/debugger/inspection/stackAndVariables';
import type { Fields } from '../../../../src/debugger/protocol';
import { bench, paused, type Bench } from '../../support/services';

const REFERENCE = 7;

interface Counts {
  readonly indexedVariables?: number;
  readonly namedVariables?: number;
}

const member = (name: string | number) => ({
  name: String(name),
  value: '1',
  variablesReference: 0,
});
const elements = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => member(from + index));
const named = (length: number) => Array.from({ length }, (_, index) => member(`named${index}`));

type AnswerTo = (asked: { filter: unknown; start: number; count: number }) => readonly unknown[];

/** An adapter that returns these members of its container. */
function adapter(answer: AnswerTo): Bench {
  const on = paused(bench());
  on.host.on('variables', ({ filter, start = 0, count = Infinity }: Fields) => ({
    variables: answer({ filter, start: Number(start), count: Number(count) }),
  }));
  return on;
}

/** An adapter as specified by DAP: it filters and pages, elements first. */
function paging(indexed: number, names: number): Bench {
  return adapter(({ filter, start, count }) => {
    const all = [
      ...(filter === 'named' ? [] : elements(0, indexed)),
      ...(filter === 'indexed' ? [] : named(names)),
    ];
    return all.slice(start, start + count);
  });
}

/** A page, with the names of its members. */
async function read(
  on: Bench,
  query: MemberQuery,
  counts: Counts = {},
): Promise<Omit<MemberPage, 'variables'> & { readonly names: readonly string[] }> {
  const { inspector } = on.services;
  const place = inspector.placeOf(on.session(), 1);
  const number = inspector.handles.variables(place, REFERENCE, 10, {
    indexedVariables: counts.indexedVariables,
    namedVariables: counts.namedVariables,
  });
  const { handle } = inspector.handles.resolveVariables(number);
  const { variables, ...page } = await readMembers(
    inspector,
    on.session(),
    handle,
    query,
    on.call.signal,
  );
  return { ...page, names: variables.map(({ name }) => name) };
}

/** The arguments of the adapter’s requests without the container. */
const asked = (on: Bench): unknown[] =>
  on.host.sent('variables').map(({ variablesReference: _, ...paged }) => paged);

const numbers = (from: number, to: number): string[] => elements(from, to).map(({ name }) => name);

describe('the members of a small container', () => {
  it('are requested as a whole and paged here', async () => {
    const on = paging(0, 5);
    const first = await read(on, { start: 1, count: 2 });
    assert.deepEqual([first.names, first.total, first.next], [['named1', 'named2'], 5, 3]);
    const last = await read(on, { start: 3, count: 2 });
    assert.deepEqual([last.names, last.next], [['named3', 'named4'], undefined]);
    assert.deepEqual(asked(on), [{}, {}]);
  });

  it('match the filter, even if the adapter ignores it', async () => {
    for (const on of [paging(2, 2), adapter(() => [...elements(0, 2), ...named(2)])]) {
      const namedOnes = await read(on, { start: 0, count: 9, filter: 'named' });
      assert.deepEqual([namedOnes.names, namedOnes.total], [['named0', 'named1'], 2]);
      const indexed = await read(on, { start: 0, count: 9, filter: 'indexed' });
      assert.deepEqual([indexed.names, indexed.total], [['0', '1'], 2]);
      assert.deepEqual(asked(on), [{ filter: 'named' }, { filter: 'indexed' }]);
    }
  });

  it('match the pattern by name, of which only the beginning is tested', async () => {
    const long = 'k'.repeat(10_000);
    const on = adapter(() => [member('count'), member('price'), member(long)]);
    let longest = 0;
    const pattern = {
      test: (text: string) => {
        longest = Math.max(longest, text.length);
        return text.includes('c');
      },
    };
    const page = await read(on, { start: 0, count: 9, pattern });
    assert.deepEqual([page.names, page.total, page.next], [['count', 'price'], 2, undefined]);
    assert.ok(longest >= 'count'.length && longest < 1000);
  });

  it('are counted if they are invalid, or if the adapter claims them and does not send them', async () => {
    const odd = await read(
      adapter(() => [member('a'), 'none', 7]),
      { start: 0, count: 9 },
    );
    assert.deepEqual([odd.names, odd.unreadable, odd.total], [['a'], 2, 3]);
    const missing = await read(
      adapter(() => []),
      { start: 40, count: 9 },
      { indexedVariables: 2500, namedVariables: 0 },
    );
    assert.deepEqual([missing.names, missing.missing, missing.next], [[], 2460, undefined]);
  });

  it('are paged if the adapter sends only the first ones (delve)', async () => {
    const on = adapter(({ filter, start, count }) =>
      filter === undefined ? elements(0, 64) : elements(0, 100).slice(start, start + count),
    );
    const counts = { indexedVariables: 100, namedVariables: 0 };
    const page = await read(on, { start: 60, count: 10 }, counts);
    assert.deepEqual([page.names, page.total, page.next], [numbers(60, 70), 100, 70]);
  });

  it('are only those that were sent if the adapter sends no more for a page', async () => {
    const on = adapter(({ filter }) => (filter === undefined ? elements(0, 64) : []));
    const page = await read(on, { start: 60, count: 10 }, { indexedVariables: 100 });
    assert.deepEqual([page.names, page.total], [numbers(60, 64), 64]);
  });

  it('are neither searched nor requested if they were not sent', async () => {
    const on = adapter(() => elements(0, 64));
    const pattern = { test: (text: string) => text === '3' };
    const found = await read(on, { start: 0, count: 10, pattern }, { indexedVariables: 100 });
    assert.deepEqual([found.names, found.unsearched], [['3'], 36]);
    const all = await read(on, { start: 0, count: 10, filter: 'named' }, { indexedVariables: 100 });
    assert.deepEqual([all.names, all.unsearched], [[], 0]);
    assert.deepEqual(asked(on), [{}, { filter: 'named' }]);
  });

  it('continue at debugpy’s “more” entry if it is at the end and can be read', async () => {
    const more = (variablesReference: number, type = 'MoreItems') => ({
      ...member('more'),
      type,
      variablesReference,
    });
    const rest = async (...members: readonly object[]): Promise<unknown> =>
      (
        await read(
          adapter(() => members),
          { start: 0, count: 9 },
        )
      ).rest?.reference;
    assert.equal(await rest(member(0), more(9), member('len()')), 9);
    assert.equal(await rest(member(0), more(0), member('len()')), undefined);
    assert.equal(await rest(member(0), more(9, 'list'), member('len()')), undefined);
    assert.equal(await rest(more(9), member(0), member(1)), undefined);
  });
});

describe('the members of a large collection', () => {
  const counts = { indexedVariables: 2500, namedVariables: 2 };

  it('are requested by page', async () => {
    const on = paging(2500, 2);
    const page = await read(on, { start: 1000, count: 3 }, counts);
    assert.deepEqual([page.names, page.total, page.next], [numbers(1000, 1003), 2502, 1003]);
    assert.deepEqual(asked(on), [{ filter: 'indexed', start: 1000, count: 3 }]);
  });

  it('end with the named ones, which follow the last element', async () => {
    const on = paging(2500, 2);
    const end = await read(on, { start: 2499, count: 2 }, counts);
    assert.deepEqual([end.names, end.total, end.next], [['2499', 'named0'], 2502, 2501]);
    const last = await read(on, { start: 2501, count: 2 }, counts);
    assert.deepEqual([last.names, last.total, last.next], [['named1'], 2502, undefined]);
    assert.equal(
      on.host.sent('variables').filter(({ filter }) => filter === 'indexed').length,
      1,
      'behind the elements none is asked for',
    );
  });

  it('cause a request for the named ones after the last element only if their number is unknown', async () => {
    const counted = paging(2500, 2);
    const page = await read(counted, { start: 2490, count: 10 }, counts);
    assert.deepEqual([page.names, page.total, page.next], [numbers(2490, 2500), 2502, 2500]);
    assert.equal(asked(counted).length, 1);
    const uncounted = paging(2500, 3);
    const other = await read(uncounted, { start: 2490, count: 10 }, { indexedVariables: 2500 });
    assert.deepEqual([other.names, other.total, other.next], [numbers(2490, 2500), 2503, 2500]);
  });

  it('cause no request for named ones if there are none', async () => {
    const on = paging(2500, 0);
    const page = await read(
      on,
      { start: 2499, count: 9 },
      { indexedVariables: 2500, namedVariables: 0 },
    );
    assert.deepEqual([page.names, page.total, page.next], [['2499'], 2500, undefined]);
    assert.equal(asked(on).length, 1);
  });

  it('are only its elements if only those are requested', async () => {
    const on = paging(2500, 2);
    const page = await read(on, { start: 2499, count: 9, filter: 'indexed' }, counts);
    assert.deepEqual([page.names, page.total, page.next], [['2499'], 2500, undefined]);
    assert.equal(asked(on).length, 1);
  });

  it('are cut here if the adapter answers every page with all of them', async () => {
    const on = adapter(({ filter }) => (filter === 'named' ? named(2) : elements(0, 2500)));
    const page = await read(on, { start: 10, count: 3 }, counts);
    assert.deepEqual([page.names, page.total, page.next], [numbers(10, 13), 2502, 13]);
  });

  it('are fewer than claimed if the adapter sends them from the first one on', async () => {
    const on = adapter(({ filter }) => (filter === 'named' ? [] : elements(0, 3)));
    const page = await read(
      on,
      { start: 1, count: 3 },
      { indexedVariables: 2500, namedVariables: 0 },
    );
    assert.deepEqual([page.names, page.total, page.next], [['1', '2'], 3, undefined]);
  });

  it('are read by one page first if they are named, and as a whole if there are more', async () => {
    const few = adapter(({ filter, start, count }) =>
      // It does not filter: its elements come before the named ones.
      [...elements(0, filter === 'named' ? 5 : 2500), ...named(2)].slice(start, start + count),
    );
    const page = await read(few, { start: 0, count: 9, filter: 'named' }, counts);
    assert.deepEqual([page.names, page.total], [['named0', 'named1'], 2]);
    assert.deepEqual(asked(few), [{ filter: 'named', start: 0, count: 1000 }]);
    const many = adapter(({ count }) =>
      count === Infinity ? [...named(1200), ...elements(0, 5)] : named(count),
    );
    const all = await read(many, { start: 1198, count: 9, filter: 'named' }, counts);
    assert.deepEqual([all.names, all.total], [['named1198', 'named1199'], 1200]);
  });

  it('are searched only among the named ones, and the elements are counted as not searched', async () => {
    const on = paging(2500, 2);
    const pattern = { test: (text: string) => text.endsWith('1') };
    const page = await read(on, { start: 0, count: 9, pattern }, counts);
    assert.deepEqual([page.names, page.total, page.unsearched], [['named1'], 1, 2500]);
  });

  it('are paged only if there are more than a thousand elements', async () => {
    const on = paging(1000, 0);
    await read(on, { start: 0, count: 9 }, { indexedVariables: 1000 });
    assert.deepEqual(asked(on), [{}]);
  });
});

describe('entries that adapters add to members', () => {
  it('are recognized by their name, or by having neither a value nor a type', () => {
    const beside = (name: string, value: string, type?: string): boolean =>
      isSynthetic({ name, value, type });
    assert.deepEqual(
      [
        beside('[[Prototype]]', 'Object', 'Object'),
        beside('[raw]', 'x', 'T'),
        beside('special variables', ''),
        beside('text', '', 'string'),
        beside('order', 'Order'),
      ],
      [true, true, true, false, false],
    );
  });

  it('include debugpy’s length and a text that its members repeat', () => {
    assert.deepEqual(
      [
        isLength({ name: 'len()', type: 'int' }),
        isLength({ name: 'len()', type: undefined }),
        isLength({ name: 'count', type: 'int' }),
      ],
      [true, false, false],
    );
    const texts = variablesOf(
      ['"hello"', '{size="2"'].map((value) => ({ ...member('text'), value })),
    ).map(isText);
    assert.deepEqual(texts, [true, false]);
  });
});
