import { strict as assert } from 'node:assert';
import type { FoldedFrames } from '../../../../src/debugger/inspection/foldedFrames';
import type { Place } from '../../../../src/debugger/inspection/handles';
import type { Inspector } from '../../../../src/debugger/inspection/inspector';
import type { ObjectFields } from '../../../../src/debugger/inspection/objectFields';
import {
  framesOf,
  variablesOf,
  type Frame,
  type Variable,
} from '../../../../src/debugger/inspection/stackAndVariables';
import {
  frameCount,
  frameView,
  stackView,
  variableView,
  type VariableView,
} from '../../../../src/results/views/stopEventData';
import { bench, FILE, paused } from '../../support/services';

describe('the views of a stop', () => {
  let inspector: Inspector;
  let place: Place;

  beforeEach(() => {
    const on = paused(bench());
    inspector = on.services.inspector;
    place = inspector.placeOf(on.session(), 1);
  });

  function frame(more: object = {}): Frame {
    const [read] = framesOf([{ id: 10, name: 'main', line: 3, column: 5, ...more }]);
    return read ?? assert.fail('no frame');
  }

  function variable(more: object = {}): Variable {
    const [read] = variablesOf([{ name: 'count', value: '3', variablesReference: 0, ...more }]);
    return read ?? assert.fail('no variable');
  }

  const view = (more: object = {}, hiddenIn?: string, object?: ObjectFields): VariableView =>
    variableView(inspector, place, variable(more), 10, hiddenIn, object);

  const nameOf = (number: number): unknown => inspector.handles.resolveFrame(number).handle.named;

  describe('the view of a frame', () => {
    it('has its location, and its id has the names by which a person knows the frame', () => {
      const { frame_id, ...rest } = frameView(inspector, place, frame({ source: { path: FILE } }));
      assert.deepEqual(rest, {
        function_name: 'main',
        file_path: FILE,
        line_number: 3,
        column_number: 5,
      });
      const named = { functionName: 'main', file: 'main.js', path: FILE, line: 3 };
      assert.deepEqual(nameOf(frame_id), named);
    });

    it('has the name of its source if there is no file, otherwise none', () => {
      const named = frameView(inspector, place, frame({ id: 11, source: { name: '<eval>' } }));
      assert.equal(named.file_path, '<eval>');
      const none = { functionName: 'main', path: undefined, line: 3 };
      assert.deepEqual(nameOf(named.frame_id), { ...none, file: '<eval>' });
      const bare = frameView(inspector, place, frame({ id: 12 }));
      assert.equal(bare.file_path, '');
      assert.deepEqual(nameOf(bare.frame_id), { ...none, file: undefined });
    });

    it('of several folded frames has the first frame’s id and no location', () => {
      const first = frame({ source: { path: '/app/node_modules/vitest/run.js' } });
      const folded: FoldedFrames = { first, start: 2, count: 12, title: '12 frames of vitest' };
      const shown = stackView(inspector, place, folded);
      assert.deepEqual(shown, {
        frame_id: frameView(inspector, place, first).frame_id,
        function_name: '12 frames of vitest',
        file_path: '',
        line_number: 0,
        column_number: 0,
        folded: 12,
        start_frame: 2,
      });
      assert.equal(inspector.handles.resolveFrame(shown.frame_id).handle.frameId, 10);
      const single = stackView(inspector, place, first);
      assert.deepEqual(single, frameView(inspector, place, first));
      assert.equal(frameCount([single, shown, single]), 14);
      assert.equal(frameCount([]), 0);
    });
  });

  describe('the view of a variable', () => {
    it('has no optional properties without anything in addition to name and value', () => {
      assert.deepEqual(view(), { name: 'count', value: '3', type: null, variables_reference: 0 });
    });

    it('has the properties that the adapter reported', () => {
      const { variables_reference, ...rest } = view({
        type: 'Array',
        variablesReference: 70,
        evaluateName: 'app.count',
        memoryReference: '0x10',
        namedVariables: 1,
        indexedVariables: 2,
      });
      assert.deepEqual(rest, {
        name: 'count',
        value: '3',
        type: 'Array',
        evaluate_name: 'app.count',
        memory_reference: '0x10',
        named_variables: 1,
        indexed_variables: 2,
      });
      const { handle } = inspector.handles.resolveVariables(variables_reference);
      assert.deepEqual(
        [handle.reference, handle.frameId, handle.expression, handle.indexedVariables],
        [70, 10, 'app.count', 2],
      );
    });

    it('has no expression if its name is one, and no counts of zero', () => {
      const shown = view({ evaluateName: 'count', namedVariables: 0, indexedVariables: 0 });
      assert.deepEqual(Object.keys(shown), ['name', 'value', 'type', 'variables_reference']);
    });

    it('names the scope in which it is hidden', () => {
      assert.equal(view({}, 'Closure').scope, 'Closure');
    });

    it('has the fields that were read, and the number of fields that were not', () => {
      const fields = [
        ['id', '7'],
        ['name', "'Ada'"],
      ] as const;
      const some = view({}, undefined, { fields, omitted: 3 });
      assert.deepEqual([some.fields, some.omitted_fields], [{ id: '7', name: "'Ada'" }, 3]);
      const all = view({}, undefined, { fields, omitted: 0 });
      assert.deepEqual(all.fields, { id: '7', name: "'Ada'" });
      assert.ok(!('omitted_fields' in all));
    });
  });

  describe('the expression for a variable', () => {
    const expression = (name: string, evaluateName: string): string | undefined =>
      view({ name, evaluateName }).evaluate_name;

    it('names a private field as JavaScript does', () => {
      assert.equal(expression('#total', 'this["#total"]'), 'this.#total');
      assert.equal(expression('#größe2', 'a.b["#größe2"]'), 'a.b.#größe2');
      assert.equal(expression('#$', 'this["#$"]'), 'this.#$');
      assert.equal(expression('#_a', 'this["#_a"]'), 'this.#_a');
    });

    it('is unchanged for a key that only looks like a private field', () => {
      for (const name of ['#1', '#a b', '#', 'x#a', 'total'])
        assert.equal(expression(name, `this["${name}"]`), `this["${name}"]`);
      assert.equal(expression('#total', 'this.totals[0]'), 'this.totals[0]');
    });

    it('is missing for an internal slot, even if its members are read', () => {
      const shown = view({
        name: '[[Prototype]]',
        evaluateName: 'this["[[Prototype]]"]',
        variablesReference: 71,
      });
      assert.ok(!('evaluate_name' in shown));
      const { handle } = inspector.handles.resolveVariables(shown.variables_reference);
      assert.equal(handle.expression, undefined);
      assert.equal(expression('[[Prototype]]', 'prototypeOf(x)'), 'prototypeOf(x)');
    });

    it('is unchanged for a key that only contains brackets', () => {
      for (const name of ['a[[b]]', '[[b]]c', '[b]'])
        assert.equal(expression(name, `x["${name}"]`), `x["${name}"]`);
    });
  });

  describe('the value of a function', () => {
    const valueOf = (value: string, more: object): string => view({ value, ...more }).value;

    it('is its first line', () => {
      for (const type of ['Function', 'function'])
        assert.equal(
          valueOf('class Cart {\n  total() {}\n}', { type }),
          'class Cart {… (27 characters)',
        );
    });

    it('is complete if it is one short line, otherwise only its beginning', () => {
      const short = '(a, b) => a + b';
      assert.equal(valueOf(short, { type: 'Function' }), short);
      const long = 'x'.repeat(300);
      const cut = `${'x'.repeat(200)}… (300 characters)`;
      assert.equal(valueOf(long, { type: 'Function' }), cut);
      assert.equal(
        valueOf(`${long}\n}`, { type: 'Function' }),
        `${'x'.repeat(200)}… (302 characters)`,
      );
    });

    it('is complete for any other type', () => {
      const text = `first\n${'x'.repeat(300)}`;
      assert.equal(valueOf(text, { type: 'string' }), text);
      assert.equal(valueOf(text, {}), text);
    });

    it('is only the beginning of the getter’s source if it is computed only when it is read', () => {
      const getter = 'get total() { return this.items.length * this.price; }';
      const shown = view({ value: getter, presentationHint: { lazy: true } });
      assert.deepEqual(
        [shown.value, shown.lazy],
        [`${getter.slice(0, 40)}… (${getter.length} characters)`, true],
      );
      assert.ok(!('lazy' in view({ value: getter })));
    });
  });
});
