import { strict as assert } from 'node:assert';
import {
  after,
  answered,
  asked,
  held,
  launched,
  sessionAfter,
  sessionOf,
  stopped,
  told,
} from '../../support/events';

describe('reducer: threads', () => {
  it('threads that start are running and have no name yet', () => {
    const session = sessionAfter([
      ...launched(),
      told('thread', { reason: 'started', threadId: 0 }),
    ]);
    assert.deepEqual(session.threads.get(0), { id: 0, name: undefined, stop: undefined });
  });

  it('a start that is told twice changes nothing', () => {
    const state = after([...launched(), stopped(1)]);
    assert.equal(after([told('thread', { reason: 'started', threadId: 1 })], state), state);
  });

  it('the held thread that exits makes the session run', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      told('thread', { reason: 'exited', threadId: 1 }),
    ]);
    assert.equal(session.lifecycle, 'running');
    assert.equal(session.threads.size, 0);
  });

  it('the exit of an unknown thread changes nothing', () => {
    const state = after([...launched(), stopped(1)]);
    assert.equal(after([told('thread', { reason: 'exited', threadId: 9 })], state), state);
  });

  it('the adapter’s list names threads, adds new ones and drops those that are gone', () => {
    const session = sessionAfter([
      ...launched(),
      told('thread', { reason: 'started', threadId: 5 }),
      asked(9, 'threads'),
      answered(9, 'threads', {
        threads: [
          { id: 1, name: 'main' },
          { id: 2, name: 'worker' },
        ],
      }),
    ]);
    assert.deepEqual(
      [...session.threads.values()].map((each) => [each.id, each.name]),
      [
        [1, 'main'],
        [2, 'worker'],
      ],
    );
  });

  it('a name stays when a later list leaves it out', () => {
    const list = (seq: number, threads: object[]) => [
      asked(seq, 'threads'),
      answered(seq, 'threads', { threads }),
    ];
    assert.equal(
      sessionAfter([
        ...launched(),
        ...list(9, [{ id: 1, name: 'main' }]),
        ...list(10, [{ id: 1 }]),
      ]).threads.get(1)?.name,
      'main',
    );
  });

  it('after a stop of all, threads of the list are held too', () => {
    for (const stop of [stopped(undefined), stopped(1, { allThreadsStopped: true })]) {
      const session = sessionAfter([
        ...launched(),
        stop,
        asked(9, 'threads'),
        answered(9, 'threads', { threads: [{ id: 1 }, { id: 2 }] }),
      ]);
      assert.deepEqual(held(session), [1, 2]);
    }
  });

  it('after a stop of one, threads of the list are not held', () => {
    assert.deepEqual(
      held(
        sessionAfter([
          ...launched(),
          stopped(1),
          asked(9, 'threads'),
          answered(9, 'threads', { threads: [{ id: 1 }, { id: 2 }] }),
        ]),
      ),
      [1],
    );
  });

  it('a held thread that an older list does not know stays held', () => {
    const session = sessionAfter([
      ...launched(),
      asked(9, 'threads'),
      stopped(3),
      answered(9, 'threads', { threads: [{ id: 1 }] }),
    ]);
    assert.deepEqual(held(session), [3]);
    assert.equal(session.lifecycle, 'stopped');
  });

  it('a list after terminated brings no thread back', () => {
    assert.equal(
      sessionAfter([
        ...launched(),
        asked(9, 'threads'),
        told('terminated'),
        answered(9, 'threads', { threads: [{ id: 1 }] }),
      ]).threads.size,
      0,
    );
  });

  it('a stop that names no thread, before any is known, holds the threads that the list then names', () => {
    const state = after([...launched(), stopped(undefined)]);
    assert.equal(sessionOf(state).lifecycle, 'stopped');
    assert.deepEqual(
      held(
        sessionOf(
          after(
            [asked(9, 'threads'), answered(9, 'threads', { threads: [{ id: 8, name: 'x' }] })],
            state,
          ),
        ),
      ),
      [8],
    );
  });

  it('a program that went on from a stop without any thread is running', () => {
    assert.equal(
      sessionAfter([...launched(), stopped(undefined), told('continued', {})]).lifecycle,
      'running',
    );
  });

  it('a late continue response does not resume a newer stop that names no thread', () => {
    const late = sessionAfter([
      ...launched(),
      stopped(undefined),
      asked(9, 'continue', { threadId: 1 }),
      stopped(undefined),
      answered(9, 'continue'),
    ]);
    assert.deepEqual([late.lifecycle, late.stopCount], ['stopped', 2]);
    const inTime = sessionAfter([
      ...launched(),
      stopped(undefined),
      asked(9, 'continue', { threadId: 1 }),
      answered(9, 'continue'),
    ]);
    assert.equal(inTime.lifecycle, 'running');
  });
});
