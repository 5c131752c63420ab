import { strict as assert } from 'node:assert';
import type { ShownDifference } from '../../../../src/debugger/inspection/changes';
import { briefStop } from '../../../../src/results/views/stepBrief';
import type { StopEventData, VariableView } from '../../../../src/results/views/stopEventData';

const CALLERS = 'get_call_stack start_frame=1';
const SAME = 'get_scopes, then get_variables';

const variable = (name: string, more: Partial<VariableView> = {}): VariableView => ({
  name,
  value: '1',
  type: 'int',
  variables_reference: 0,
  ...more,
});
const frame = (frame_id: number, more: object = {}) => ({
  frame_id,
  function_name: 'f',
  file_path: '/app/main.py',
  line_number: 1,
  column_number: 1,
  ...more,
});

const STOP: StopEventData = {
  timestamp: '2026-11-24T10:00:00.000Z',
  session_id: 's1',
  stop_id: 2,
  reason: 'step',
  thread_id: 1,
  description: null,
  text: null,
  all_threads_stopped: true,
  source: null,
  line: 3,
  column: 1,
  top_frame_variables: null,
  call_stack: [frame(1)],
  hit_breakpoint_ids: null,
};

const withVariables = (variables: readonly VariableView[], more: object = {}): StopEventData => ({
  ...STOP,
  top_frame_variables: { scope_name: 'Locals', variables },
  ...more,
});

function brief(stop: StopEventData, difference: Partial<ShownDifference> = {}): StopEventData {
  return briefStop(
    stop,
    { names: new Set(), gone: [], hasSameCallers: false, ...difference },
    CALLERS,
  );
}

/** The names of variables that have the same text as before, but may hide a change. */
const hiding = (...variables: readonly VariableView[]): readonly string[] =>
  Object.keys(brief(withVariables(variables)).same_text ?? {});

describe('a brief stop', () => {
  it('is unchanged without variables, lines and callers', () => {
    const stop = brief(STOP);
    assert.deepEqual(stop, STOP);
    assert.ok(!('omitted' in stop) && !('gone' in stop) && !('same_text' in stop));
  });

  it('has only the current line', () => {
    const stop = brief({ ...STOP, source_lines: [' 2 two', '>3 three', ' 4 four'] });
    assert.deepEqual(stop.source_lines, ['>3 three']);
  });

  it('has the changed variables, and counts the others', () => {
    const stop = brief(withVariables([variable('a'), variable('b'), variable('c')]), {
      names: new Set(['b']),
    });
    assert.deepEqual(stop.top_frame_variables?.variables, [variable('b')]);
    assert.deepEqual(stop.omitted, { same_variables: 2, fetch_same_variables: SAME });
  });

  it('counts a variable of an outer scope even if one with the same name is shown', () => {
    const outer = variable('a', { scope: 'Closure', value: 'x', variables_reference: 7 });
    const stop = brief(withVariables([variable('a', { fields: { n: '2' } }), outer]), {
      names: new Set(['a.n']),
    });
    assert.deepEqual(stop.top_frame_variables?.variables, [variable('a', { fields: { n: '2' } })]);
    assert.deepEqual(stop.same_text, { a: 7 });
  });

  it('keeps the counts of entries that were left out before', () => {
    const stop = brief(withVariables([variable('a')], { omitted: { output_lines: 4 } }));
    assert.deepEqual(stop.omitted, {
      output_lines: 4,
      same_variables: 1,
      fetch_same_variables: SAME,
    });
  });

  it('names twenty variables that no longer exist, and counts the others', () => {
    const gone = Array.from({ length: 22 }, (_, index) => `v${index}`);
    const stop = brief(STOP, { gone });
    assert.deepEqual(stop.gone, gone.slice(0, 20));
    assert.deepEqual(stop.omitted, {
      gone: 2,
      fetch_gone: 'get_scopes, then get_variables shows the remaining ones',
    });
    const few = brief(STOP, { gone: gone.slice(0, 20) });
    assert.deepEqual([few.gone?.length, few.omitted], [20, undefined]);
  });

  it('has the fields of an object that changed and are not among the changes', () => {
    const point = variable('p', { fields: { x: '1', y: '2', z: '3' } });
    const names = new Set(['p.x', 'p.y']);
    const changed = [{ name: 'p.x', before: '0', now: '1' }];
    const some = brief(withVariables([point], { changed }), { names });
    assert.deepEqual(some.top_frame_variables?.variables, [
      { ...point, fields: { x: '1', y: '2' } },
    ]);
    const all = [...changed, { name: 'p.y', before: '0', now: '2' }];
    const none = brief(withVariables([point], { changed: all }), { names });
    assert.deepEqual(none.top_frame_variables?.variables, []);
  });
});

describe('the callers of a brief stop', () => {
  const call_stack = [frame(1), frame(2, { folded: 3 }), frame(3)];
  const same = { hasSameCallers: true };

  it('are left out and counted if they are the same', () => {
    const stop = brief({ ...STOP, call_stack }, same);
    assert.deepEqual(stop.call_stack, [frame(1)]);
    assert.deepEqual(stop.omitted, { frames: 4, fetch_frames: CALLERS });
  });

  it('stay if they are different, or if there are none', () => {
    const others = brief({ ...STOP, call_stack });
    assert.deepEqual([others.call_stack, others.omitted], [call_stack, undefined]);
    const none = brief({ ...STOP, call_stack: [frame(1)] }, same);
    assert.deepEqual([none.call_stack, none.omitted], [[frame(1)], undefined]);
  });

  it('are counted with the frames that were left out before', () => {
    const before = { frames: 10, fetch_frames: 'get_call_stack start_frame=5' };
    const stop = brief({ ...STOP, call_stack, omitted: before }, same);
    assert.deepEqual(stop.omitted, { frames: 14, fetch_frames: CALLERS });
  });

  it('are not counted if their number is unknown', () => {
    const before = { fetch_frames: 'get_call_stack start_frame=5' };
    const stop = brief({ ...STOP, call_stack, omitted: before }, same);
    assert.deepEqual(stop.omitted, { fetch_frames: CALLERS });
  });
});

describe('a value whose text is the same', () => {
  const object = { variables_reference: 5 };

  it('may hide a change if it does not show its members', () => {
    assert.deepEqual(
      hiding(
        variable('shown', { ...object, value: '(3) [1, 2, 3]' }),
        variable('hidden', { ...object, value: 'Cart@17' }),
        variable('plain', { value: 'Cart@17' }),
      ),
      ['hidden'],
    );
  });

  it('may hide a change if it was not read, or if only its beginning was read', () => {
    assert.deepEqual(
      hiding(
        variable('lazy', { lazy: true }),
        variable('cut', { value: `${'x'.repeat(10)}… (5000 characters)` }),
        variable('whole'),
      ),
      ['lazy', 'cut'],
    );
  });

  it('may hide a change if a field may hide one, or if fields were left out', () => {
    const fielded = (name: string, more: Partial<VariableView>) =>
      variable(name, { ...object, value: 'Cart@17', ...more });
    assert.deepEqual(
      hiding(
        fielded('plain', { fields: { n: '3', list: '[1, 2]' } }),
        fielded('empty', { fields: {} }),
        fielded('object', { fields: { n: '3', cart: 'Cart@18' } }),
        fielded('cut', { fields: { text: `'x… (5000 characters)` } }),
        fielded('more', { fields: { n: '3' }, omitted_fields: 2 }),
      ),
      ['object', 'cut', 'more'],
    );
  });

  it('hides no change if it is a function, or a group that the adapter made', () => {
    const value = 'f() { return x }';
    assert.deepEqual(
      hiding(
        variable('f', { ...object, value, type: 'function' }),
        variable('g', { ...object, value, type: 'Function' }),
        variable('special variables', { ...object, value: '', type: '' }),
        variable('group', { ...object, value: '', type: null }),
        variable('h', { ...object, value, type: 'Functional' }),
      ),
      ['h'],
    );
  });

  it('is listed with its reference', () => {
    const stop = brief(withVariables([variable('cart', { ...object, value: 'Cart@17' })]));
    assert.deepEqual([stop.same_text, stop.omitted], [{ cart: 5 }, undefined]);
  });
});
