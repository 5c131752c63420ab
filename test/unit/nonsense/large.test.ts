import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../src/debugger/protocol';
import { ask, megabytesInUse, timed, type Answer } from '../support/asking';
import { answered, asked, refused, stopped } from '../support/events';
import { bench, FILE, paused, running, type Bench } from '../support/services';

/** Generous: a busy machine must not fail these tests, and what they are against takes minutes or does not end. */
const MOST_MS = 10_000;
const HUGE = 100_000_000;

const stopOf = (answer: Answer): Fields => {
  assert.equal(answer.status, 'stopped', JSON.stringify(answer).slice(0, 1000));
  return fields(answer['stop_event_data']);
};
const omittedOf = (holder: Fields): Fields => fields(holder['omitted']);
const listIn = (holder: Fields, key: string): readonly Fields[] => holder[key] as Fields[];

function container(
  on: Bench,
  counts: { indexedVariables?: number; namedVariables?: number } = {},
): number {
  const { inspector } = on.services;
  return inspector.handles.variables(inspector.placeOf(on.session(), 1), 7, 10, {
    indexedVariables: counts.indexedVariables,
    namedVariables: counts.namedVariables,
  });
}

const FILLED = Buffer.alloc(HUGE, 'v');

/** A text that engines hold as one flat string, as it comes from JSON. */
const text = (characters: number, end = ''): string =>
  FILLED.toString('latin1', 0, characters) + end;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function bounded<T>(action: () => Promise<T>): Promise<T> {
  const { value, milliseconds } = await timed(action);
  assert.ok(milliseconds < MOST_MS, `${Math.round(milliseconds)} ms`);
  return value;
}

describe('nonsense: a text of 100 MB', () => {
  it('as a value: its beginning and its real length, in a stop, a look and an evaluation', async () => {
    const on = paused(bench());
    const value = text(HUGE);
    on.host
      .on('variables', () => ({
        variables: [
          { name: 'long', value, variablesReference: 0 },
          { name: 'short', value: '1', variablesReference: 0 },
        ],
      }))
      .on('evaluate', () => ({ result: value, variablesReference: 0 }));
    const stop = stopOf(await bounded(() => ask(on, 'wait_for_stop')));
    const answers = [
      fields(stop['top_frame_variables']),
      await bounded(() => ask(on, 'get_variables', { variables_reference: container(on) })),
    ];
    for (const each of answers) {
      const [long, short] = listIn(each, 'variables');
      assert.match(String(long?.['value']), /^v+… \(100000000 characters\)$/);
      assert.equal(short?.['value'], '1');
    }
    const evaluated = await bounded(() =>
      ask(on, 'evaluate_expression', {
        expression: 'long',
        frame_id: listIn(stop, 'call_stack')[0]?.['frame_id'],
      }),
    );
    assert.match(String(evaluated['result']), /^v+… \(100000000 characters\)$/);
  });

  it('is let go of: neither what was told of a stop nor what was answered keeps it', async () => {
    const on = paused(bench());
    const before = megabytesInUse();
    for (let step = 0; step < 5; step += 1) {
      on.host.on('variables', () => ({
        variables: [{ name: 'long', value: text(HUGE, String(step)), variablesReference: 0 }],
      }));
      stopOf(await bounded(() => ask(on, 'wait_for_stop')));
      on.model.dispatch(
        stopped(1, { text: text(HUGE), description: text(HUGE), reason: text(HUGE) }),
      );
    }
    on.host.on('variables', () => ({ variables: [] }));
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
  });

  it('everywhere else an adapter can put one', async () => {
    const long = text(HUGE);
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsExceptionInfoRequest: true }),
    ])
      on.model.dispatch(event);
    on.host
      .on('threads', () => ({ threads: [{ id: 1, name: long }] }))
      .on('stackTrace', () => ({
        stackFrames: [
          { id: 1, name: long, line: 3, column: 1, source: { path: FILE, name: long } },
          {
            id: 2,
            name: long,
            source: { path: `/${long}`, name: long },
            instructionPointerReference: long,
          },
          { id: 3, name: 'x', source: { path: `/${long}` } },
        ],
      }))
      .on('scopes', () => ({
        scopes: [{ name: `Local ${long}`, presentationHint: 'locals', variablesReference: 7 }],
      }))
      .on('variables', () => ({
        variables: [
          {
            name: long,
            value: long,
            type: long,
            evaluateName: long,
            memoryReference: long,
            variablesReference: 8,
          },
        ],
      }))
      .on('exceptionInfo', () => ({
        exceptionId: long,
        description: long,
        details: {
          message: long,
          fullTypeName: long,
          innerException: [{ message: long, fullTypeName: long }],
        },
      }))
      .on('evaluate', () => {
        throw new Error(long);
      });
    on.host.emit('stopped', { reason: 'exception', description: long, text: long, threadId: 1 });
    await on.host.request('a', 'threads', {});
    const stop = stopOf(await bounded(() => ask(on, 'wait_for_stop')));
    const [first] = listIn(stop, 'call_stack');
    assert.match(String(fields(stop['exception'])['message']), /… \(100000000 characters\)$/);
    for (const [name, input] of [
      ['get_debug_state', {}],
      ['get_call_stack', {}],
      ['get_scopes', { frame_id: first?.['frame_id'] }],
      ['get_variables', { variables_reference: container(on), depth: 5 }],
      ['evaluate_expression', { expression: 'x', frame_id: first?.['frame_id'] }],
    ] as const) {
      await bounded(() => ask(on, name, input));
    }
  });

  it('as a refusal’s words', async () => {
    const on = paused(bench());
    const long = text(HUGE);
    on.host.on('scopes', () => {
      throw new Error(long);
    });
    assert.equal((await bounded(() => ask(on, 'wait_for_stop'))).status, 'stopped');
    on.model.dispatch(asked(60, 'next', { threadId: 1 }));
    on.model.dispatch(refused(60, 'next', long));
    assert.ok((on.session().resume?.message ?? '').length < 20_000);
  });

  it('with a half of a surrogate pair where it is cut, and halves all over it', async () => {
    const on = paused(bench());
    const half = '\uD83D'.repeat(100_001);
    const halves = Object.fromEntries(
      ['name', 'value', 'type', 'evaluateName', 'memoryReference'].map((key) => [key, half]),
    );
    on.host
      .on('variables', () => ({
        variables: [halves, { name: '\uDE00', value: '😀\uD83D', variablesReference: 0 }],
      }))
      .on('evaluate', () => ({ result: '\uDE00\uD83D' }));
    const stop = stopOf(await ask(on, 'wait_for_stop'));
    assert.equal(
      listIn(fields(stop['top_frame_variables']), 'variables')[1]?.['value'],
      '😀\uFFFD',
    );
    assert.equal(
      (
        await ask(on, 'evaluate_expression', {
          expression: 'x',
          frame_id: listIn(stop, 'call_stack')[0]?.['frame_id'],
        })
      )['result'],
      '\uFFFD\uFFFD',
    );
  });
});

describe('nonsense: output of 100 MB at once', () => {
  const read = (on: Bench, input: object = {}): Promise<Answer> =>
    bounded(() => ask(on, 'get_debug_output', input));
  const print = async (on: Bench, output: string): Promise<void> =>
    await bounded(async () => on.host.emit('output', { category: 'stdout', output }));

  it('in lines: the newest stay, the others are counted, and the whole is let go of', async () => {
    const before = megabytesInUse();
    const on = running(bench());
    for (let time = 0; time < 3; time += 1) await print(on, `${text(99)}\n`.repeat(HUGE / 100));
    const answer = await read(on, { max_lines: 5000 });
    assert.equal(answer['cursor'], (3 * HUGE) / 100);
    assert.ok(
      Number(answer['dropped']) > 2_900_000 && Number(answer['dropped']) < 3_000_000,
      String(answer['dropped']),
    );
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
  });

  it('in one line: its beginning and its real length', async () => {
    const before = megabytesInUse();
    const on = running(bench());
    for (let time = 0; time < 3; time += 1) await print(on, text(HUGE, '\n'));
    const [line] = listIn(await read(on), 'lines');
    assert.match(String(line?.['text']), /^v+… \(100000000 characters\)$/);
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
  });

  it('of nothing but line ends, of escapes, of carriage returns, and of ever new categories', async () => {
    const on = running(bench());
    for (const unit of ['\n', '\x1b[', '\x1b]8;;', 'x\r', '\x1b;a;a'])
      await print(on, unit.repeat(20_000_000 / unit.length));
    await bounded(async () =>
      many(20_000, (each) =>
        on.host.emit('output', { category: `category ${each}`, output: 'not ended' }),
      ),
    );
    const answer = await read(on);
    assert.ok(Number(answer['cursor']) >= 20_000_000 + 19_000);
  });

  it('long lines that are dropped are not held on to', async () => {
    const before = megabytesInUse();
    const on = running(bench());
    for (let time = 0; time < 1500; time += 1)
      on.host.emit('output', { category: 'stdout', output: text(260_000, `${time}\n`) });
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
    assert.equal((await read(on))['cursor'], 1500);
  });
});

describe('nonsense: a million of everything', () => {
  const MILLION = 1_000_000;

  it('locals: those that fit, and how many there are; as many references as were shown', async () => {
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

  it('are not kept at the stop: no answer is remembered that is larger than all should be', async () => {
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

  it('frames: the page, and how many there are', async () => {
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

  it('20,000 frames page by page take no longer for the last page than for the first', async () => {
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

  it('scopes: a few are read, whatever their hints say, and the rest is counted', async () => {
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

  it('threads: the stopped ones first, the rest counted, also in an error', async () => {
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

  it('ids of hit breakpoints, and answers about breakpoints', async () => {
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

  it('exception filters', async () => {
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

  it('a frame whose name is made for patterns to take long, beside a function breakpoint', async () => {
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
