import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isFields, listOf, type Fields } from '../../../src/debugger/protocol';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { defineTool } from '../../../src/tools/defineTool';
import { inputSchemaOf } from '../../../src/tools/jsonSchema';
import { INVESTIGATION_INPUTS, withInvestigation } from '../support/investigationInputs';
import { ADVANCED_INPUTS, capable, withAddressBreakpoints } from '../support/advancedInputs';
import { launched, stopped } from '../support/events';
import { FakeInputFile } from '../support/inputFiles';
import { bench, type Bench } from '../support/services';
import { ROOT } from '../support/trace';

/** The schema itself, then every schema nested in it. */
function inside(schema: Fields): Fields[] {
  const below = Object.values(schema).flatMap((value) =>
    isFields(value) ? inside(value) : listOf(value).filter(isFields).flatMap(inside),
  );
  return [schema, ...below];
}

function entries(): readonly Fields[] {
  const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  assert.ok(isFields(manifest) && isFields(manifest['contributes']));
  return listOf(manifest['contributes']['languageModelTools']).filter(isFields);
}

/** One valid input for each tool that asks the person. */
const INPUTS: Readonly<Record<string, object>> = {
  start_debugging: { program: '/home/ada/app/main.js' },
  continue_debugging: { thread_id: 1 },
  step_execution: { thread_id: 1, step_type: 'into', count: 2 },
  set_breakpoint: { file_path: '/home/ada/app/main.js', line_number: 3, condition: 'x > 1' },
  remove_breakpoint: { clear_all: true },
  set_exception_breakpoints: { filters: [] },
  evaluate_expression: { expression: 'x', frame_id: 1 },
  collect_values: {
    probes: [{ file_path: '/home/ada/app/main.js', line: 3, expressions: ['x'], expect: 'x > 1' }],
  },
  send_input: { text: 'yes' },
  find_writer: { expression: 'order.total', frame_id: 1 },
  go_back: { stop_id: 1 },
  what_ran: { file_path: '/home/ada/app/sum.test.js', test_name: 'adds' },
  ...ADVANCED_INPUTS,
  ...INVESTIGATION_INPUTS,
  debug_test: { file_path: '/home/ada/app/sum.test.js', test_name: 'adds' },
  trace_function: {
    program: '/home/ada/app/main.js',
    file_path: '/home/other/x.py',
    line: 3,
    condition: 'x > 1',
  },
};

/** The debug types of the sessions on which tools act that only some debuggers can support. */
const TYPES: Readonly<Record<string, string>> = {
  compare_heap: 'node',
  find_writer: 'node',
  go_back: 'node',
};

/** The tools that run a program again. One whose input is written while it runs cannot be. */
const RUN_AGAIN: readonly string[] = ['find_writer', 'go_back'];

/** A stopped program whose adapter supports every capability, for a tool. */
async function stoppedBench(tool: string): Promise<Bench> {
  const on = bench();
  const sessionType = TYPES[tool] ?? 'test';
  for (const event of launched('a', { sessionType })) on.model.dispatch(event);
  on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
  if (tool === 'go_back') await on.services.stops.report(on.session(), 1, on.call.signal);
  return withInvestigation(await withAddressBreakpoints(capable(on)));
}

describe('the tools', () => {
  it('have unique names in snake_case', () => {
    const names = ALL_TOOLS.map((tool) => tool.name);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)*$/);
  });

  it('each have a title, descriptions and an icon', () => {
    for (const tool of ALL_TOOLS) {
      for (const text of [tool.title, tool.userDescription, tool.modelDescription, tool.icon])
        assert.ok(text.trim().length > 0, tool.name);
      assert.ok(!tool.userDescription.endsWith('.'), `${tool.name}: a caption, no sentence`);
      assert.match(tool.icon, /^[a-z-]+$/);
    }
  });

  it('ask the person if and only if they control or change the program', async () => {
    for (const tool of ALL_TOOLS) {
      const on = await stoppedBench(tool.name);
      const question = await tool.check(inputOf(tool.name, on)).question(on.services);
      assert.equal(question !== undefined, tool.effect !== 'read', tool.name);
      if (question === undefined) continue;
      assert.ok(question.title.length > 0 && question.message.length > 0, tool.name);
      assert.ok(!question.message.includes('undefined'), `${tool.name}: ${question.message}`);
    }
  });

  it('cannot be declared without a question if they control or change the program', () => {
    const spec = {
      name: 'x',
      set: 'core',
      title: 'X',
      userDescription: 'X',
      modelDescription: 'X',
      icon: 'x',
      input: z.strictObject({}),
      output: z.looseObject({ status: z.string() }),
      needs: 'nothing',
      doing: () => '',
      run: () => Promise.resolve({ status: 'success' }),
    } as const;
    for (const effect of ['control', 'change'] as const)
      assert.throws(() => defineTool({ ...spec, effect }), /question/);
    assert.doesNotThrow(() => defineTool({ ...spec, effect: 'read' }));
  });

  it('have a progress text without an ellipsis', () => {
    for (const tool of ALL_TOOLS) {
      const doing = tool.check(INPUTS[tool.name] ?? minimal(tool.name)).doing;
      assert.ok(doing.length > 0 && !/\.{2,}|…/.test(doing), `${tool.name}: ${doing}`);
    }
  });

  it('change nothing while they build their question', async () => {
    for (const tool of ALL_TOOLS) {
      const on = await stoppedBench(tool.name);
      await tool.check(inputOf(tool.name, on)).question(on.services);
      // The location of its thread may be requested, because that is read-only.
      assert.equal(
        on.host.requests.filter((request) => request.command !== 'stackTrace').length +
          on.host.moves.length +
          on.host.breakpoints().length,
        0,
        tool.name,
      );
    }
  });
});

/** A valid input, with an existing frame. */
function inputOf(name: string, on: Bench): object {
  if (!RUN_AGAIN.includes(name))
    on.services.inputs.keep(new FakeInputFile({ text: '', staysOpen: true }), {
      roots: () => [on.session()],
      isComing: false,
    });
  on.workspace.files.set(
    '/home/ada/app/sum.test.js',
    "import { it } from 'node:test';\nit('adds', () => {});\n",
  );
  const input = INPUTS[name] ?? minimal(name);
  return 'frame_id' in input
    ? {
        ...input,
        frame_id: on.services.inspector.handles.frame(
          on.services.inspector.placeOf(on.session(), 1),
          10,
          { functionName: 'main', file: 'main.js', line: 3 },
        ),
      }
    : input;
}

function minimal(name: string): object {
  return { get_scopes: { frame_id: 1 }, get_variables: { variables_reference: 1 } }[name] ?? {};
}

describe('input schemas', () => {
  for (const tool of ALL_TOOLS) {
    it(`${tool.name}: one flat object that clients can read`, () => {
      const schema = inputSchemaOf(tool);
      assert.equal(schema['type'], 'object');
      assert.equal(schema['additionalProperties'], false);
      for (const key of ['anyOf', 'oneOf', 'allOf', 'not', '$ref', '$schema', '$defs'])
        assert.ok(!(key in schema), key);
      const properties = schema['properties'];
      assert.ok(isFields(properties));
      assert.deepEqual(Object.keys(properties), Object.keys(tool.input.shape));
      for (const [name, property] of Object.entries(properties)) {
        assert.ok(
          isFields(property) && typeof property['type'] === 'string',
          `${name} has one type`,
        );
        for (const key of ['anyOf', 'oneOf', 'allOf'])
          assert.ok(!(key in property), `${name} has no ${key}`);
      }
      for (const property of inside(schema)) {
        if (property['type'] === 'array')
          assert.ok(
            isFields(property['items']) && 'type' in property['items'],
            'every array says what it holds',
          );
        if (property['type'] === 'object')
          assert.ok('additionalProperties' in property, 'every object says whether it holds more');
        assert.ok(property['maximum'] !== Number.MAX_SAFE_INTEGER, 'no bound that says nothing');
      }
    });

    it(`${tool.name}: requires exactly the parameters that are not optional, and none that has a default`, () => {
      const schema = inputSchemaOf(tool);
      const properties = isFields(schema['properties']) ? schema['properties'] : {};
      const required = listOf(schema['required']);
      for (const [name, property] of Object.entries(properties)) {
        const field: unknown = tool.input.shape[name];
        assert.ok(field instanceof z.ZodType, name);
        const isOptional = field.safeParse(undefined).success;
        assert.equal(required.includes(name), !isOptional, name);
        if (isFields(property) && 'default' in property) assert.ok(!required.includes(name), name);
      }
    });
  }
});

describe('the manifest', () => {
  it('has each tool once, in the order of the catalogue', () => {
    assert.deepEqual(
      entries().map((entry) => entry['name']),
      ALL_TOOLS.map((tool) => tool.name),
    );
  });

  it('lets a person refer to each tool by its name', () => {
    for (const entry of entries()) {
      assert.equal(entry['toolReferenceName'], entry['name']);
      assert.equal(entry['canBeReferencedInPrompt'], true);
    }
  });

  it('states the effect of each tool in its tags', () => {
    assert.deepEqual(
      entries().map((entry) => entry['tags']),
      ALL_TOOLS.map((tool) => ['debug', tool.effect]),
    );
  });

  it('has the same input schemas that the tools validate with', () => {
    assert.deepEqual(
      entries().map((entry) => entry['inputSchema']),
      ALL_TOOLS.map((tool) => inputSchemaOf(tool, 'accepted')),
    );
  });
});
