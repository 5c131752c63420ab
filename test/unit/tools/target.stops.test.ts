import { strict as assert } from 'node:assert';
import { asFailure } from '../../../src/results/debuggerFailures';
import { threadOfStop } from '../../../src/debugger/state/state';
import { checkOwner, identityOf, resolveTarget } from '../../../src/tools/target';
import { newestStop } from '../../../src/tools/targetSession';
import { reachFor, reachLines } from '../../../src/tools/trace/reach';
import { AT, asked, created, eventOf, launched, stopped } from '../support/events';
import { bench, failsWith, family, paused, running, type Bench } from '../support/services';

describe('the current stop', () => {
  it('has the thread that it names while that thread is stopped, otherwise the first stopped thread', () => {
    const on = bench();
    on.model.dispatch(created());
    assert.equal(threadOfStop(on.session()), undefined);
    on.model.dispatch(stopped(1));
    on.model.dispatch(stopped(2));
    assert.equal(threadOfStop(on.session()), 2);
    on.model.dispatch(eventOf('continued', { threadId: 2, allThreadsContinued: false }));
    assert.equal(threadOfStop(on.session()), 1);
  });

  it('is that of the session that stopped last, whatever the order in which the sessions started', () => {
    for (const last of ['a', 'b']) {
      const on = running(running(bench(), 'a'), 'b');
      for (const key of ['a', 'b'])
        on.model.dispatch({ ...stopped(1, {}, key), at: AT + (key === last ? 10 : 5) });
      assert.equal(newestStop(on.model.state)?.session.key, last);
    }
  });

  it('of a session is that of the session or of one of its descendants', () => {
    const on = family(bench());
    paused(on, 'other');
    assert.equal(newestStop(on.model.state, 's1'), undefined);
    on.model.dispatch(stopped(4, {}, 'child'));
    const found = newestStop(on.model.state, 's1');
    assert.deepEqual([found?.session.key, found?.threadId], ['child', 4]);
    assert.equal(newestStop(on.model.state, 's3')?.session.key, 'other');
    assert.throws(() => newestStop(on.model.state, 's9'), failsWith('session_not_found'));
  });

  it('is one with a stopped thread, even if a newer one names no thread', () => {
    const on = running(running(bench(), 'a'), 'b');
    on.model.dispatch({ ...stopped(1, {}, 'a'), at: AT + 5 });
    on.model.dispatch({ ...stopped(undefined, {}, 'b'), at: AT + 10 });
    assert.equal(newestStop(on.model.state)?.session.key, 'a');
  });

  it('is in the only thread that is still stopped, even if the last stop was in another thread', async () => {
    const on = paused(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    on.model.dispatch(stopped(2));
    on.model.dispatch(eventOf('continued', { threadId: 2, allThreadsContinued: false }));
    assert.equal((await resolveTarget('thread', {}, on.services)).threadId, 1);
  });

  it('is ambiguous for many threads with separate stops: the error lists some threads and counts the others', async () => {
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

  it('cannot be inspected without a frame', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => ({ stackFrames: [] }));
    await assert.rejects(resolveTarget('frame', {}, on.services), failsWith('not_supported'));
  });
});

describe('the current session', () => {
  it('is not one that is about to end while another one runs', async () => {
    const on = running(running(bench(), 'a'), 'b');
    on.model.dispatch(eventOf('terminated', {}, 'a'));
    assert.equal(on.model.state.sessions.get('a')?.lifecycle, 'terminating');
    assert.equal((await resolveTarget('session', {}, on.services)).session.key, 'b');
  });

  it('is not one that goes on from a pause that was given up', async () => {
    const on = family(bench());
    for (const event of launched('other', { parentKey: 'parent' })) on.model.dispatch(event);
    const first = (await resolveTarget('session', {}, on.services)).session.key;
    const other = first === 'child' ? 'other' : 'child';
    on.model.dispatch(asked(900, 'pause', { threadId: 1 }, other));
    on.model.dispatch({ type: 'pauseGivenUp', key: other, at: AT });
    on.model.dispatch(stopped(1, { reason: 'pause' }, other));
    assert.equal(on.model.state.sessions.get(other)?.lastStop?.isGivenUp, true);
    assert.equal((await resolveTarget('session', {}, on.services)).session.key, first);
    on.model.dispatch(stopped(1, {}, other));
    assert.equal((await resolveTarget('session', {}, on.services)).session.key, other);
  });
});

describe('a card for a program of several processes', () => {
  const linesOf = async (on: Bench, id?: string): Promise<string> =>
    (await reachLines(on.services, await reachFor(on.services, { session_id: id }))).join();

  it('names the session that has started them, wherever the program stops meanwhile', async () => {
    const on = family(bench());
    for (const event of launched('other', { parentKey: 'parent' })) on.model.dispatch(event);
    for (const key of ['child', 'other'])
      on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, key));
    const before = await linesOf(on);
    assert.match(before, /program parent/);
    for (const key of ['child', 'other']) {
      on.model.dispatch(stopped(1, {}, key));
      assert.equal(await linesOf(on), before);
    }
    assert.doesNotMatch(await linesOf(on, 's2'), /program parent/);
  });

  it('names the only process otherwise', async () => {
    const on = family(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, 'child'));
    assert.doesNotMatch(await linesOf(on), /program parent/);
  });
});

describe('resolveTarget: named targets and their sessions', () => {
  it('finds the session of a thread for a tool that acts on a session', async () => {
    const on = paused(paused(bench(), 'a', 1), 'b', 2);
    for (const [thread_id, id] of [
      [1, 's1'],
      [2, 's2'],
    ] as const)
      assert.equal((await resolveTarget('session', { thread_id }, on.services)).session.id, id);
  });

  it('chooses the thread of the named session if two threads have the same id', async () => {
    const on = paused(paused(bench(), 'a'), 'b');
    for (const session_id of ['s1', 's2'])
      assert.equal(
        (await resolveTarget('thread', { thread_id: 1, session_id }, on.services)).session.id,
        session_id,
      );
  });

  it('refuses a reference of another session, with a message that names the session', async () => {
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

  it('accepts the session of the call as the owner, and names any other owner', () => {
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

describe('the identity of a target', () => {
  const moved = (on: Bench): void => {
    on.host.emit('continued', { threadId: 1 });
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
  };

  it('is the same for the sessions of one tree', async () => {
    const on = family(bench());
    on.model.dispatch(created('other'));
    const identity = async (session_id: string): Promise<string | undefined> =>
      identityOf(await resolveTarget('session', { session_id }, on.services), on.services);
    assert.equal(await identity('s1'), await identity('s2'));
    assert.notEqual(await identity('s1'), await identity('s3'));
    assert.equal(identityOf(undefined, on.services), undefined, 'of a tool that acts on none');
  });

  for (const need of ['thread', 'frame'] as const)
    it(`is the same for the ${need} of the current stop until the next stop`, async () => {
      const on = paused(bench());
      const identity = async (): Promise<string | undefined> =>
        identityOf(await resolveTarget(need, {}, on.services), on.services);
      const first = await identity();
      assert.equal(await identity(), first);
      moved(on);
      assert.notEqual(await identity(), first);
    });

  it('differs between a running and a stopped thread, and between threads with different ids', async () => {
    const on = paused(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    const identity = async (thread_id: number): Promise<string | undefined> =>
      identityOf(await resolveTarget('thread', { thread_id }, on.services), on.services);
    const [first, second] = [await identity(1), await identity(2)];
    assert.notEqual(first, second);
    on.host.emit('continued', { threadId: 1 });
    assert.notEqual(await identity(1), first);
    assert.equal(await identity(2), second);
  });

  it('is the same for a container until the next stop', async () => {
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
