import { strict as assert } from 'node:assert';
import { EMPTY_STATE, isEvaluating } from '../../../../src/debugger/state/state';
import {
  after,
  answered,
  AT,
  asked,
  created,
  ended,
  exited,
  failed,
  held,
  launched,
  refused,
  sessionAfter,
  sessionOf,
  stopped,
  eventOf,
} from '../../support/events';

describe('reducer: the lifecycle of a session', () => {
  it('creates a session as starting and fully known, with the next short id', () => {
    const state = after([created('a'), created('b')]);
    assert.deepEqual(
      [...state.sessions.values()].map((each) => [
        each.key,
        each.id,
        each.lifecycle,
        each.knowledge,
      ]),
      [
        ['a', 's1', 'starting', 'full'],
        ['b', 's2', 'starting', 'full'],
      ],
    );
    assert.equal(sessionOf(state).startedAt, AT);
  });

  it('runs once its launch or attach request has been answered, and not before', () => {
    for (const command of ['launch', 'attach']) {
      assert.equal(sessionAfter([created(), asked(1, command)]).lifecycle, 'starting');
      assert.equal(
        sessionAfter([created(), asked(1, command), answered(1, command)]).lifecycle,
        'running',
      );
    }
  });

  it('keeps a stop that arrives before the response to launch', () => {
    const session = sessionAfter([
      created(),
      asked(1, 'launch'),
      stopped(1),
      answered(1, 'launch'),
    ]);
    assert.equal(session.lifecycle, 'stopped');
    assert.deepEqual(held(session), [1]);
  });

  it('ends as launch_failed with the adapter’s message if the launch is refused', () => {
    const events = [created(), asked(1, 'launch'), refused(1, 'launch', 'no such program')];
    assert.deepEqual(sessionAfter(events).end, {
      reason: 'launchFailed',
      at: AT,
      message: 'no such program',
    });
    // In a window with a dialog that nobody has answered, VS Code reports nothing more about it.
    assert.equal(sessionAfter(events).lifecycle, 'terminated');
    assert.equal(
      sessionAfter([...events, asked(2, 'disconnect'), eventOf('terminated')]).lifecycle,
      'terminated',
    );
    const over = sessionAfter([...events, eventOf('terminated'), ended()]);
    assert.equal(over.lifecycle, 'terminated');
    assert.equal(over.end?.reason, 'launchFailed');
  });

  it('ends as a failed launch if VS Code disconnects without an initialize request, because the adapter was never reached', () => {
    const unreached = sessionAfter([created(), asked(1, 'disconnect', { restart: false })]);
    assert.deepEqual([unreached.lifecycle, unreached.end?.reason], ['terminated', 'launchFailed']);
    assert.match(unreached.end?.message ?? '', /connect/);
    for (const greeted of [
      [asked(1, 'initialize')],
      [asked(1, 'initialize'), answered(1, 'initialize', { supportsLogPoints: true })],
      [asked(1, 'initialize'), answered(1, 'initialize'), asked(2, 'attach')],
    ]) {
      assert.equal(
        sessionAfter([created(), ...greeted, asked(9, 'disconnect')]).lifecycle,
        'terminating',
      );
    }
  });

  it('ends as a failed launch if the adapter refuses the initialize request or its connection is lost before the launch request', () => {
    const greeting = [created(), asked(1, 'initialize')];
    for (const [events, message] of [
      [[refused(1, 'initialize', 'wrong version')], 'wrong version'],
      [[failed('connection closed'), asked(2, 'disconnect')], 'connection closed'],
      [
        [answered(1, 'initialize'), failed('connection closed'), asked(2, 'disconnect')],
        'connection closed',
      ],
    ] as const) {
      const session = sessionAfter([...greeting, ...events]);
      assert.deepEqual(
        [session.lifecycle, session.end],
        ['terminated', { reason: 'launchFailed', at: AT, message }],
      );
    }
    // From the launch request on, VS Code reports the end.
    const lost = [asked(2, 'launch'), failed('connection closed'), asked(3, 'disconnect')];
    const launching = sessionAfter([...greeting, answered(1, 'initialize'), ...lost]);
    assert.equal(launching.lifecycle, 'terminating');
    assert.equal(sessionAfter([...greeting, ...lost, ended()]).end?.reason, 'adapterGone');
  });

  it('ends normally without an exit code after terminated without exited', () => {
    const dying = sessionAfter([...launched(), stopped(1), eventOf('terminated')]);
    assert.equal(dying.lifecycle, 'terminating');
    assert.deepEqual(held(dying), [], 'no thread is held any more');
    const session = sessionAfter([...launched(), eventOf('terminated'), ended()]);
    assert.equal(session.exitCode, undefined);
    assert.equal(session.end?.reason, 'terminated');
    assert.equal(session.end.message, undefined);
  });

  it('ends as adapterGone, with its code or signal, if the adapter exits without terminated', () => {
    const byCode = sessionAfter([...launched(), exited(7)]);
    assert.equal(byCode.lifecycle, 'terminated');
    assert.equal(byCode.end?.reason, 'adapterGone');
    assert.match(byCode.end.message ?? '', /code 7/);
    assert.match(
      sessionAfter([...launched(), exited(undefined, 'SIGSEGV')]).end?.message ?? '',
      /SIGSEGV/,
    );
  });

  it('does not fail if the adapter exits after terminated or after a disconnect', () => {
    assert.equal(
      sessionAfter([...launched(), eventOf('terminated'), exited(0)]).end?.reason,
      'terminated',
    );
    assert.equal(
      sessionAfter([...launched(), asked(5, 'disconnect'), exited(1)]).end?.reason,
      'terminated',
    );
  });

  it('does not fail if the connection fails after terminated', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('terminated'),
      failed('connection closed'),
      ended(),
    ]);
    assert.equal(session.end?.reason, 'terminated');
  });

  it('ends with the error of a connection that fails unexpectedly, whatever arrives after it', () => {
    const session = sessionAfter([...launched(), failed('read ECONNRESET'), exited(1), ended()]);
    assert.equal(session.end?.reason, 'adapterGone');
    assert.equal(session.end.message, 'read ECONNRESET');
  });

  it('ignores messages after the end', () => {
    const over = after([...launched(), ended()]);
    assert.equal(
      after(
        [
          stopped(1),
          eventOf('exited', { exitCode: 1 }),
          asked(9, 'next', { threadId: 1 }),
          ended(),
          exited(1),
          failed('late'),
        ],
        over,
      ),
      over,
    );
  });

  it('ignores events of a session that nobody created', () => {
    assert.equal(
      after([stopped(1, {}, 'unknown'), ended('unknown'), failed('x', 'unknown')]),
      EMPTY_STATE,
    );
  });

  it('keeps only the short id and the number of stops when it is restarted with the same key', () => {
    const before = after([
      ...launched(),
      stopped(1),
      eventOf('exited', { exitCode: 0 }),
      ended(),
      created('b'),
    ]);
    const again = after([created('a', { at: AT + 5 })], before);
    const session = sessionOf(again);
    assert.equal(session.id, 's1');
    assert.equal(session.lifecycle, 'starting');
    assert.equal(session.stopCount, 1);
    assert.equal(session.lastStop, undefined);
    assert.equal(session.exitCode, undefined);
    assert.equal(session.end, undefined);
    assert.equal(again.sessionCount, before.sessionCount, 'a restart is no new session');
    assert.equal(sessionOf(after([created('c')], again), 'c').id, 's3');
    assert.equal(sessionOf(after([stopped(1)], again)).lastStop?.id, 2);
  });

  it('is partially known if it was found running, until one of its messages reports a stop', () => {
    const found = sessionAfter([created('a', { knowledge: 'partial' })]);
    assert.equal(found.lifecycle, 'running');
    assert.equal(found.knowledge, 'partial');
    assert.equal(
      sessionAfter([created('a', { knowledge: 'partial' }), stopped(1)]).knowledge,
      'full',
    );
  });

  it('keeps what is known when it is found again', () => {
    const state = after([...launched(), stopped(1)]);
    assert.equal(after([created('a', { knowledge: 'partial' })], state), state);
  });

  it('replaces the partially known session with the tracker’s', () => {
    const session = sessionAfter([created('a', { knowledge: 'partial' }), created('a')]);
    assert.equal(session.knowledge, 'full');
    assert.equal(session.id, 's1');
    assert.equal(session.lifecycle, 'starting');
  });

  it('merges the capabilities of initialize and of the event; newer ones win', () => {
    const session = sessionAfter([
      created(),
      asked(1, 'initialize'),
      answered(1, 'initialize', { supportsSetVariable: true, supportsStepBack: true }),
      eventOf('capabilities', {
        capabilities: { supportsStepBack: false, supportsRestartFrame: true },
      }),
    ]);
    assert.deepEqual(session.capabilities, {
      supportsSetVariable: true,
      supportsStepBack: false,
      supportsRestartFrame: true,
    });
  });

  it('adds no capabilities if initialize is refused', () => {
    assert.deepEqual(
      sessionAfter([created(), asked(1, 'initialize'), refused(1, 'initialize', 'no')])
        .capabilities,
      {},
    );
  });

  it('records the process that the adapter names', () => {
    assert.deepEqual(
      sessionAfter([...launched(), eventOf('process', { name: 'main.js', systemProcessId: 42 })])
        .process,
      { name: 'main.js', pid: 42 },
    );
  });

  it('keeps the reported exit code when an exited event without a code arrives', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('exited', { exitCode: 3 }),
      eventOf('exited', {}),
    ]);
    assert.equal(session.exitCode, 3);
  });

  it('does not record read-only requests, and their responses change nothing', () => {
    const state = after(launched());
    assert.equal(
      after([asked(8, 'stackTrace'), answered(8, 'stackTrace', { stackFrames: [] })], state),
      state,
    );
  });

  it('begins an epoch when a request that may change a value is sent and when it is answered, and changes nothing else', () => {
    const before = sessionAfter(launched());
    const evaluate = [asked(7, 'evaluate', { expression: 'x = 1' }), answered(7, 'evaluate')];
    assert.equal(isEvaluating(sessionAfter([...launched(), ...evaluate.slice(0, 1)])), true);
    assert.deepEqual(sessionAfter([...launched(), ...evaluate]), {
      ...before,
      epoch: before.epoch + 2,
    });
    assert.equal(isEvaluating(sessionAfter([...launched(), ...evaluate])), false);
  });
});
