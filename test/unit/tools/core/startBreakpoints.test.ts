import { strict as assert } from 'node:assert';
import { fields, listOf, type Fields } from '../../../../src/debugger/protocol';
import { call } from '../../support/breakpointCalls';
import { answered, asked, ended, launched, stopped, eventOf } from '../../support/events';
import { bench, FILE, type Bench } from '../../support/services';

let keys = 0;

/** Makes VS Code start a program that is sent the breakpoint, stops there `hits` times, and ends if `isEnding`. */
function programs(on: Bench, hits: number, bound: object, isEnding = true): Bench {
  on.host.onStart = async (configuration) => {
    const key = `run ${(keys += 1)}`;
    for (const event of launched(key, { configuration })) on.model.dispatch(event);
    const breakpoints = on.host
      .breakpoints()
      .flatMap((breakpoint) => (breakpoint.kind === 'source' ? [{ line: breakpoint.line }] : []));
    on.model.dispatch(asked(50, 'setBreakpoints', { source: { path: FILE }, breakpoints }, key));
    on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [bound] }, key));
    for (let hit = 0; hit < hits; hit += 1) {
      on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [7] }, key));
      if (isEnding) on.model.dispatch(eventOf('continued', { threadId: 1 }, key));
    }
    if (isEnding) on.model.dispatch(ended(key));
    return true;
  };
  return on;
}

async function start(
  on: Bench,
  breakpoint: object = { line_number: 3 },
  more: object = {},
): Promise<Fields> {
  const answer = await call(on, 'start_debugging', {
    program: FILE,
    type: 'test',
    ...more,
    breakpoints: [{ file_path: FILE, ...breakpoint }],
  });
  const [only] = listOf(answer['breakpoints']);
  assert.ok(only !== undefined, JSON.stringify(answer));
  return fields(only);
}

describe('start_debugging: the breakpoints in its answer', () => {
  it('have, after the program has ended, the adapter’s response and the hits of this run only', async () => {
    const on = programs(bench(), 2, { id: 7, verified: true, line: 3 });
    const expected = { id: 1, verified: true, line: 3, line_text: 'three', hits: 2 };
    assert.deepEqual(await start(on), expected);
    assert.deepEqual(await start(on), expected);
    const [listed] = listOf((await call(on, 'get_breakpoints', {}))['breakpoints']);
    assert.equal(fields(listed)['hits'], 4, 'all runs together');
  });

  it('have the adapter’s message if it did not bind them', async () => {
    const on = programs(bench(), 0, { id: 7, verified: false, message: 'Unbound breakpoint' });
    assert.deepEqual(await start(on), {
      id: 1,
      verified: false,
      line: 3,
      line_text: 'three',
      message: 'Unbound breakpoint',
    });
  });

  it('are verified if they were hit in the run, whatever the adapter’s last response', async () => {
    const on = programs(bench(), 1, { id: 7, verified: false, message: 'Unbound breakpoint' });
    const { verified, message, hits } = await start(on);
    assert.deepEqual([verified, message, hits], [true, undefined, 1]);
  });

  it('name the line they are bound to if it is not the requested line', async () => {
    const on = programs(bench(), 1, { id: 7, verified: true, line: 5 });
    const { line, bound_line } = await start(on);
    assert.deepEqual([line, bound_line], [3, 5]);
  });

  it('are reported at a stop, too, without the text of the line if the caller passed it', async () => {
    const on = programs(bench(), 1, { id: 7, verified: true, line: 3 }, false);
    assert.deepEqual(await start(on, { line_content: 'three' }), {
      id: 1,
      verified: true,
      line: 3,
      hits: 1,
    });
  });

  it('have a hint about the line', async () => {
    const on = programs(bench(), 0, { id: 7, verified: true, line: 3 });
    assert.equal(
      (await start(on, { line_number: 2 }))['hint'],
      'The debugger moved it to line 3: three',
    );
  });

  it('have a hint that vitest holds back the output of a logpoint, if it does', async () => {
    const on = programs(bench(), 0, { id: 7, verified: true, line: 3 });
    const program = '/home/ada/app/node_modules/vitest/vitest.mjs';
    on.workspace.files.set(program, '');
    const hint = async (breakpoint: object, args: string[]): Promise<unknown> =>
      (await start(on, { line_number: 3, ...breakpoint }, { program, args }))['hint'];
    const log = { log_message: 'here' };
    assert.match(
      String(await hint(log, ['run'])),
      /^vitest prints the output of a test.*--disable-console-inter/,
    );
    assert.equal(await hint(log, ['run', '--disable-console-intercept']), undefined);
    assert.equal(await hint({}, ['run']), undefined);
    assert.equal((await start(on, { line_number: 3, ...log }))['hint'], undefined);
  });

  it('are refused if two are for one line, and nothing is set: one would silently replace the other', async () => {
    const on = programs(bench(), 0, { id: 7, verified: true, line: 3 });
    const answer = await call(on, 'start_debugging', {
      program: FILE,
      type: 'test',
      breakpoints: [
        { file_path: FILE, line_number: 2 },
        { file_path: FILE, line_content: 'three', log_message: 'here' },
        { file_path: FILE, line_number: 3, condition: 'x' },
      ],
    });
    assert.equal(answer['code'], 'invalid_input', JSON.stringify(answer));
    assert.match(String(answer['message']), /main\.js:3 twice/);
    assert.deepEqual(on.host.breakpoints(), []);
  });

  it('have no text from a file that may not be read', async () => {
    const on = programs(bench(), 0, { id: 7, verified: true, line: 3 });
    const outside = '/etc/app.js';
    on.workspace.files.set(outside, 'one\ntwo\nthree');
    const answer = await start(on, { file_path: outside, line_number: 3 });
    assert.equal(answer['line_text'], undefined);
    assert.equal(answer['verified'], false);
    assert.equal(answer['message'], 'The debugger of this run has not confirmed it.');
  });
});
