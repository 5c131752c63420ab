import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isFields, listOf } from '../../../src/debugger/protocol';
import { fitResult } from '../../../src/results/fit';

const size = (value: unknown): number => JSON.stringify(value).length;

const word = fc.string({
  unit: fc.constantFrom('a', 'é', '漢', '😀', '"', '\\', '\n', ' '),
  maxLength: 20,
});
const long = fc.oneof(
  word,
  fc.tuple(word, fc.integer({ min: 1, max: 400 })).map(([text, times]) => text.repeat(times)),
);
const place = fc.string({
  unit: fc.constantFrom('a', '/', 'b', '漢'),
  minLength: 1,
  maxLength: 60,
});
const frame = fc.record(
  {
    frame_id: fc.nat(),
    function_name: long,
    file_path: place,
    line_number: fc.nat(),
    column_number: fc.nat(),
  },
  { noNullPrototype: true },
);
const variable = fc.record(
  { name: word, value: long, type: fc.option(word), variables_reference: fc.nat() },
  { noNullPrototype: true },
);

const stop = fc.record(
  {
    timestamp: fc.constant('2026-01-01T00:00:00.000Z'),
    session_id: fc.constant('s1'),
    stop_id: fc.nat(),
    reason: fc.constantFrom('step', 'breakpoint', 'exception'),
    thread_id: fc.nat(),
    description: fc.option(long),
    text: fc.option(long),
    source: fc.option(fc.record({ path: place, name: word }, { noNullPrototype: true })),
    line: fc.nat(),
    source_lines: fc.array(fc.string({ maxLength: 160 }), { maxLength: 3 }),
    top_frame_variables: fc.option(
      fc.record(
        { scope_name: word, variables: fc.array(variable, { maxLength: 200 }) },
        { noNullPrototype: true },
      ),
    ),
    call_stack: fc.array(frame, { maxLength: 20 }),
    output: fc.array(long, { maxLength: 8 }),
  },
  { noNullPrototype: true },
);
const stopResult = stop.map((data) => ({ status: 'stopped', stop_event_data: data }));
type StopResult = typeof stopResult extends fc.Arbitrary<infer R> ? R : never;

/** The largest size of the parts that must stay: each list's nearest entry, and texts at their shortest. */
function core({ status, stop_event_data: data }: StopResult): number {
  const short = (text: string): string =>
    text.length > 60 ? `${text.slice(0, 60)}… (${text.length} characters)__` : text;
  const shorten = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string')
      return ['path', 'file_path'].includes(key) ? value : short(value);
    if (Array.isArray(value)) return value.map((entry) => shorten(entry));
    return isFields(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, member]) => [name, shorten(member, name)]),
        )
      : value;
  };
  const variables = data.top_frame_variables;
  const kept = {
    ...data,
    call_stack: data.call_stack.slice(0, 1),
    output: data.output.slice(-2),
    top_frame_variables:
      variables === null ? null : { ...variables, variables: variables.variables.slice(0, 1) },
  };
  return size(shorten({ status, stop_event_data: kept })) + 330;
}

describe('fit: stop results', () => {
  it('fit their budget whenever their required parts do, and stay valid JSON', () => {
    fc.assert(
      fc.property(stopResult, fc.integer({ min: 1500, max: 10_000 }), (result, most) => {
        fc.pre(core(result) <= most);
        const text = JSON.stringify(fitResult(result, most));
        assert.ok(text.length <= most, `${text.length} > ${most}`);
        assert.doesNotThrow(() => void JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });

  it('count exactly the entries that were left out, and keep the near end of each list', () => {
    fc.assert(
      fc.property(stopResult, fc.integer({ min: 1500, max: 6000 }), (result, most) => {
        const before = result.stop_event_data;
        const { stop_event_data: now } = fitResult(result, most);
        const omitted = 'omitted' in now && isFields(now.omitted) ? now.omitted : {};
        const count = (name: string): number => Number(omitted[name] ?? 0);
        assert.equal(now.call_stack.length + count('frames'), before.call_stack.length);
        assert.deepEqual(
          now.call_stack.map((stackFrame) => stackFrame.frame_id),
          before.call_stack
            .slice(0, now.call_stack.length)
            .map((stackFrame) => stackFrame.frame_id),
        );
        if (count('frames') > 0)
          assert.equal(
            omitted['fetch_frames'],
            `get_call_stack start_frame=${now.call_stack.length}`,
          );
        assert.equal(now.output.length + count('output_lines'), before.output.length);
        const [variables, all] = [
          now.top_frame_variables?.variables ?? [],
          before.top_frame_variables?.variables ?? [],
        ];
        assert.equal(variables.length + count('variables'), all.length);
        assert.deepEqual(
          variables.map((member) => member.variables_reference),
          all.slice(0, variables.length).map((breakpoint) => breakpoint.variables_reference),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('never cut status, place and ids', () => {
    fc.assert(
      fc.property(stopResult, fc.integer({ min: 100, max: 3000 }), (result, most) => {
        const now = fitResult(result, most);
        const before = result.stop_event_data;
        assert.equal(now.status, 'stopped');
        assert.deepEqual(
          [
            now.stop_event_data.source?.path,
            now.stop_event_data.line,
            now.stop_event_data.reason,
            now.stop_event_data.session_id,
            now.stop_event_data.timestamp,
          ],
          [before.source?.path, before.line, before.reason, before.session_id, before.timestamp],
        );
        now.stop_event_data.call_stack.forEach((stackFrame, index) =>
          assert.equal(stackFrame.file_path, before.call_stack[index]?.file_path),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('leave the original result unchanged', () => {
    fc.assert(
      fc.property(stopResult, fc.integer({ min: 100, max: 3000 }), (result, most) => {
        const copy = structuredClone(result);
        fitResult(result, most);
        assert.deepEqual(result, copy);
      }),
      { numRuns: 50 },
    );
  });

  it('are the same object if they already fit', () => {
    fc.assert(
      fc.property(stopResult, (result) => assert.equal(fitResult(result, size(result)), result)),
      { numRuns: 50 },
    );
  });

  it('never cut a reason, however long it is', () => {
    const reason = `data breakpoint ${'x'.repeat(100)}`;
    const result = {
      status: 'stopped',
      stop_event_data: {
        reason,
        output: Array.from({ length: 200 }, (_, index) => `${index} ${'o'.repeat(100)}`),
        call_stack: Array.from({ length: 50 }, () => ({ file_path: '/p'.repeat(50) })),
      },
    };
    assert.equal(fitResult(result, 400).stop_event_data.reason, reason);
  });
});

describe('fit: other results', () => {
  const variables = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `[${index}]`,
      value: 'v'.repeat(40),
      type: null,
      variables_reference: 0,
    }));

  it('keep the newest lines of output, and count the rest', () => {
    const result = {
      status: 'success',
      lines: Array.from({ length: 500 }, (_, index) => ({
        text: `line ${index} ${'x'.repeat(50)}`,
      })),
      cursor: 500,
    };
    const fitted = fitResult(result, 2000);
    assert.ok(size(fitted) <= 2000);
    assert.equal(fitted.lines[fitted.lines.length - 1]?.text.startsWith('line 499 '), true);
    assert.equal(
      'omitted' in fitted && isFields(fitted.omitted) ? fitted.omitted['lines'] : undefined,
      500 - fitted.lines.length,
    );
  });

  it('keep as much of a list as fits', () => {
    const result = { status: 'success', variables: variables(500) };
    const fitted = fitResult(result, 3000);
    assert.ok(
      size(fitted) <= 3000 && size(fitted) > 3000 - 2 * size(variables(1)),
      `${size(fitted)}`,
    );
  });

  it('count entries that the tool left out before together with those left out now', () => {
    const fitted = fitResult(
      {
        status: 'success',
        variables: variables(100),
        omitted: { variables: 50, fetch_variables: 'start=100' },
      },
      2000,
    );
    assert.equal(fitted.omitted.variables, 150 - fitted.variables.length);
    assert.equal(fitted.omitted.fetch_variables, `start=${fitted.variables.length}`);
  });

  it('start the next page where a later page was cut', () => {
    const fitted = fitResult(
      {
        status: 'success',
        variables: variables(100),
        omitted: { variables: 50, fetch_variables: 'start=200' },
      },
      2000,
    );
    assert.equal(fitted.omitted.fetch_variables, `start=${100 + fitted.variables.length}`);
  });

  it('fit the budget with the names to choose from in an error, too', () => {
    for (const [key, list] of Object.entries({
      available: Array.from({ length: 500 }, (_, index) => `Launch configuration number ${index}`),
      threads: Array.from({ length: 500 }, (_, id) => ({
        id,
        name: `worker ${id}`,
        state: 'running',
      })),
      problems: Array.from(
        { length: 500 },
        (_, index) => `/home/ada/file${index}.ts:1: something is wrong here`,
      ),
    })) {
      const fitted = fitResult(
        { status: 'error', code: 'x', message: 'words', hint: 'next', [key]: list },
        7500,
      );
      assert.ok(size(fitted) <= 7500, `${key}: ${size(fitted)}`);
    }
  });

  it('fit the budget with the generated configuration of a program with many arguments, too', () => {
    const fitted = fitResult(
      {
        status: 'stopped',
        configuration: {
          type: 'node',
          args: Array.from({ length: 1000 }, (_, index) => `--option-${index}`),
        },
      },
      7500,
    );
    assert.ok(size(fitted) <= 7500, `${size(fitted)}`);
  });

  it('show the original length of a cut text, however often it was cut', () => {
    const fitted = fitResult(
      { status: 'success', result: 'r'.repeat(5000), more: 'm'.repeat(5000) },
      600,
    );
    assert.match(fitted.result, /… \(5000 characters\)$/);
  });

  it('count the texts that were cut, and say how to read the rest', () => {
    const omitted = { cut_texts: 2, fetch_cut_texts: 'max_chars, or evaluate a part' };
    const variables = ['a', 'b', 'c'].map((name, index) => ({
      name,
      value: 'v'.repeat(index * 3000),
      type: null,
      variables_reference: 0,
    }));
    assert.deepEqual(
      Object.entries(fitResult({ status: 'success', variables, total: 3 }, 4000)).find(
        ([key]) => key === 'omitted',
      )?.[1],
      omitted,
    );
    const stop = fitResult(
      {
        status: 'stopped',
        stop_event_data: {
          reason: 'step',
          top_frame_variables: { scope_name: 'Local', variables },
          omitted: { frames: 4 },
        },
      },
      4000,
    );
    assert.deepEqual(
      [Object.keys(stop), stop.stop_event_data.omitted],
      [['status', 'stop_event_data'], { frames: 4, ...omitted }],
    );
  });

  it('never cut hints', () => {
    const hint = 'Call '.repeat(100);
    assert.equal(
      fitResult(
        {
          status: 'error',
          code: 'c'.repeat(80),
          hint,
          message: 'm'.repeat(5000),
          list: listOf([]),
        },
        300,
      ).hint,
      hint,
    );
  });
});

describe('fit: entries that stand for several', () => {
  it('are counted as the entries that they stand for', () => {
    const entry = (index: number) => ({
      frame_id: index,
      function_name: 'x'.repeat(50),
      file_path: '/a',
      line_number: 1,
      column_number: 1,
    });
    const stack = [
      entry(0),
      { ...entry(1), folded: 12 },
      ...Array.from({ length: 30 }, (_, index) => entry(index + 13)),
    ];
    const fitted = fitResult({ status: 'success', call_stack: stack }, 1000);
    const shown = listOf(fitted.call_stack).filter(isFields);
    assert.ok(shown.length >= 2 && shown.length < stack.length);
    const frames = shown.length + 11;
    assert.deepEqual((fitted as Record<string, unknown>)['omitted'], {
      frames: 43 - frames,
      fetch_frames: `start_frame=${frames}`,
    });
  });

  it('do not prevent that a field is cut, whatever its name', () => {
    const fitted = fitResult({ status: 'success', fields: { path: 'x'.repeat(2000) } }, 1500);
    assert.match(fitted.fields.path, /^x{1000}… \(2000 characters\)$/);
  });
});
