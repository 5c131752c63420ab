import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Confirmation, type PersonsAnswer } from '../../../../src/mcp/server/confirmation';
import { callTool } from '../../../../src/mcp/server/toolCalls';
import { Redactor } from '../../../../src/results/redact';
import { ALL_TOOLS } from '../../../../src/tools/catalog';
import type { ToolResult } from '../../../../src/tools/defineTool';
import { ExposedTools } from '../../../../src/tools/exposed';
import { stopped } from '../../support/events';
import { never } from '../../support/fakeHost';
import { ADVANCED_INPUTS, capable } from '../../support/advancedInputs';
import { FakeInputFile } from '../../support/inputFiles';
import { bench, paused, running, type Bench } from '../../support/services';

/** Many clients give up a call after a minute. In seconds. */
const CLIENTS_PATIENCE = 60;

const caller = { name: 'test client' };
const LAUNCHES = {
  kind: 'user_settings',
  folder: undefined,
  content: {
    value: {
      configurations: [
        { name: 'Never up', type: 'test', request: 'launch' },
        { name: 'With a task', type: 'test', request: 'launch', preLaunchTask: 'build' },
      ],
    },
  },
} as const;

/** A bench with the time limits of the real product, whose adapter lets the program run. */
function slow(): Bench {
  const on = bench(15_000);
  on.workspace.sources = [LAUNCHES];
  on.host.onStart = never;
  for (const command of [
    'continue',
    'next',
    'pause',
    'goto',
    'restartFrame',
    'stepBack',
    'reverseContinue',
  ])
    on.host.on(command, () => ({}));
  return on;
}

describe('a call of an MCP client is answered before the client gives up', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now * 1000);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  /** Makes a call and advances the time second by second. @returns the result, and the seconds until it arrived */
  async function answerOf(
    on: Bench,
    name: string,
    input: object,
    {
      ask,
      at = {},
      begun,
    }: {
      ask?: () => Promise<PersonsAnswer>;
      at?: Readonly<Record<number, () => void>>;
      /** Resolves when the call has done what takes real time. */
      begun?: Promise<void> | undefined;
    } = {},
  ): Promise<{ result: ToolResult; seconds: number }> {
    const tool = ALL_TOOLS.find((each) => each.name === name);
    assert.ok(tool);
    const confirmation = new Confirmation({
      isRequired: () => ask !== undefined,
      ask: ask ?? never,
    });
    const services = {
      ...on.services,
      redactor: new Redactor(() => ({ enabled: false, patterns: [] })),
    };
    let result: ToolResult | undefined;
    const options = {
      version: '1',
      maxChars: () => 7500,
      log: () => undefined,
      tools: new ExposedTools(['core', 'trace', 'advanced']),
      confirmation,
    };
    const { signal } = new AbortController();
    const call = callTool({ tool, input, services, options, caller, signal }).then(
      (answer) => (result = answer),
    );
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 20 && result === undefined; turn += 1) await nextTurn();
    };
    await begun;
    await settle();
    while (result === undefined && now < 2 * CLIENTS_PATIENCE) {
      now += 1;
      mock.timers.tick(1000);
      at[now]?.();
      await settle();
    }
    assert.ok(result, `${name} is not answered at all`);
    await call;
    return { result, seconds: now };
  }

  const INPUTS: Readonly<Record<string, object>> = {
    start_debugging: { configuration_name: 'Never up' },
    continue_debugging: { thread_id: 1 },
    step_execution: { thread_id: 1, step_type: 'over' },
    pause_debugging: { thread_id: 1 },
    wait_for_stop: {},
    send_input: { text: 'yes' },
    ...ADVANCED_INPUTS,
    debug_test: { file_path: '/home/ada/app/sum.test.js' },
  };

  for (const { name } of ALL_TOOLS.filter((each) => 'timeout_seconds' in each.input.shape)) {
    it(`${name} waits at most 45 seconds, whatever timeout is requested, and its result says how to continue`, async () => {
      const on =
        name === 'pause_debugging' || name === 'wait_for_stop' || name === 'send_input'
          ? running(slow())
          : name === 'start_debugging' || name === 'debug_test'
            ? slow()
            : capable(paused(slow()));
      on.workspace.files.set(
        '/home/ada/app/sum.test.js',
        "import { it } from 'node:test';\nit('adds', () => {});\n",
      );
      on.services.inputs.keep(new FakeInputFile({ text: '', staysOpen: true }), {
        roots: () => [...on.model.state.sessions.values()],
        isComing: false,
      });
      if (name === 'continue_debugging' || name === 'step_execution')
        on.host.on('stackTrace', () => ({ stackFrames: [] }));
      on.host
        .on('gotoTargets', () => ({ targets: [{ id: 1, label: 'there', line: 5 }] }))
        .on('restart', never);
      // The tests of the file are read in another thread, before the program starts.
      const begun = new Promise<void>((resolve) => {
        on.host.onStart = async () => {
          resolve();
          return await never();
        };
      });
      const { result, seconds } = await answerOf(
        on,
        name,
        { ...INPUTS[name], timeout_seconds: 300 },
        { begun: name === 'debug_test' ? begun : undefined },
      );
      assert.equal(result.status, 'timeout', JSON.stringify(result));
      assert.match(
        [result['message'], result['hint']].join(' '),
        /wait_for_stop|get_debug_state|set a breakpoint|timeout_seconds/i,
      );
      assert.equal(seconds, 45);
    });
  }

  it('get_variables returns adapter_timeout if a getter never returns', async () => {
    const on = paused(slow());
    const { result: stop } = await answerOf(on, 'get_debug_state', {});
    assert.equal(stop.status, 'success');
    const place = on.services.inspector.placeOf(on.session(), 1);
    const variables_reference = on.services.inspector.handles.variables(place, 7, undefined);
    on.host.on('variables', never);
    const { result, seconds } = await answerOf(on, 'get_variables', { variables_reference });
    assert.equal(result['code'], 'adapter_timeout', JSON.stringify(result));
    assert.match(String(result['hint']), /stop_debugging/);
    assert.ok(seconds < 20, String(seconds));
  });

  it('a call with an unanswered question returns not_confirmed_yet after 35 seconds', async () => {
    const { result, seconds } = await answerOf(
      paused(slow()),
      'continue_debugging',
      { thread_id: 1, timeout_seconds: 300 },
      { ask: never },
    );
    assert.equal(result['code'], 'not_confirmed_yet');
    assert.match(String(result['hint']), /Repeat the call/);
    assert.equal(seconds, 35);
  });

  it('a call whose question is answered late counts the time until the answer as part of its wait', async () => {
    let allow: (answer: PersonsAnswer) => void = () => undefined;
    const ask = async (): Promise<PersonsAnswer> =>
      await new Promise((resolve) => (allow = resolve));
    const { result, seconds } = await answerOf(
      paused(slow()),
      'continue_debugging',
      { thread_id: 1, timeout_seconds: 300 },
      { ask, at: { 34: () => allow('allowed') } },
    );
    assert.equal(result.status, 'timeout', JSON.stringify(result));
    assert.equal(seconds, 45);
  });

  it('wait_for_stop returns call_timeout if the debugger does not describe a stop at the end of the wait', async () => {
    const on = running(slow());
    on.host.on('stackTrace', never).on('threads', never);
    const { result, seconds } = await answerOf(
      on,
      'wait_for_stop',
      { timeout_seconds: 300 },
      { at: { 44: () => on.model.dispatch(stopped(1, { reason: 'pause' })) } },
    );
    assert.equal(result['code'], 'call_timeout', JSON.stringify(result));
    assert.match(String(result['message']), /50/);
    assert.match(String(result['hint']), /get_debug_state/);
    assert.equal(seconds, 50);
    assert.equal(on.services.access.calls.length, 0);
  });

  it('start_debugging starts nothing if its preLaunchTask never runs', async () => {
    const on = slow();
    let starts = 0;
    on.host.onStart = () => Promise.resolve((starts += 1) > 0);
    on.workspace.runTask = never;
    const { result, seconds } = await answerOf(on, 'start_debugging', {
      configuration_name: 'With a task',
      timeout_seconds: 300,
    });
    assert.equal(result['code'], 'call_timeout', JSON.stringify(result));
    assert.equal(seconds, 50);
    assert.equal(starts, 0);
  });
});
