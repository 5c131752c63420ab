import { strict as assert } from 'node:assert';
import type { StopEventData, VariableView } from '../../../../src/results/views/stopEventData';
import { bench, FILE, paused, type Bench } from '../../support/services';

const report = (on: Bench, how: 'whole' | 'step' = 'step'): Promise<StopEventData> =>
  on.services.stops.report(on.session('a'), 1, on.call.signal, how);
const names = (stop: StopEventData): string[] =>
  (stop.top_frame_variables?.variables ?? []).map((variable: VariableView) => variable.name);

/** A program with five frames and these variables. */
function program(on: Bench, values: Record<string, string>, callerLine = 7): void {
  on.host.on('stackTrace', () => ({
    totalFrames: 5,
    stackFrames: [0, 1, 2, 3, 4].map((index) => ({
      id: 10 + index,
      name: index === 0 ? 'main' : `caller ${index}`,
      line: index === 0 ? 3 : callerLine,
      column: 1,
      source: { path: FILE },
    })),
  }));
  on.host.on('variables', ({ variablesReference: from }) => ({
    variables:
      Number(from) >= 100
        ? []
        : Object.entries(values).map(([name, value], index) => ({
            name,
            value,
            variablesReference: /[[{@]/.test(value) ? 100 + index : 0,
          })),
  }));
}

/** The thread continues, and stops on the next line. */
function step(on: Bench): void {
  on.host.emit('continued', { threadId: 1 });
  on.host.emit('stopped', { reason: 'step', threadId: 1 });
}

describe('the answer to a step', () => {
  const VALUES = {
    count: '1',
    label: "'shop'",
    list: '(3) [1, 2, 3]',
    map: "{'a': 1, 'b': 2.5}",
    point: 'Point {x: 1, y: 2}',
    deep: "{name: 'x', inner: {…}}",
    some: 'Person@17',
    nested: '{items: Array(3)}',
  };

  it('has the changes, and the names of variables that may hide a change; the rest is counted and can be fetched', async () => {
    const on = paused(bench());
    program(on, VALUES);
    assert.deepEqual(names(await report(on, 'whole')), Object.keys(VALUES));
    step(on);
    program(on, { ...VALUES, count: '2', fresh: '3' });
    const stop = await report(on);
    assert.deepEqual(stop.changed, [
      { name: 'count', before: '1', now: '2' },
      { name: 'fresh', before: null, now: '3' },
    ]);
    assert.deepEqual(names(stop), ['count', 'fresh']);
    assert.deepEqual(Object.keys(stop.same_text ?? {}), ['deep', 'some', 'nested']);
    assert.equal(
      on.services.inspector.handles.resolveVariables(stop.same_text?.['deep'] ?? 0).handle
        .reference,
      105,
      'where to look',
    );
    assert.deepEqual(
      stop.call_stack.map((frame) => frame.function_name),
      ['main'],
    );
    assert.equal(stop.total_frames, 5);
    assert.deepEqual(stop.source_lines, ['>3 three']);
    assert.deepEqual(stop.omitted, {
      frames: 4,
      fetch_frames: 'get_call_stack start_frame=1',
      same_variables: 4,
      fetch_same_variables: 'get_scopes, then get_variables',
    });
  });

  it('names variables that no longer exist, and a long value of which only the beginning is known', async () => {
    const on = paused(bench());
    const long = `[${'item, '.repeat(60)}…]`;
    program(on, { inner: '1', big: long, run: 'ƒ run() {}' });
    on.host.on('variables', () => ({
      variables: [
        { name: 'inner', value: '1', variablesReference: 0 },
        { name: 'big', value: long, variablesReference: 7 },
        { name: 'run', value: 'ƒ run() {}', type: 'Function', variablesReference: 8 },
      ],
    }));
    await report(on, 'whole');
    step(on);
    on.host.on('variables', () => ({
      variables: [
        { name: 'big', value: long, variablesReference: 9 },
        { name: 'run', value: 'ƒ run() {}', type: 'Function', variablesReference: 10 },
      ],
    }));
    const stop = await report(on);
    assert.deepEqual(stop.gone, ['inner']);
    assert.deepEqual([names(stop), Object.keys(stop.same_text ?? {})], [[], ['big']]);
    assert.equal(stop.omitted?.['same_variables'], 1);
  });

  it('counts the variables that no longer exist beyond the names that it shows', async () => {
    const on = paused(bench());
    program(on, {
      kept: '1',
      ...Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`inner${index}`, '2'])),
    });
    await report(on, 'whole');
    step(on);
    program(on, { kept: '1' });
    const stop = await report(on);
    assert.deepEqual([stop.gone?.length, stop.omitted?.['gone']], [20, 5]);
  });

  it('is complete in a frame that has not been reported before, or in another frame', async () => {
    const on = paused(bench());
    program(on, VALUES);
    assert.deepEqual(names(await report(on)), Object.keys(VALUES));
    step(on);
    program(on, VALUES);
    on.host.on('stackTrace', () => ({
      totalFrames: 1,
      stackFrames: [{ id: 1, name: 'callee', line: 5, column: 1, source: { path: FILE } }],
    }));
    const stop = await report(on);
    assert.deepEqual(names(stop), Object.keys(VALUES));
    assert.equal(stop.source_lines?.length, 3);
    assert.equal(stop.omitted, undefined);
  });

  it('has the callers if they differ from those before', async () => {
    const on = paused(bench());
    program(on, VALUES);
    await report(on, 'whole');
    step(on);
    program(on, VALUES, 8);
    const stop = await report(on);
    assert.equal(stop.call_stack.length, 5);
    assert.equal(stop.omitted?.['frames'], undefined);
  });

  it('is complete if it is requested by anything other than a step', async () => {
    const on = paused(bench());
    program(on, VALUES);
    await report(on, 'whole');
    step(on);
    assert.deepEqual(names(await report(on, 'whole')), Object.keys(VALUES));
  });
});

describe('far frames that are not the person’s own code', () => {
  it('are left out of a stop and counted, and can be fetched', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({
      stackFrames: ['own', 'library', 'own too', 'runtime', 'runtime'].map((name, index) => ({
        id: index + 1,
        name,
        line: 3,
        column: 1,
        source: { path: FILE },
        ...(name === 'runtime' || name === 'library' ? { presentationHint: 'subtle' } : {}),
      })),
    }));
    const stop = await report(on, 'whole');
    assert.deepEqual(
      stop.call_stack.map((frame) => frame.function_name),
      ['own', 'library', 'own too'],
    );
    assert.deepEqual(stop.omitted, { frames: 2, fetch_frames: 'get_call_stack start_frame=3' });
  });

  it('are shown if there are no other frames', async () => {
    const on = paused(bench());
    const runtime = (count: number): void =>
      void on.host.on('stackTrace', () => ({
        stackFrames: Array.from({ length: count }, (_, id) => ({
          id,
          name: 'runtime',
          line: id,
          column: 1,
          source: { path: FILE },
          presentationHint: 'subtle',
        })),
      }));
    runtime(2);
    const { call_stack: both, omitted: none } = await report(on, 'whole');
    assert.deepEqual([both.length, none], [2, undefined]);
    step(on);
    runtime(9);
    const { call_stack: near, omitted } = await report(on, 'whole');
    assert.deepEqual(
      [near.length, omitted],
      [5, { frames: 4, fetch_frames: 'get_call_stack start_frame=5' }],
    );
  });
});
