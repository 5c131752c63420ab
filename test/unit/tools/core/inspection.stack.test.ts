import { strict as assert } from 'node:assert';
import type { Fields } from '../../../../src/debugger/protocol';
import { ask } from '../../support/asking';
import { bench, FILE, paused, type Bench } from '../../support/services';
import { containerOf } from '../../support/inspecting';

const frameOf = (on: Bench): number =>
  on.services.inspector.handles.frame(on.services.inspector.placeOf(on.session(), 1), 10);

describe('get_call_stack', () => {
  const LIBRARY = '/home/ada/app/node_modules/vitest/run.js';
  const withStack = (...files: string[]): Bench => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({
      stackFrames: files.map((file, id) => ({
        id,
        name: `f${id}`,
        line: 3,
        column: 1,
        source: { path: file },
      })),
      totalFrames: files.length,
    }));
    on.host.on('scopes', ({ frameId }) => ({
      scopes: [
        { name: 'Local', presentationHint: 'locals', variablesReference: 100 + Number(frameId) },
      ],
    }));
    on.host.on('variables', ({ variablesReference: from }) => ({
      variables: [
        { name: 'from', value: String(from), variablesReference: 0 },
        ...Array.from({ length: 12 }, (_, index) => ({
          name: `v${index}`,
          value: 'x'.repeat(index === 0 ? 500 : 5),
          variablesReference: 0,
        })),
        {
          name: 'getter',
          value: 'ƒ () {}',
          variablesReference: 9,
          presentationHint: { lazy: true },
        },
      ],
    }));
    return on;
  };
  const stackOf = async (on: Bench, input: object): Promise<Fields[]> =>
    (await ask(on, 'get_call_stack', input))['call_stack'] as Fields[];

  it('folds the frames of a library into one, unless a number of levels is requested', async () => {
    const on = withStack(FILE, LIBRARY, LIBRARY, FILE);
    assert.deepEqual(
      (await stackOf(on, {})).map((frame) => frame['function_name']),
      ['f0', '2 frames of vitest', 'f3'],
    );
    assert.deepEqual(
      (await stackOf(on, { levels: 4 })).map((frame) => frame['function_name']),
      ['f0', 'f1', 'f2', 'f3'],
    );
  });

  it('shows the variables of the program’s own frames on request, shortened and counted, and reads no lazy variable', async () => {
    const on = withStack(
      FILE,
      LIBRARY,
      LIBRARY,
      ...Array.from({ length: 7 }, () => FILE).map((file, index) => (index === 1 ? LIBRARY : file)),
    );
    const stack = await stackOf(on, { variables: true });
    assert.deepEqual(
      stack.map((frame) => (frame['variables'] as Fields | undefined)?.['from']),
      ['100', undefined, '103', undefined, '105', '106', '107', undefined, undefined],
    );
    const [first] = stack;
    assert.deepEqual(
      [Object.keys((first?.['variables'] ?? {}) as Fields).length, first?.['omitted_variables']],
      [12, 2],
    );
    assert.match(String((first?.['variables'] as Fields)['v0']), /^x{120}… \(500 characters\)$/);
    assert.ok(on.host.sent('variables').every((args) => Number(args['variablesReference']) >= 100));
  });
});

describe('values of variables and expressions', () => {
  it('do not show the source of an unread getter, which js-debug sends as its value', async () => {
    const on = paused(bench());
    const source = `ƒ get() {\\n${'  const host = this.get("Host");\\n'.repeat(10)}}`;
    on.host.on('variables', () => ({
      variables: [
        { name: 'host', value: source, variablesReference: 3, presentationHint: { lazy: true } },
        { name: 'text', value: source, variablesReference: 0 },
      ],
    }));
    const [lazy, read] = (await ask(on, 'get_variables', { variables_reference: containerOf(on) }))[
      'variables'
    ] as { value: string; lazy?: boolean }[];
    assert.equal(lazy?.lazy, true);
    assert.ok(lazy.value.length < 80, lazy.value);
    assert.match(lazy.value, /^ƒ get\(\) .*\(\d+ characters\)$/);
    assert.equal(read?.value, source, 'what was read stays');
  });

  it('are not read from a getter by any read-only request; the refusal says how to read it', async () => {
    const on = paused(bench());
    const asked: unknown[] = [];
    on.host
      .on('variables', ({ variablesReference }: Fields) => {
        asked.push(variablesReference);
        return {
          variables: [
            {
              name: 'secret',
              value: '(...)',
              variablesReference: 66,
              evaluateName: 'value["secret"]',
              presentationHint: { lazy: true },
            },
            {
              name: '[[Get]]',
              value: '(...)',
              variablesReference: 67,
              presentationHint: { lazy: true },
            },
          ],
        };
      })
      .on('evaluate', () => ({
        result: '(...)',
        variablesReference: 68,
        presentationHint: { lazy: true },
      }));
    const frame_id = frameOf(on);
    const [named, nameless] = (
      await ask(on, 'get_variables', {
        variables_reference: containerOf(on),
        depth: 5,
        name_pattern: '.',
      })
    )['variables'] as { variables_reference: number; lazy: boolean }[];
    assert.deepEqual([named?.lazy, nameless?.lazy], [true, true]);
    const evaluated = await ask(on, 'evaluate_expression', { expression: 'value.other', frame_id });
    for (const [variables_reference, hint] of [
      [
        named?.variables_reference,
        `evaluate_expression expression="value[\\"secret\\"]" frame_id=${frame_id} reads it; the person is asked first.`,
      ],
      [
        nameless?.variables_reference,
        `evaluate_expression frame_id=${frame_id} reads it; the person is asked first.`,
      ],
      [
        evaluated['variables_reference'],
        `evaluate_expression expression="value.other" frame_id=${frame_id} reads it; the person is asked first.`,
      ],
    ]) {
      for (const more of [
        {},
        { depth: 5 },
        { name_pattern: 'x' },
        { filter: 'named' },
        { start: 3, count: 1 },
      ]) {
        const refused = await ask(on, 'get_variables', { variables_reference, ...more });
        assert.deepEqual([refused['code'], refused['hint']], ['lazy_value', hint]);
      }
    }
    assert.deepEqual(
      asked.filter((reference) => reference !== 7),
      [],
    );
  });

  it('show the first line of a function, and its length', async () => {
    const on = paused(bench());
    const source = `class Worker extends EventEmitter {\n${'  constructor() {}\n'.repeat(100)}}`;
    on.host.on('variables', () => ({
      variables: [source, '(a, b = 2) => a + b', `(a) => ${'a + '.repeat(100)}0`].map((value) => ({
        name: 'f',
        value,
        type: 'Function',
        variablesReference: 3,
      })),
    }));
    const shown = (await ask(on, 'get_variables', { variables_reference: containerOf(on) }))[
      'variables'
    ] as { value: string }[];
    assert.deepEqual(
      shown.slice(0, 2).map((variable) => variable.value),
      [`class Worker extends EventEmitter {… (${source.length} characters)`, '(a, b = 2) => a + b'],
    );
    assert.match(shown[2]?.value ?? '', /^.{200}… \(408 characters\)$/);
  });

  it('show an array with holes as the adapter sends it', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ filter }: Fields) => ({
      variables: [
        { name: '0', value: '7', variablesReference: 0 },
        { name: '10', value: '7', variablesReference: 0 },
      ].concat(
        filter === 'indexed' ? [] : [{ name: 'length', value: '500', variablesReference: 0 }],
      ),
    }));
    const holes = on.services.inspector.handles.variables(
      on.services.inspector.placeOf(on.session(), 1),
      7,
      10,
      { indexedVariables: 500, namedVariables: 1 },
    );
    const answer = await ask(on, 'get_variables', { variables_reference: holes });
    assert.deepEqual(
      [(answer['variables'] as Fields[]).map((variable) => variable['name']), answer['total']],
      [['0', '10', 'length'], 3],
    );
  });

  it('include all named members of a large collection, however many', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ filter, start = 0, count = 3000 }: Fields) => ({
      variables:
        filter === 'named'
          ? Array.from({ length: Math.min(Number(count), 3000 - Number(start)) }, (_, index) => ({
              name: `name${Number(start) + index}`,
              value: '1',
              variablesReference: 0,
            }))
          : [],
    }));
    const many = on.services.inspector.handles.variables(
      on.services.inspector.placeOf(on.session(), 1),
      7,
      10,
      { indexedVariables: 100_000, namedVariables: 3000 },
    );
    const found = await ask(on, 'get_variables', {
      variables_reference: many,
      name_pattern: '^name2999$',
    });
    assert.deepEqual(
      (found['variables'] as Fields[]).map((variable) => variable['name']),
      ['name2999'],
    );
  });

  it('fit the members of a single value, too, and count the omitted members at their parent', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ variablesReference }: Fields) => ({
      variables: Array.from({ length: variablesReference === 7 ? 1 : 20 }, (_, index) => ({
        name: `member${index}`,
        value: 'x'.repeat(300),
        type: 'Object',
        variablesReference: 8,
        evaluateName: `root.member${index}`,
      })),
    }));
    const answer = await ask(on, 'get_variables', {
      variables_reference: containerOf(on),
      depth: 5,
    });
    assert.ok(JSON.stringify(answer).length <= 7500, `${JSON.stringify(answer).length}`);
    const [first] = answer['variables'] as { children?: unknown[]; omitted_children?: number }[];
    assert.ok((first?.children?.length ?? 0) > 0);
    assert.equal((first?.children?.length ?? 0) + (first?.omitted_children ?? 0), 20);
  });

  it('hint at what to change if the adapter refuses an expression', async () => {
    const on = paused(bench());
    on.host.on('evaluate', () => {
      throw new Error('SyntaxError: invalid syntax');
    });
    const answer = await ask(on, 'evaluate_expression', {
      expression: 'x = 5',
      frame_id: frameOf(on),
    });
    assert.equal(answer['code'], 'adapter_error');
    assert.match(String(answer['message']), /invalid syntax/);
    assert.match(String(answer['hint']), /expression.*context="repl"/);
  });
});
