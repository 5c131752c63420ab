import { strict as assert } from 'node:assert';
import { z } from 'zod';
import {
  PRIORITIES,
  SHRINK_STEPS,
  STEERING,
  VALUES_BY_NAME,
  WHOLE,
} from '../../../src/results/fieldRules';
import { field, restStart, restText, rulesOf } from '../../../src/results/fields';
import { resultFields } from '../../../src/results/resultSchemas';
import { ALL_TOOLS } from '../../../src/tools/catalog';

/** A field's schema without its optional and nullable wrappers. */
function declared(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? declared(schema.unwrap())
    : schema;
}

describe('the rules of the fields of results', () => {
  it('apply to a name in all results: tools take shared fields from one place', () => {
    const shared: ReadonlyMap<string, z.core.$ZodType> = new Map(Object.entries(resultFields));
    const others = ALL_TOOLS.flatMap((tool) =>
      Object.entries(tool.output.shape).flatMap(([name, schema]) => {
        const one = shared.get(name);
        return one === undefined || declared(schema as z.core.$ZodType) === one
          ? []
          : `${tool.name}.${name}`;
      }),
    );
    assert.deepEqual(others, []);
  });

  it('shorten the lists of a stop before the lists that were requested', () => {
    assert.deepEqual(
      SHRINK_STEPS.map(({ path, keep }) => `${path.join('.')} ${keep}`),
      [
        'stop_event_data.call_stack 8',
        'stop_event_data.output 2',
        'stop_event_data.call_stack 3',
        'stop_event_data.top_frame_variables.variables 1',
        'stop_event_data.exception.own_frame.variables 2',
        'stop_event_data.changed 3',
        'path 3',
        'call_stack 1',
        'variables 1',
        'modules 1',
        'sources 1',
        'lines 1',
        'output 1',
      ],
    );
  });

  it('keep every field that says what happened and where', () => {
    for (const name of ['status', 'reason', 'code', 'hint', 'session_id', 'source', 'line'])
      assert.equal(PRIORITIES.has(name), false, name);
    for (const name of ['status', 'reason', 'code', 'hint', 'session_id', 'path', 'file_path'])
      assert.ok(WHOLE.has(name), name);
  });

  it('exempt only our own words from redaction, never a value', () => {
    assert.deepEqual([...STEERING].sort(), [
      'code',
      'end',
      'event',
      'parent',
      'reason',
      'session_id',
      'state',
      'status',
    ]);
    assert.deepEqual([...VALUES_BY_NAME].sort(), [
      'changed',
      'env',
      'fields',
      'headers',
      'variables',
    ]);
    for (const name of VALUES_BY_NAME) assert.equal(STEERING.has(name), false, name);
  });

  it('belong to one field: the schema that it was made from has none', () => {
    const text = z.string();
    const own = field(text, { whole: true });
    assert.deepEqual([rulesOf(text), rulesOf(own)], [undefined, { whole: true }]);
    assert.equal(own.safeParse(1).success, false);
  });

  it('say how the rest is fetched, and parse that text again', () => {
    const rest = { call: 'get_call_stack', start: 'start_frame' };
    assert.equal(restText(rest, 20), 'get_call_stack start_frame=20');
    assert.equal(restStart(rest, 'get_call_stack thread_id=3 start_frame=20'), 20);
    assert.equal(restStart(rest, 'get_call_stack'), undefined);
    assert.equal(restStart(rest, 'start_frame=20 or more'), undefined);
    assert.equal(restStart({ call: 'since, max_lines' }, 'since=3'), undefined);
    assert.equal(restStart(rest, 3), undefined);
    assert.equal(restText({ call: 'since, max_lines' }, 20), 'since, max_lines');
  });
});
