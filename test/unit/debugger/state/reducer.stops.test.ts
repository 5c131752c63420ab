import { strict as assert } from 'node:assert';
import {
  answered,
  asked,
  held,
  launched,
  refused,
  sessionAfter,
  stopped,
  told,
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
  it('a stop holds its thread and says what the adapter said', () => {
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

  it('a program that lldb-dap was asked to pause is told as paused, not as one with an exception', () => {
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

  it('a pause that js-debug ends with a step of its own is a pause; a step that was asked for is one', () => {
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
    it(`${command}: still stopped while unanswered, running once it is answered`, () => {
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

  it('a stop that comes before the answer to next stays', () => {
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

  it('a continued and a stop, both before the answer to next, leave the new stop', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      asked(9, 'next', { threadId: 1 }),
      told('continued', { threadId: 1 }),
      stopped(1),
      answered(9, 'next'),
    ]);
    assert.equal(session.threads.get(1)?.stop?.id, 2);
  });

  it('a stop after the answer to next is the newer one', () => {
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

  it('a refused resume leaves the program stopped and keeps the adapter’s words', () => {
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

  it('a late answer to an older request does not settle a newer one', () => {
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

  it('a refusal of the first of two equal requests does not settle the second', () => {
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
    told('thread', { reason: 'started', threadId: 2 }),
    stopped(1, { allThreadsStopped: true }),
  ];

  it('a stop of all threads holds those that are known', () => {
    assert.deepEqual(held(sessionAfter(both)).sort(), [1, 2]);
  });

  it('a stop that names no thread holds all that are known', () => {
    const session = sessionAfter([
      ...launched(),
      told('thread', { reason: 'started', threadId: 2 }),
      stopped(undefined),
    ]);
    assert.deepEqual(held(session), [2]);
    assert.equal(session.lastStop?.threadId, undefined);
  });

  it('a stop of one thread leaves the others running', () => {
    assert.deepEqual(
      held(
        sessionAfter([
          ...launched(),
          told('thread', { reason: 'started', threadId: 2 }),
          stopped(1, { allThreadsStopped: false }),
        ]),
      ),
      [1],
    );
  });

  it('continued lets all threads go on unless it says otherwise', () => {
    assert.deepEqual(held(sessionAfter([...both, told('continued', { threadId: 1 })])), []);
    assert.deepEqual(
      held(sessionAfter([...both, told('continued', { threadId: 1, allThreadsContinued: true })])),
      [],
    );
    const one = sessionAfter([
      ...both,
      told('continued', { threadId: 1, allThreadsContinued: false }),
    ]);
    assert.deepEqual(held(one), [2]);
    assert.equal(one.lifecycle, 'stopped', 'another thread is still held');
  });

  it('a continue of a single thread holds the others', () => {
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

  it('a continue whose answer says nothing lets all go on', () => {
    assert.deepEqual(
      held(
        sessionAfter([...both, asked(9, 'continue', { threadId: 1 }), answered(9, 'continue', {})]),
      ),
      [],
    );
  });

  it('the last held thread that goes on makes the session run', () => {
    const session = sessionAfter([
      ...both,
      told('continued', { threadId: 1, allThreadsContinued: false }),
      told('continued', { threadId: 2, allThreadsContinued: false }),
    ]);
    assert.equal(session.lifecycle, 'running');
  });

  it('two stops in a row are two stops, each with its number', () => {
    const session = sessionAfter([...launched(), stopped(1), stopped(2)]);
    assert.equal(session.stopCount, 2);
    assert.equal(session.threads.get(1)?.stop?.id, 1);
    assert.equal(session.threads.get(2)?.stop?.id, 2);
    assert.equal(sessionAfter([...launched(), stopped(1), stopped(1)]).threads.get(1)?.stop?.id, 2);
  });

  it('a continued while running is a move, and changes nothing else', () => {
    const before = sessionAfter([
      ...launched(),
      told('thread', { reason: 'started', threadId: 1 }),
    ]);
    const epoch = before.epoch + 1;
    assert.deepEqual(
      sessionAfter([
        ...launched(),
        told('thread', { reason: 'started', threadId: 1 }),
        told('continued', { threadId: 1 }),
      ]),
      { ...before, epoch, epochOf: { ...before.epochOf, move: epoch } },
    );
  });

  it('invalidated begins an epoch and leaves the stop', () => {
    const session = sessionAfter([
      ...launched(),
      stopped(1),
      told('invalidated', { areas: ['variables'] }),
    ]);
    assert.equal(session.epochOf.invalidation, session.epoch);
    assert.equal(session.threads.get(1)?.stop?.epoch, session.epoch - 1);
    assert.equal(session.lifecycle, 'stopped');
  });
});
