import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Fields } from '../../../src/debugger/protocol';
import { FAR, PRIORITIES } from '../../../src/results/fieldRules';
import { sectionsOf, type Section } from '../../../src/results/sections';

const textOfAll = (sections: readonly Section[]): string =>
  sections.map(({ text }) => text).join('');

/** The result that is left if only the required sections and those with these priorities are kept. */
function left(result: Fields, stays: (priority: number) => boolean = () => false): unknown {
  const kept = sectionsOf(result).filter(
    ({ priority }) => priority === undefined || stays(priority),
  );
  return JSON.parse(textOfAll(kept));
}

const priorityOf = (field: string): number => {
  const priority = PRIORITIES.get(field);
  assert.ok(priority !== undefined, field);
  return priority;
};

/** The sections that may be removed, each with its priority. */
function may(result: Fields): readonly (readonly [text: string, priority: number])[] {
  return sectionsOf(result).flatMap(({ text, priority }) =>
    priority === undefined ? [] : [[text, priority] as const],
  );
}

describe('the sections of a result', () => {
  it('are its JSON: first the fields that must stay, then the stop, then the fields that may be removed', () => {
    const sections = sectionsOf({
      output: ['a', 'b'],
      stop_event_data: { call_stack: [{ frame_id: 1 }], reason: 'step', exception: { type: 'E' } },
      status: 'stopped',
      session_id: 's1',
    });
    assert.equal(
      textOfAll(sections),
      '{"status":"stopped","session_id":"s1",' +
        '"stop_event_data":{"reason":"step","call_stack":[{"frame_id":1}],"exception":{"type":"E"}},' +
        '"output":["a","b"]}',
    );
  });

  it('that must stay are joined if they follow each other', () => {
    const sections = sectionsOf({ status: 'success', total: 2, output: ['a'] });
    assert.deepEqual(sections, [
      { text: '{"status":"success","total":2,"output":[', priority: undefined },
      { text: '"a"', priority: priorityOf('output') },
      { text: ']}', priority: undefined },
    ]);
  });

  it('leave the brackets of a list in place if its entries are removed', () => {
    assert.deepEqual(left({ status: 'success', output: ['a'], path: [{ line: 1 }] }), {
      status: 'success',
      output: [],
      path: [],
    });
  });

  it('leave out fields that have no value', () => {
    assert.deepEqual(left({ status: 'success', hint: undefined, total: 1 }), {
      status: 'success',
      total: 1,
    });
  });

  it('remove an object that may be removed together with its name', () => {
    const stop = { status: 'stopped', stop_event_data: { line: 3, exception: { type: 'E' } } };
    assert.deepEqual(may(stop), [[',"exception":{"type":"E"}', priorityOf('exception')]]);
    assert.deepEqual(left(stop), { status: 'stopped', stop_event_data: { line: 3 } });
  });

  it('keep such an object if it is the first, so that no comma is left over', () => {
    const stop = { stop_event_data: { exception: { type: 'E' } } };
    assert.deepEqual(left(stop), stop);
  });

  it('keep a stop that is not an object, such as a stop that could not be read', () => {
    assert.deepEqual(left({ status: 'stopped', stop_event_data: null }), {
      status: 'stopped',
      stop_event_data: null,
    });
  });

  it('keep the scope of variables that are removed', () => {
    const stop = {
      status: 'stopped',
      top_frame_variables: { scope_name: 'Local', variables: [{ name: 'a' }, { name: 'b' }] },
    };
    assert.deepEqual(left(stop), {
      status: 'stopped',
      top_frame_variables: { scope_name: 'Local', variables: [] },
    });
    assert.deepEqual(may(stop), [['{"name":"a"},{"name":"b"}', priorityOf('top_frame_variables')]]);
    assert.deepEqual(
      left(stop, () => true),
      stop,
    );
  });

  it('remove variables without a list as a whole', () => {
    for (const top_frame_variables of [null, { scope_name: 'Local', variables: null }])
      assert.deepEqual(left({ status: 'stopped', top_frame_variables }), { status: 'stopped' });
  });

  it('keep the innermost frame, and remove the far frames before the near ones', () => {
    const far = FAR.get('call_stack');
    assert.ok(far !== undefined && far.priority < priorityOf('call_stack'));
    const call_stack = Array.from({ length: far.near + 3 }, (_, frame_id) => ({ frame_id }));
    const result = { status: 'success', call_stack };
    assert.deepEqual(
      left(result, () => true),
      result,
    );
    assert.deepEqual(
      left(result, (priority) => priority > far.priority),
      {
        status: 'success',
        call_stack: call_stack.slice(0, far.near + 1),
      },
    );
    assert.deepEqual(left(result), { status: 'success', call_stack: call_stack.slice(0, 1) });
  });

  it('of a short stack have no far frames', () => {
    assert.deepEqual(may({ call_stack: [{ frame_id: 1 }] }), []);
    assert.deepEqual(may({ call_stack: [{ frame_id: 1 }, { frame_id: 2 }] }), [
      [',{"frame_id":2}', priorityOf('call_stack')],
    ]);
    assert.deepEqual(left({ call_stack: [] }), { call_stack: [] });
  });

  it('are valid JSON, whatever is removed', () => {
    const entry = fc.record({ name: fc.string(), value: fc.nat() }, { noNullPrototype: true });
    const list = fc.array(entry, { maxLength: 8 });
    const result = fc.record(
      {
        status: fc.constant('stopped'),
        call_stack: list,
        output: fc.array(fc.string()),
        exception: entry,
        top_frame_variables: fc.record({ variables: list }, { noNullPrototype: true }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(result, fc.integer({ min: 0, max: 100 }), (data, most) => {
        assert.doesNotThrow(() => left({ stop_event_data: data, ...data }, (each) => each > most));
      }),
    );
  });
});
