import { strict as assert } from 'node:assert';
import { asFailure } from '../../../../src/results/debuggerFailures';
import { Superseded } from '../../../../src/debugger/inspection/stopRequests';
import { Interrupted } from '../../../../src/debugger/requests';
import { answered, asked, stopped, eventOf } from '../../support/events';
import { never } from '../../support/fakeHost';
import { bench, failsWith, FILE, paused, running, type Bench } from '../../support/services';

const frame = (id: number) => ({
  id,
  name: `f${id}`,
  line: id + 1,
  column: 1,
  source: { path: FILE },
});
const frames = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => frame(from + index));

async function page(
  on: Bench,
  start: number,
  levels: number,
): Promise<{ ids: number[]; total: number | undefined }> {
  const { inspector } = on.services;
  const found = await inspector.frames(
    on.session(),
    inspector.placeOf(on.session(), 1),
    start,
    levels,
    on.call.signal,
  );
  return { ids: found.frames.map((each) => each.id), total: found.total };
}

describe('inspector: places', () => {
  it('has no place for a thread that does not exist or that runs', () => {
    const on = paused(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    const { inspector } = on.services;
    assert.throws(() => inspector.placeOf(on.session(), 9), failsWith('thread_not_found'));
    assert.throws(() => inspector.placeOf(on.session(), 2), failsWith('not_stopped'));
    assert.deepEqual(
      [inspector.placeOf(on.session(), 1).stop.id, inspector.placeOf(on.session(), 1).threadId],
      [1, 1],
    );
  });
});

describe('inspector: frames', () => {
  it('returns the page and the total of an adapter that pages', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', ({ startFrame, levels }) => ({
      stackFrames: frames(Number(startFrame), Math.min(50, Number(startFrame) + Number(levels))),
      totalFrames: 50,
    }));
    assert.deepEqual(await page(on, 0, 3), { ids: [0, 1, 2], total: 50 });
    assert.deepEqual(await page(on, 20, 2), { ids: [20, 21], total: 50 });
    assert.deepEqual(await page(on, 48, 20), { ids: [48, 49], total: 50 });
  });

  it('takes a short page as the end if there is no total', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', ({ startFrame, levels }) => ({
      stackFrames: frames(Number(startFrame), Math.min(5, Number(startFrame) + Number(levels))),
    }));
    assert.deepEqual(await page(on, 0, 20), { ids: [0, 1, 2, 3, 4], total: 5 });
    assert.deepEqual(await page(on, 3, 20), { ids: [3, 4], total: 5 });
    assert.deepEqual(await page(on, 0, 3), { ids: [0, 1, 2], total: undefined });
  });

  it('returns the correct first page of an adapter that always sends all frames', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames: frames(0, 50) }));
    assert.deepEqual(await page(on, 0, 20), {
      ids: frames(0, 20).map((each) => each.id),
      total: 50,
    });
  });

  it('returns correct later pages of an adapter that sends all frames with their total', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames: frames(0, 50), totalFrames: 50 }));
    assert.deepEqual(await page(on, 20, 5), { ids: [20, 21, 22, 23, 24], total: 50 });
  });

  it('returns correct later pages of an adapter that sends all frames without a total', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames: frames(0, 50) }));
    assert.deepEqual(await page(on, 20, 5), { ids: [20, 21, 22, 23, 24], total: 50 });
  });

  it('returns the end of a short stack and not its beginning again if the adapter sends all frames', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames: frames(0, 15), totalFrames: 15 }));
    assert.deepEqual(await page(on, 10, 20), { ids: [10, 11, 12, 13, 14], total: 15 });
  });
});

describe('inspector: responses that arrive too late', () => {
  it('rejects with Superseded and sends nothing if the program continued before the request', async () => {
    const on = paused(bench());
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session(), 1);
    on.model.dispatch(eventOf('continued', { threadId: 1 }));
    await assert.rejects(inspector.scopes(on.session(), place, 10, on.call.signal), Superseded);
    assert.equal(on.host.requests.length, 0);
  });

  it('rejects with Superseded if the program continued during the request, whether it succeeds or is refused', async () => {
    for (const good of [true, false]) {
      const on = paused(bench());
      on.host.on('scopes', () => {
        on.host.emit('continued', { threadId: 1 });
        if (!good) throw new Error('no such frame');
        return { scopes: [] };
      });
      const { inspector } = on.services;
      await assert.rejects(
        inspector.scopes(on.session(), inspector.placeOf(on.session(), 1), 10, on.call.signal),
        Superseded,
      );
    }
  });

  it('rejects with Superseded if the program stopped again during the request', async () => {
    const on = paused(bench());
    on.host.on('variables', () => {
      on.host.emit('stopped', { reason: 'step', threadId: 1 });
      return { variables: [] };
    });
    const { inspector } = on.services;
    await assert.rejects(
      inspector.variables(on.session(), inspector.placeOf(on.session(), 1), 7, {}, on.call.signal),
      Superseded,
    );
  });

  it('rejects with adapter_error and the adapter’s message if the request is refused while the program stays stopped', async () => {
    const on = paused(bench());
    on.host.on('scopes', () => {
      throw new Error('no such frame');
    });
    const { inspector } = on.services;
    await assert.rejects(
      inspector.scopes(on.session(), inspector.placeOf(on.session(), 1), 10, on.call.signal),
      (error: unknown) => {
        failsWith('adapter_error')(error);
        assert.match(asFailure(error)?.message ?? '', /no such frame/);
        return true;
      },
    );
  });
});

describe('requests to adapters', () => {
  const ask = (on: Bench): Promise<unknown> =>
    on.requests.send(on.session(), 'scopes', { frameId: 10 }, on.call.signal);

  it('fail with adapter_timeout at the limit if the adapter is silent, and leave no listener behind', async () => {
    const on = paused(bench(20));
    on.host.on('scopes', never);
    await assert.rejects(ask(on), failsWith('adapter_timeout'));
    assert.equal(on.model.listenerCount, 0);
  });

  it('name an unanswered expression as the cause while the adapter is silent, until it is answered', async () => {
    const on = paused(bench(20));
    let end: () => void = () => undefined;
    on.host
      .on('scopes', never)
      .on('evaluate', () => new Promise((resolve) => (end = () => resolve({ result: '1' }))));
    const hint = async (asking: Promise<unknown>): Promise<string> =>
      await asking.then(
        () => assert.fail('answered'),
        (error: unknown) => {
          const failure = asFailure(error);
          assert.equal(failure?.code, 'adapter_timeout');
          return failure.hint;
        },
      );
    const evaluating = on.requests.send(
      on.session(),
      'evaluate',
      { expression: 'endless()' },
      on.call.signal,
    );
    assert.match(await hint(evaluating), /an evaluated expression has not returned/i);
    assert.match(await hint(ask(on)), /an evaluated expression has not returned/i);
    end();
    await new Promise((resolve) => setImmediate(resolve));
    assert.doesNotMatch(await hint(ask(on)), /an evaluated expression has not returned/i);
  });

  it('end when their session ends', async () => {
    const on = paused(bench());
    on.host.on('scopes', never);
    const asking = ask(on);
    on.model.dispatch({ type: 'sessionEnded', key: 'a', at: 0 });
    await assert.rejects(asking, failsWith('session_ended'));
    assert.equal(on.model.listenerCount, 0);
  });

  it('end as interrupted when they are cancelled', async () => {
    const on = paused(bench());
    on.host.on('scopes', never);
    const asking = ask(on);
    on.cancel();
    await assert.rejects(asking, Interrupted);
    assert.equal(on.model.listenerCount, 0);
  });

  it('leave no listener behind after a response or a refusal', async () => {
    const on = paused(bench());
    await ask(on);
    assert.equal(on.model.listenerCount, 0);
    on.host.on('scopes', () => {
      throw new Error('no');
    });
    await assert.rejects(ask(on), failsWith('adapter_error'));
    assert.equal(on.model.listenerCount, 0);
  });

  it('return an empty object if the response body is no object', async () => {
    const on = paused(bench());
    for (const body of [undefined, null, 'text', [1]]) {
      on.host.on('scopes', () => body);
      assert.deepEqual(await ask(on), {});
    }
  });
});

describe('inspector: evaluation, exceptions, threads', () => {
  it('returns a value without a reference if the program moved during the evaluation', async () => {
    const on = paused(bench());
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session(), 1);
    on.host.on('evaluate', () => ({
      result: '{…}',
      type: 'object',
      variablesReference: 12,
      namedVariables: 2,
    }));
    assert.equal(
      (await inspector.evaluate(on.session(), place, 10, 'x', 'watch', on.call.signal)).reference,
      12,
    );
    on.host.on('evaluate', () => {
      on.host.emit('continued', { threadId: 1 });
      return { result: '{…}', variablesReference: 12 };
    });
    const moved = await inspector.evaluate(
      on.session(),
      place,
      10,
      'go()',
      'watch',
      on.call.signal,
    );
    assert.deepEqual([moved.value, moved.reference], ['{…}', 0]);
  });

  it('requests exception details only if the adapter supports them', async () => {
    const on = paused(bench());
    const { inspector } = on.services;
    const exception = () =>
      inspector.exception(on.session(), inspector.placeOf(on.session(), 1), on.call.signal);
    on.host.on('exceptionInfo', () => ({
      exceptionId: 'Error',
      description: 'short',
      details: { fullTypeName: 'my.Error', typeName: 'Error', message: 'long' },
    }));
    assert.equal(await exception(), undefined);
    for (const event of [
      asked(3, 'initialize'),
      answered(3, 'initialize', { supportsExceptionInfoRequest: true }),
    ])
      on.model.dispatch(event);
    assert.deepEqual(await exception(), { type: 'my.Error', message: 'long' });
    on.model.dispatch(stopped(1, { reason: 'exception' }));
    on.host.on('exceptionInfo', () => ({ exceptionId: 'E42', description: 'short' }));
    assert.deepEqual(await exception(), { type: 'E42', message: 'short' });
    on.model.dispatch(stopped(1, { reason: 'exception' }));
    on.host.on('exceptionInfo', () => ({}));
    assert.equal(await exception(), undefined);
  });

  it('requests threads only while one has no name', async () => {
    const on = running(bench());
    assert.deepEqual(
      (await on.services.inspector.threads(on.session(), on.call.signal)).map((each) => [
        each.id,
        each.name,
      ]),
      [[1, 'main']],
    );
    await on.services.inspector.threads(on.session(), on.call.signal);
    assert.equal(on.host.sent('threads').length, 1);
  });
});
