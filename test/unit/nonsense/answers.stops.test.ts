import { strict as assert } from 'node:assert';
import { fields, type Fields } from '../../../src/debugger/protocol';
import { ask, type Answer } from '../support/asking';
import { bench, FILE, paused, running } from '../support/services';
import { omittedOf, stopOf, NONSENSE } from '../support/nonsenseAnswers';

const listIn = (holder: Fields, key: string): readonly Fields[] => holder[key] as Fields[];

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

  it('keep frames with fields of every wrong type if they have an id', async () => {
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

  it('count unreadable frames, and begin the next page after them', async () => {
    const sent = [...Array.from({ length: 18 }, (_, id) => frame(id)), null, { name: 'no id' }];
    const answer = await stack(sent, 40);
    assert.equal(names(answer).length, 18);
    assert.deepEqual(answer['omitted'], {
      frames: 20,
      fetch_frames: 'start_frame=20',
      unreadable_frames: 2,
    });
  });

  it('ignore a total that is smaller than the number of frames sent', async () => {
    const answer = await stack(
      Array.from({ length: 50 }, (_, id) => frame(id)),
      3,
    );
    assert.deepEqual(
      [names(answer).length, answer['total_frames'], answer['omitted']],
      [20, 50, { frames: 30, fetch_frames: 'start_frame=20' }],
    );
  });

  it('end at a short page, whatever the total is', async () => {
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

  it('ignore js-debug’s total of a million, which only means that there may be more', async () => {
    const answer = await stack(
      Array.from({ length: 20 }, (_, id) => frame(id)),
      1_000_000,
    );
    assert.deepEqual(
      [answer['total_frames'], answer['omitted']],
      [undefined, { fetch_frames: 'start_frame=20' }],
    );
  });

  it('report that there may be more after a full page without a total', async () => {
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

  it('offer the further frames of another thread with that thread’s id', async () => {
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
  it('accepts scopes of every wrong type', async () => {
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

  it('omits and counts entries that are not scopes', async () => {
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

  it('reports a stop with fields of every wrong type', async () => {
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

  it('ignores a thread id that is not an integer', async () => {
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

  it('reports and accepts the largest, the smallest and negative thread ids', async () => {
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

  it('accepts thread lists of every wrong type', async () => {
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

  it('ignores an exit code of every wrong type, and reports an integer', async () => {
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
