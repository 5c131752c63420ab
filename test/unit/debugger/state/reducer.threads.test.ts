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
  eventOf,
  withoutEpochs,
} from '../../support/events';

describe('reducer: threads', () => {
  it('adds a thread that starts as running and without a name', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('thread', { reason: 'started', threadId: 0 }),
    ]);
    assert.deepEqual(session.threads.get(0), { id: 0, name: undefined, stop: undefined });
  });

  it('ignores a start that is reported twice', () => {
    const state = after([...launched(), stopped(1)]);
    assert.equal(after([eventOf('thread', { reason: 'started', threadId: 1 })], state), state);
  });

  it('runs when its stopped thread exits', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      eventOf('thread', { reason: 'exited', threadId: 1 }),
    ]);
    assert.equal(session.lifecycle, 'running');
    assert.equal(session.threads.size, 0);
  });

  it('ignores the exit of an unknown thread', () => {
    const state = after([...launched(), stopped(1)]);
    assert.equal(after([eventOf('thread', { reason: 'exited', threadId: 9 })], state), state);
  });

  it('takes names and new threads from the adapter’s list, and removes threads that are missing from it', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('thread', { reason: 'started', threadId: 5 }),
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

  it('keeps a name that a later list omits', () => {
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

  it('stops the threads of the list as well after a stop of all threads', () => {
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

  it('stops a thread that the adapter reports only after a stop of all threads', () => {
    for (const stop of [stopped(undefined), stopped(1, { allThreadsStopped: true })]) {
      const state = after([
        ...launched(),
        stop,
        eventOf('thread', { reason: 'started', threadId: 2 }),
      ]);
      const named = sessionOf(after(listed([{ id: 1 }, { id: 2 }]), state));
      assert.deepEqual([held(named).sort(), named.lifecycle], [[1, 2], 'stopped']);
      const goesOn = sessionOf(after([eventOf('continued', { threadId: 1 })], state));
      assert.deepEqual([held(goesOn), goesOn.lifecycle], [[], 'running']);
    }
  });

  it('does not stop a thread that starts while another continues alone, or after a stop of one thread', () => {
    const started = eventOf('thread', { reason: 'started', threadId: 3 });
    const goesOnAlone = [
      eventOf('thread', { reason: 'started', threadId: 2 }),
      stopped(1, { allThreadsStopped: true }),
      eventOf('continued', { threadId: 1, allThreadsContinued: false }),
    ];
    assert.deepEqual(held(sessionAfter([...launched(), ...goesOnAlone, started])), [2]);
    assert.deepEqual(held(sessionAfter([...launched(), stopped(1), started])), [1]);
    const goesOn = [stopped(undefined), eventOf('continued', {}), started];
    assert.deepEqual(held(sessionAfter([...launched(), ...goesOn])), []);
  });

  it('does not stop the threads of the list after a stop of one thread', () => {
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

  it('keeps a thread that stopped after the list was requested', () => {
    const session = sessionAfter([
      ...launched(),
      asked(9, 'threads'),
      stopped(3),
      answered(9, 'threads', { threads: [{ id: 1 }] }),
    ]);
    assert.deepEqual(held(session), [3]);
    assert.equal(session.lifecycle, 'stopped');
  });

  it('adds no threads from a list after terminated', () => {
    assert.equal(
      sessionAfter([
        ...launched(),
        asked(9, 'threads'),
        eventOf('terminated'),
        answered(9, 'threads', { threads: [{ id: 1 }] }),
      ]).threads.size,
      0,
    );
  });

  it('stops the threads that the list names if a stop named none before any was known', () => {
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

  it('runs if it continued from a stop without any thread', () => {
    assert.equal(
      sessionAfter([...launched(), stopped(undefined), eventOf('continued', {})]).lifecycle,
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

  it('runs the threads that the list names after the program continued, whatever stopped it before', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1, { allThreadsStopped: true }),
      eventOf('continued', { threadId: 1 }),
      ...listed([{ id: 1 }, { id: 2 }]),
    ]);
    assert.deepEqual([held(session), session.lifecycle], [[], 'running']);
  });

  it('keeps the threads unchanged if a list contains nothing new', () => {
    const state = after([...launched(), stopped(1), ...listed([{ id: 1, name: 'main' }])]);
    assert.equal(
      sessionOf(after(listed([{ id: 1, name: 'main' }]), state)).threads,
      sessionOf(state).threads,
    );
  });

  it('replaces the threads if one thread differs in a list of the same length', () => {
    const session = sessionAfter([
      ...launched(),
      ...listed([{ id: 1 }, { id: 2 }]),
      ...listed([{ id: 1 }, { id: 3 }]),
    ]);
    assert.deepEqual([...session.threads.keys()], [1, 3]);
  });

  it('ignores threads without an id, in a list and in an event', () => {
    const state = after([...launched(), ...listed([{ name: 'nobody' }, { id: 'x' }, { id: 1 }])]);
    assert.deepEqual([...sessionOf(state).threads.keys()], [1]);
    assert.equal(after([eventOf('thread', { reason: 'started' })], state), state);
  });

  it('keeps a thread of a newer stop of all threads, even if a list that was requested before omits it', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('thread', { reason: 'started', threadId: 2 }),
      asked(9, 'threads'),
      stopped(1, { allThreadsStopped: true }),
      answered(9, 'threads', { threads: [{ id: 1 }] }),
    ]);
    assert.deepEqual(held(session).sort(), [1, 2]);
  });

  it('keeps a thread that a stop named, even if a later list omits it', () => {
    const session = sessionAfter([...launched(), stopped(3), ...listed([{ id: 1 }])]);
    assert.deepEqual([held(session), session.lifecycle], [[3], 'stopped']);
  });

  it('removes a thread that a stop of all threads stopped if a later list omits it', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('thread', { reason: 'started', threadId: 2 }),
      stopped(1, { allThreadsStopped: true }),
      ...listed([{ id: 1 }]),
    ]);
    assert.deepEqual(held(session), [1]);
  });

  it('leaves the other threads unchanged if a running thread continues alone', () => {
    const state = after([
      ...launched(),
      eventOf('thread', { reason: 'started', threadId: 2 }),
      stopped(1),
    ]);
    const later = after([eventOf('continued', { threadId: 2, allThreadsContinued: false })], state);
    assert.deepEqual(withoutEpochs(later), withoutEpochs(state));
  });

  it('keeps the stop that named each thread until the thread runs', () => {
    const beside = stopped(2, { reason: 'breakpoint', preserveFocusHint: true });
    const both = after([...launched(), stopped(1, { reason: 'step' }), beside]);
    const { threads, lastStop } = sessionOf(both);
    assert.equal(threads.get(1)?.own?.reason, 'step');
    assert.equal(threads.get(1)?.own?.preservesFocus, undefined);
    assert.equal(threads.get(2)?.own?.reason, 'breakpoint');
    assert.equal(threads.get(2)?.own?.preservesFocus, true);
    assert.equal(lastStop?.threadId, 2);
    const moved = after([eventOf('continued', { threadId: 1, allThreadsContinued: true })], both);
    assert.equal(sessionOf(moved).threads.get(1)?.own, undefined);
    const again = after([stopped(2)], moved);
    assert.equal(sessionOf(again).threads.get(1)?.own, undefined);
  });
});

/** A request for the adapter's threads and its response. */
function listed(threads: readonly object[]): DebugEvent[] {
  return [asked(90, 'threads'), answered(90, 'threads', { threads })];
}
