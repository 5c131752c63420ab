import { strict as assert } from 'node:assert';
import type { Fields } from '../../../../src/debugger/protocol';
import { ask } from '../../support/asking';
import { never } from '../../support/fakeHost';
import { bench, paused, type Bench } from '../../support/services';
import { containerOf } from '../../support/inspecting';

describe('get_variables: collections', () => {
  it('reports that no name matches the pattern, so that the object is not mistaken for an empty one', async () => {
    const on = paused(bench());
    const none = await ask(on, 'get_variables', {
      variables_reference: containerOf(on),
      name_pattern: '^cuont$',
    });
    assert.deepEqual([none['variables'], none['message']], [[], 'No name matches “^cuont$”.']);
    assert.equal(
      'message' in
        (await ask(on, 'get_variables', {
          variables_reference: containerOf(on),
          name_pattern: '^count$',
        })),
      false,
    );
  });

  it('does not search the elements of a large collection for a name, even if the adapter ignores the filter', async () => {
    const on = paused(bench());
    let sent = 0;
    // lldb-dap pages, but it does not distinguish elements from named members.
    on.host.on('variables', ({ start = 0, count = 100_000 }: Fields) => {
      const variables = Array.from(
        { length: Math.min(Number(count), 100_000 - Number(start)) },
        (_, index) => ({ name: `[${Number(start) + index}]`, value: '7', variablesReference: 0 }),
      );
      sent += variables.length;
      return { variables };
    });
    const many = on.services.inspector.handles.variables(
      on.services.inspector.placeOf(on.session(), 1),
      7,
      10,
      { indexedVariables: 100_000, namedVariables: undefined },
    );
    const found = await ask(on, 'get_variables', {
      variables_reference: many,
      name_pattern: 'capacity',
    });
    assert.deepEqual([found['variables'], (found['omitted'] as Fields)['elements']], [[], 100_000]);
    const end = await ask(on, 'get_variables', { variables_reference: many, start: 99_998 });
    assert.deepEqual(
      (end['variables'] as Fields[]).map((variable) => variable['name']),
      ['[99998]', '[99999]'],
    );
    assert.ok(sent < 5000, `${sent} were sent`);
  });

  it('returns exactly the requested page of a large array, even if the adapter sends a prototype after it', async () => {
    const on = paused(bench());
    // As js-debug does: the prototype is that of the object in which it collects the page.
    on.host.on('variables', ({ filter, start = 0, count = 2500 }: Fields) => ({
      variables: [
        ...(filter === 'named'
          ? [{ name: 'length', value: '2500', variablesReference: 0 }]
          : Array.from({ length: Number(count) }, (_, index) => ({
              name: String(Number(start) + index),
              value: '7',
              variablesReference: 0,
            }))),
        { name: '[[Prototype]]', value: 'Object', variablesReference: 9 },
      ],
    }));
    const many = on.services.inspector.handles.variables(
      on.services.inspector.placeOf(on.session(), 1),
      7,
      10,
      { indexedVariables: 2500, namedVariables: 1 },
    );
    const page = await ask(on, 'get_variables', {
      variables_reference: many,
      start: 2400,
      count: 3,
    });
    assert.deepEqual(
      [
        (page['variables'] as Fields[]).map((variable) => variable['name']),
        page['total'],
        page['omitted'],
      ],
      [['2400', '2401', '2402'], 2501, { variables: 98, fetch_variables: 'start=2403' }],
    );
    const first = await ask(on, 'get_variables', {
      variables_reference: many,
      filter: 'indexed',
      count: 2,
    });
    assert.deepEqual(
      [(first['variables'] as Fields[]).map((variable) => variable['name']), first['total']],
      [['0', '1'], 2500],
    );
  });

  describe('if the adapter sends only the first 64 elements unless a page is requested (delve)', () => {
    const paging = (
      names: (index: number) => string,
      size: number,
    ): { on: Bench; container: number } => {
      const on = paused(bench());
      on.host.on('variables', ({ filter, start = 0, count = 64 }: Fields) => ({
        variables: Array.from(
          { length: Math.min(Number(count), size - Number(start)) },
          (_, index) => ({ name: names(Number(start) + index), value: '7', variablesReference: 0 }),
        ).concat(
          filter === undefined
            ? [{ name: 'len()', value: String(size), variablesReference: 0 }]
            : [],
        ),
      }));
      return {
        on,
        container: on.services.inspector.handles.variables(
          on.services.inspector.placeOf(on.session(), 1),
          7,
          10,
          { indexedVariables: size, namedVariables: 0 },
        ),
      };
    };
    const namesOf = (answer: Fields): unknown[] =>
      (answer['variables'] as Fields[]).map((variable) => variable['name']);

    it('reads the page and counts all elements', async () => {
      const { on, container } = paging((index) => `[${index}]`, 300);
      const page = await ask(on, 'get_variables', {
        variables_reference: container,
        start: 250,
        count: 2,
      });
      assert.deepEqual(
        [namesOf(page), page['total'], page['omitted'], page['message']],
        [['[250]', '[251]'], 300, { variables: 48, fetch_variables: 'start=252' }, undefined],
      );
      const first = await ask(on, 'get_variables', { variables_reference: container });
      assert.deepEqual([namesOf(first).length, first['total']], [100, 300]);
    });

    it('does not mistake numeric keys for indices', async () => {
      for (const size of [300, 3000]) {
        const { on, container } = paging((index) => String((index * 7) % size), size);
        assert.deepEqual(
          namesOf(
            await ask(on, 'get_variables', {
              variables_reference: container,
              start: 250,
              count: 2,
            }),
          ),
          [String(1750 % size), String(1757 % size)],
        );
      }
    });

    it('counts the elements that were not searched for the name', async () => {
      const { on, container } = paging((index) => `"k${index}"`, 300);
      const none = await ask(on, 'get_variables', {
        variables_reference: container,
        name_pattern: 'k250',
      });
      assert.deepEqual(
        [none['variables'], (none['omitted'] as Fields)['elements'], none['message']],
        [[], 235, 'None of the names that were checked matches “k250”.'],
      );
    });
  });

  it('reports a page beyond the last member, and shows where debugpy keeps the rest of a list', async () => {
    const on = paused(bench());
    const list = [
      ...Array.from({ length: 100 }, (_, index) => ({
        name: String(index),
        value: '7',
        type: 'int',
        variablesReference: 0,
      })),
      { name: 'more', value: '...', type: 'MoreItems', variablesReference: 9 },
      { name: 'len()', value: '3000', type: 'int', variablesReference: 0 },
    ];
    on.host.on('variables', () => ({ variables: list }));
    const past = await ask(on, 'get_variables', {
      variables_reference: containerOf(on),
      start: 2900,
    });
    assert.deepEqual(
      [(past['variables'] as Fields[]).map((variable) => variable['name']), past['message']],
      [
        ['more'],
        'The debugger lists 102 members here. The others are under “more”, or evaluate the part that you need.',
      ],
    );
    list.splice(100, 1);
    const other = paused(bench());
    other.host.on('variables', () => ({ variables: list }));
    const end = await ask(other, 'get_variables', {
      variables_reference: containerOf(other),
      start: 101,
    });
    assert.deepEqual(
      [end['variables'], end['message']],
      [[], 'The debugger lists 101 members here, so there is no member at 101.'],
    );
    assert.equal(
      'message' in
        (await ask(other, 'get_variables', {
          variables_reference: containerOf(other),
          start: 100,
        })),
      false,
    );
  });

  it('expands with depth the members of a value, but not those that every value of its kind has', async () => {
    const on = paused(bench());
    const beside = [
      { name: 'text', value: '"seven"', type: 'std::string', variablesReference: 20 },
      { name: 'special variables', value: '', type: '', variablesReference: 20 },
      { name: '[[Prototype]]', value: 'Object', type: 'Object', variablesReference: 20 },
      { name: '[raw]', value: '', type: 'std::vector<int>', variablesReference: 20 },
    ];
    const asked: unknown[] = [];
    on.host.on('variables', ({ variablesReference }: Fields) => {
      asked.push(variablesReference);
      return {
        variables: [
          ...beside,
          {
            name: "'a'",
            value: variablesReference === 7 ? '{…}' : '1',
            type: 'dict',
            variablesReference: variablesReference === 7 ? 8 : 0,
          },
        ],
      };
    });
    const answer = await ask(on, 'get_variables', {
      variables_reference: containerOf(on),
      depth: 5,
    });
    const shown = answer['variables'] as {
      name: string;
      children?: Fields[];
      variables_reference: number;
    }[];
    assert.deepEqual(
      [asked, shown.map((variable) => variable.children?.length)],
      [
        [7, 8],
        [undefined, undefined, undefined, undefined, 2],
      ],
    );
    assert.ok(
      shown[0] !== undefined && shown[0].variables_reference > 0,
      'they can be read by themselves',
    );
  });

  it('hints to request fewer members if the adapter does not respond in time', async () => {
    const on = paused(bench(20));
    on.host.on('variables', never);
    const answer = await ask(on, 'get_variables', { variables_reference: containerOf(on) });
    assert.equal(answer['code'], 'adapter_timeout');
    assert.match(String(answer['hint']), /fewer \(start, count\)/);
  });
});
