import { strict as assert } from 'node:assert';
import { Failure } from '../../../src/results/failure';
import { Superseded } from '../../../src/debugger/inspection/stopRequests';
import { Interrupted } from '../../../src/debugger/requests';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { Redactor } from '../../../src/results/redact';
import type { CheckedCall, Tool, ToolResult } from '../../../src/tools/defineTool';
import { errorResult, runTool } from '../../../src/tools/run';
import { MIN_BUDGET, MAX_BUDGET } from '../../../src/tools/schemas';
import { ADVANCED_INPUTS } from '../support/advancedInputs';
import { INVESTIGATION_INPUTS } from '../support/investigationInputs';
import { bench, type Bench } from '../support/services';

function tool(name: string): Tool {
  const found = ALL_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(found !== undefined);
  return found;
}

/** A tool that checks its input as `checks` does and runs `run`. */
function running(checks: Tool, run: CheckedCall['run']): Tool {
  return {
    ...checks,
    check: (input) => {
      const checked = checks.check(input);
      return {
        input: checked.input,
        doing: checked.doing,
        sid: checked.sid,
        consent: (services) => checked.consent(services),
        outside: (services) => checked.outside(services),
        question: (services) => checked.question(services),
        run,
      };
    },
  };
}

describe('errorResult', () => {
  it('returns a failure with its code, message, hint and data', () => {
    assert.deepEqual(errorResult(new Failure('no_session', 'words', 'next', { sessions: [] })), {
      status: 'error',
      code: 'no_session',
      message: 'words',
      hint: 'next',
      sessions: [],
    });
  });

  it('returns only status, code, message and hint for a failure without data', () => {
    assert.deepEqual(Object.keys(errorResult(new Failure('no_session', 'words', 'next'))), [
      'status',
      'code',
      'message',
      'hint',
    ]);
  });

  it('returns interrupted for a cancelled call, not an error', () => {
    assert.equal(errorResult(new Interrupted()).status, 'interrupted');
  });

  it('returns stale_reference if the program has moved on', () => {
    assert.equal(errorResult(new Superseded())['code'], 'stale_reference');
  });

  it('returns anything else as an internal error with its message', () => {
    for (const thrown of [new TypeError('broken'), 'broken']) {
      const result = errorResult(thrown);
      assert.deepEqual([result.status, result['code']], ['error', 'internal_error']);
      assert.match(String(result['message']), /broken/);
    }
  });
});

describe('runTool', () => {
  /** A settings file with this number of configurations. */
  const configurations = (length: number): Bench['workspace']['sources'] => [
    {
      kind: 'user_settings',
      folder: undefined,
      content: {
        value: {
          configurations: Array.from({ length }, (_, index) => ({
            name: `configuration ${index}`,
            type: 'test',
            request: 'launch',
          })),
        },
      },
    },
  ];

  it('runs only read-only tools in an untrusted workspace', async () => {
    const inputs: Readonly<Record<string, object>> = {
      start_debugging: { program: 'main.js' },
      continue_debugging: { thread_id: 1 },
      step_execution: { thread_id: 1, step_type: 'over' },
      set_breakpoint: { file_path: '/home/ada/app/main.js', line_number: 1 },
      remove_breakpoint: { clear_all: true },
      set_exception_breakpoints: { filters: [] },
      evaluate_expression: { expression: '1', frame_id: 1 },
      debug_test: { file_path: '/home/ada/app/main.js' },
      wait_for_stop: { trigger: { url: 'http://localhost/' } },
      trace_function: { function_name: 'main' },
      collect_values: { probes: [{ function_name: 'main', expressions: ['x'] }] },
      find_writer: { expression: 'x', frame_id: 1 },
      go_back: { stop_id: 1 },
      what_ran: { file_path: 'sum.test.js' },
      get_scopes: { frame_id: 1 },
      get_variables: { variables_reference: 1 },
      ...ADVANCED_INPUTS,
      ...INVESTIGATION_INPUTS,
    };
    for (const declared of ALL_TOOLS) {
      const on = bench();
      on.workspace.trusted = false;
      const result = await runTool(declared, inputs[declared.name] ?? {}, on.services, on.call);
      assert.equal(
        result['code'] === 'workspace_not_trusted',
        declared.effect !== 'read',
        `${declared.name}: ${JSON.stringify(result)}`,
      );
      assert.equal(
        on.host.requests.length + on.host.moves.length + on.host.breakpoints().length,
        0,
      );
    }
  });

  it('does nothing for a call that was cancelled before it ran', async () => {
    const on = bench();
    on.cancel();
    assert.equal(
      (
        await runTool(
          tool('set_breakpoint'),
          { file_path: '/home/ada/app/main.js', line_number: 1 },
          on.services,
          on.call,
        )
      ).status,
      'interrupted',
    );
    assert.equal(on.host.breakpoints().length, 0);
  });

  it('changes nothing for invalid input', async () => {
    const on = bench();
    assert.equal(
      (
        await runTool(
          tool('set_breakpoint'),
          { file_path: '/home/ada/app/main.js', line_number: 1, colour: 'red' },
          on.services,
          on.call,
        )
      )['code'],
      'invalid_input',
    );
    assert.equal(on.host.breakpoints().length, 0);
  });

  it('fits the answer to the caller’s budget', async () => {
    const on = bench();
    on.workspace.sources = configurations(200);
    const result = await runTool(tool('get_debugger_configurations'), {}, on.services, {
      ...on.call,
      maxChars: 2000,
    });
    assert.equal(result.status, 'success');
    assert.ok(JSON.stringify(result).length <= 2000);
  });

  /** A tool that always answers with this result. */
  const answering = (result: ToolResult): Tool =>
    running(tool('get_breakpoints'), () => Promise.resolve(result));

  it('uses the call’s own budget if it is in range, otherwise its caller’s', async () => {
    const on = bench();
    on.workspace.sources = configurations(3000);
    const configurationsOf = tool('get_debugger_configurations');
    const any: Tool = { ...configurationsOf, check: () => configurationsOf.check({}) };
    const lengthFor = async (max_chars?: number): Promise<number> =>
      JSON.stringify(await runTool(any, { max_chars }, on.services, { ...on.call, maxChars: 5000 }))
        .length;
    const near = (length: number, budget: number): boolean =>
      length <= budget && length > 0.8 * budget;
    for (const [asked, budget] of [
      [undefined, 5000],
      [MIN_BUDGET, MIN_BUDGET],
      [MIN_BUDGET - 1, 5000],
      [MAX_BUDGET, MAX_BUDGET],
      [MAX_BUDGET + 1, 5000],
    ] as const) {
      const length = await lengthFor(asked);
      assert.ok(near(length, budget), `${asked}: ${length} characters of ${budget}`);
    }
  });

  it('withholds an answer that cannot be checked for credentials, with the reason', async () => {
    const on = bench();
    const secret = answering({ status: 'success', text: 'hunter2' });
    for (const [thrown, code, message] of [
      [new Error('no memory'), 'internal_error', /withheld \(no memory\)/],
      [new Failure('redaction_failed', 'takes too long', ''), 'redaction_failed', /too long/],
    ] as const) {
      on.services.redactor.redact = () => Promise.reject(thrown);
      const result = await runTool(secret, {}, on.services, on.call);
      assert.deepEqual([result.status, result['code']], ['error', code]);
      assert.match(String(result['message']), message);
      assert.doesNotMatch(JSON.stringify(result), /hunter2/);
    }
  });

  it('does nothing if answers cannot be checked at all, and says so', async () => {
    const on = bench();
    let runs = 0;
    const counted = running(tool('get_breakpoints'), () => {
      runs += 1;
      return Promise.resolve({ status: 'success' });
    });
    const redactor = new Redactor(() => ({ enabled: true, patterns: ['('] }));
    const result = await runTool(counted, {}, { ...on.services, redactor }, on.call);
    assert.deepEqual([result['code'], runs], ['redaction_failed', 0]);
    assert.match(String(result['hint']), /Nothing was done/);
  });

  it('redacts the result of an evaluation by its expression', async () => {
    const on = bench();
    const value = running(tool('evaluate_expression'), () =>
      Promise.resolve({ status: 'success', result: "'tea and cake'" }),
    );
    const input = { expression: 'process.env.DB_PASSWORD', frame_id: 1 };
    const result = await runTool(value, input, on.services, on.call);
    assert.match(String(result['result']), /redacted/, JSON.stringify(result));
  });

  it('returns an internal error for endlessly nested data', async () => {
    const endless: Record<string, unknown> = {};
    endless['inner'] = endless;
    const on = bench();
    const result = await runTool(
      answering({ status: 'success', endless }),
      {},
      on.services,
      on.call,
    );
    assert.deepEqual([result.status, result['code']], ['error', 'internal_error']);
  });

  it('reports its progress to the person and to its caller', async () => {
    for (const isHeard of [true, false]) {
      const on = bench();
      const [seen, heard]: [unknown[], string[]] = [[], []];
      const moving = running(tool('get_breakpoints'), (_services, call) => {
        seen.push(on.services.access.calls.map(({ doing }) => doing));
        call.progress?.('half of it');
        seen.push(on.services.access.calls.map(({ doing }) => doing));
        return Promise.resolve({ status: 'success' });
      });
      const progress = isHeard ? { progress: (doing: string) => heard.push(doing) } : {};
      const { status } = await runTool(moving, {}, on.services, { ...on.call, ...progress });
      assert.equal(status, 'success');
      assert.deepEqual([seen[1], heard], [['half of it'], isHeard ? ['half of it'] : []]);
      assert.notDeepEqual(seen[0], seen[1]);
      assert.deepEqual(on.services.access.calls, []);
    }
  });

  it('answers whatever a tool throws', async () => {
    const on = bench();
    on.workspace.launchSources = () => Promise.reject(new RangeError('disk on fire'));
    const result = await runTool(tool('get_debugger_configurations'), {}, on.services, on.call);
    assert.deepEqual([result.status, result['code']], ['error', 'internal_error']);
  });
});
