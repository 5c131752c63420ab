import { strict as assert } from 'node:assert';
import type { DebugEvent } from '../../../../src/debugger/state/state';
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
  withoutEpochs,
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

  it('after a stop of all, a thread that the adapter tells of only then is held too', () => {
    for (const stop of [stopped(undefined), stopped(1, { allThreadsStopped: true })]) {
      const state = after([
        ...launched(),
        stop,
        told('thread', { reason: 'started', threadId: 2 }),
      ]);
      const named = sessionOf(after(listed([{ id: 1 }, { id: 2 }]), state));
      assert.deepEqual([held(named).sort(), named.lifecycle], [[1, 2], 'stopped']);
      const goesOn = sessionOf(after([told('continued', { threadId: 1 })], state));
      assert.deepEqual([held(goesOn), goesOn.lifecycle], [[], 'running']);
    }
  });

  it('a thread that starts while another goes on alone is not held, nor one after a stop of one', () => {
    const started = told('thread', { reason: 'started', threadId: 3 });
    const goesOnAlone = [
      told('thread', { reason: 'started', threadId: 2 }),
      stopped(1, { allThreadsStopped: true }),
      told('continued', { threadId: 1, allThreadsContinued: false }),
    ];
    assert.deepEqual(held(sessionAfter([...launched(), ...goesOnAlone, started])), [2]);
    assert.deepEqual(held(sessionAfter([...launched(), stopped(1), started])), [1]);
    const goesOn = [stopped(undefined), told('continued', {}), started];
    assert.deepEqual(held(sessionAfter([...launched(), ...goesOn])), []);
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

  it('threads that the list names after the program went on run, whatever stopped it before', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1, { allThreadsStopped: true }),
      told('continued', { threadId: 1 }),
      ...listed([{ id: 1 }, { id: 2 }]),
    ]);
    assert.deepEqual([held(session), session.lifecycle], [[], 'running']);
  });

  it('a list that names nothing new changes nothing', () => {
    const state = after([...launched(), stopped(1), ...listed([{ id: 1, name: 'main' }])]);
    assert.equal(
      sessionOf(after(listed([{ id: 1, name: 'main' }]), state)).threads,
      sessionOf(state).threads,
    );
  });

  it('a list of as many threads, of which one is another, is taken over', () => {
    const session = sessionAfter([
      ...launched(),
      ...listed([{ id: 1 }, { id: 2 }]),
      ...listed([{ id: 1 }, { id: 3 }]),
    ]);
    assert.deepEqual([...session.threads.keys()], [1, 3]);
  });

  it('threads without an id are none, in a list and in an event', () => {
    const state = after([...launched(), ...listed([{ name: 'nobody' }, { id: 'x' }, { id: 1 }])]);
    assert.deepEqual([...sessionOf(state).threads.keys()], [1]);
    assert.equal(after([told('thread', { reason: 'started' })], state), state);
  });

  it('a thread that a newer stop of all holds stays, though the list was asked for before and leaves it out', () => {
    const session = sessionAfter([
      ...launched(),
      told('thread', { reason: 'started', threadId: 2 }),
      asked(9, 'threads'),
      stopped(1, { allThreadsStopped: true }),
      answered(9, 'threads', { threads: [{ id: 1 }] }),
    ]);
    assert.deepEqual(held(session).sort(), [1, 2]);
  });

  it('a thread that a stop names stays, though a later list leaves it out', () => {
    const session = sessionAfter([...launched(), stopped(3), ...listed([{ id: 1 }])]);
    assert.deepEqual([held(session), session.lifecycle], [[3], 'stopped']);
  });

  it('a thread that a stop of all held, and that a later list leaves out, is gone', () => {
    const session = sessionAfter([
      ...launched(),
      told('thread', { reason: 'started', threadId: 2 }),
      stopped(1, { allThreadsStopped: true }),
      ...listed([{ id: 1 }]),
    ]);
    assert.deepEqual(held(session), [1]);
  });

  it('a thread that goes on alone, and was not held, changes nothing of the others', () => {
    const state = after([
      ...launched(),
      told('thread', { reason: 'started', threadId: 2 }),
      stopped(1),
    ]);
    const later = after([told('continued', { threadId: 2, allThreadsContinued: false })], state);
    assert.deepEqual(withoutEpochs(later), withoutEpochs(state));
  });
});

/** The adapter is asked for its threads, and answers. */
function listed(threads: readonly object[]): DebugEvent[] {
  return [asked(90, 'threads'), answered(90, 'threads', { threads })];
}
