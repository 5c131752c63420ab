import { strict as assert } from 'node:assert';
import type { Settled } from '../../../../src/debugger/state/debugModel';
import { Superseded } from '../../../../src/debugger/inspection/inspector';
import {
  completed,
  ending,
  happening,
  outcomeOf,
  stopCounts,
  timedOut,
  waitMilliseconds,
  type Happening,
} from '../../../../src/tools/running/waiting';
import {
  after,
  answered,
  asked,
  created,
  ended,
  exited,
  failed,
  launched,
  refused,
  stopped,
  told,
} from '../../support/events';
import { never } from '../../support/fakeHost';
import { bench, family, paused, running, type Bench } from '../../support/services';

const NONE = new Map<string, number>();

describe('what a wait for the program finds', () => {
  const family = [
    created('parent'),
    ...launched('child', { parentKey: 'parent' }),
    ...launched('other'),
  ];

  it('nothing while all runs', () => {
    assert.equal(happening(after(family), 'parent', NONE), undefined);
  });

  it('a stop anywhere in the tree, from wherever it is looked at', () => {
    const state = after([...family, stopped(1, { reason: 'some unheard-of reason' }, 'child')]);
    for (const key of ['parent', 'child']) {
      const found = happening(state, key, NONE);
      assert.deepEqual(
        [
          found?.kind,
          found?.kind === 'stopped' && found.sessionKey,
          found?.kind === 'stopped' && found.stop.id,
        ],
        ['stopped', 'child', 1],
      );
    }
    assert.equal(happening(state, 'other', NONE), undefined, 'not a stop in another tree');
  });

  it('only a newer stop than those that are known', () => {
    const state = after([...family, stopped(1, {}, 'child')]);
    assert.equal(happening(state, 'child', stopCounts(state)), undefined);
    assert.equal(
      happening(after([stopped(1, {}, 'child')], state), 'child', stopCounts(state))?.kind,
      'stopped',
    );
  });

  it('not a stop that the program has left again', () => {
    assert.equal(
      happening(
        after([...family, stopped(1, {}, 'child'), told('continued', {}, 'child')]),
        'child',
        NONE,
      ),
      undefined,
    );
  });

  it('the end of the whole tree, not of one session of it', () => {
    const childGone = after([...family, ended('child')]);
    assert.equal(happening(childGone, 'parent', NONE), undefined);
    assert.equal(happening(childGone, 'child', NONE), undefined);
    assert.equal(
      happening(after([...family, ended('parent')]), 'parent', NONE),
      undefined,
      'the child lives on',
    );
    assert.deepEqual(happening(after([ended('parent')], childGone), 'child', NONE), {
      kind: 'ended',
      rootKey: 'parent',
    });
  });

  it('a sibling that was already stopped, once the resumed session or thread is gone', () => {
    const siblings = after([
      created('parent'),
      ...launched('one', { parentKey: 'parent' }),
      ...launched('two', { parentKey: 'parent' }),
      stopped(1, {}, 'one'),
      stopped(5, {}, 'two'),
    ]);
    const since = stopCounts(siblings);
    const resumed = after([told('continued', { threadId: 1 }, 'one')], siblings);
    assert.equal(happening(resumed, 'one', since, 1), undefined, 'the resumed program still runs');
    const found = happening(after([ended('one')], resumed), 'one', since, 1);
    assert.deepEqual(
      [found?.kind, found?.kind === 'stopped' && found.sessionKey],
      ['stopped', 'two'],
    );
    const threads = after([...launched(), stopped(1), stopped(2)]);
    const gone = after(
      [
        told('continued', { threadId: 2, allThreadsContinued: false }),
        told('thread', { reason: 'exited', threadId: 2 }),
      ],
      threads,
    );
    assert.equal(happening(gone, 'a', stopCounts(threads), 2)?.kind, 'stopped');
    assert.equal(
      happening(gone, 'a', stopCounts(threads)),
      undefined,
      'nothing new when no thread was resumed',
    );
  });

  it('a stop of a child that outlives its parent', () => {
    assert.equal(
      happening(after([...family, ended('parent'), stopped(1, {}, 'child')]), 'parent', NONE)?.kind,
      'stopped',
    );
  });

  it('a session that nobody knows has ended', () => {
    assert.deepEqual(happening(after(family), 'forgotten', NONE), {
      kind: 'ended',
      rootKey: 'forgotten',
    });
  });

  it('stops of before a restart are not taken for new ones', () => {
    const before = after([...launched(), stopped(1), ended()]);
    const since = stopCounts(before);
    const again = after(launched(), before);
    assert.equal(happening(again, 'a', since), undefined);
    assert.equal(happening(after([stopped(1)], again), 'a', since)?.kind, 'stopped');
  });
});

describe('how long a call waits', () => {
  it('as long as it asks for, but no longer than its caller may', () => {
    const { call } = bench();
    assert.equal(waitMilliseconds(30, call), 30_000);
    assert.equal(waitMilliseconds(300, { ...call, maxWaitSeconds: 45 }), 45_000);
  });
});

describe('how a wait that ended first is told', () => {
  it('a program that runs is running; one that its debugger has not started or found yet is not said to be', () => {
    assert.match(
      timedOut(running(bench()).services, 'a').message ?? '',
      /still running.*pause_debugging/,
    );
    const on = bench();
    for (const event of [created(), asked(1, 'attach')]) on.model.dispatch(event);
    const { message = '' } = timedOut(on.services, 'a');
    assert.match(message, /still starting.*stop_debugging/);
    assert.doesNotMatch(message, /running|pause_debugging/);
  });
});

describe('how the end is told', () => {
  const over = (on: Bench, ...events: readonly ReturnType<typeof ended>[]) => {
    for (const event of events) on.model.dispatch(event);
    return completed(on.services, 'a');
  };

  it('with the exit code where there is one, a child’s as well', () => {
    assert.deepEqual(over(running(bench()), told('exited', { exitCode: 0 }), ended()), {
      status: 'completed',
      message: 'The debug session ended normally.',
      session_id: 's1',
      exit_code: 0,
    });
    const on = running(running(bench()), 'b', 'a');
    const failed = over(on, told('exited', { exitCode: 3 }, 'b'), ended('b'), ended());
    assert.deepEqual(
      [failed.status, failed.exit_code, failed.message],
      ['completed', 3, 'The program ended with exit code 3.'],
    );
    assert.equal('exit_code' in over(running(bench()), told('terminated'), ended()), false);
  });

  it('without an exit code is never said to be normal, and says where to look', () => {
    const end = (more: object, ...events: readonly ReturnType<typeof ended>[]) => {
      const on = bench();
      for (const event of [
        created('a', more),
        asked(1, 'launch'),
        answered(1, 'launch'),
        ...events,
        told('terminated'),
        ended(),
      ])
        on.model.dispatch(event);
      return completed(on.services, 'a');
    };
    for (const [more, hint] of [
      [{ sessionType: 'java' }, /what the program printed/],
      [{ sessionType: 'pwa-node' }, /what the program printed/],
      [
        {
          sessionType: 'pwa-node',
          configuration: { request: 'launch', console: 'externalTerminal' },
        },
        /integratedTerminal/,
      ],
      [{ sessionType: 'java', configuration: { request: 'attach' } }, /where this one was started/],
    ] as const) {
      const { message = '', hint: given = '' } = end(more);
      assert.match(message, /exit code is not known/);
      assert.doesNotMatch(message, /normal/);
      assert.match(given, hint);
    }
    const killed = end(
      { sessionType: 'pwa-node' },
      {
        type: 'program_exited',
        key: 'a',
        at: 2,
        code: undefined,
        signal: 'SIGKILL',
        by: 'process',
      },
    );
    assert.match(killed.message ?? '', /ended by the signal SIGKILL/);
  });

  it('waits for what the shell of its terminal reports, and no longer than until it does', async () => {
    const on = bench();
    for (const event of [
      created('a'),
      asked(1, 'launch'),
      answered(1, 'launch'),
      { type: 'terminal_output', key: 'a', at: 2, text: 'sum\n' } as const,
      told('terminated'),
      ended(),
    ])
      on.model.dispatch(event);
    const end = ending(on.services, on.call, 'a');
    on.model.dispatch({
      type: 'program_exited',
      key: 'a',
      at: 3,
      code: 2,
      signal: undefined,
      by: 'shell',
    });
    assert.equal((await end).exit_code, 2);
    const unknown = bench();
    for (const event of [
      created('a'),
      asked(1, 'launch'),
      answered(1, 'launch'),
      { type: 'terminal_output', key: 'a', at: 2, text: 'sum\n' } as const,
      told('terminated'),
      ended(),
    ])
      unknown.model.dispatch(event);
    const other = ending(unknown.services, unknown.call, 'a');
    unknown.model.dispatch({
      type: 'program_exited',
      key: 'a',
      at: 3,
      code: undefined,
      signal: undefined,
      by: 'shell',
    });
    assert.match((await other).message ?? '', /exit code is not known/);
  });

  it('that was asked for is told as that, and the code of a program that was killed is not told as its own end', () => {
    const afterAsking = (command: 'terminate' | 'disconnect', more: object = {}) => {
      const on = bench();
      for (const event of [
        created('a', more),
        asked(1, 'launch'),
        answered(1, 'launch'),
        asked(2, command),
        told('exited', { exitCode: 247 }),
        told('terminated'),
        asked(3, 'disconnect'),
        ended(),
      ])
        on.model.dispatch(event);
      return completed(on.services, 'a');
    };
    assert.deepEqual(afterAsking('terminate'), {
      status: 'completed',
      message:
        'Somebody ended the debug session (the person, or stop_debugging): the program did not end by itself.',
      session_id: 's1',
      exit_code: 247,
    });
    assert.match(afterAsking('disconnect').message ?? '', /did not end by itself/);
    assert.match(
      afterAsking('disconnect', { configuration: { request: 'attach' } }).message ?? '',
      /it was attached to may go on/,
    );
  });

  it('by itself is told as that, though somebody had let one of its children go', () => {
    const on = running(running(bench()), 'b', 'a');
    const result = over(
      on,
      asked(2, 'disconnect', {}, 'b'),
      ended('b'),
      told('exited', { exitCode: 3 }),
      told('terminated'),
      ended(),
    );
    assert.equal(result.message, 'The program ended with exit code 3.');
  });

  it('that was asked for is no exit in the state either', () => {
    const on = running(bench());
    over(on, asked(2, 'terminate'), told('exited', { exitCode: 247 }), told('terminated'), ended());
    assert.deepEqual(
      [on.model.state.sessions.get('a')?.end?.reason, on.model.state.sessions.get('a')?.exitCode],
      ['terminated', 247],
    );
  });

  it('by itself is told as that, though VS Code then disconnects', () => {
    for (const events of [
      [told('exited', { exitCode: 3 }), told('terminated')],
      [told('exited', { exitCode: 3 })],
    ]) {
      const result = over(running(bench()), ...events, asked(3, 'disconnect'), ended());
      assert.equal(result.message, 'The program ended with exit code 3.');
    }
  });

  it('with the output that nobody has been told yet', () => {
    const result = over(
      running(bench()),
      told('output', { category: 'stdout', output: 'bye\n' }),
      told('output', { category: 'stdout', output: 'no newline' }),
      ended(),
    );
    assert.deepEqual(result.output, ['bye', 'no newline']);
  });

  it('with what was thrown, though its stack trace is longer than what an answer shows', () => {
    const trace = Array.from(
      { length: 12 },
      (_, each) => `    at f${each} (/app/main.js:${each + 1}:3)`,
    );
    const print = (lines: readonly string[]) =>
      over(
        running(bench()),
        told('output', { category: 'stderr', output: `${lines.join('\n')}\n` }),
        ended(),
      );
    const result = print(['Error: broken', ...trace, 'bye']);
    assert.deepEqual(
      [result.output, result.omitted?.['output_lines']],
      [['Error: broken', ...trace.slice(0, 2), 'bye'], 10],
    );
    const short = ['Error: broken', ...trace.slice(0, 5), 'bye'];
    assert.deepEqual([print(short).output, print(short).omitted], [short, undefined]);
  });

  it('of a Node program that failed without a word, how its words can be read', () => {
    const hint = (
      more: object,
      printed: readonly [string, string] = ['stderr', 'Process exited with code 1'],
      exitCode = 1,
    ): string | undefined => {
      const on = bench();
      const configuration = {
        request: 'launch',
        console: 'internalConsole',
        outputCapture: 'console',
        ...more,
      };
      const events = [
        created('a', { sessionType: 'pwa-node', configuration }),
        asked(1, 'launch'),
        answered(1, 'launch'),
        told('output', { category: 'console', output: 'node --test\n' }),
        told('output', { category: printed[0], output: `${printed[1]}\n` }),
        told('exited', { exitCode }),
        told('terminated'),
        ended(),
      ];
      for (const event of events) on.model.dispatch(event);
      return completed(on.services, 'a').hint;
    };
    assert.match(hint({}) ?? '', /"outputCapture": "std"/);
    for (const more of [
      { outputCapture: 'std' },
      { console: 'integratedTerminal' },
      { request: 'attach' },
    ])
      assert.equal(hint(more), undefined);
    assert.equal(hint({}, ['stdout', 'not ok 1']), undefined);
    assert.equal(hint({}, ['stderr', 'Uncaught Error: x']), undefined);
    assert.equal(hint({}, undefined, 0), undefined);
  });

  it('an adapter that is gone is an error with its words', () => {
    const result = over(running(bench()), failed('read ECONNRESET'), ended());
    assert.deepEqual([result.status, result.code], ['error', 'adapter_error']);
    assert.match(result.message ?? '', /ECONNRESET/);
    assert.match(over(running(bench()), exited(1)).message ?? '', /code 1/);
  });

  it('a program that lldb has lost is an error: it may still run', () => {
    const on = bench();
    const events = [
      created('a', { sessionType: 'lldb-dap' }),
      asked(1, 'launch'),
      answered(1, 'launch'),
      told('output', {
        category: 'console',
        output: 'Process 7 exited with status = -1 (0xffffffff) lost connection\n',
      }),
      told('exited', { exitCode: -1 }),
      told('terminated'),
      ended(),
    ];
    for (const event of events) on.model.dispatch(event);
    const result = completed(on.services, 'a');
    assert.deepEqual(
      [result.status, result.code, 'exit_code' in result],
      ['error', 'adapter_error', false],
    );
    assert.match(result.message ?? '', /may still run: lost connection/);
  });

  it('a launch that was refused is an error with the adapter’s words', () => {
    const result = over(
      bench(),
      created(),
      asked(1, 'launch'),
      refused(1, 'launch', 'program does not exist'),
      ended(),
    );
    assert.deepEqual([result.status, result.code], ['error', 'launch_failed']);
    assert.match(result.message ?? '', /program does not exist/);
    const words =
      'Error processing attach: Error: Could not connect\n\tat /opt/js-debug/src/extension.js:108:39477\n\tat async Promise.all (index 7)\n\tat async n (/opt/js-debug/src/extension.js:113:3639)';
    assert.match(
      over(bench(), created(), asked(1, 'attach'), refused(1, 'attach', words), ended()).message ??
        '',
      /Could not connect$/,
    );
  });

  it('a session that has been forgotten ended, nobody knows how', () => {
    assert.equal(completed(bench().services, 'forgotten').status, 'completed');
  });
});

describe('the outcome of a wait', () => {
  const found = (
    on: Bench,
    key = 'a',
  ): { settled: Promise<Settled<Happening>>; abandon: () => void } => {
    const value = happening(on.model.state, key, NONE);
    return {
      settled: Promise.resolve(
        value === undefined ? { kind: 'timeout' } : { kind: 'found', value },
      ),
      abandon: () => undefined,
    };
  };

  it('a stop is told with its place', async () => {
    const on = paused(bench());
    const outcome = await outcomeOf(on.services, on.call, 'a', found(on), performance.now() + 1000);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.line], ['stopped', 3]);
  });

  it('a time-out and a cancelled wait say that the program goes on', async () => {
    const on = running(bench());
    const wait = (kind: 'timeout' | 'cancelled') =>
      outcomeOf(
        on.services,
        on.call,
        'a',
        { settled: Promise.resolve({ kind }), abandon: () => undefined },
        performance.now(),
      );
    const timeout = await wait('timeout');
    assert.deepEqual([timeout.status, timeout.session_id], ['timeout', 's1']);
    assert.match(timeout.message ?? '', /wait_for_stop/);
    assert.equal((await wait('cancelled')).status, 'interrupted');
  });

  it('a time-out tells what was printed meanwhile, once', async () => {
    const on = running(bench());
    const timeout = () =>
      outcomeOf(
        on.services,
        on.call,
        'a',
        { settled: Promise.resolve({ kind: 'timeout' }), abandon: () => undefined },
        performance.now(),
      );
    on.model.dispatch(told('output', { category: 'stdout', output: 'listening on 3000\n' }));
    assert.deepEqual((await timeout()).output, ['listening on 3000']);
    assert.equal('output' in (await timeout()), false);
    for (let line = 1; line <= 10; line += 1)
      on.model.dispatch(told('output', { category: 'stdout', output: `${line}\n` }));
    assert.deepEqual((await timeout()).omitted, {
      output_lines: 2,
      fetch_output_lines: 'get_debug_output',
    });
  });

  it('a stop that was left during the report gives way to the next one', async () => {
    const on = paused(bench());
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      if (asks === 1) {
        on.host.emit('continued', { threadId: 1 });
        on.host.emit('stopped', { reason: 'step', threadId: 1 });
      }
      return { scopes: [] };
    });
    const outcome = await outcomeOf(on.services, on.call, 'a', found(on), performance.now() + 1000);
    assert.deepEqual(
      [outcome.status, outcome.stop_event_data?.stop_id, outcome.stop_event_data?.reason],
      ['stopped', 2, 'step'],
    );
    assert.equal(on.model.listenerCount, 0);
  });

  for (const command of ['stackTrace', 'scopes', 'variables']) {
    it(`a program that ends while it is asked for ${command} is told as ended`, async () => {
      const on = paused(bench());
      on.host.on(command, () => {
        for (const event of [told('exited', { exitCode: 0 }), told('terminated'), ended()])
          on.model.dispatch(event);
        return never();
      });
      const outcome = await outcomeOf(
        on.services,
        on.call,
        'a',
        found(on),
        performance.now() + 1000,
      );
      assert.deepEqual(
        [outcome.status, outcome.code, outcome.exit_code],
        ['completed', undefined, 0],
      );
      assert.equal(on.model.listenerCount, 0);
    });
  }

  it('a stop whose values become invalid during the report is told all the same', async () => {
    const on = paused(bench());
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      if (asks === 1) on.host.emit('invalidated', { areas: ['variables'] });
      return { scopes: [] };
    });
    const outcome = await outcomeOf(on.services, on.call, 'a', found(on), performance.now() + 50);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.stop_id], ['stopped', 1]);
  });

  it('when only the reported thread goes on, another that is still held is told', async () => {
    const on = paused(paused(bench(), 'a', 1), 'b', 9);
    on.model.dispatch(stopped(2, { reason: 'breakpoint' }));
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      if (asks === 1) on.host.emit('continued', { threadId: 2, allThreadsContinued: false });
      return { scopes: [] };
    });
    const outcome = await outcomeOf(on.services, on.call, 'a', found(on), performance.now() + 50);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.thread_id], ['stopped', 1]);
  });

  it('a stop that names no thread is told of the first thread that it holds', async () => {
    const on = running(bench());
    on.model.dispatch(stopped(undefined, { reason: 'pause' }));
    const outcome = await outcomeOf(on.services, on.call, 'a', found(on), performance.now() + 1000);
    assert.deepEqual([outcome.status, outcome.stop_event_data?.thread_id], ['stopped', 1]);
    assert.equal(on.host.sent('threads').length, 1);
  });

  it('a stop that is superseded past the deadline is refused, not followed on and on', async () => {
    const on = paused(bench());
    let asks = 0;
    on.host.on('scopes', () => {
      asks += 1;
      on.host.emit('continued', { threadId: 1 });
      if (asks < 20) on.host.emit('stopped', { reason: 'step', threadId: 1 });
      return { scopes: [] };
    });
    await assert.rejects(
      outcomeOf(on.services, on.call, 'a', found(on), performance.now() - 1),
      Superseded,
    );
    assert.deepEqual([asks, on.model.listenerCount], [1, 0]);
  });

  it('a child’s stop is told as the child’s', async () => {
    const on = family(bench());
    on.model.dispatch(stopped(1, {}, 'child'));
    assert.equal(
      (
        await outcomeOf(
          on.services,
          on.call,
          'parent',
          found(on, 'parent'),
          performance.now() + 1000,
        )
      ).stop_event_data?.session_id,
      's2',
    );
  });
});
