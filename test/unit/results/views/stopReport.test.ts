import { strict as assert } from 'node:assert';
import { Superseded } from '../../../../src/debugger/inspection/stopRequests';
import type { StopEventData } from '../../../../src/results/views/stopEventData';
import { answered, asked, ended, eventOf } from '../../support/events';
import { bench, FILE, paused, running, type Bench } from '../../support/services';

function report(on: Bench, key = 'a'): Promise<StopEventData> {
  return on.services.stops.report(on.session(key), 1, on.call.signal);
}

const print = (on: Bench, ...lines: string[]): void =>
  lines.forEach((line) => on.host.emit('output', { category: 'stdout', output: `${line}\n` }));

describe('stop report', () => {
  it('has the location, the reason and the values', async () => {
    const on = paused(bench(), 'a', 1, {
      description: 'Paused on breakpoint',
      allThreadsStopped: false,
    });
    const { timestamp, ...rest } = await report(on);
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      session_id: 's1',
      stop_id: 1,
      reason: 'breakpoint',
      thread_id: 1,
      description: 'Paused on breakpoint',
      text: null,
      all_threads_stopped: false,
      source: { path: FILE, name: 'main.js' },
      line: 3,
      column: 5,
      source_lines: [' 2 two', '>3 three', ' 4 four'],
      top_frame_variables: {
        scope_name: 'Local',
        variables: [{ name: 'count', value: '3', type: 'number', variables_reference: 0 }],
      },
      call_stack: [
        {
          frame_id: rest.call_stack[0]?.frame_id,
          function_name: 'main',
          file_path: FILE,
          line_number: 3,
          column_number: 5,
        },
      ],
      total_frames: 1,
      hit_breakpoint_ids: null,
    });
  });

  it('has the stop’s text and the own frame of an exception for which the adapter reports nothing more', async () => {
    const on = paused(bench(), 'a', 1, {
      reason: 'exception',
      description: 'fatal error',
      text: '"all goroutines are asleep - deadlock!"',
    });
    on.model.dispatch(
      eventOf('capabilities', { capabilities: { supportsExceptionInfoRequest: true } }),
    );
    on.host.on('stackTrace', () => ({
      stackFrames: [
        {
          id: 1,
          name: 'runtime.gopark',
          line: 3,
          column: 1,
          source: { path: '/usr/lib/go/proc.go' },
        },
        { id: 2, name: 'main.deadlock', line: 4, column: 1, source: { path: FILE } },
      ],
    }));
    on.host.on('exceptionInfo', () => {
      throw new Error('no runtime error found');
    });
    const { exception, unreadable } = await report(on);
    assert.deepEqual(
      [exception?.type, exception?.message, exception?.own_frame?.function_name],
      ['unknown', 'fatal error: "all goroutines are asleep - deadlock!"', 'main.deadlock'],
    );
    assert.match(unreadable?.[0] ?? '', /no runtime error found/);
  });

  it('has frame ids and references of our own, which can be resolved', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [
        {
          name: 'list',
          value: '[…]',
          variablesReference: 99,
          indexedVariables: 3,
          namedVariables: 0,
        },
      ],
    }));
    const stop = await report(on);
    const [frame] = stop.call_stack;
    const [list] = stop.top_frame_variables?.variables ?? [];
    assert.ok(frame !== undefined && list !== undefined);
    assert.equal(on.services.inspector.handles.resolveFrame(frame.frame_id).handle.frameId, 10);
    assert.equal(
      on.services.inspector.handles.resolveVariables(list.variables_reference).handle.reference,
      99,
    );
    assert.deepEqual([list.indexed_variables, list.named_variables], [3, undefined]);
  });

  it('has adjacent lines on one side only at the beginning and the end of a file', async () => {
    for (const [line, shown] of [
      [1, ['>1 one', ' 2 two']],
      [10, [' 9 nine', '>10 ten']],
      [11, undefined],
      [0, undefined],
    ] as const) {
      const on = paused(bench());
      on.host.on('stackTrace', () => ({
        stackFrames: [{ id: 1, name: 'x', line, column: 1, source: { path: FILE } }],
      }));
      assert.deepEqual((await report(on)).source_lines, shown);
    }
  });

  it('reports that the file was changed since the session started, and nothing if that is unknown', async () => {
    for (const [changed, said] of [
      [1, true],
      [Infinity, true],
      [0, undefined],
      [undefined, undefined],
    ] as const) {
      const on = paused(bench());
      if (changed !== undefined) on.workspace.changedAt.set(FILE, on.session().startedAt + changed);
      const stop = await report(on);
      assert.equal(stop.source_changed_since_start, said);
      assert.ok(stop.source_lines);
    }
  });

  it('has the variables of all own scopes, innermost first; a hidden variable names its scope', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => ({
      scopes: [
        { name: 'Block', presentationHint: 'locals', variablesReference: 1 },
        { name: 'Local', presentationHint: 'locals', variablesReference: 2 },
        { name: 'Closure', presentationHint: 'arguments', variablesReference: 3 },
        { name: 'Global', expensive: true, variablesReference: 4 },
      ],
    }));
    on.host.on('variables', ({ variablesReference: from }) => ({
      variables:
        from === 1
          ? [{ name: 'x', value: 'inner', variablesReference: 0 }]
          : [
              { name: 'x', value: 'outer', variablesReference: 0 },
              { name: 'y', value: 'y', variablesReference: 0 },
            ],
    }));
    const variables = (await report(on)).top_frame_variables;
    assert.equal(variables?.scope_name, 'Local');
    assert.deepEqual(
      variables.variables.map((variable) => [variable.name, variable.value, variable.scope]),
      [
        ['x', 'inner', undefined],
        ['x', 'outer', 'Local'],
        ['y', 'y', undefined],
      ],
    );
    assert.deepEqual(
      on.host.sent('variables').map((args) => args['variablesReference']),
      [1, 2],
    );
  });

  it('has no location for a stop in code without a file, and keeps the name of the frame’s source', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({
      stackFrames: [{ id: 1, name: 'native', line: 0, column: 0, source: { name: '<native>' } }],
    }));
    const stop = await report(on);
    assert.deepEqual(
      [stop.source, stop.line, stop.column, stop.source_lines, stop.call_stack[0]?.file_path],
      [null, null, null, undefined, '<native>'],
    );
  });

  it('does not use a label on top of the stack as the location', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({
      stackFrames: [
        { id: 1, name: 'await', line: 0, column: 0, presentationHint: 'label' },
        { id: 2, name: 'main', line: 3, column: 1, source: { path: FILE } },
      ],
    }));
    assert.equal((await report(on)).line, 3);
    assert.deepEqual(on.host.sent('scopes'), [{ frameId: 2 }]);
  });

  it('counts the frames that were left out, with the call that fetches them', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', ({ levels }) => ({
      stackFrames: Array.from({ length: Number(levels) }, (_, id) => ({
        id,
        name: 'f',
        line: 3 + id,
        column: 1,
        source: { path: FILE },
      })),
      totalFrames: 112,
    }));
    const stop = await report(on);
    assert.equal(stop.total_frames, 112);
    assert.deepEqual(stop.omitted, {
      frames: 112 - stop.call_stack.length,
      fetch_frames: `get_call_stack start_frame=${stop.call_stack.length}`,
    });
  });

  it('has the type and the message of an exception, and no exception if the adapter cannot report it', async () => {
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsExceptionInfoRequest: true }),
    ])
      on.model.dispatch(event);
    on.host.on('exceptionInfo', () => ({
      exceptionId: 'TypeError',
      description: 'x is not a function',
    }));
    on.host.emit('stopped', { reason: 'exception', threadId: 1 });
    assert.deepEqual((await report(on)).exception, {
      type: 'TypeError',
      message: 'x is not a function',
    });
    on.host.emit('stopped', { reason: 'exception', threadId: 1 });
    on.host.on('exceptionInfo', () => {
      throw new Error('unknown');
    });
    assert.equal((await report(on)).exception, undefined);
  });

  it('has the newest lines of output since the last stop once, and counts the rest', async () => {
    const on = paused(bench());
    print(on, ...Array.from({ length: 12 }, (_, index) => `line ${index + 1}`));
    const first = await report(on);
    assert.deepEqual(
      first.output,
      Array.from({ length: 8 }, (_, index) => `line ${index + 5}`),
    );
    assert.deepEqual(first.omitted, { output_lines: 4 });
    assert.equal((await report(on)).output, undefined);
    print(on, 'new');
    assert.deepEqual((await report(on)).output, ['new']);
  });

  it('has the output that a parent printed for its child', async () => {
    const on = running(bench(), 'parent');
    running(on, 'a', 'parent');
    on.host.emit('output', { category: 'stdout', output: 'from above\n' }, 'parent');
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    assert.deepEqual((await report(on)).output, ['from above']);
  });

  it('has the output of several sessions in the order of printing', () => {
    const on = running(running(bench(), 'parent'), 'a', 'parent');
    for (const [key, text] of [
      ['a', 'one'],
      ['parent', 'two'],
      ['a', 'three'],
      ['parent', 'four'],
    ] as const)
      on.host.emit('output', { category: 'stdout', output: `${text}\n` }, key);
    assert.deepEqual(
      on.services.stops.output.takeUnreported([on.session('parent'), on.session('a')]),
      {
        lines: ['one', 'two', 'three', 'four'],
        omitted: 0,
      },
    );
    assert.deepEqual(
      on.services.stops.output.takeUnreported([on.session('parent'), on.session('a')]),
      {
        lines: [],
        omitted: 0,
      },
    );
  });

  it('is superseded if the program continues during any of its requests', async () => {
    for (const command of ['stackTrace', 'scopes', 'variables']) {
      const on = paused(bench());
      print(on, 'important');
      on.host.on(command, () => {
        on.host.emit('continued', { threadId: 1 });
        return {};
      });
      await assert.rejects(report(on), Superseded, command);
      assert.deepEqual(
        on.services.stops.output.takeUnreported([on.session()]).lines,
        ['important'],
        'the output is not lost with the report',
      );
      assert.equal(on.model.listenerCount, 0);
    }
  });

  it('has a frame without variables if its scopes are refused', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => {
      throw new Error('no scopes');
    });
    assert.equal((await report(on)).top_frame_variables, null);
  });

  it('still reports the stop if the variables of a scope are refused', async () => {
    const on = paused(bench());
    on.host.on('variables', () => {
      throw new Error('cannot read memory');
    });
    const stop = await report(on);
    assert.equal(stop.line, 3);
  });

  it('still reports the stop if the stack is refused', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => {
      throw new Error('no stack');
    });
    const stop = await report(on);
    assert.deepEqual([stop.reason, stop.call_stack, stop.source], ['breakpoint', [], null]);
  });

  it('keeps no values of a session that has ended, but still knows which output was reported', async () => {
    const on = paused(bench());
    print(on, 'one');
    await report(on);
    assert.equal(on.services.stops.compared, 1);
    on.services.stops.prune();
    assert.equal(on.services.stops.compared, 1);
    on.model.dispatch(ended('a'));
    on.services.stops.prune();
    assert.equal(on.services.stops.compared, 0);
    assert.deepEqual(on.services.stops.output.takeUnreported([on.session()]).lines, []);
  });
});
