import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { z } from 'zod';
import { Failure } from '../../../src/results/failure';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { defineTool, type Tool } from '../../../src/tools/defineTool';
import { failsWith } from '../support/services';

function tool(name: string): Tool {
  const found = ALL_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(found !== undefined);
  return found;
}

/** The message and the hint of the refusal. */
function refusal(name: string, input: unknown): { message: string; hint: string } {
  try {
    tool(name).check(input);
  } catch (error) {
    failsWith('invalid_input')(error);
    assert.ok(error instanceof Failure);
    return error;
  }
  return assert.fail(`${JSON.stringify(input)} was taken`);
}

describe('input', () => {
  it('receives its defaults; a missing input counts as an empty one', () => {
    assert.deepEqual(tool('get_breakpoints').check(undefined).input, {});
    assert.deepEqual(tool('wait_for_stop').check(undefined).input, { timeout_seconds: 30 });
    assert.deepEqual(tool('step_execution').check({ thread_id: 0, step_type: 'over' }).input, {
      thread_id: 0,
      step_type: 'over',
      count: 1,
      timeout_seconds: 30,
    });
  });

  it('is refused if it is not an object', () => {
    for (const input of [null, [], 'text', 5, true])
      assert.match(refusal('get_breakpoints', input).message, /get_breakpoints/);
  });

  it('is refused with the name of an unknown parameter, and the list of parameters', () => {
    const { message, hint } = refusal('continue_debugging', { thread_id: 1, threadId: 1 });
    assert.match(message, /threadId/);
    assert.match(hint, /thread_id, session_id, until_line, file_path, trigger, timeout_seconds/);
    assert.match(hint, /Nothing was changed/);
  });

  it('is refused with the name of an unknown nested parameter, too', () => {
    assert.match(
      refusal('remove_breakpoint', { location: { file_path: 'a.js', line_number: 1, line: 2 } })
        .message,
      /location: .*"line"/,
    );
  });

  it('is refused with the name of a missing, mistyped or out-of-range parameter, and the expected value', () => {
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

  it('is refused with the path of a nested parameter, and with “none” if the tool has no parameters', () => {
    assert.match(
      refusal('remove_breakpoint', { location: { file_path: 'a.js', line_number: 'x' } }).message,
      /location\.line_number: /,
    );
    const without = defineTool({
      name: 'without',
      set: 'core',
      effect: 'read',
      title: '',
      userDescription: '',
      modelDescription: '',
      icon: '',
      input: z.strictObject({}),
      output: z.object({ status: z.string() }),
      needs: 'nothing',
      doing: () => '',
      run: async () => ({ status: 'success' }),
    });
    assert.throws(() => without.check({ any: 1 }), { hint: /Parameters: none\./ });
  });

  it('is refused with the first five of many errors, listed separately', () => {
    const { message } = refusal('step_execution', {
      thread_id: 'x',
      step_type: 'x',
      session_id: 1,
      count: 'x',
      timeout_seconds: 'x',
      max_chars: 'x',
    });
    assert.equal(message.split('; ').length, 5, message);
    assert.doesNotMatch(message, /max_chars/);
  });

  it('is refused with a short message, whatever the input', () => {
    const input = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`${'k'.repeat(500)}${index}`, index]),
    );
    assert.ok(refusal('get_breakpoints', input).message.length < 2000);
  });

  it('is accepted or refused as invalid input for any JSON, and nothing else is thrown', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ALL_TOOLS),
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
        (anyTool, input) => {
          try {
            anyTool.check(input);
          } catch (error) {
            failsWith('invalid_input')(error);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
