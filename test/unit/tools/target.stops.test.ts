import { strict as assert } from 'node:assert';
import { asFailure } from '../../../src/results/debuggerFailures';
import {
  checkOwner,
  identityOf,
  newestStop,
  resolveTarget,
  threadOfStop,
} from '../../../src/tools/target';
import { AT, created, stopped, told } from '../support/events';
import { bench, failsWith, family, paused, running, type Bench } from '../support/services';

describe('the present stop', () => {
  it('the thread of a stop is the one that it names while that is held, else the first that is', () => {
    const on = bench();
    on.model.dispatch(created());
    assert.equal(threadOfStop(on.session()), undefined);
    on.model.dispatch(stopped(1));
    on.model.dispatch(stopped(2));
    assert.equal(threadOfStop(on.session()), 2);
    on.model.dispatch(told('continued', { threadId: 2, allThreadsContinued: false }));
    assert.equal(threadOfStop(on.session()), 1);
  });

  it('of two stopped sessions the one that stopped last is looked at, in whatever order they began', () => {
    for (const last of ['a', 'b']) {
      const on = running(running(bench(), 'a'), 'b');
      for (const key of ['a', 'b'])
        on.model.dispatch({ ...stopped(1, {}, key), at: AT + (key === last ? 10 : 5) });
      assert.equal(newestStop(on.model.state)?.session.key, last);
    }
  });

  it('of a session is that of the session or of one below it', () => {
    const on = family(bench());
    paused(on, 'other');
    assert.equal(newestStop(on.model.state, 's1'), undefined);
    on.model.dispatch(stopped(4, {}, 'child'));
    const found = newestStop(on.model.state, 's1');
    assert.deepEqual([found?.session.key, found?.threadId], ['child', 4]);
    assert.equal(newestStop(on.model.state, 's3')?.session.key, 'other');
    assert.throws(() => newestStop(on.model.state, 's9'), failsWith('session_not_found'));
  });

  it('is one that holds a thread, though a newer one names none', () => {
    const on = running(running(bench(), 'a'), 'b');
    on.model.dispatch({ ...stopped(1, {}, 'a'), at: AT + 5 });
    on.model.dispatch({ ...stopped(undefined, {}, 'b'), at: AT + 10 });
    assert.equal(newestStop(on.model.state)?.session.key, 'a');
  });

  it('is in the one thread that it still holds, though the last stop was another’s', async () => {
    const on = paused(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 2 }));
    on.model.dispatch(stopped(2));
    on.model.dispatch(told('continued', { threadId: 2, allThreadsContinued: false }));
    assert.equal((await resolveTarget('thread', {}, on.services)).threadId, 1);
  });

  it('of many threads, each at a stop of its own, lists some and counts the others', async () => {
    const on = running(bench());
    const threads = 300;
    for (let threadId = 1; threadId <= threads; threadId += 1) on.model.dispatch(stopped(threadId));
    await assert.rejects(resolveTarget('thread', {}, on.services), (error: unknown) => {
      const data = asFailure(error)?.data ?? {};
      const listed = Array.isArray(data['threads']) ? data['threads'].length : 0;
      assert.ok(listed > 0 && listed < threads);
      assert.deepEqual(data['omitted'], { threads: threads - listed });
      return true;
    });
  });

  it('without a frame is none to look into', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames: [] }));
    await assert.rejects(resolveTarget('frame', {}, on.services), failsWith('not_supported'));
  });
});

describe('what is named and what it belongs to', () => {
  it('a thread leads to the session that has it, for a tool that acts on a session', async () => {
    const on = paused(paused(bench(), 'a', 1), 'b', 2);
    for (const [thread_id, id] of [
      [1, 's1'],
      [2, 's2'],
    ] as const)
      assert.equal((await resolveTarget('session', { thread_id }, on.services)).session.id, id);
  });

  it('of two threads with one id, that of the named session', async () => {
    const on = paused(paused(bench(), 'a'), 'b');
    for (const session_id of ['s1', 's2'])
      assert.equal(
        (await resolveTarget('thread', { thread_id: 1, session_id }, on.services)).session.id,
        session_id,
      );
  });

  it('what another session has is refused, in words that name it', async () => {
    const on = paused(paused(bench(), 'a'), 'b');
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session('a'), 1);
    const frame_id = inspector.handles.frame(place, 3);
    const variables_reference = inspector.handles.variables(place, 4, 3);
    for (const session_id of ['s2', 's9']) {
      await assert.rejects(
        resolveTarget('frame', { frame_id, session_id }, on.services),
        (error: unknown) => {
          failsWith('wrong_session')(error);
          assert.match(
            asFailure(error)?.message ?? '',
            new RegExp(`That frame_id belongs to the session s1, not to ${session_id}`),
          );
          return true;
        },
      );
      await assert.rejects(
        resolveTarget('variables', { variables_reference, session_id }, on.services),
        /variables_reference belongs to the session s1/,
      );
    }
  });

  it('an owner that is the session of the call is right, and any other is named', () => {
    const on = paused(paused(bench(), 'a'), 'b');
    checkOwner(on.session('a'), on.session('a'), 'frame_id');
    assert.throws(
      () => {
        checkOwner(on.session('a'), on.session('b'), 'frame_id');
      },
      (error: unknown) => {
        failsWith('wrong_session')(error);
        assert.match(asFailure(error)?.hint ?? '', /session_id=s1/);
        return true;
      },
    );
  });
});

describe('whether a target is still the same', () => {
  const moved = (on: Bench): void => {
    on.host.emit('continued', { threadId: 1 });
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
  };

  it('a session is, as long as it is of the same tree', async () => {
    const on = family(bench());
    on.model.dispatch(created('other'));
    const identity = async (session_id: string): Promise<string | undefined> =>
      identityOf(await resolveTarget('session', { session_id }, on.services), on.services);
    assert.equal(await identity('s1'), await identity('s2'));
    assert.notEqual(await identity('s1'), await identity('s3'));
    assert.equal(identityOf(undefined, on.services), undefined, 'of a tool that acts on none');
  });

  for (const need of ['thread', 'frame'] as const)
    it(`the ${need} of the present stop is until the next stop`, async () => {
      const on = paused(bench());
      const identity = async (): Promise<string | undefined> =>
        identityOf(await resolveTarget(need, {}, on.services), on.services);
      const first = await identity();
      assert.equal(await identity(), first);
      moved(on);
      assert.notEqual(await identity(), first);
    });

  it('a thread that runs is none that is stopped, and none of another id', async () => {
    const on = paused(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 2 }));
    const identity = async (thread_id: number): Promise<string | undefined> =>
      identityOf(await resolveTarget('thread', { thread_id }, on.services), on.services);
    const [first, second] = [await identity(1), await identity(2)];
    assert.notEqual(first, second);
    on.host.emit('continued', { threadId: 1 });
    assert.notEqual(await identity(1), first);
    assert.equal(await identity(2), second);
  });

  it('what a container holds is read at the stop that it belongs to', async () => {
    const on = paused(bench());
    const { inspector } = on.services;
    const identity = async (): Promise<string | undefined> => {
      const place = inspector.placeOf(on.session(), 1);
      const variables_reference = inspector.handles.variables(place, 4, 3);
      return identityOf(
        await resolveTarget('variables', { variables_reference }, on.services),
        on.services,
      );
    };
    const first = await identity();
    assert.equal(await identity(), first);
    moved(on);
    assert.notEqual(await identity(), first);
  });
});
