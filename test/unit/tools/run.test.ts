import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { Failure } from '../../../src/results/failure';
import { Superseded } from '../../../src/debugger/inspection/inspector';
import { Interrupted } from '../../../src/debugger/requests';
import { TOOLS } from '../../../src/tools/catalog';
import type { Tool } from '../../../src/tools/defineTool';
import { checkInput, errorResult, runTool } from '../../../src/tools/run';
import { bench, failsWith } from '../support/services';

function tool(name: string): Tool {
  const found = TOOLS.find((each) => each.name === name);
  assert.ok(found !== undefined);
  return found;
}

/** The words and the hint of the refusal. */
function refusal(name: string, input: unknown): { message: string; hint: string } {
  try {
    checkInput(tool(name), input);
  } catch (error) {
    failsWith('invalid_input')(error);
    assert.ok(error instanceof Failure);
    return error;
  }
  return assert.fail(`${JSON.stringify(input)} was taken`);
}

describe('input', () => {
  it('defaults are filled in, and no input at all is an empty one', () => {
    assert.deepEqual(checkInput(tool('get_breakpoints'), undefined), {});
    assert.deepEqual(checkInput(tool('wait_for_stop'), undefined), { timeout_seconds: 30 });
    assert.deepEqual(checkInput(tool('step_execution'), { thread_id: 0, step_type: 'over' }), {
      thread_id: 0,
      step_type: 'over',
      count: 1,
      timeout_seconds: 30,
    });
  });

  it('what is no object is refused', () => {
    for (const input of [null, [], 'text', 5, true])
      assert.match(refusal('get_breakpoints', input).message, /get_breakpoints/);
  });

  it('an unknown parameter is named, with those there are', () => {
    const { message, hint } = refusal('continue_debugging', { thread_id: 1, threadId: 1 });
    assert.match(message, /threadId/);
    assert.match(hint, /thread_id, session_id, until_line, file_path, timeout_seconds/);
    assert.match(hint, /Nothing was changed/);
  });

  it('an unknown parameter inside a parameter is named, too', () => {
    assert.match(
      refusal('remove_breakpoint', { location: { file_path: 'a.js', line_number: 1, line: 2 } })
        .message,
      /location: .*"line"/,
    );
  });

  it('a missing, mistyped or out-of-range parameter is named with what was expected', () => {
    assert.match(
      refusal('step_execution', { thread_id: 1 }).message,
      /step_type: .*"over".*"into".*"out"/,
    );
    assert.match(
      refusal('continue_debugging', { thread_id: '1' }).message,
      /thread_id: .*number.*string/,
    );
    assert.match(
      refusal('wait_for_stop', { timeout_seconds: 301 }).message,
      /timeout_seconds: .*300/,
    );
    assert.match(refusal('wait_for_stop', { timeout_seconds: 0 }).message, /timeout_seconds: .*1/);
    assert.match(refusal('get_call_stack', { levels: 1.5 }).message, /levels: .*int/);
  });

  it('a refusal stays short, whatever it was given', () => {
    const input = Object.fromEntries(
      Array.from({ length: 1000 }, (_, each) => [`${'k'.repeat(500)}${each}`, each]),
    );
    assert.ok(refusal('get_breakpoints', input).message.length < 2000);
  });

  it('any JSON is taken or refused as invalid input, and nothing else is thrown', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TOOLS),
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.constantFrom(
              'thread_id',
              'session_id',
              'timeout_seconds',
              'file_path',
              'expression',
              'frame_id',
              'location',
              'args',
              'env',
              '__proto__',
            ),
            fc.jsonValue(),
          ),
        ),
        (each, input) => {
          try {
            checkInput(each, input);
          } catch (error) {
            failsWith('invalid_input')(error);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('errors become answers', () => {
  it('a failure with its code, words, hint and facts', () => {
    assert.deepEqual(errorResult(new Failure('no_session', 'words', 'next', { sessions: [] })), {
      status: 'error',
      code: 'no_session',
      message: 'words',
      hint: 'next',
      sessions: [],
    });
  });

  it('a failure’s facts cannot pass for another status', () => {
    assert.deepEqual(Object.keys(errorResult(new Failure('no_session', 'words', 'next'))), [
      'status',
      'code',
      'message',
      'hint',
    ]);
  });

  it('cancelling is interrupted, not an error', () => {
    assert.equal(errorResult(new Interrupted()).status, 'interrupted');
  });

  it('a program that moved on makes what was asked stale', () => {
    assert.equal(errorResult(new Superseded())['code'], 'stale_reference');
  });

  it('anything else is an internal error with its words', () => {
    for (const thrown of [new TypeError('broken'), 'broken']) {
      const result = errorResult(thrown);
      assert.deepEqual([result.status, result['code']], ['error', 'internal_error']);
      assert.match(String(result['message']), /broken/);
    }
  });
});

describe('runs', () => {
  it('in an untrusted workspace only reading tools run', async () => {
    const inputs: Readonly<Record<string, object>> = {
      start_debugging: { program: 'main.js' },
      continue_debugging: { thread_id: 1 },
      step_execution: { thread_id: 1, step_type: 'over' },
      set_breakpoint: { file_path: '/home/ada/app/main.js', line_number: 1 },
      remove_breakpoint: { clear_all: true },
      set_exception_breakpoints: { filters: [] },
      evaluate_expression: { expression: '1', frame_id: 1 },
      get_scopes: { frame_id: 1 },
      get_variables: { variables_reference: 1 },
    };
    for (const each of TOOLS) {
      const on = bench();
      on.workspace.trusted = false;
      const result = await runTool(each, inputs[each.name] ?? {}, on.services, on.call);
      assert.equal(
        result['code'] === 'workspace_not_trusted',
        each.effect !== 'read',
        `${each.name}: ${JSON.stringify(result)}`,
      );
      assert.equal(
        on.host.requests.length + on.host.moves.length + on.host.breakpoints().length,
        0,
      );
    }
  });

  it('a call that was cancelled before it ran does nothing', async () => {
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

  it('wrong input changes nothing', async () => {
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

  it('the answer is fitted to the caller’s budget', async () => {
    const on = bench();
    on.workspace.sources = [
      {
        kind: 'user_settings',
        folder: undefined,
        content: {
          value: {
            configurations: Array.from({ length: 200 }, (_, each) => ({
              name: `configuration ${each}`,
              type: 'test',
              request: 'launch',
            })),
          },
        },
      },
    ];
    const result = await runTool(tool('get_debugger_configurations'), {}, on.services, {
      ...on.call,
      maxChars: 2000,
    });
    assert.equal(result.status, 'success');
    assert.ok(JSON.stringify(result).length <= 2000);
  });

  it('whatever a tool throws, the call answers', async () => {
    const on = bench();
    on.workspace.launchSources = () => Promise.reject(new RangeError('disk on fire'));
    const result = await runTool(tool('get_debugger_configurations'), {}, on.services, on.call);
    assert.deepEqual([result.status, result['code']], ['error', 'internal_error']);
  });
});
