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
  told,
} from '../../support/events';

describe('reducer: the life of a session', () => {
  it('a new session is starting, known in full, and gets the next short id', () => {
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

  it('it runs once its launch or its attach has been answered, not before', () => {
    for (const command of ['launch', 'attach']) {
      assert.equal(sessionAfter([created(), asked(1, command)]).lifecycle, 'starting');
      assert.equal(
        sessionAfter([created(), asked(1, command), answered(1, command)]).lifecycle,
        'running',
      );
    }
  });

  it('a stop before the answer to launch is a stop, and the answer does not undo it', () => {
    const session = sessionAfter([
      created(),
      asked(1, 'launch'),
      stopped(1),
      answered(1, 'launch'),
    ]);
    assert.equal(session.lifecycle, 'stopped');
    assert.deepEqual(held(session), [1]);
  });

  it('a launch that was refused ends the session as launch_failed with the adapter’s words', () => {
    const events = [created(), asked(1, 'launch'), refused(1, 'launch', 'no such program')];
    assert.deepEqual(sessionAfter(events).end, {
      reason: 'launchFailed',
      at: AT,
      message: 'no such program',
    });
    // In a window whose dialog nobody has answered, VS Code says nothing more about it.
    assert.equal(sessionAfter(events).lifecycle, 'terminated');
    assert.equal(
      sessionAfter([...events, asked(2, 'disconnect'), told('terminated')]).lifecycle,
      'terminated',
    );
    const over = sessionAfter([...events, told('terminated'), ended()]);
    assert.equal(over.lifecycle, 'terminated');
    assert.equal(over.end?.reason, 'launchFailed');
  });

  it('an adapter that VS Code takes leave of without having greeted it was never reached: the launch failed', () => {
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

  it('an adapter that refuses the greeting, or whose connection is lost during it, has not begun', () => {
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
    // From the launch on, VS Code tells of the end.
    const lost = [asked(2, 'launch'), failed('connection closed'), asked(3, 'disconnect')];
    const launching = sessionAfter([...greeting, answered(1, 'initialize'), ...lost]);
    assert.equal(launching.lifecycle, 'terminating');
    assert.equal(sessionAfter([...greeting, ...lost, ended()]).end?.reason, 'adapterGone');
  });

  it('the exit code that was announced makes the end an exit', () => {
    const session = sessionAfter([
      ...launched(),
      told('exited', { exitCode: 3 }),
      told('terminated'),
      ended(),
    ]);
    assert.equal(session.lifecycle, 'terminated');
    assert.equal(session.exitCode, 3);
    assert.equal(session.end?.reason, 'exited');
  });

  it('the exit code that js-debug prints is one as well, and only what it prints itself', () => {
    const node = (...events: readonly ReturnType<typeof told>[]) =>
      sessionAfter([
        ...launched('a', { sessionType: 'pwa-node' }),
        ...events,
        told('terminated'),
        ended(),
      ]);
    const printed = (output: string, category = 'stderr') => told('output', { category, output });
    assert.equal(node(printed('Process exited with code 3\r\n')).exitCode, 3);
    assert.equal(node(printed('Process exited with code 3\r\n', 'stdout')).exitCode, undefined);
    assert.equal(node(printed('job 7: Process exited with code 3\n')).exitCode, undefined);
    assert.equal(
      sessionAfter([...launched(), printed('Process exited with code 3\r\n')]).exitCode,
      undefined,
      'another debugger',
    );
    const child = [
      ...launched('a', { sessionType: 'pwa-node', parentKey: 'parent' }),
      printed('Process exited with code 3\n'),
    ];
    assert.equal(sessionAfter(child).exitCode, undefined, 'the program itself');
  });

  it('the exit code that delve prints is one as well, also after terminated, and only what it prints itself', () => {
    const go = (output: string, category = 'console') =>
      sessionAfter([
        ...launched('a', { sessionType: 'go' }),
        told('terminated'),
        told('output', { category, output }),
        ended(),
      ]);
    assert.deepEqual(
      [
        go('Process 32617 has exited with status 5\n').exitCode,
        go('Process 32617 has exited with status 5\n').end?.reason,
      ],
      [5, 'exited'],
    );
    assert.equal(go('Process 32617 has exited with status 0\n').exitCode, 0);
    assert.equal(go('Process 7 has exited with status -9\n').exitCode, -9, 'a signal ended it');
    assert.equal(
      go('Process 32617 has exited with status 5\n', 'stdout').exitCode,
      undefined,
      'the program itself',
    );
    assert.equal(go('job: Process 7 has exited with status 5\n').exitCode, undefined);
  });

  it('what lldb says when it has lost the program is no exit code: how it ended, or whether, nobody knows', () => {
    const lldb = (output: string, category = 'console') =>
      sessionAfter([
        ...launched('a', { sessionType: 'lldb-dap' }),
        told('output', { category, output }),
        told('exited', { exitCode: -1 }),
        told('terminated'),
        ended(),
      ]);
    const lost = lldb('Process 77 exited with status = -1 (0xffffffff) lost connection\n');
    assert.deepEqual(
      [lost.exitCode, lost.end?.reason, lost.end?.message],
      [undefined, 'programLost', 'lost connection'],
    );
    assert.equal(
      lldb(
        'Process 77 exited with status = -1 (0xffffffff) debugserver died with an exit status of 0x00000000\n',
      ).end?.reason,
      'programLost',
    );
    assert.deepEqual(
      [
        lldb('Process 77 exited with status = -1 (0xffffffff) \n').exitCode,
        lldb('Process 77 exited with status = -1 (0xffffffff) lost connection\n', 'stdout')
          .exitCode,
      ],
      [-1, -1],
      'nothing is lost there',
    );
    const words = told('output', {
      category: 'console',
      output: 'Process 77 exited with status = -1 (0xffffffff) lost connection\n',
    });
    assert.equal(
      sessionAfter([...launched(), words, ended()]).end?.reason,
      'terminated',
      'another debugger',
    );
    assert.equal(
      sessionAfter([
        ...launched('a', { sessionType: 'lldb-dap' }),
        asked(5, 'disconnect'),
        words,
        ended(),
      ]).end?.reason,
      'terminated',
      'it is being stopped',
    );
  });

  it('java-debug says 0 however the program ended, so that is no exit code', () => {
    const java = (exitCode: number) =>
      sessionAfter([
        ...launched('a', { sessionType: 'java' }),
        told('exited', { exitCode }),
        told('terminated'),
        ended(),
      ]);
    assert.equal(java(0).exitCode, undefined);
    assert.equal(java(4).exitCode, 4);
    assert.equal(
      sessionAfter([...launched(), told('exited', { exitCode: 0 }), ended()]).exitCode,
      0,
      'another debugger',
    );
  });

  it('terminated without exited is an ordinary end without an exit code', () => {
    const dying = sessionAfter([...launched(), stopped(1), told('terminated')]);
    assert.equal(dying.lifecycle, 'terminating');
    assert.deepEqual(held(dying), [], 'no thread is held any more');
    const session = sessionAfter([...launched(), told('terminated'), ended()]);
    assert.equal(session.exitCode, undefined);
    assert.equal(session.end?.reason, 'terminated');
    assert.equal(session.end.message, undefined);
  });

  it('an adapter that exits without terminated is gone, with its code or signal', () => {
    const byCode = sessionAfter([...launched(), exited(7)]);
    assert.equal(byCode.lifecycle, 'terminated');
    assert.equal(byCode.end?.reason, 'adapterGone');
    assert.match(byCode.end.message ?? '', /code 7/);
    assert.match(
      sessionAfter([...launched(), exited(undefined, 'SIGSEGV')]).end?.message ?? '',
      /SIGSEGV/,
    );
  });

  it('an adapter that exits after terminated or after a disconnect is no failure', () => {
    assert.equal(
      sessionAfter([...launched(), told('terminated'), exited(0)]).end?.reason,
      'terminated',
    );
    assert.equal(
      sessionAfter([...launched(), asked(5, 'disconnect'), exited(1)]).end?.reason,
      'terminated',
    );
  });

  it('a connection that fails after terminated is no failure', () => {
    const session = sessionAfter([
      ...launched(),
      told('terminated'),
      failed('connection closed'),
      ended(),
    ]);
    assert.equal(session.end?.reason, 'terminated');
  });

  it('a connection that fails out of the blue is what the session ended by, whatever comes after', () => {
    const session = sessionAfter([...launched(), failed('read ECONNRESET'), exited(1), ended()]);
    assert.equal(session.end?.reason, 'adapterGone');
    assert.equal(session.end.message, 'read ECONNRESET');
  });

  it('messages after the end change nothing', () => {
    const over = after([...launched(), ended()]);
    assert.equal(
      after(
        [
          stopped(1),
          told('exited', { exitCode: 1 }),
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

  it('events of a session that nobody created change nothing', () => {
    assert.equal(
      after([stopped(1, {}, 'unknown'), ended('unknown'), failed('x', 'unknown')]),
      EMPTY_STATE,
    );
  });

  it('a restart on the same key keeps the short id and counts stops on, but nothing else', () => {
    const before = after([
      ...launched(),
      stopped(1),
      told('exited', { exitCode: 0 }),
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

  it('a session that was found running is partly known, until a message of it tells of a stop', () => {
    const found = sessionAfter([created('a', { knowledge: 'partial' })]);
    assert.equal(found.lifecycle, 'running');
    assert.equal(found.knowledge, 'partial');
    assert.equal(
      sessionAfter([created('a', { knowledge: 'partial' }), stopped(1)]).knowledge,
      'full',
    );
  });

  it('being found does not overwrite what is known already', () => {
    const state = after([...launched(), stopped(1)]);
    assert.equal(after([created('a', { knowledge: 'partial' })], state), state);
  });

  it('the tracker’s session takes the place of the partly known one', () => {
    const session = sessionAfter([created('a', { knowledge: 'partial' }), created('a')]);
    assert.equal(session.knowledge, 'full');
    assert.equal(session.id, 's1');
    assert.equal(session.lifecycle, 'starting');
  });

  it('capabilities of initialize and of the event add up, newer ones win', () => {
    const session = sessionAfter([
      created(),
      asked(1, 'initialize'),
      answered(1, 'initialize', { supportsSetVariable: true, supportsStepBack: true }),
      told('capabilities', {
        capabilities: { supportsStepBack: false, supportsRestartFrame: true },
      }),
    ]);
    assert.deepEqual(session.capabilities, {
      supportsSetVariable: true,
      supportsStepBack: false,
      supportsRestartFrame: true,
    });
  });

  it('a refused initialize adds no capabilities', () => {
    assert.deepEqual(
      sessionAfter([created(), asked(1, 'initialize'), refused(1, 'initialize', 'no')])
        .capabilities,
      {},
    );
  });

  it('the process that the adapter names is known', () => {
    assert.deepEqual(
      sessionAfter([...launched(), told('process', { name: 'main.js', systemProcessId: 42 })])
        .process,
      { name: 'main.js', pid: 42 },
    );
  });

  it('an exited event without a code does not take away the code that was told', () => {
    const session = sessionAfter([
      ...launched(),
      told('exited', { exitCode: 3 }),
      told('exited', {}),
    ]);
    assert.equal(session.exitCode, 3);
  });

  it('looks are not kept, and their answers change nothing', () => {
    const state = after(launched());
    assert.equal(
      after([asked(8, 'stackTrace'), answered(8, 'stackTrace', { stackFrames: [] })], state),
      state,
    );
  });

  it('what may change a value begins an epoch when it is asked and when it is answered, and changes nothing else', () => {
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
