import { strict as assert } from 'node:assert';
import { asFailure } from '../../../src/results/debuggerFailures';
import { Failure } from '../../../src/results/failure';
import { resolveSession, resolveTarget } from '../../../src/tools/target';
import { created, ended, stopped, told } from '../support/events';
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
        ? sessions.map((each: { session_id: string }) => each.session_id)
        : [],
    ];
  }
}

describe('which session is meant, when none is named', () => {
  it('without any there is none', () => {
    assert.deepEqual(refused(bench()), ['no_session', []]);
    const on = running(bench());
    on.model.dispatch(ended());
    assert.deepEqual(refused(on), ['no_session', []]);
  });

  it('the only one', () => {
    assert.equal(chosen(running(bench())), 's1');
  });

  it('the only one that is stopped, though others run', () => {
    assert.equal(chosen(running(paused(running(bench(), 'a'), 'b'), 'c')), 's2');
  });

  it('several stopped ones are ambiguous, and all live ones are listed', () => {
    assert.deepEqual(refused(running(paused(paused(bench(), 'a'), 'b'), 'c')), [
      'ambiguous_session',
      ['s1', 's2', 's3'],
    ]);
  });

  it('several stopped ones are told apart by the thread', () => {
    const on = paused(paused(bench(), 'a', 1), 'b', 2);
    assert.equal(chosen(on, undefined, 2), 's2');
    assert.equal(chosen(on, undefined, 1), 's1');
    assert.equal(refused(on, undefined, 3)[0], 'ambiguous_session');
  });

  it('several stopped ones are named in words, and those that run are not', () => {
    const on = running(paused(paused(bench(), 'a'), 'b'), 'c');
    assert.throws(() => chosen(on), /fit: s1, s2\./);
  });

  it('the only stopped one, also for a thread that it does not have', () => {
    assert.equal(chosen(running(paused(bench(), 'a'), 'b'), undefined, 99), 's1');
  });

  it('several running ones are ambiguous', () => {
    assert.deepEqual(refused(running(running(bench(), 'a'), 'b')), [
      'ambiguous_session',
      ['s1', 's2'],
    ]);
  });

  it('of a parent and its child, the child', () => {
    assert.equal(chosen(family(bench())), 's2');
  });

  it('of two running children, the one that has the thread', () => {
    const on = family(bench());
    running(on, 'second', 'parent');
    on.model.dispatch(told('thread', { reason: 'started', threadId: 4 }, 'second'));
    assert.equal(chosen(on, undefined, 4), 's3');
    assert.equal(refused(on)[0], 'ambiguous_session');
  });
});

describe('which session is meant, when one is named', () => {
  it('that one, even where another is stopped', () => {
    assert.equal(chosen(paused(running(bench(), 'a'), 'b'), 's1'), 's1');
  });

  it('one that never was is not found; the live ones are listed', () => {
    assert.deepEqual(refused(running(bench()), 's9'), ['session_not_found', ['s1']]);
  });

  it('one that has been forgotten says that it has ended', () => {
    const on = running(bench());
    for (let each = 0; each < 30; each += 1) {
      on.model.dispatch(created(`short ${each}`));
      on.model.dispatch(ended(`short ${each}`));
    }
    assert.deepEqual(refused(on, 's2'), ['session_ended', ['s1']]);
    assert.deepEqual(refused(on, 's32'), ['session_not_found', ['s1']]);
    assert.deepEqual(refused(on, 'sx'), ['session_not_found', ['s1']]);
  });

  it('one that has ended says so', () => {
    const on = running(running(bench(), 'a'), 'b');
    on.model.dispatch(ended('a'));
    assert.deepEqual(refused(on, 's1'), ['session_ended', ['s2']]);
  });

  it('a parent without threads stands for its child that has some', () => {
    const on = family(bench());
    assert.equal(chosen(on, 's1'), 's1', 'no child has threads yet');
    on.model.dispatch(stopped(5, {}, 'child'));
    assert.equal(chosen(on, 's1'), 's2');
  });

  it('a parent without threads stands for its child that runs, where none is stopped', () => {
    const on = family(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 1 }, 'child'));
    assert.equal(chosen(on, 's1'), 's2');
  });

  it('a parent stands for its stopped child rather than for one that runs', () => {
    const on = family(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 1 }, 'child'));
    running(on, 'second', 'parent');
    on.model.dispatch(stopped(2, {}, 'second'));
    assert.equal(chosen(on, 's1'), 's3');
  });

  it('a parent stands for the child that has the thread', () => {
    const on = family(bench());
    on.model.dispatch(stopped(1, {}, 'child'));
    running(on, 'second', 'parent');
    on.model.dispatch(stopped(2, {}, 'second'));
    assert.equal(chosen(on, 's1', 2), 's3');
    assert.throws(
      () => chosen(on, 's1'),
      /Several debug sessions fit: s2, s3/,
      'it does not guess between two',
    );
  });

  it('a parent with threads of its own stands for itself', () => {
    const on = paused(bench(), 'a');
    running(on, 'child', 'a');
    on.model.dispatch(stopped(2, {}, 'child'));
    assert.equal(chosen(on, 's1'), 's1');
  });
});

describe('threads, frames and containers', () => {
  it('a thread that is not there is not found, and those there are are listed', async () => {
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

  it('a thread or a frame that is not named is that of the present stop', async () => {
    const on = paused(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 2 }));
    on.model.dispatch(stopped(2, { allThreadsStopped: true }));
    assert.equal(
      (await resolveTarget('thread', {}, on.services)).threadId,
      2,
      'one stop holds both, and names one',
    );
    const { frame } = await resolveTarget('frame', {}, on.services);
    assert.deepEqual([frame.threadId, frame.frameId, frame.named?.functionName], [2, 10, 'main']);
  });

  it('where several threads are stopped apart none is taken, and they are listed', async () => {
    const on = paused(bench());
    for (const threadId of [2, 3])
      on.model.dispatch(told('thread', { reason: 'started', threadId }));
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

  it('of a program that runs there is none', async () => {
    for (const need of ['thread', 'frame'] as const)
      await assert.rejects(
        resolveTarget(need, {}, running(bench()).services),
        failsWith('not_stopped'),
      );
  });

  it('a frame leads to its session, named or not, or named by its parent', async () => {
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

  it('a frame of another session than the named one is refused', async () => {
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
