import { strict as assert } from 'node:assert';
import {
  answered,
  asked,
  held,
  launched,
  refused,
  sessionAfter,
  stopped,
  eventOf,
} from '../../support/events';

const RESUMES = [
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
  'restartFrame',
];

describe('reducer: stops and resumes', () => {
  it('stops the thread and keeps what the adapter reported', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(4, {
        reason: 'exception',
        description: 'Paused',
        text: 'boom',
        hitBreakpointIds: [3, 'x', 5],
        allThreadsStopped: false,
      }),
    ]);
    assert.equal(session.lifecycle, 'stopped');
    assert.equal(session.stopCount, 1);
    const { at: _at, ...stop } = session.lastStop ?? { at: 0 };
    assert.deepEqual(stop, {
      id: 1,
      epoch: session.epoch,
      reason: 'exception',
      description: 'Paused',
      text: 'boom',
      threadId: 4,
      allThreadsStopped: false,
      hitBreakpointIds: [3, 5],
    });
    assert.deepEqual(held(session), [4]);
  });

  it('reports a pause that was requested of lldb-dap as a pause, not as an exception', () => {
    const lldb = launched('a', { sessionType: 'lldb-dap' });
    const sigstop = stopped(1, { reason: 'exception', description: 'signal SIGSTOP' });
    const paused = sessionAfter([...lldb, asked(9, 'pause', { threadId: 1 }), sigstop]);
    assert.deepEqual(
      [paused.lastStop?.reason, paused.lastStop?.description],
      ['pause', 'signal SIGSTOP'],
    );
    assert.equal(
      sessionAfter([...lldb, sigstop]).lastStop?.reason,
      'exception',
      'somebody else sent it the signal',
    );
    assert.equal(
      sessionAfter([
        ...lldb,
        asked(9, 'pause', { threadId: 1 }),
        sigstop,
        asked(10, 'continue', { threadId: 1 }),
        answered(10, 'continue'),
        sigstop,
      ]).lastStop?.reason,
      'exception',
      'the pause is over',
    );
    assert.equal(
      sessionAfter([
        ...lldb,
        asked(9, 'pause', { threadId: 1 }),
        stopped(1, { reason: 'exception', description: 'signal SIGSEGV' }),
      ]).lastStop?.reason,
      'exception',
      'it has crashed meanwhile',
    );
    assert.equal(
      sessionAfter([...launched(), asked(9, 'pause', { threadId: 1 }), sigstop]).lastStop?.reason,
      'exception',
      'another debugger',
    );
  });

  it('reports a pause that js-debug ends with a step of its own as a pause, and a requested step as a step', () => {
    const pause = asked(9, 'pause', { threadId: 1 });
    const step = stopped(1, { reason: 'step' });
    assert.equal(sessionAfter([...launched(), pause, step]).lastStop?.reason, 'pause');
    assert.equal(
      sessionAfter([
        ...launched(),
        stopped(1),
        asked(8, 'continue', { threadId: 1 }),
        answered(8, 'continue'),
        pause,
        step,
      ]).lastStop?.reason,
      'pause',
    );
    assert.equal(
      sessionAfter([
        ...launched(),
        stopped(1),
        asked(8, 'next', { threadId: 1 }),
        answered(8, 'next'),
        pause,
        step,
      ]).lastStop?.reason,
      'step',
      'perhaps the step that was asked for',
    );
    assert.equal(
      sessionAfter([...launched(), pause, step, asked(10, 'continue', { threadId: 1 }), step])
        .lastStop?.reason,
      'step',
      'the pause is over',
    );
  });

  for (const command of RESUMES) {
    it(`${command}: stays stopped until the response and runs after it`, () => {
      const before = [...launched(), stopped(1), asked(9, command, { threadId: 1 })];
      assert.equal(sessionAfter(before).lifecycle, 'stopped');
      assert.deepEqual(sessionAfter(before).resume, {
        command,
        outcome: 'pending',
        message: undefined,
        seq: 9,
      });
      const session = sessionAfter([...before, answered(9, command)]);
      assert.equal(session.lifecycle, 'running');
      assert.equal(session.resume?.outcome, 'done');
      assert.equal(session.epochOf.resume, sessionAfter(before).epoch, 'it began an epoch');
      assert.equal(session.lastStop?.id, 1, 'the newest stop is kept');
    });
  }

  it('keeps a stop that arrives before the response to next', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      asked(9, 'next', { threadId: 1 }),
      stopped(1),
      answered(9, 'next'),
    ]);
    assert.equal(session.lifecycle, 'stopped');
    assert.equal(session.threads.get(1)?.stop?.id, 2);
    assert.equal(session.resume?.outcome, 'done');
  });

  it('keeps the new stop if continued and stopped both arrive before the response to next', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      asked(9, 'next', { threadId: 1 }),
      eventOf('continued', { threadId: 1 }),
      stopped(1),
      answered(9, 'next'),
    ]);
    assert.equal(session.threads.get(1)?.stop?.id, 2);
  });

  it('takes a stop after the response to next as the newer one', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      asked(9, 'next', { threadId: 1 }),
      answered(9, 'next'),
      stopped(1),
    ]);
    assert.equal(session.lifecycle, 'stopped');
    assert.equal(session.threads.get(1)?.stop?.id, 2);
  });

  it('stays stopped if a resume is refused, and keeps the adapter’s message', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      asked(9, 'next', { threadId: 1 }),
      refused(9, 'next', 'thread is busy'),
    ]);
    assert.equal(session.lifecycle, 'stopped');
    assert.deepEqual(session.resume, {
      seq: 9,
      command: 'next',
      outcome: 'failed',
      message: 'thread is busy',
    });
  });

  it('does not settle a newer request when the response to an older one arrives late', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      asked(9, 'next', { threadId: 1 }),
      asked(10, 'continue', { threadId: 1 }),
      refused(9, 'next', 'too late'),
    ]);
    assert.deepEqual(session.resume, {
      seq: 10,
      command: 'continue',
      outcome: 'pending',
      message: undefined,
    });
  });

  it('does not settle the second of two equal requests when the first is refused', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      asked(9, 'continue', { threadId: 1 }),
      asked(10, 'continue', { threadId: 2 }),
      refused(9, 'continue', 'no'),
    ]);
    assert.equal(session.resume?.outcome, 'pending');
  });

  const both = [
    ...launched(),
    eventOf('thread', { reason: 'started', threadId: 2 }),
    stopped(1, { allThreadsStopped: true }),
  ];

  it('stops all known threads at a stop of all threads', () => {
    assert.deepEqual(held(sessionAfter(both)).sort(), [1, 2]);
  });

  it('stops all known threads at a stop that names no thread', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('thread', { reason: 'started', threadId: 2 }),
      stopped(undefined),
    ]);
    assert.deepEqual(held(session), [2]);
    assert.equal(session.lastStop?.threadId, undefined);
  });

  it('leaves the other threads running at a stop of one thread', () => {
    assert.deepEqual(
      held(
        sessionAfter([
          ...launched(),
          eventOf('thread', { reason: 'started', threadId: 2 }),
          stopped(1, { allThreadsStopped: false }),
        ]),
      ),
      [1],
    );
  });

  it('resumes all threads at continued unless the event says otherwise', () => {
    assert.deepEqual(held(sessionAfter([...both, eventOf('continued', { threadId: 1 })])), []);
    assert.deepEqual(
      held(
        sessionAfter([...both, eventOf('continued', { threadId: 1, allThreadsContinued: true })]),
      ),
      [],
    );
    const one = sessionAfter([
      ...both,
      eventOf('continued', { threadId: 1, allThreadsContinued: false }),
    ]);
    assert.deepEqual(held(one), [2]);
    assert.equal(one.lifecycle, 'stopped', 'another thread is still held');
  });

  it('leaves the other threads stopped when a single thread continues', () => {
    assert.deepEqual(
      held(
        sessionAfter([
          ...both,
          asked(9, 'continue', { threadId: 1, singleThread: true }),
          answered(9, 'continue'),
        ]),
      ),
      [2],
    );
    assert.deepEqual(
      held(
        sessionAfter([
          ...both,
          asked(9, 'continue', { threadId: 1 }),
          answered(9, 'continue', { allThreadsContinued: false }),
        ]),
      ),
      [2],
    );
  });

  it('resumes all threads if the response to continue does not say otherwise', () => {
    assert.deepEqual(
      held(
        sessionAfter([...both, asked(9, 'continue', { threadId: 1 }), answered(9, 'continue', {})]),
      ),
      [],
    );
  });

  it('runs once the last stopped thread continues', () => {
    const session = sessionAfter([
      ...both,
      eventOf('continued', { threadId: 1, allThreadsContinued: false }),
      eventOf('continued', { threadId: 2, allThreadsContinued: false }),
    ]);
    assert.equal(session.lifecycle, 'running');
  });

  it('counts two stops in a row as two, each with its number', () => {
    const session = sessionAfter([...launched(), stopped(1), stopped(2)]);
    assert.equal(session.stopCount, 2);
    assert.equal(session.threads.get(1)?.stop?.id, 1);
    assert.equal(session.threads.get(2)?.stop?.id, 2);
    assert.equal(sessionAfter([...launched(), stopped(1), stopped(1)]).threads.get(1)?.stop?.id, 2);
  });

  it('counts continued while running as a move, and changes nothing else', () => {
    const before = sessionAfter([
      ...launched(),
      eventOf('thread', { reason: 'started', threadId: 1 }),
    ]);
    const epoch = before.epoch + 1;
    assert.deepEqual(
      sessionAfter([
        ...launched(),
        eventOf('thread', { reason: 'started', threadId: 1 }),
        eventOf('continued', { threadId: 1 }),
      ]),
      { ...before, epoch, epochOf: { ...before.epochOf, move: epoch } },
    );
  });

  it('begins an epoch at invalidated and keeps the stop', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      eventOf('invalidated', { areas: ['variables'] }),
    ]);
    assert.equal(session.epochOf.invalidation, session.epoch);
    assert.equal(session.threads.get(1)?.stop?.epoch, session.epoch - 1);
    assert.equal(session.lifecycle, 'stopped');
  });
});
