import { strict as assert } from 'node:assert';
import { endResult, reportEnd } from '../../../../src/tools/reports/endReport';
import {
  answered,
  asked,
  created,
  ended,
  exited,
  failed,
  refused,
  eventOf,
} from '../../support/events';
import { bench, running, type Bench } from '../../support/services';

describe('the end report', () => {
  const over = (on: Bench, ...events: readonly ReturnType<typeof ended>[]) => {
    for (const event of events) on.model.dispatch(event);
    return endResult(on.services, 'a');
  };

  it('includes the exit code if there is one, also that of a child', () => {
    assert.deepEqual(over(running(bench()), eventOf('exited', { exitCode: 0 }), ended()), {
      status: 'completed',
      message: 'The debug session ended normally.',
      session_id: 's1',
      exit_code: 0,
    });
    const on = running(running(bench()), 'b', 'a');
    const failed = over(on, eventOf('exited', { exitCode: 3 }, 'b'), ended('b'), ended());
    assert.deepEqual(
      [failed.status, failed.exit_code, failed.message],
      ['completed', 3, 'The program ended with exit code 3.'],
    );
    assert.equal('exit_code' in over(running(bench()), eventOf('terminated'), ended()), false);
  });

  it('never reports an end without an exit code as normal, and hints at where to look', () => {
    const end = (more: object, ...events: readonly ReturnType<typeof ended>[]) => {
      const on = bench();
      for (const event of [
        created('a', more),
        asked(1, 'launch'),
        answered(1, 'launch'),
        ...events,
        eventOf('terminated'),
        ended(),
      ])
        on.model.dispatch(event);
      return endResult(on.services, 'a');
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
      assert.match(message, /exit code of the program is unknown/);
      assert.doesNotMatch(message, /normal/);
      assert.match(given, hint);
    }
    const killed = end(
      { sessionType: 'pwa-node' },
      {
        type: 'programExited',
        key: 'a',
        at: 2,
        code: undefined,
        signal: 'SIGKILL',
        by: 'process',
      },
    );
    assert.match(killed.message ?? '', /ended by signal SIGKILL/);
  });

  it('waits until the shell of its terminal reports the exit, and no longer', async () => {
    const endWith = async (code: number | undefined) => {
      const on = bench();
      for (const event of [
        created('a'),
        asked(1, 'launch'),
        answered(1, 'launch'),
        { type: 'terminalOutput', key: 'a', at: 2, text: 'sum\n' } as const,
        eventOf('terminated'),
        ended(),
      ])
        on.model.dispatch(event);
      const end = reportEnd(on.services, on.call, 'a');
      const reported = { type: 'programExited', key: 'a', at: 3, by: 'shell' } as const;
      on.model.dispatch({ ...reported, code, signal: undefined });
      return await end;
    };
    assert.equal((await endWith(2)).exit_code, 2);
    assert.match((await endWith(undefined)).message ?? '', /exit code of the program is unknown/);
  });

  it('reports a requested end as such, and does not report the code of a killed program as its own end', () => {
    const afterAsking = (command: 'terminate' | 'disconnect', more: object = {}) => {
      const on = bench();
      for (const event of [
        created('a', more),
        asked(1, 'launch'),
        answered(1, 'launch'),
        asked(2, command),
        eventOf('exited', { exitCode: 247 }),
        eventOf('terminated'),
        asked(3, 'disconnect'),
        ended(),
      ])
        on.model.dispatch(event);
      return endResult(on.services, 'a');
    };
    assert.deepEqual(afterAsking('terminate'), {
      status: 'completed',
      message:
        'The person or stop_debugging ended the debug session. The program did not end by itself.',
      session_id: 's1',
      exit_code: 247,
    });
    assert.match(afterAsking('disconnect').message ?? '', /did not end by itself/);
    assert.match(
      afterAsking('disconnect', { configuration: { request: 'attach' } }).message ?? '',
      /it was attached to may still run/,
    );
  });

  it('reports that the program ended by itself, even if one of its children was disconnected before', () => {
    const on = running(running(bench()), 'b', 'a');
    const result = over(
      on,
      asked(2, 'disconnect', {}, 'b'),
      ended('b'),
      eventOf('exited', { exitCode: 3 }),
      eventOf('terminated'),
      ended(),
    );
    assert.equal(result.message, 'The program ended with exit code 3.');
  });

  it('does not record a requested end as an exit in the state either', () => {
    const on = running(bench());
    over(
      on,
      asked(2, 'terminate'),
      eventOf('exited', { exitCode: 247 }),
      eventOf('terminated'),
      ended(),
    );
    assert.deepEqual(
      [on.model.state.sessions.get('a')?.end?.reason, on.model.state.sessions.get('a')?.exitCode],
      ['terminated', 247],
    );
  });

  it('reports that the program ended by itself, even if VS Code then disconnects', () => {
    for (const events of [
      [eventOf('exited', { exitCode: 3 }), eventOf('terminated')],
      [eventOf('exited', { exitCode: 3 })],
    ]) {
      const result = over(running(bench()), ...events, asked(3, 'disconnect'), ended());
      assert.equal(result.message, 'The program ended with exit code 3.');
    }
  });

  it('includes the output that has not been reported yet', () => {
    const result = over(
      running(bench()),
      eventOf('output', { category: 'stdout', output: 'bye\n' }),
      eventOf('output', { category: 'stdout', output: 'no newline' }),
      ended(),
    );
    assert.deepEqual(result.output, ['bye', 'no newline']);
  });

  it('includes the thrown error, even if its stack trace is longer than an answer shows', () => {
    const trace = Array.from(
      { length: 12 },
      (_, index) => `    at f${index} (/app/main.js:${index + 1}:3)`,
    );
    const print = (lines: readonly string[]) =>
      over(
        running(bench()),
        eventOf('output', { category: 'stderr', output: `${lines.join('\n')}\n` }),
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

  it('hints at how to read the output of a Node program that failed without output', () => {
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
        eventOf('output', { category: 'console', output: 'node --test\n' }),
        eventOf('output', { category: printed[0], output: `${printed[1]}\n` }),
        eventOf('exited', { exitCode }),
        eventOf('terminated'),
        ended(),
      ];
      for (const event of events) on.model.dispatch(event);
      return endResult(on.services, 'a').hint;
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

  it('reports an adapter that has ended as an error with its message', () => {
    const result = over(running(bench()), failed('read ECONNRESET'), ended());
    assert.deepEqual([result.status, result.code], ['error', 'adapter_error']);
    assert.match(result.message ?? '', /ECONNRESET/);
    assert.match(over(running(bench()), exited(1)).message ?? '', /code 1/);
  });

  it('reports a program that lldb has lost as an error, because it may still run', () => {
    const on = bench();
    const events = [
      created('a', { sessionType: 'lldb-dap' }),
      asked(1, 'launch'),
      answered(1, 'launch'),
      eventOf('output', {
        category: 'console',
        output: 'Process 7 exited with status = -1 (0xffffffff) lost connection\n',
      }),
      eventOf('exited', { exitCode: -1 }),
      eventOf('terminated'),
      ended(),
    ];
    for (const event of events) on.model.dispatch(event);
    const result = endResult(on.services, 'a');
    assert.deepEqual(
      [result.status, result.code, 'exit_code' in result],
      ['error', 'adapter_error', false],
    );
    assert.match(result.message ?? '', /may still run: lost connection/);
  });

  it('reports a refused launch as an error with the adapter’s message', () => {
    const result = over(
      bench(),
      created(),
      asked(1, 'launch'),
      refused(1, 'launch', 'program does not exist'),
      ended(),
    );
    assert.deepEqual([result.status, result.code], ['error', 'launch_failed']);
    assert.match(result.message ?? '', /program does not exist/);
    const reason =
      'Error processing attach: Error: Could not connect\n\tat /opt/js-debug/src/extension.js:108:39477\n\tat async Promise.all (index 7)\n\tat async n (/opt/js-debug/src/extension.js:113:3639)';
    assert.match(
      over(bench(), created(), asked(1, 'attach'), refused(1, 'attach', reason), ended()).message ??
        '',
      /Could not connect$/,
    );
  });

  it('reports a forgotten session as completed, without details', () => {
    assert.equal(endResult(bench().services, 'forgotten').status, 'completed');
  });
});
