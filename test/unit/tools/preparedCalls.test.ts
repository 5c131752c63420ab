import { strict as assert } from 'node:assert';
import { Failure } from '../../../src/results/failure';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import type { Tool, ToolResult } from '../../../src/tools/defineTool';
import { PreparedCalls, type Prepared } from '../../../src/tools/preparedCalls';
import { prepareCall, runTool } from '../../../src/tools/run';
import { ended, stopped, eventOf } from '../support/events';
import { bench, FILE, paused, running, type Bench } from '../support/services';

const asked = (about: string): Prepared => ({
  kind: 'asked',
  question: { title: 'Step', message: 'Step over', about },
});
const STEP = { thread_id: 1, step_type: 'over' };

function tool(name: string): Tool {
  const found = ALL_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(found !== undefined);
  return found;
}

/** Acts as VS Code does: asks, runs `meanwhile`, and makes the call. */
async function askAndCall(
  on: Bench,
  name: string,
  input: object,
  meanwhile: () => void,
  allows = false,
): Promise<{ prepared: Prepared; result: ToolResult }> {
  const { prepared } = await prepareCall(tool(name), input, on.services, () => allows);
  meanwhile();
  on.host.requests.length = 0;
  on.host.moves.length = 0;
  return {
    prepared,
    result: await runTool(tool(name), input, on.services, { ...on.call, prepared }),
  };
}

function refusedAs(on: Bench, { result }: { result: ToolResult }, code: string): void {
  assert.deepEqual([result.status, result['code']], ['error', code], JSON.stringify(result));
  assert.ok(String(result['hint']).length > 0);
  assert.deepEqual(on.host.moves, [], 'nothing was moved');
  assert.deepEqual(
    on.host.requests.filter((request) => request.command !== 'stackTrace'),
    [],
    'nothing but looks',
  );
}

function codeOf(taken: Prepared | undefined): string | undefined {
  return taken?.kind === 'refused' && taken.failure instanceof Failure
    ? taken.failure.code
    : undefined;
}

describe('prepared calls: changes between a question and its call', () => {
  const moves: readonly [string, object][] = [
    ['step_execution', STEP],
    ['continue_debugging', { thread_id: 1 }],
    ['continue_debugging', { thread_id: 1, file_path: FILE, until_line: 5 }],
  ];

  for (const [name, input] of moves) {
    it(`${name} ${JSON.stringify(input)}: is refused at a newer stop than the question’s`, async () => {
      const on = paused(bench());
      refusedAs(
        on,
        await askAndCall(on, name, input, () => on.model.dispatch(stopped(1))),
        'moved_meanwhile',
      );
      assert.deepEqual(on.host.breakpoints(), []);
    });

    it(`${name} ${JSON.stringify(input)}: is refused in another session than the question’s`, async () => {
      const on = paused(bench(), 'a');
      const outcome = await askAndCall(on, name, input, () => {
        on.model.dispatch(ended('a'));
        paused(on, 'b');
      });
      refusedAs(on, outcome, 'moved_meanwhile');
    });

    it(`${name} ${JSON.stringify(input)}: is refused if the program is running by then`, async () => {
      const on = paused(bench());
      refusedAs(
        on,
        await askAndCall(on, name, input, () =>
          on.model.dispatch(eventOf('continued', { threadId: 1 })),
        ),
        'moved_meanwhile',
      );
    });
  }

  it('performs a step at the same stop that the question was about', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      on.host.emit('stopped', { reason: 'step', threadId: 1 });
      return {};
    });
    assert.equal(
      (await askAndCall(on, 'step_execution', STEP, () => undefined)).result.status,
      'stopped',
    );
  });

  it('pauses and stops only the session that the question named', async () => {
    for (const name of ['pause_debugging', 'stop_debugging']) {
      const on = running(bench(), 'a');
      const stops: string[] = [];
      on.host.onStop = (key) => {
        stops.push(key);
        return Promise.resolve();
      };
      const outcome = await askAndCall(on, name, {}, () => {
        on.model.dispatch(ended('a'));
        running(on, 'b');
      });
      refusedAs(on, outcome, 'moved_meanwhile');
      assert.deepEqual(stops, []);
    }
  });

  it('reports the stop of a program that stopped by itself before it was paused', async () => {
    const on = running(bench());
    assert.equal(
      (
        await askAndCall(on, 'pause_debugging', {}, () =>
          on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 }),
        )
      ).result.status,
      'stopped',
    );
  });

  it('evaluates an expression only in the frame that the question named', async () => {
    const on = paused(bench());
    const frame = on.services.inspector.handles.frame(
      on.services.inspector.placeOf(on.session(), 1),
      10,
      { functionName: 'main', file: 'main.js', line: 3 },
    );
    refusedAs(
      on,
      await askAndCall(on, 'evaluate_expression', { expression: 'x', frame_id: frame }, () =>
        on.model.dispatch(stopped(1)),
      ),
      'stale_reference',
    );
  });

  it('sets a breakpoint only on the line whose text was shown', async () => {
    const on = bench();
    const set = { file_path: FILE, line_number: 3 };
    refusedAs(
      on,
      await askAndCall(on, 'set_breakpoint', set, () =>
        on.workspace.files.set(FILE, 'one\ntwo\nlaunch()\nthree'),
      ),
      'moved_meanwhile',
    );
    assert.deepEqual(on.host.breakpoints(), []);
    assert.equal(
      (await askAndCall(on, 'set_breakpoint', set, () => undefined)).result.status,
      'success',
    );
  });

  it('starts only the configuration that was shown', async () => {
    const on = bench();
    const started: unknown[] = [];
    on.host.onStart = (configuration) => {
      started.push(configuration);
      return Promise.resolve(false);
    };
    const holding = (program: string): void => {
      on.workspace.sources = [
        {
          kind: 'user_settings',
          folder: undefined,
          content: {
            value: { configurations: [{ name: 'Shop', type: 'test', request: 'launch', program }] },
          },
        },
      ];
    };
    holding('shop.js');
    refusedAs(
      on,
      await askAndCall(on, 'start_debugging', { configuration_name: 'Shop' }, () =>
        holding('/tmp/other.js'),
      ),
      'moved_meanwhile',
    );
    assert.deepEqual(started, []);
    assert.equal(
      (await askAndCall(on, 'start_debugging', { configuration_name: 'Shop' }, () => undefined))
        .result['code'],
      'start_cancelled',
    );
    assert.equal(started.length, 1);
  });

  it('does nothing for a call that asked nothing because it would fail, whatever has changed since', async () => {
    const on = bench();
    const outcome = await askAndCall(on, 'stop_debugging', {}, () => running(on));
    assert.equal(outcome.prepared.kind, 'refused');
    refusedAs(on, outcome, 'no_session');
    assert.equal(on.session().lifecycle, 'running');
  });

  it('asks nothing and does nothing in an untrusted workspace or after the person took over', async () => {
    const on = paused(bench());
    on.workspace.trusted = false;
    refusedAs(
      on,
      await askAndCall(on, 'step_execution', STEP, () => {
        on.workspace.trusted = true;
      }),
      'workspace_not_trusted',
    );
    on.services.access.setPaused(true);
    refusedAs(
      on,
      await askAndCall(on, 'step_execution', STEP, () => on.services.access.setPaused(false)),
      'person_took_over',
    );
  });

  it('does not ask about calls that the person has allowed in general, and moves the program from its current stop', async () => {
    const on = paused(bench());
    on.host.on('next', () => {
      on.host.emit('stopped', { reason: 'step', threadId: 1 });
      return {};
    });
    const outcome = await askAndCall(
      on,
      'step_execution',
      STEP,
      () => on.model.dispatch(stopped(1)),
      true,
    );
    assert.deepEqual([outcome.prepared.kind, outcome.result.status], ['allowed', 'stopped']);
  });

  it('prepares a read-only call without a question', async () => {
    const { doing, prepared } = await prepareCall(
      tool('get_debug_state'),
      {},
      bench().services,
      () => false,
    );
    assert.deepEqual([doing, prepared.kind], ['Reading the debug state', 'allowed']);
    assert.equal(
      (await prepareCall(tool('get_debug_state'), { nonsense: 1 }, bench().services, () => false))
        .prepared.kind,
      'refused',
    );
  });
});

describe('PreparedCalls: the question of a call', () => {
  it('is the one with its tool and input', () => {
    const calls = new PreparedCalls();
    calls.remember('step_execution', STEP, asked('1'));
    assert.equal(calls.take('continue_debugging', STEP), undefined);
    assert.equal(calls.take('step_execution', { ...STEP, count: 2 }), undefined);
    assert.deepEqual(calls.take('step_execution', STEP), asked('1'));
    assert.equal(calls.take('step_execution', STEP), undefined, 'once');
  });

  it('is found for each of several identical calls', () => {
    const calls = new PreparedCalls();
    for (const chat of ['one', 'one', 'other'])
      calls.remember('step_execution', STEP, asked('1'), chat);
    for (let call = 1; call <= 3; call += 1)
      assert.deepEqual(calls.take('step_execution', STEP), asked('1'));
    assert.equal(calls.take('step_execution', STEP), undefined);
  });

  it('is unknown if two chats have different ones for the same call, so neither call runs', () => {
    for (const chats of [
      ['one', 'other'],
      [undefined, undefined],
    ]) {
      const calls = new PreparedCalls();
      calls.remember('step_execution', STEP, asked('1'), chats[0]);
      calls.remember('step_execution', STEP, asked('2'), chats[1]);
      const taken = calls.take('step_execution', STEP);
      assert.equal(codeOf(taken), 'moved_meanwhile');
      assert.equal(calls.take('step_execution', STEP), undefined, 'asked anew, it is clear again');
    }
  });

  it('is replaced by the next one of its chat if it was skipped', () => {
    const calls = new PreparedCalls();
    calls.remember('step_execution', STEP, asked('1'), 'chat');
    calls.remember('step_execution', STEP, asked('2'), 'chat');
    assert.deepEqual(calls.take('step_execution', STEP), asked('2'));
    assert.equal(calls.take('step_execution', STEP), undefined);
  });

  it('differs between failed, allowed and asked calls', () => {
    const failure = new Failure('no_session', 'words', 'hint');
    const kinds: readonly Prepared[] = [
      asked('1'),
      { kind: 'allowed' },
      { kind: 'refused', failure },
      { kind: 'refused', failure: new Failure('not_stopped', 'words', 'hint') },
    ];
    for (const one of kinds) {
      for (const other of kinds) {
        const calls = new PreparedCalls();
        calls.remember('x', {}, one);
        calls.remember('x', {}, other);
        const taken = calls.take('x', {});
        assert.equal(codeOf(taken) === 'moved_meanwhile', one !== other);
      }
    }
  });

  it('is eventually forgotten if the call never arrives', () => {
    const calls = new PreparedCalls();
    calls.remember('first', {}, asked('1'));
    for (let call = 0; call < 100; call += 1) calls.remember('other', { call }, asked('1'));
    assert.equal(calls.take('first', {}), undefined);
    assert.deepEqual(calls.take('other', { call: 0 }), asked('1'));
  });
});
