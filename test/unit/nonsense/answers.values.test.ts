import { strict as assert } from 'node:assert';
import { ask, type Answer } from '../support/asking';
import { bench, paused, type Bench } from '../support/services';
import { omittedOf, NONSENSE } from '../support/nonsenseAnswers';

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type: string | null;
  readonly variables_reference: number;
}

const variablesOf = (answer: Answer): readonly Variable[] => answer['variables'] as Variable[];

/** A reference to a container with the given child counts from the adapter. */
function container(
  on: Bench,
  counts: { indexedVariables?: number; namedVariables?: number } = {},
): number {
  const { inspector } = on.services;
  return inspector.handles.variables(inspector.placeOf(on.session(), 1), 7, 10, {
    indexedVariables: counts.indexedVariables,
    namedVariables: counts.namedVariables,
  });
}

const read = (on: Bench, more: object = {}, counts = {}): Promise<Answer> =>
  ask(on, 'get_variables', { variables_reference: container(on, counts), ...more });

describe('nonsense: lists of variables', () => {
  it('of every wrong type are treated as empty', async () => {
    for (const variables of NONSENSE.filter((each) => !Array.isArray(each) || each.length === 0)) {
      const on = paused(bench());
      on.host.on('variables', () => ({ variables }));
      const answer = await read(on);
      assert.deepEqual(
        [answer.status, answer['variables'], answer['total']],
        ['success', [], 0],
        String(variables),
      );
    }
  });

  it('show the readable entries and the number of unreadable ones', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [{ name: 'a', value: '1' }, null, 5, 'x', [], { name: 'b', value: '2' }],
    }));
    const answer = await read(on);
    assert.deepEqual(
      variablesOf(answer).map((each) => each.name),
      ['a', 'b'],
    );
    assert.deepEqual([answer['total'], omittedOf(answer)['unreadable']], [6, 4]);
  });

  it('keep variables with fields of every wrong type', async () => {
    for (const wrong of NONSENSE) {
      const on = paused(bench());
      on.host.on('variables', () => ({
        variables: [
          {
            name: wrong,
            value: wrong,
            type: wrong,
            variablesReference: wrong,
            namedVariables: wrong,
            indexedVariables: wrong,
            evaluateName: wrong,
            memoryReference: wrong,
            presentationHint: wrong,
          },
          { name: 'b', value: '2', variablesReference: 0 },
        ],
      }));
      const answer = await read(on, { depth: 3 });
      assert.equal(variablesOf(answer).length, 2, String(wrong));
      assert.equal(variablesOf(answer)[1]?.name, 'b');
    }
  });

  it('show a name or value that is a number or a boolean as text', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [
        { name: 5, value: 42 },
        { name: 'ok', value: false },
      ],
    }));
    assert.deepEqual(
      variablesOf(await read(on)).map((each) => [each.name, each.value]),
      [
        ['5', '42'],
        ['ok', 'false'],
      ],
    );
  });

  it('ignore negative and fractional counts', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [
        {
          name: 'list',
          value: '',
          variablesReference: 8,
          indexedVariables: -5,
          namedVariables: 2.5,
        },
      ],
    }));
    const [list] = variablesOf(await read(on));
    assert.deepEqual(Object.keys(list ?? {}), ['name', 'value', 'type', 'variables_reference']);
  });
});

describe('nonsense: pages of elements', () => {
  const element = (index: number): object => ({
    name: String(index),
    value: String(index),
    variablesReference: 0,
  });
  const elements = (from: number, to: number): object[] =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => element(from + index));

  it('return the ten requested elements of a million that were sent, and the total', async () => {
    const on = paused(bench());
    const all = elements(0, 1_000_000);
    on.host.on('variables', () => ({ variables: all }));
    const answer = await read(
      on,
      { start: 500_000, count: 10 },
      { indexedVariables: 1_000_000, namedVariables: 0 },
    );
    assert.deepEqual(
      variablesOf(answer).map((each) => each.name),
      Array.from({ length: 10 }, (_, index) => String(500_000 + index)),
    );
    assert.deepEqual([answer['total'], omittedOf(answer)['variables']], [1_000_000, 499_990]);
  });

  it('end at the last page of an adapter that claims more elements than it sends', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ start, count }) => ({
      variables: elements(Number(start), Math.min(1005, Number(start) + Number(count))),
    }));
    const counts = { indexedVariables: 1e12, namedVariables: 0 };
    const whole = await read(on, { start: 0, count: 100 }, counts);
    assert.equal(omittedOf(whole)['fetch_variables'], 'start=100');
    const short = await read(on, { start: 1000, count: 100 }, counts);
    assert.deepEqual(
      [variablesOf(short).length, omittedOf(short)['fetch_variables']],
      [5, 'start=1005'],
    );
    const empty = await read(on, { start: 1005, count: 100 }, counts);
    assert.deepEqual([variablesOf(empty), omittedOf(empty)['fetch_variables']], [[], undefined]);
    assert.match(String(empty['message']), /1000000000000/);
  });

  it('count the elements that an adapter sends if it claims fewer', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({ variables: elements(0, 5000) }));
    const answer = await read(
      on,
      { start: 10, count: 20 },
      { indexedVariables: 2000, namedVariables: 0 },
    );
    assert.deepEqual(
      [
        variablesOf(answer)[0]?.name,
        variablesOf(answer).length,
        answer['total'],
        omittedOf(answer)['variables'],
      ],
      ['10', 20, 5000, 4970],
    );
  });

  it('separate elements from named children if the adapter supports neither filters nor paging', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [{ name: 'length', value: '1500', variablesReference: 0 }, ...elements(0, 1500)],
    }));
    const counts = { indexedVariables: 1500, namedVariables: 1 };
    assert.deepEqual(
      variablesOf(await read(on, { start: 1498, count: 2, filter: 'indexed' }, counts)).map(
        (each) => each.name,
      ),
      ['1498', '1499'],
    );
    const end = await read(on, { start: 1499, count: 10 }, counts);
    assert.deepEqual(
      [variablesOf(end).map((each) => each.name), end['total'], end['omitted']],
      [['1499', 'length'], 1501, undefined],
    );
  });

  it('include the named children after the last full page of elements', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ filter, start, count }) => ({
      variables:
        filter === 'named'
          ? [{ name: 'length', value: '2000', variablesReference: 0 }]
          : elements(Number(start), Number(start) + Number(count)),
    }));
    const answer = await read(on, { start: 1900, count: 100 }, { indexedVariables: 2000 });
    assert.deepEqual(
      [variablesOf(answer).length, answer['total'], omittedOf(answer)],
      [100, 2001, { variables: 1, fetch_variables: 'start=2000' }],
    );
    assert.deepEqual(
      variablesOf(await read(on, { start: 2000 }, { indexedVariables: 2000 })).map(
        (each) => each.name,
      ),
      ['length'],
    );
  });
});
