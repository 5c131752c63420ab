import { strict as assert } from 'node:assert';
import { fields } from '../../../src/debugger/protocol';
import { ask, megabytesInUse } from '../support/asking';
import { answered, asked } from '../support/events';
import { bounded, container, listIn, many, omittedOf, stopOf } from '../support/huge';
import { bench, FILE, paused, running } from '../support/services';

describe('nonsense: a million of everything', function () {
  // These tests take long on a busy machine.
  this.timeout(120_000);

  const MILLION = 1_000_000;

  it('returns the locals that fit and their total, and keeps references only for those shown', async () => {
    const on = paused(bench());
    const variables = many(MILLION, (each) => ({
      name: `v${each}`,
      value: String(each),
      variablesReference: each + 1000,
    }));
    on.host.on('variables', () => ({ variables }));
    const before = on.services.inspector.handles.size;
    const stop = stopOf(await bounded(() => ask(on, 'wait_for_stop')));
    const shown = listIn(fields(stop['top_frame_variables']), 'variables').length;
    assert.equal(shown + Number(omittedOf(stop)['variables']), MILLION);
    assert.ok(
      on.services.inspector.handles.size - before <= 2100,
      `${on.services.inspector.handles.size}`,
    );
    const page = await bounded(() =>
      ask(on, 'get_variables', { variables_reference: container(on), start: MILLION - 5 }),
    );
    assert.deepEqual([listIn(page, 'variables').length, page['total']], [5, MILLION]);
    await bounded(() =>
      ask(on, 'get_variables', {
        variables_reference: container(on),
        name_pattern: '99$',
        depth: 3,
      }),
    );
    await bounded(() =>
      ask(on, 'get_variables', {
        variables_reference: container(on, { indexedVariables: MILLION }),
        start: 10,
        depth: 5,
      }),
    );
  });

  it('does not cache a response for the stop that exceeds the limit of the whole cache', async () => {
    const on = paused(bench());
    const before = megabytesInUse();
    for (let page = 0; page < 4; page += 1) {
      on.host.on('variables', () => ({
        variables: many(300_000, (each) => ({
          name: `v${each}`,
          value: `${page} ${each}`,
          variablesReference: 0,
        })),
      }));
      await bounded(() =>
        ask(on, 'get_variables', {
          variables_reference: on.services.inspector.handles.variables(
            on.services.inspector.placeOf(on.session(), 1),
            100 + page,
            10,
          ),
        }),
      );
    }
    const grown = megabytesInUse() - before;
    assert.ok(grown < 60, `${Math.round(grown)} MB`);
  });

  it('returns the requested page of frames and the total', async () => {
    const on = paused(bench());
    const stackFrames = many(MILLION, (id) => ({
      id,
      name: `f${id}`,
      line: 3,
      column: 1,
      source: { path: FILE },
    }));
    on.host.on('stackTrace', () => ({ stackFrames }));
    const stop = stopOf(await bounded(() => ask(on, 'wait_for_stop')));
    assert.deepEqual(
      [stop['total_frames'], listIn(stop, 'call_stack').length + Number(omittedOf(stop)['frames'])],
      [MILLION, MILLION],
    );
    const page = await bounded(() =>
      ask(on, 'get_call_stack', { start_frame: 999_990, levels: 1000 }, 100_000),
    );
    assert.equal(listIn(page, 'call_stack').length, 10);
  });

  it('reads 20,000 frames in pages, with at most one page in each request', async () => {
    const on = paused(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsDelayedStackTraceLoading: true }),
    ])
      on.model.dispatch(event);
    on.host.on('stackTrace', ({ startFrame, levels }) => ({
      stackFrames: many(Number(levels), (id) => ({
        id: Number(startFrame) + id,
        name: 'f',
        line: 3,
        column: 1,
        source: { path: FILE },
      })),
      totalFrames: 20_000,
    }));
    await bounded(async () => {
      for (let page = 0; page < 20; page += 1) {
        const answer = await ask(on, 'get_call_stack', { start_frame: page * 1000, levels: 1000 });
        const frames = listIn(answer, 'call_stack');
        assert.deepEqual([answer.status, answer['total_frames']], ['success', 20_000]);
        assert.equal(
          frames.length + Number(omittedOf(answer)['frames'] ?? 0),
          20_000 - page * 1000,
          `page ${page}`,
        );
      }
    });
    const sizes = on.host.sent('stackTrace').map((request) => Number(request['levels']));
    assert.ok(
      sizes.every((levels) => levels <= 1000),
      `at most a page a request: ${Math.max(...sizes)}`,
    );
  });

  it('reads a few scopes, whatever their hints are, and counts the rest', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => ({
      scopes: many(100_000, (each) => ({
        name: `Local ${each}`,
        presentationHint: 'locals',
        variablesReference: each + 1,
      })),
    }));
    on.host.on('continue', () => {
      queueMicrotask(() => on.host.emit('stopped', { reason: 'pause', threadId: 1 }));
      return {};
    });
    const stop = stopOf(await bounded(() => ask(on, 'continue_debugging', { thread_id: 1 })));
    assert.ok(
      on.host.sent('variables').length <= 32,
      `${on.host.sent('variables').length} requests`,
    );
    assert.equal(omittedOf(stop)['scopes'], 100_000 - 16);
    const answer = await bounded(() =>
      ask(on, 'get_scopes', { frame_id: listIn(stop, 'call_stack')[0]?.['frame_id'] }),
    );
    assert.equal(listIn(answer, 'scopes').length + Number(omittedOf(answer)['scopes']), 100_000);
  });

  it('lists some threads and counts the rest, also in an error', async () => {
    const on = running(bench());
    on.host.on('threads', () => ({
      threads: many(MILLION, (id) => ({ id, name: `thread ${id}` })),
    }));
    await bounded(async () => await on.host.request('a', 'threads', {}));
    await bounded(async () =>
      on.host.emit('stopped', { reason: 'pause', threadId: 77, allThreadsStopped: true }),
    );
    const [session] = listIn(await bounded(() => ask(on, 'get_debug_state')), 'sessions');
    assert.equal(
      listIn(session ?? {}, 'threads').length + Number(session?.['omitted_threads']),
      MILLION,
    );
    const error = await bounded(() => ask(on, 'get_call_stack', { thread_id: 5_000_000 }));
    assert.equal(listIn(error, 'threads').length + Number(omittedOf(error)['threads']), MILLION);
  });

  it('accepts a million ids of hit breakpoints and breakpoint responses', async () => {
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', {
        supportsBreakpointLocationsRequest: true,
        supportsLoadedSourcesRequest: true,
      }),
    ])
      on.model.dispatch(event);
    on.host
      .on('setBreakpoints', () => ({
        breakpoints: many(MILLION, (id) => ({ id, verified: false, line: id })),
      }))
      .on('breakpointLocations', () => ({
        breakpoints: many(MILLION, (line) => ({ line: line + 100 })),
      }))
      .on('loadedSources', () => ({
        sources: many(MILLION, (each) => ({ path: `/x/${each}.js` })),
      }));
    await bounded(() => ask(on, 'set_breakpoint', { file_path: FILE, line_number: 3 }));
    await bounded(async () =>
      on.host.emit('stopped', {
        reason: 'breakpoint',
        threadId: 1,
        hitBreakpointIds: many(MILLION, (id) => id),
      }),
    );
    assert.deepEqual(
      stopOf(await bounded(() => ask(on, 'wait_for_stop')))['hit_breakpoint_ids'],
      [1],
    );
  });

  it('lists some exception filters and counts the rest', async () => {
    const on = running(bench());
    on.host.on('setExceptionBreakpoints', () => ({}));
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', {
        exceptionBreakpointFilters: many(100_000, (each) => ({
          filter: `filter ${each}`,
          label: `Filter ${each}`,
        })),
      }),
    ])
      on.model.dispatch(event);
    const answer = await bounded(() =>
      ask(on, 'set_exception_breakpoints', { filters: ['filter 5'] }),
    );
    assert.equal(listIn(answer, 'filters').length + Number(omittedOf(answer)['filters']), 100_000);
  });

  it('compares a frame name that is slow for patterns with a function breakpoint in bounded time', async () => {
    const on = running(bench());
    on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    for (const name of [
      'a'.repeat(100_000) + '.',
      'a.'.repeat(50_000),
      ' '.repeat(100_000) + '.',
      '('.repeat(100_000),
    ]) {
      on.host.on('stackTrace', () => ({ stackFrames: [{ id: 1, name, line: 3, column: 1 }] }));
      on.host.emit('stopped', { reason: 'function breakpoint', threadId: 1 });
      const stop = stopOf(await bounded(() => ask(on, 'wait_for_stop')));
      assert.deepEqual([stop['reason'], stop['hit_breakpoint_ids']], ['function breakpoint', null]);
    }
  });
});
