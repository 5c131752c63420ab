import { strict as assert } from 'node:assert';
import { asked, ended, eventOf, launched, sessionAfter } from '../../support/events';

describe('reducer: exit codes', () => {
  it('ends as exited if an exit code was reported', () => {
    const session = sessionAfter([
      ...launched(),
      eventOf('exited', { exitCode: 3 }),
      eventOf('terminated'),
      ended(),
    ]);
    assert.equal(session.lifecycle, 'terminated');
    assert.equal(session.exitCode, 3);
    assert.equal(session.end?.reason, 'exited');
  });

  it('takes the exit code that js-debug prints, and only from js-debug’s own output', () => {
    const node = (...events: readonly ReturnType<typeof eventOf>[]) =>
      sessionAfter([
        ...launched('a', { sessionType: 'pwa-node' }),
        ...events,
        eventOf('terminated'),
        ended(),
      ]);
    const printed = (output: string, category = 'stderr') =>
      eventOf('output', { category, output });
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

  it('takes the exit code that delve prints, also after terminated, and only from delve’s own output', () => {
    const go = (output: string, category = 'console') =>
      sessionAfter([
        ...launched('a', { sessionType: 'go' }),
        eventOf('terminated'),
        eventOf('output', { category, output }),
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

  it('takes no exit code from lldb’s report of a lost program: how it ended, or whether it did, is unknown', () => {
    const lldb = (output: string, category = 'console') =>
      sessionAfter([
        ...launched('a', { sessionType: 'lldb-dap' }),
        eventOf('output', { category, output }),
        eventOf('exited', { exitCode: -1 }),
        eventOf('terminated'),
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
    const answerText = eventOf('output', {
      category: 'console',
      output: 'Process 77 exited with status = -1 (0xffffffff) lost connection\n',
    });
    assert.equal(
      sessionAfter([...launched(), answerText, ended()]).end?.reason,
      'terminated',
      'another debugger',
    );
    assert.equal(
      sessionAfter([
        ...launched('a', { sessionType: 'lldb-dap' }),
        asked(5, 'disconnect'),
        answerText,
        ended(),
      ]).end?.reason,
      'terminated',
      'it is being stopped',
    );
  });

  it('ignores the exit code 0 of java-debug, which reports it however the program ended', () => {
    const java = (exitCode: number) =>
      sessionAfter([
        ...launched('a', { sessionType: 'java' }),
        eventOf('exited', { exitCode }),
        eventOf('terminated'),
        ended(),
      ]);
    assert.equal(java(0).exitCode, undefined);
    assert.equal(java(4).exitCode, 4);
    assert.equal(
      sessionAfter([...launched(), eventOf('exited', { exitCode: 0 }), ended()]).exitCode,
      0,
      'another debugger',
    );
  });
});
