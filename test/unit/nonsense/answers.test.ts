import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../src/debugger/protocol';
import { ask, type Answer } from '../support/asking';
import { answered, asked } from '../support/events';
import { bench, FILE, paused, running, type Bench } from '../support/services';

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type: string | null;
  readonly variables_reference: number;
}

const variablesOf = (answer: Answer): readonly Variable[] => answer['variables'] as Variable[];
const omittedOf = (answer: Answer): Fields => fields(answer['omitted']);
const listIn = (holder: Fields, key: string): readonly Fields[] => holder[key] as Fields[];
const stopOf = (answer: Answer): Fields => {
  assert.equal(answer.status, 'stopped', JSON.stringify(answer));
  return fields(answer['stop_event_data']);
};

/** A reference to a container of which the adapter says what is given. */
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

const read = (on: Bench, more: object = {}, counts = {}): Promise<Answer> =>
  ask(on, 'get_variables', { variables_reference: container(on, counts), ...more });

/** What an adapter may put where something else belongs. */
const NONSENSE: readonly unknown[] = [
  undefined,
  null,
  5,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  1e300,
  '',
  'text',
  true,
  [],
  [1],
  {},
  { length: 3 },
  { 0: 'a' },
];

describe('nonsense: lists of variables', () => {
  it('of every wrong type are none', async () => {
    for (const variables of NONSENSE.filter((each) => !Array.isArray(each) || each.length === 0)) {
      const on = paused(bench());
      on.host.on('variables', () => ({ variables }));
      const answer = await read(on);
      assert.deepEqual(
        [answer.status, answer['variables'], answer['total']],
        ['success', [], 0],
        String(variables),
      );
    }
  });

  it('whose entries are none: the others are shown, and how many could not be read', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [{ name: 'a', value: '1' }, null, 5, 'x', [], { name: 'b', value: '2' }],
    }));
    const answer = await read(on);
    assert.deepEqual(
      variablesOf(answer).map((each) => each.name),
      ['a', 'b'],
    );
    assert.deepEqual([answer['total'], omittedOf(answer)['unreadable']], [6, 4]);
  });

  it('with fields of every wrong type are still variables', async () => {
    for (const wrong of NONSENSE) {
      const on = paused(bench());
      on.host.on('variables', () => ({
        variables: [
          {
            name: wrong,
            value: wrong,
            type: wrong,
            variablesReference: wrong,
            namedVariables: wrong,
            indexedVariables: wrong,
            evaluateName: wrong,
            memoryReference: wrong,
            presentationHint: wrong,
          },
          { name: 'b', value: '2', variablesReference: 0 },
        ],
      }));
      const answer = await read(on, { depth: 3 });
      assert.equal(variablesOf(answer).length, 2, String(wrong));
      assert.equal(variablesOf(answer)[1]?.name, 'b');
    }
  });

  it('a name or value that is a number or a truth value is told as it is', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [
        { name: 5, value: 42 },
        { name: 'ok', value: false },
      ],
    }));
    assert.deepEqual(
      variablesOf(await read(on)).map((each) => [each.name, each.value]),
      [
        ['5', '42'],
        ['ok', 'false'],
      ],
    );
  });

  it('negative and broken counts are no counts', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [
        {
          name: 'list',
          value: '',
          variablesReference: 8,
          indexedVariables: -5,
          namedVariables: 2.5,
        },
      ],
    }));
    const [list] = variablesOf(await read(on));
    assert.deepEqual(Object.keys(list ?? {}), ['name', 'value', 'type', 'variables_reference']);
  });
});

describe('nonsense: pages of elements', () => {
  const element = (index: number): object => ({
    name: String(index),
    value: String(index),
    variablesReference: 0,
  });
  const elements = (from: number, to: number): object[] =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => element(from + index));

  it('a million for ten that were asked for: the ten, and how many there are', async () => {
    const on = paused(bench());
    const all = elements(0, 1_000_000);
    on.host.on('variables', () => ({ variables: all }));
    const answer = await read(
      on,
      { start: 500_000, count: 10 },
      { indexedVariables: 1_000_000, namedVariables: 0 },
    );
    assert.deepEqual(
      variablesOf(answer).map((each) => each.name),
      Array.from({ length: 10 }, (_, index) => String(500_000 + index)),
    );
    assert.deepEqual([answer['total'], omittedOf(answer)['variables']], [1_000_000, 499_990]);
  });

  it('an adapter that claims more than it gives: its last page has no next one', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ start, count }) => ({
      variables: elements(Number(start), Math.min(1005, Number(start) + Number(count))),
    }));
    const counts = { indexedVariables: 1e12, namedVariables: 0 };
    const whole = await read(on, { start: 0, count: 100 }, counts);
    assert.equal(omittedOf(whole)['fetch_variables'], 'start=100');
    const short = await read(on, { start: 1000, count: 100 }, counts);
    assert.deepEqual(
      [variablesOf(short).length, omittedOf(short)['fetch_variables']],
      [5, 'start=1005'],
    );
    const empty = await read(on, { start: 1005, count: 100 }, counts);
    assert.deepEqual([variablesOf(empty), omittedOf(empty)['fetch_variables']], [[], undefined]);
    assert.match(String(empty['message']), /1000000000000/);
  });

  it('an adapter that gives more than it claims: what is there counts', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({ variables: elements(0, 5000) }));
    const answer = await read(
      on,
      { start: 10, count: 20 },
      { indexedVariables: 2000, namedVariables: 0 },
    );
    assert.deepEqual(
      [
        variablesOf(answer)[0]?.name,
        variablesOf(answer).length,
        answer['total'],
        omittedOf(answer)['variables'],
      ],
      ['10', 20, 5000, 4970],
    );
  });

  it('an adapter that knows neither filter nor page: elements and named ones are told apart', async () => {
    const on = paused(bench());
    on.host.on('variables', () => ({
      variables: [{ name: 'length', value: '1500', variablesReference: 0 }, ...elements(0, 1500)],
    }));
    const counts = { indexedVariables: 1500, namedVariables: 1 };
    assert.deepEqual(
      variablesOf(await read(on, { start: 1498, count: 2, filter: 'indexed' }, counts)).map(
        (each) => each.name,
      ),
      ['1498', '1499'],
    );
    const end = await read(on, { start: 1499, count: 10 }, counts);
    assert.deepEqual(
      [variablesOf(end).map((each) => each.name), end['total'], end['omitted']],
      [['1499', 'length'], 1501, undefined],
    );
  });

  it('named ones after the last full page of elements are not forgotten', async () => {
    const on = paused(bench());
    on.host.on('variables', ({ filter, start, count }) => ({
      variables:
        filter === 'named'
          ? [{ name: 'length', value: '2000', variablesReference: 0 }]
          : elements(Number(start), Number(start) + Number(count)),
    }));
    const answer = await read(on, { start: 1900, count: 100 }, { indexedVariables: 2000 });
    assert.deepEqual(
      [variablesOf(answer).length, answer['total'], omittedOf(answer)],
      [100, 2001, { variables: 1, fetch_variables: 'start=2000' }],
    );
    assert.deepEqual(
      variablesOf(await read(on, { start: 2000 }, { indexedVariables: 2000 })).map(
        (each) => each.name,
      ),
      ['length'],
    );
  });
});

describe('nonsense: stacks', () => {
  const frame = (id: unknown, more: object = {}): object => ({
    id,
    name: `f${String(id)}`,
    line: 3,
    column: 1,
    source: { path: FILE },
    ...more,
  });
  const stack = async (
    stackFrames: unknown,
    totalFrames?: unknown,
    input: object = {},
  ): Promise<Answer> => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames, totalFrames }));
    return await ask(on, 'get_call_stack', input);
  };
  const names = (answer: Answer): unknown[] =>
    (answer['call_stack'] as Fields[]).map((each) => each['function_name']);

  it('of every wrong type is empty, and a stop is still a stop', async () => {
    for (const wrong of NONSENSE) {
      if (Array.isArray(wrong) && wrong.length > 0) continue;
      const answer = await stack(wrong, wrong);
      assert.deepEqual(
        [answer['call_stack'], answer['total_frames'], answer['omitted']],
        [[], 0, undefined],
        String(wrong),
      );
      const on = paused(bench());
      on.host.on('stackTrace', () => ({ stackFrames: wrong, totalFrames: wrong }));
      assert.deepEqual(stopOf(await ask(on, 'wait_for_stop'))['call_stack'], []);
    }
  });

  it('frames with fields of every wrong type are still frames, where they have an id', async () => {
    for (const wrong of NONSENSE) {
      const answer = await stack([
        frame(1, {
          name: wrong,
          line: wrong,
          column: wrong,
          source: wrong,
          presentationHint: wrong,
        }),
        frame(2),
      ]);
      assert.deepEqual(names(answer)[1], 'f2', String(wrong));
      await stack([frame(wrong), frame(2, { source: { path: wrong, name: wrong } })]);
    }
  });

  it('those that cannot be read are counted, and the next page begins after them', async () => {
    const sent = [...Array.from({ length: 18 }, (_, id) => frame(id)), null, { name: 'no id' }];
    const answer = await stack(sent, 40);
    assert.equal(names(answer).length, 18);
    assert.deepEqual(answer['omitted'], {
      frames: 20,
      fetch_frames: 'start_frame=20',
      unreadable_frames: 2,
    });
  });

  it('a total smaller than what was sent is no total', async () => {
    const answer = await stack(
      Array.from({ length: 50 }, (_, id) => frame(id)),
      3,
    );
    assert.deepEqual(
      [names(answer).length, answer['total_frames'], answer['omitted']],
      [20, 50, { frames: 30, fetch_frames: 'start_frame=20' }],
    );
  });

  it('a short page is the end, whatever the total says: there is no next one', async () => {
    for (const total of [1e12, 112, Number.MAX_SAFE_INTEGER]) {
      const answer = await stack(
        Array.from({ length: 5 }, (_, id) => frame(id)),
        total,
      );
      assert.deepEqual(
        [names(answer).length, answer['total_frames'], answer['omitted']],
        [5, 5, undefined],
      );
    }
  });

  it('js-debug says a million for "there may be more": that is no count', async () => {
    const answer = await stack(
      Array.from({ length: 20 }, (_, id) => frame(id)),
      1_000_000,
    );
    assert.deepEqual(
      [answer['total_frames'], answer['omitted']],
      [undefined, { fetch_frames: 'start_frame=20' }],
    );
  });

  it('without a total, a full page says that there may be more', async () => {
    const answer = await stack(Array.from({ length: 20 }, (_, id) => frame(id)));
    assert.deepEqual(
      [answer['total_frames'], answer['omitted']],
      [undefined, { fetch_frames: 'start_frame=20' }],
    );
    const on = paused(bench());
    on.host.on('stackTrace', ({ levels }) => ({
      stackFrames: Array.from({ length: Number(levels) }, (_, id) => frame(id)),
    }));
    assert.equal(
      fields(stopOf(await ask(on, 'wait_for_stop'))['omitted'])['fetch_frames'],
      'get_call_stack start_frame=20',
    );
  });

  it('the frames of another thread than the session’s are fetched from that thread', async () => {
    const on = paused(bench());
    on.host.emit('stopped', { reason: 'pause', threadId: 2 });
    on.host.on('stackTrace', ({ threadId, startFrame, levels }) => ({
      stackFrames: Array.from({ length: Number(levels) }, (_, id) =>
        frame(1000 * Number(threadId) + Number(startFrame) + id),
      ),
      totalFrames: 100,
    }));
    const stop = stopOf(await ask(on, 'wait_for_stop', { thread_id: 1 }));
    const hint = String(fields(stop['omitted'])['fetch_frames']);
    const input = Object.fromEntries(
      [...hint.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [String(name), Number(value)]),
    );
    assert.deepEqual(names(await ask(on, 'get_call_stack', input))[0], 'f1020');
  });
});

describe('nonsense: scopes, threads and stops', () => {
  it('scopes of every wrong type do no harm', async () => {
    for (const wrong of NONSENSE) {
      for (const scopes of [
        wrong,
        [wrong],
        [
          {
            name: wrong,
            presentationHint: wrong,
            variablesReference: wrong,
            expensive: wrong,
            namedVariables: wrong,
            indexedVariables: wrong,
          },
        ],
      ]) {
        const on = paused(bench());
        on.host.on('scopes', () => ({ scopes }));
        const stop = stopOf(await ask(on, 'wait_for_stop'));
        const frameId = fields((stop['call_stack'] as unknown[])[0])['frame_id'];
        assert.equal((await ask(on, 'get_scopes', { frame_id: frameId })).status, 'success');
      }
    }
  });

  it('scopes that are none are left out and counted', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => ({ scopes: [null, { name: 'Local', variablesReference: 7 }, 5] }));
    const frameId = fields((stopOf(await ask(on, 'wait_for_stop'))['call_stack'] as unknown[])[0])[
      'frame_id'
    ];
    const answer = await ask(on, 'get_scopes', { frame_id: frameId });
    assert.deepEqual(
      [(answer['scopes'] as unknown[]).length, omittedOf(answer)['unreadable']],
      [1, 2],
    );
  });

  it('a stop with fields of every wrong type is a stop', async () => {
    for (const wrong of NONSENSE) {
      const on = running(bench());
      on.host.emit('thread', { reason: 'started', threadId: 2 });
      on.host.emit('stopped', {
        reason: wrong,
        description: wrong,
        text: wrong,
        allThreadsStopped: wrong,
        hitBreakpointIds: wrong,
        threadId: 1,
      });
      const stop = stopOf(await ask(on, 'wait_for_stop'));
      assert.deepEqual(
        [stop['thread_id'], stop['stop_id'], typeof stop['reason']],
        [1, 1, 'string'],
      );
      const isOtherStopped = on.session().threads.get(2)?.stop !== undefined;
      assert.equal(isOtherStopped, wrong === true, 'only `true` says that all threads stopped');
      const [session] = listIn(await ask(on, 'get_debug_state'), 'sessions');
      assert.equal(session?.['state'], 'stopped');
    }
  });

  it('a thread id that is no whole number names no thread', async () => {
    for (const threadId of [1.5, Number.NaN, Infinity, 1e300, '1', null, [], {}]) {
      const on = running(bench());
      on.host.emit('stopped', { reason: 'step', threadId });
      assert.equal(
        stopOf(await ask(on, 'wait_for_stop'))['thread_id'],
        1,
        'the first thread that the adapter lists',
      );
    }
  });

  it('the largest, the smallest and negative thread ids can be told and used', async () => {
    for (const threadId of [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      const on = running(bench());
      on.host
        .on('threads', () => ({ threads: [{ id: threadId, name: 'main' }] }))
        .on('next', () => {
          on.host.emit('stopped', { reason: 'step', threadId });
          return {};
        });
      on.host.emit('stopped', { reason: 'step', threadId });
      assert.equal(stopOf(await ask(on, 'wait_for_stop'))['thread_id'], threadId);
      assert.equal((await ask(on, 'get_call_stack', { thread_id: threadId })).status, 'success');
      assert.equal(
        (await ask(on, 'step_execution', { thread_id: threadId, step_type: 'over' })).status,
        'stopped',
      );
    }
  });

  it('lists of threads of every wrong type do no harm', async () => {
    for (const wrong of NONSENSE) {
      for (const threads of [
        wrong,
        [wrong],
        [{ id: wrong, name: wrong }],
        [{ id: 3, name: wrong }],
      ]) {
        const on = running(bench());
        on.host.on('threads', () => ({ threads }));
        on.host.emit('stopped', { reason: 'pause', threadId: 1 });
        await on.host.request('a', 'threads', {});
        const [session] = listIn(await ask(on, 'get_debug_state'), 'sessions');
        assert.equal(session?.['state'], 'stopped');
        assert.equal(
          stopOf(await ask(on, 'wait_for_stop'))['thread_id'],
          1,
          JSON.stringify(threads),
        );
      }
    }
  });

  it('an exit code of every wrong type is none, a whole number is told', async () => {
    for (const exitCode of [...NONSENSE, 3, -1, 4_294_967_295]) {
      const on = running(bench());
      on.host.emit('exited', { exitCode });
      await ask(on, 'get_debug_state');
      on.model.dispatch({ type: 'sessionEnded', key: 'a', at: 0 });
      const [session] = (await ask(on, 'get_debug_state'))['sessions'] as Fields[];
      assert.equal(session?.['exit_code'], Number.isSafeInteger(exitCode) ? exitCode : undefined);
    }
  });
});

describe('nonsense: exceptions, evaluations, refusals, output, breakpoints', () => {
  function thrown(exceptionInfo: unknown): Bench {
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsExceptionInfoRequest: true }),
    ])
      on.model.dispatch(event);
    on.host.on('exceptionInfo', () => exceptionInfo);
    on.host.emit('stopped', { reason: 'exception', threadId: 1 });
    return on;
  }

  it('exceptions of every wrong type do no harm', async () => {
    for (const wrong of NONSENSE) {
      for (const info of [
        wrong,
        { exceptionId: wrong, description: wrong, details: wrong },
        {
          exceptionId: 'E',
          details: { message: wrong, fullTypeName: wrong, innerException: wrong },
        },
        {
          exceptionId: 'E',
          details: { innerException: [wrong, { message: 'm', innerException: wrong }] },
        },
      ]) {
        stopOf(await ask(thrown(info), 'wait_for_stop'));
      }
    }
  });

  it('causes without end, side by side or one in another: the first few', async () => {
    const wide = {
      exceptionId: 'E',
      details: {
        innerException: Array.from({ length: 300_000 }, (_, each) => ({
          message: `cause ${each}`,
        })),
      },
    };
    const shared: Record<string, unknown> = { message: 'round' };
    shared['innerException'] = [shared];
    const deep = {
      exceptionId: 'E',
      details: {
        innerException: [
          {
            message: 'one',
            innerException: Array.from({ length: 300_000 }, () => ({ message: 'more' })),
          },
        ],
      },
    };
    for (const info of [wide, deep, { exceptionId: 'E', details: shared }]) {
      const exception = fields(stopOf(await ask(thrown(info), 'wait_for_stop'))['exception']);
      assert.equal((exception['inner'] as unknown[]).length, 5);
    }
  });

  it('values of an evaluation of every wrong type do no harm; numbers are told', async () => {
    for (const wrong of [...NONSENSE, 42]) {
      const on = paused(bench());
      on.host.on('evaluate', () => ({
        result: wrong,
        type: wrong,
        variablesReference: wrong,
        namedVariables: wrong,
        indexedVariables: wrong,
        memoryReference: wrong,
      }));
      const frameId = fields(
        (stopOf(await ask(on, 'wait_for_stop'))['call_stack'] as unknown[])[0],
      )['frame_id'];
      const answer = await ask(on, 'evaluate_expression', { expression: 'x', frame_id: frameId });
      assert.equal(
        answer['result'],
        ['string', 'number', 'boolean'].includes(typeof wrong) ? String(wrong) : '',
      );
    }
  });

  it('a refusal’s words whose parts are made to grow without end are told in part', async () => {
    const on = paused(bench());
    const big = 'x'.repeat(1_000_000);
    const started = performance.now();
    on.model.dispatch(asked(50, 'next', { threadId: 1 }));
    on.model.dispatch({
      type: 'fromAdapter',
      key: 'a',
      at: 0,
      message: {
        type: 'response',
        request_seq: 50,
        command: 'next',
        success: false,
        body: { error: { format: '{x}'.repeat(100_000), variables: { x: big } } },
      },
    });
    assert.ok(performance.now() - started < 2000);
    const { resume } = on.session();
    assert.ok(resume?.outcome === 'failed' && (resume.message ?? '').length < 200_000);
  });

  it('output of every wrong type does no harm', async () => {
    for (const wrong of NONSENSE) {
      const on = running(bench());
      on.host.emit('output', {
        category: wrong,
        output: 'line\n',
        variablesReference: wrong,
        line: wrong,
        source: wrong,
      });
      on.host.emit('output', { output: wrong });
      on.host.emit('usernotification', { message: wrong });
      const answer = await ask(on, 'get_debug_output');
      assert.equal(fields((answer['lines'] as unknown[])[0])['text'], 'line');
    }
  });

  async function assertHarmless(wrong: unknown, breakpoints: unknown): Promise<void> {
    const on = running(bench());
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', {
        supportsBreakpointLocationsRequest: true,
        supportsLoadedSourcesRequest: true,
        exceptionBreakpointFilters: breakpoints,
      }),
    ])
      on.model.dispatch(event);
    on.host
      .on('setBreakpoints', () => ({ breakpoints }))
      .on('breakpointLocations', () => ({ breakpoints }))
      .on('loadedSources', () => ({ sources: breakpoints }));
    assert.equal(
      (await ask(on, 'set_breakpoint', { file_path: FILE, line_number: 3 })).status,
      'success',
    );
    on.host.emit('breakpoint', { reason: wrong, breakpoint: wrong });
    assert.equal((await ask(on, 'get_breakpoints')).status, 'success');
    assert.equal((await ask(on, 'set_exception_breakpoints', { filters: [] })).status, 'success');
  }

  it('answers about breakpoints of every wrong type do no harm', async () => {
    // At once: each that is not bound is waited for a little.
    await Promise.all(
      [null, 1.5, 'text', true, [], {}].flatMap((wrong) =>
        [
          wrong,
          [wrong],
          [{ id: wrong, verified: wrong, line: wrong, column: wrong, message: wrong }],
        ].map((breakpoints) => assertHarmless(wrong, breakpoints)),
      ),
    );
  });
});
