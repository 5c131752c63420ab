import { strict as assert } from 'node:assert';
import type { FramePage } from '../../../../src/debugger/inspection/framePage';
import { Superseded } from '../../../../src/debugger/inspection/stopRequests';
import { Interrupted } from '../../../../src/debugger/requests';
import { answered, asked, launched, stopped, eventOf } from '../../support/events';
import { never } from '../../support/fakeHost';
import { bench, failsWith, FILE, paused, running, type Bench } from '../../support/services';

const frames = (from: number, to: number): object[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    id: from + index,
    name: `f${from + index}`,
    line: 1,
    column: 1,
    source: { path: FILE },
  }));

/** A session whose adapter supports paging of stacks. */
function paging(): Bench {
  const on = bench();
  for (const event of [
    ...launched(),
    asked(3, 'initialize'),
    answered(3, 'initialize', { supportsDelayedStackTraceLoading: true }),
    stopped(1),
  ])
    on.model.dispatch(event);
  return on;
}

async function page(
  on: Bench,
  start: number,
  levels: number,
): Promise<{ readonly ids: readonly number[] } & Pick<FramePage, 'next' | 'total'>> {
  const { inspector } = on.services;
  const place = inspector.placeOf(on.session(), 1);
  const found = await inspector.frames(on.session(), place, start, levels, on.call.signal);
  return { ids: found.frames.map(({ id }) => id), next: found.next, total: found.total };
}

const asks = (on: Bench): unknown[] =>
  on.host.sent('stackTrace').map(({ startFrame, levels }) => [startFrame, levels]);

describe('inspector: a page of a stack', () => {
  it('is requested as a page if the adapter pages, otherwise together with all frames before it', async () => {
    const [pages, sendsAll] = [paging(), paused(bench())];
    for (const on of [pages, sendsAll]) {
      on.host.on('stackTrace', () => ({ stackFrames: [] }));
      await page(on, 20, 5);
    }
    assert.deepEqual(asks(pages), [[20, 5]]);
    assert.deepEqual(asks(sendsAll), [[0, 25]]);
  });

  it('reports where the next page begins, and nothing at the end', async () => {
    const on = paging();
    on.host.on('stackTrace', ({ startFrame, levels }) => ({
      stackFrames: frames(Number(startFrame), Math.min(6, Number(startFrame) + Number(levels))),
      totalFrames: 6,
    }));
    assert.deepEqual(await page(on, 0, 3), { ids: [0, 1, 2], next: 3, total: 6 });
    assert.deepEqual(await page(on, 3, 3), { ids: [3, 4, 5], next: undefined, total: 6 });
    assert.deepEqual(await page(on, 4, 3), { ids: [4, 5], next: undefined, total: 6 });
  });

  it('is cut from the whole stack if an adapter that pages sends the whole stack', async () => {
    const on = paging();
    on.host.on('stackTrace', () => ({ stackFrames: frames(0, 5), totalFrames: 5 }));
    assert.deepEqual(await page(on, 2, 5), { ids: [2, 3, 4], next: undefined, total: 5 });
    assert.deepEqual(await page(on, 0, 5), {
      ids: [0, 1, 2, 3, 4],
      next: undefined,
      total: 5,
    });
  });

  it('is taken unchanged if the adapter sends exactly the requested frames', async () => {
    const on = paging();
    on.host.on('stackTrace', ({ startFrame, levels }) => ({
      stackFrames: frames(Number(startFrame), Number(startFrame) + Number(levels)),
      totalFrames: 50,
    }));
    assert.deepEqual(await page(on, 2, 2), { ids: [2, 3], next: 4, total: 50 });
  });

  it('is empty beyond the end, with the total if it is known', async () => {
    const pages = paging();
    pages.host.on('stackTrace', () => ({ stackFrames: [], totalFrames: 50 }));
    assert.deepEqual(await page(pages, 60, 5), { ids: [], next: undefined, total: undefined });
    const sendsAll = paused(bench());
    sendsAll.host.on('stackTrace', () => ({ stackFrames: frames(0, 50) }));
    assert.deepEqual(await page(sendsAll, 60, 5), { ids: [], next: undefined, total: 50 });
    const empty = paused(bench());
    empty.host.on('stackTrace', () => ({ stackFrames: [] }));
    assert.deepEqual(await page(empty, 0, 5), { ids: [], next: undefined, total: 0 });
  });

  it('has no total if the adapter’s total is unusable, and has a next page', async () => {
    for (const totalFrames of [undefined, 1, 1_000_000]) {
      const on = paging();
      on.host.on('stackTrace', ({ startFrame, levels }) => ({
        stackFrames: frames(Number(startFrame), Number(startFrame) + Number(levels)),
        totalFrames,
      }));
      assert.deepEqual(await page(on, 0, 3), { ids: [0, 1, 2], next: 3, total: undefined });
    }
  });
});

describe('inspector: requests that VS Code has already sent', () => {
  const top = async (on: Bench): Promise<number | undefined> =>
    (
      await on.services.inspector.top(
        on.session(),
        on.services.inspector.placeOf(on.session(), 1),
        on.call.signal,
      )
    )?.id;

  it('does not request a thread’s current frame again', async () => {
    const on = paused(bench());
    await on.host.request('a', 'stackTrace', { threadId: 1, startFrame: 0, levels: 1 });
    assert.deepEqual([await top(on), asks(on)], [10, [[0, 1]]]);
  });

  it('requests the current frame if VS Code did not request it or received none', async () => {
    const on = paused(bench());
    assert.deepEqual([await top(on), asks(on).length], [10, 1]);
    const answers = [{ stackFrames: [] }, { stackFrames: frames(4, 5) }];
    const again = paused(bench());
    again.host.on('stackTrace', () => answers.shift());
    await again.host.request('a', 'stackTrace', { threadId: 1, startFrame: 0, levels: 1 });
    assert.deepEqual([await top(again), asks(again).length], [4, 2]);
  });
});

describe('inspector: scopes, values and threads', () => {
  it('counts invalid scopes', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => ({ scopes: [{ name: 'Local', variablesReference: 7 }, 'x', {}] }));
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session(), 1);
    const { scopes, unreadable } = await inspector.scopes(on.session(), place, 10, on.call.signal);
    assert.deepEqual([scopes.map(({ name }) => name), unreadable], [['Local', ''], 1]);
  });

  it('evaluates an expression in its frame and returns the value as the adapter sent it', async () => {
    const on = paused(bench());
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session(), 1);
    const evaluate = () =>
      inspector.evaluate(on.session(), place, 10, 'order', 'watch', on.call.signal);
    on.host.on('evaluate', () => ({
      result: 'Order',
      type: 'Order',
      variablesReference: 4,
      namedVariables: 2,
      indexedVariables: 5,
      memoryReference: '0x10',
      presentationHint: { lazy: true },
    }));
    assert.deepEqual(await evaluate(), {
      value: 'Order',
      type: 'Order',
      reference: 4,
      namedVariables: 2,
      indexedVariables: 5,
      memoryReference: '0x10',
      lazy: true,
    });
    assert.deepEqual(on.host.sent('evaluate'), [
      { expression: 'order', frameId: 10, context: 'watch' },
    ]);
    on.host.on('evaluate', () => ({}));
    const nothing = await evaluate();
    assert.deepEqual([nothing.value, nothing.reference, nothing.lazy], ['', 0, false]);
  });

  it('requests threads if one of several has no name, and leaves out invalid ones', async () => {
    const on = running(bench());
    for (const event of [
      asked(9, 'threads'),
      answered(9, 'threads', { threads: [{ id: 1, name: 'main' }] }),
      eventOf('thread', { reason: 'started', threadId: 2 }),
    ])
      on.model.dispatch(event);
    on.host.on('threads', () => ({
      threads: [{ id: 1, name: 'main' }, { name: 'nobody' }, { id: 2, name: 'worker' }],
    }));
    const threads = await on.services.inspector.threads(on.session(), on.call.signal);
    assert.deepEqual(
      threads.map((each) => each.name),
      ['main', 'worker'],
    );
  });
});

describe('inspector: a request about a member', () => {
  const request = { command: 'setVariable', args: { name: 'count', value: '4' } };
  const about = (on: Bench, scopeOf: number | undefined): Promise<unknown> => {
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session(), 1);
    return inspector.ofMember(on.session(), place, scopeOf, request, on.call.signal);
  };
  const changing = (on: Bench): Bench => {
    on.host.on('setVariable', () => ({ value: '4' }));
    return on;
  };

  it('follows the scopes request of the frame in the same turn if the container is a scope', async () => {
    const on = changing(paused(bench()));
    const done = about(on, 10);
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(await done, { value: '4' });
    assert.deepEqual(
      on.host.requests.map(({ command, args }) => [command, args['frameId']]),
      [
        ['scopes', 10],
        ['setVariable', undefined],
      ],
    );
  });

  it('is sent alone for any other container', async () => {
    const on = changing(paused(bench()));
    assert.deepEqual(await about(on, undefined), { value: '4' });
    assert.deepEqual(
      on.host.requests.map(({ command }) => command),
      ['setVariable'],
    );
  });

  it('is not sent if the thread has continued, even while the request waited for its turn', async () => {
    const on = changing(paused(bench()));
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session(), 1);
    const ask = (scopeOf: number | undefined): Promise<unknown> =>
      inspector.ofMember(on.session(), place, scopeOf, request, on.call.signal);
    let answer: () => void = () => undefined;
    on.host.on('scopes', () => new Promise((resolve) => (answer = () => resolve({}))));
    const [first, second] = [ask(10), ask(10)];
    await new Promise(setImmediate);
    on.host.emit('continued', { threadId: 1 });
    answer();
    await first;
    await assert.rejects(second, Superseded);
    for (const scopeOf of [10, undefined]) await assert.rejects(ask(scopeOf), Superseded);
    assert.equal(on.host.sent('setVariable').length, 1);
  });
});

describe('inspector: a read with several requests', () => {
  const read = (on: Bench): Promise<unknown> => {
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session(), 1);
    return inspector.limited(on.call.signal, async (limited) => {
      await inspector.scopes(on.session(), place, 10, limited);
    });
  };

  it('ends at the time limit of one request, like a request without a response', async () => {
    const on = paused(bench(20));
    on.host.on('scopes', never);
    await assert.rejects(read(on), failsWith('adapter_timeout'));
    assert.equal(on.model.listenerCount, 0);
  });

  it('ends as interrupted when its caller cancels, before or during the read', async () => {
    for (const isBefore of [true, false]) {
      const on = paused(bench());
      on.host.on('scopes', never);
      if (isBefore) on.cancel();
      const looking = read(on);
      on.cancel();
      await assert.rejects(looking, Interrupted);
      assert.equal(on.model.listenerCount, 0);
    }
  });
});
