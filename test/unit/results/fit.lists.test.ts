import { strict as assert } from 'node:assert';
import { fields, isFields, listOf, type Fields } from '../../../src/debugger/protocol';
import { fitResult } from '../../../src/results/fit';

const size = (value: unknown): number => JSON.stringify(value).length;
const many = <Entry>(count: number, entry: (index: number) => Entry): Entry[] =>
  Array.from({ length: count }, (_, index) => entry(index));

const variable = (index: number, more: object = {}) => ({
  name: `v${index}`,
  value: `${index}`,
  type: null,
  variables_reference: 0,
  ...more,
});
/** A frame whose path has `length` characters, which are never cut. */
const frame = (index: number, length = 100) => ({
  frame_id: index,
  function_name: 'f',
  file_path: '/'.padEnd(length, 'p'),
  line_number: 1,
  column_number: 1,
});

/** A result's fitted form, which has at most the requested size. */
function fitted(result: Fields, most: number): Fields {
  const fit = fitResult(result, most);
  assert.ok(size(fit) <= most, `${size(fit)} > ${most}`);
  return fit;
}
const omittedIn = (result: Fields): Fields => fields(result['omitted']);
const stopIn = (result: Fields): Fields => fields(result['stop_event_data']);

describe('fit: the order of shortening', () => {
  it('cuts texts twice before a list loses an entry', () => {
    const output = many(8, (index) => `${index}`.padEnd(50, 'o'));
    const fit = fitted({ status: 'success', result: 'r'.repeat(5000), output }, 1200);
    assert.deepEqual(fit['output'], output);
    assert.match(String(fit['result']), /^r{400}… \(5000 characters\)$/);
  });

  it('cuts texts no further than the result needs', () => {
    const text = 'r'.repeat(5000);
    const fit = fitted({ status: 'success', result: text }, 1400);
    assert.match(String(fit['result']), /^r{1000}… /);
  });

  it('removes frames down to eight, and no further, before output', () => {
    const result = {
      status: 'stopped',
      stop_event_data: {
        call_stack: many(20, (index) => frame(index)),
        output: many(8, (index) => `${index}`.padEnd(150, 'o')),
      },
    };
    const stop = stopIn(fitted(result, 2700));
    assert.equal(listOf(stop['call_stack']).length, 8);
    const output = listOf(stop['output']);
    assert.ok(output.length >= 2 && output.length < 8, `${output.length}`);
    assert.deepEqual(output, result.stop_event_data.output.slice(-output.length));
  });

  it('reduces a list to its most important entries only after all texts are short', () => {
    const result = {
      status: 'stopped',
      stop_event_data: { call_stack: many(5, (index) => frame(index, 1000)) },
    };
    const stop = stopIn(fitted(result, 1500));
    assert.equal(listOf(stop['call_stack']).length, 1);
    assert.deepEqual(omittedIn(stop), {
      frames: 4,
      fetch_frames: 'get_call_stack start_frame=1',
    });
  });

  it('changes nothing if a fitted result is fitted again to its own size', () => {
    for (const [result, most] of [
      [{ status: 'success', result: 'r'.repeat(5000) }, 1400],
      [{ status: 'success', result: 'r'.repeat(5000), more: 'm'.repeat(900) }, 1200],
      [{ status: 'success', variables: many(100, variable) }, 2000],
      [{ status: 'success', variables: [variable(0, { children: many(90, variable) })] }, 900],
      [{ status: 'error', available: many(200, (index) => `configuration ${index}`) }, 1000],
    ] as const) {
      const fit = fitted(result, most);
      assert.deepEqual(fitted(result, size(fit)), fit);
    }
  });
});

describe('fit: the counts of omitted entries', () => {
  it('does not count a list as shortened if it has no more entries than it keeps', () => {
    for (const count of [8, 3, 1]) {
      const result = {
        status: 'stopped',
        stop_event_data: {
          call_stack: many(count, (index) => frame(index, 20)),
          output: many(30, (index) => `${index}`.padEnd(50, 'o')),
        },
      };
      const stop = stopIn(fitted(result, 1200));
      assert.equal(listOf(stop['call_stack']).length, count);
      assert.deepEqual(Object.keys(omittedIn(stop)), ['output_lines', 'fetch_output_lines']);
    }
  });

  it('counts a line with a repeat count as that many lines', () => {
    const output = many(40, (index) => `${index} ${'o'.repeat(50)}${index < 10 ? ' (×14)' : ''}`);
    const fit = fitted({ status: 'success', output }, 1200);
    const shown = listOf(fit['output']).length;
    assert.ok(shown <= 30, `${shown}`);
    assert.equal(omittedIn(fit)['output_lines'], 10 * 14 + 30 - shown);
  });

  it('counts an entry of output lines by its own repeat count', () => {
    const lines = many(40, (index) => ({ text: 'o'.repeat(50), ...(index < 10 && { times: 3 }) }));
    const fit = fitted({ status: 'success', lines }, 1200);
    const shown = listOf(fit['lines']).length;
    assert.ok(shown <= 30, `${shown}`);
    assert.equal(omittedIn(fit)['lines'], 10 * 3 + 30 - shown);
  });

  it('counts the steps of a path outside the stop, and keeps the newest', () => {
    const path = many(60, (line) => ({ line, function_name: 'f'.repeat(30) }));
    const result = { status: 'stopped', stop_event_data: { reason: 'step', line: 3 }, path };
    const fit = fitted(result, 1200);
    const shown = listOf(fit['path']);
    assert.deepEqual(shown, path.slice(-shown.length));
    assert.deepEqual(omittedIn(fit), { steps: 60 - shown.length });
    assert.deepEqual(fit['stop_event_data'], result.stop_event_data);
  });

  it('names no call that fetches the rest of the changes', () => {
    const changed = many(60, (index) => ({ name: `v${index}`, before: '1', now: '2' }));
    const stop = stopIn(fitted({ status: 'stopped', stop_event_data: { changed } }, 1200));
    const shown = listOf(stop['changed']);
    assert.deepEqual(shown, changed.slice(0, shown.length));
    assert.deepEqual(omittedIn(stop), { changed: 60 - shown.length });
  });
});

describe('fit: members of a value', () => {
  const members = (count: number, more: object = {}) =>
    variable(0, { children: many(count, (index) => variable(index)), ...more });

  it('are reduced to ten, then to five, and counted with those that were left out before', () => {
    for (const [most, kept] of [
      [1000, 10],
      [600, 5],
      [300, 2],
    ] as const) {
      const result = { status: 'success', variables: [members(100, { omitted_children: 7 })] };
      const [value] = listOf(fitted(result, most)['variables']).filter(isFields);
      assert.deepEqual(
        listOf(value?.['children']),
        many(kept, (index) => variable(index)),
      );
      assert.equal(value?.['omitted_children'], 107 - kept);
    }
  });

  it('are counted from zero if none were left out before', () => {
    const [value] = listOf(
      fitted({ status: 'success', variables: [members(100)] }, 1000)['variables'],
    ).filter(isFields);
    assert.equal(value?.['omitted_children'], 90);
  });

  it('are all removed if not even two of them fit', () => {
    const [value] = listOf(
      fitted({ status: 'success', variables: [members(100)] }, 150)['variables'],
    ).filter(isFields);
    assert.deepEqual(value, { ...variable(0), omitted_children: 100 });
  });

  it('are reduced within members as well; a few members stay', () => {
    const inner = { ...members(40), name: 'inner' };
    const few = { ...members(10), name: 'few' };
    const result = { status: 'success', variables: [variable(1, { children: [inner, few] })] };
    const [value] = listOf(fitted(result, 2200)['variables']).filter(isFields);
    const [thinned, whole] = listOf(value?.['children']).filter(isFields);
    assert.deepEqual(
      [listOf(thinned?.['children']).length, thinned?.['omitted_children']],
      [10, 30],
    );
    assert.deepEqual(whole, few);
    assert.equal(value?.['omitted_children'], undefined);
  });
});

describe('fit: lists without rules', () => {
  it('lose their end, the largest first, and are counted by their name', () => {
    const available = many(100, (index) => `configuration ${index}`);
    const problems = many(5, (index) => `problem ${index}`);
    const fit = fitted({ status: 'error', problems, available }, 1200);
    const shown = listOf(fit['available']);
    assert.deepEqual(shown, available.slice(0, shown.length));
    assert.deepEqual(fit['problems'], problems);
    assert.deepEqual(omittedIn(fit), {
      available: 100 - shown.length,
      fetch_available: 'max_chars',
    });
  });

  it('are shortened one after the other, and keep their first entry', () => {
    const first = many(100, (index) => `first ${index}`);
    const second = many(50, (index) => `second ${index}`);
    const fit = fitted({ status: 'error', second, first }, 400);
    assert.deepEqual(fit['first'], ['first 0']);
    const shown = listOf(fit['second']).length;
    assert.ok(shown > 1 && shown < 50, `${shown}`);
    assert.deepEqual([omittedIn(fit)['first'], omittedIn(fit)['second']], [99, 50 - shown]);
  });

  it('are found within objects', () => {
    const args = many(200, (index) => `--option-${index}`);
    const fit = fitted({ status: 'stopped', configuration: { type: 'node', args } }, 800);
    const shown = listOf(fields(fit['configuration'])['args']);
    assert.deepEqual(shown, args.slice(0, shown.length));
    assert.equal(omittedIn(fit)['args'], 200 - shown.length);
  });
});
