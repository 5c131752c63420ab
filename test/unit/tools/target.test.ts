import { strict as assert } from 'node:assert';
import { asFailure } from '../../../src/results/debuggerFailures';
import { Failure } from '../../../src/results/failure';
import { resolveTarget } from '../../../src/tools/target';
import { resolveSession } from '../../../src/tools/targetSession';
import { AT, created, ended, stopped, eventOf } from '../support/events';
import { bench, failsWith, family, paused, running, type Bench } from '../support/services';

function chosen(on: Bench, id?: string, threadId?: number): string {
  return resolveSession(on.model.state, id, threadId).id;
}

/** The failure's code and the sessions that it lists. */
function refused(on: Bench, id?: string, threadId?: number): readonly [string, readonly string[]] {
  try {
    return assert.fail(`chose ${chosen(on, id, threadId)}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { sessions } = error.data;
    return [
      error.code,
      Array.isArray(sessions)
        ? sessions.map((session: { session_id: string }) => session.session_id)
        : [],
    ];
  }
}

describe('resolveSession: no session is named', () => {
  it('fails if there is no live session', () => {
    assert.deepEqual(refused(bench()), ['no_session', []]);
    const on = running(bench());
    on.model.dispatch(ended());
    assert.deepEqual(refused(on), ['no_session', []]);
  });

  it('chooses the only session', () => {
    assert.equal(chosen(running(bench())), 's1');
  });

  it('chooses the only stopped session, even if others run', () => {
    assert.equal(chosen(running(paused(running(bench(), 'a'), 'b'), 'c')), 's2');
  });

  it('fails for several stopped sessions, and lists all live sessions', () => {
    assert.deepEqual(refused(running(paused(paused(bench(), 'a'), 'b'), 'c')), [
      'ambiguous_session',
      ['s1', 's2', 's3'],
    ]);
  });

  it('chooses between several stopped sessions by the thread', () => {
    const on = paused(paused(bench(), 'a', 1), 'b', 2);
    assert.equal(chosen(on, undefined, 2), 's2');
    assert.equal(chosen(on, undefined, 1), 's1');
    assert.equal(refused(on, undefined, 3)[0], 'ambiguous_session');
  });

  it('names the stopped sessions in its message, but not the running ones', () => {
    const on = running(paused(paused(bench(), 'a'), 'b'), 'c');
    assert.throws(() => chosen(on), /match: s1, s2\./);
  });

  it('chooses the only stopped session, even for a thread that it does not have', () => {
    assert.equal(chosen(running(paused(bench(), 'a'), 'b'), undefined, 99), 's1');
  });

  it('fails for several running sessions', () => {
    assert.deepEqual(refused(running(running(bench(), 'a'), 'b')), [
      'ambiguous_session',
      ['s1', 's2'],
    ]);
  });

  it('chooses the child of a parent', () => {
    assert.equal(chosen(family(bench())), 's2');
  });

  it('chooses the running child that has the thread', () => {
    const on = family(bench());
    running(on, 'second', 'parent');
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 4 }, 'second'));
    assert.equal(chosen(on, undefined, 4), 's3');
  });

  it('chooses among the processes of one program the first, or the one that stopped last', () => {
    const on = running(family(bench()), 'second', 'parent');
    for (const key of ['child', 'second'])
      on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, key));
    assert.equal(chosen(on), 's2');
    assert.equal(chosen(on, 's1'), 's2');
    assert.equal(chosen(on, 's3'), 's3');
    on.model.dispatch(stopped(1, {}, 'child'));
    on.model.dispatch({ ...stopped(1, {}, 'second'), at: AT + 1 });
    assert.equal(chosen(on), 's3');
    assert.equal(chosen(on, 's1'), 's3');
    assert.equal(refused(paused(on, 'other program'))[0], 'ambiguous_session');
  });
});

describe('resolveSession: a session is named', () => {
  it('chooses that session, even if another is stopped', () => {
    assert.equal(chosen(paused(running(bench(), 'a'), 'b'), 's1'), 's1');
  });

  it('reports an unknown session as not found, and lists the live sessions', () => {
    assert.deepEqual(refused(running(bench()), 's9'), ['session_not_found', ['s1']]);
  });

  it('reports a forgotten session as ended', () => {
    const on = running(bench());
    for (let index = 0; index < 30; index += 1) {
      on.model.dispatch(created(`short ${index}`));
      on.model.dispatch(ended(`short ${index}`));
    }
    assert.deepEqual(refused(on, 's2'), ['session_ended', ['s1']]);
    assert.deepEqual(refused(on, 's32'), ['session_not_found', ['s1']]);
    assert.deepEqual(refused(on, 'sx'), ['session_not_found', ['s1']]);
  });

  it('reports an ended session as ended', () => {
    const on = running(running(bench(), 'a'), 'b');
    on.model.dispatch(ended('a'));
    assert.deepEqual(refused(on, 's1'), ['session_ended', ['s2']]);
  });

  it('names the processes of the program that live on, if one of them has ended', () => {
    const on = running(family(bench()), 'second', 'parent');
    on.model.dispatch(ended('child'));
    assert.throws(
      () => chosen(on, 's2'),
      (error) => error instanceof Failure && error.hint.startsWith('Its program goes on in s1, s3'),
    );
  });

  it('chooses the process that lives on for a parent that has ended', () => {
    const on = running(family(bench()), 'second', 'parent');
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, 'second'));
    on.model.dispatch(ended('parent'));
    assert.equal(chosen(on, 's1'), 's3');
  });

  it('tells the exit code of the program that has ended', () => {
    const on = running(bench());
    on.model.dispatch(eventOf('exited', { exitCode: 3 }));
    on.model.dispatch(ended());
    for (const [id, code] of [
      [undefined, 'no_session'],
      ['s1', 'session_ended'],
    ] as const)
      assert.throws(
        () => chosen(on, id),
        (error) =>
          error instanceof Failure &&
          error.code === code &&
          error.message.includes('s1 has ended with exit code 3.'),
      );
  });

  it('chooses the child that has threads for a parent without threads', () => {
    const on = family(bench());
    assert.equal(chosen(on, 's1'), 's1', 'no child has threads yet');
    on.model.dispatch(stopped(5, {}, 'child'));
    assert.equal(chosen(on, 's1'), 's2');
  });

  it('chooses the running child for a parent without threads if no child is stopped', () => {
    const on = family(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, 'child'));
    assert.equal(chosen(on, 's1'), 's2');
  });

  it('chooses the stopped child for a parent rather than a running one', () => {
    const on = family(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, 'child'));
    running(on, 'second', 'parent');
    on.model.dispatch(stopped(2, {}, 'second'));
    assert.equal(chosen(on, 's1'), 's3');
  });

  it('chooses the child that has the thread for a parent', () => {
    const on = family(bench());
    on.model.dispatch(stopped(1, {}, 'child'));
    running(on, 'second', 'parent');
    on.model.dispatch(stopped(2, {}, 'second'));
    assert.equal(chosen(on, 's1', 2), 's3');
  });

  it('chooses a parent that has its own threads', () => {
    const on = paused(bench(), 'a');
    running(on, 'child', 'a');
    on.model.dispatch(stopped(2, {}, 'child'));
    assert.equal(chosen(on, 's1'), 's1');
  });
});

describe('resolveTarget: threads, frames and containers', () => {
  it('reports a missing thread as not found, and lists the existing threads', async () => {
    const on = paused(bench());
    await assert.rejects(
      resolveTarget('thread', { thread_id: 7 }, on.services),
      (error: unknown) => {
        failsWith('thread_not_found')(error);
        assert.deepEqual(asFailure(error)?.data, {
          session_id: 's1',
          threads: [{ id: 1, state: 'stopped' }],
        });
        return true;
      },
    );
    assert.equal((await resolveTarget('thread', { thread_id: 1 }, on.services)).threadId, 1);
  });

  it('uses the thread or the frame of the current stop if none is named', async () => {
    const on = paused(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    on.model.dispatch(stopped(2, { allThreadsStopped: true }));
    assert.equal(
      (await resolveTarget('thread', {}, on.services)).threadId,
      2,
      'one stop holds both, and names one',
    );
    const { frame } = await resolveTarget('frame', {}, on.services);
    assert.deepEqual([frame.threadId, frame.frameId, frame.named?.functionName], [2, 10, 'main']);
  });

  it('fails if several threads have separate stops, and lists them', async () => {
    const on = paused(bench());
    for (const threadId of [2, 3])
      on.model.dispatch(eventOf('thread', { reason: 'started', threadId }));
    on.model.dispatch(stopped(2));
    for (const need of ['thread', 'frame'] as const) {
      await assert.rejects(resolveTarget(need, {}, on.services), (error: unknown) => {
        failsWith('ambiguous_thread')(error);
        assert.deepEqual(asFailure(error)?.data, {
          session_id: 's1',
          threads: [
            { id: 1, state: 'stopped' },
            { id: 2, state: 'stopped' },
          ],
        });
        return true;
      });
    }
    assert.equal((await resolveTarget('thread', { thread_id: 1 }, on.services)).threadId, 1);
  });

  it('fails for a running program', async () => {
    for (const need of ['thread', 'frame'] as const)
      await assert.rejects(
        resolveTarget(need, {}, running(bench()).services),
        failsWith('not_stopped'),
      );
  });

  it('finds the session of a frame, whether the call names the session, its parent or none', async () => {
    const on = family(bench());
    on.model.dispatch(stopped(1, {}, 'child'));
    const { inspector } = on.services;
    const number = inspector.handles.frame(inspector.placeOf(on.session('child'), 1), 3);
    for (const session_id of [undefined, 's2', 's1'])
      assert.equal(
        (await resolveTarget('frame', { frame_id: number, session_id }, on.services)).session.id,
        's2',
      );
  });

  it('refuses a frame of another session than the named one', async () => {
    const on = paused(paused(bench(), 'a'), 'b');
    const { inspector } = on.services;
    const place = inspector.placeOf(on.session('a'), 1);
    const frame = inspector.handles.frame(place, 3);
    const container = inspector.handles.variables(place, 4, 3);
    await assert.rejects(
      resolveTarget('frame', { frame_id: frame, session_id: 's2' }, on.services),
      failsWith('wrong_session'),
    );
    await assert.rejects(
      resolveTarget('variables', { variables_reference: container, session_id: 's2' }, on.services),
      failsWith('wrong_session'),
    );
    await assert.rejects(
      resolveTarget('frame', { frame_id: container }, on.services),
      failsWith('unknown_reference'),
    );
    await assert.rejects(
      resolveTarget('frame', { frame_id: 999 }, on.services),
      failsWith('unknown_reference'),
    );
  });
});
