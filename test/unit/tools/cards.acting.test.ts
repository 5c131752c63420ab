import { strict as assert } from 'node:assert';
import { launched, stopped, eventOf } from '../support/events';
import { bench, failsWith, FILE, paused, running } from '../support/services';
import { question, cardText, stoppedInMain, frameOf } from '../support/cards';

describe('cards: breakpoints', () => {
  it('show the line with its text, and the conditions of the breakpoint', async () => {
    assert.equal(
      await cardText(bench(), 'set_breakpoint', { file_path: FILE, line_number: 3 }),
      'Break at `main.js:3`: `three`',
    );
    assert.equal(
      await cardText(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 3,
        condition: 'total > 100',
      }),
      'Break at `main.js:3` when `total > 100`: `three`',
    );
    assert.equal(
      await cardText(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 3,
        column_number: 2,
        hit_condition: '> 5',
        condition: 'x',
      }),
      'Break at `main.js:3:2` when `x`, hits `> 5`: `three`',
    );
    assert.equal(
      await cardText(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_content: 'seven',
        log_message: 'at {x}',
      }),
      'Print `at {x}` at `main.js:7`: `seven`',
    );
    assert.equal(
      await cardText(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 2,
        log_message: 'x',
        condition: 'y',
      }),
      'Print `x` at `main.js:2` when `y`: `two`',
    );
    assert.equal(
      await cardText(bench(), 'set_breakpoint', { function_name: 'checkout' }),
      'Break at `checkout`',
    );
  });

  it('show the whole path of a file outside the workspace', async () => {
    const on = bench();
    on.workspace.files.set('/etc/app.js', 'x');
    assert.equal(
      await cardText(on, 'set_breakpoint', {
        file_path: '/home/ada/app/../../../etc/app.js',
        line_number: 1,
      }),
      'Break at `/etc/app.js:1`\n\n`/etc/app.js` is **outside the workspace**. The agent may see lines of it.',
    );
  });

  it('show which breakpoint is removed, whose it is, or how many are removed', async () => {
    const on = bench();
    const mine = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 4 });
    on.services.breakpoints.claim(mine);
    const theirs = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 5 });
    assert.equal(
      await cardText(on, 'remove_breakpoint', { clear_all: true }),
      'Remove all breakpoints that agents set: 1',
    );
    assert.equal(
      await cardText(on, 'remove_breakpoint', {
        location: { file_path: 'main.js', line_number: 4 },
      }),
      'Remove the breakpoint at `main.js:4`',
    );
    assert.equal(
      await cardText(on, 'remove_breakpoint', {
        breakpoint_id: on.services.breakpoints.idOf(theirs),
      }),
      'Remove **your own** breakpoint at `main.js:5`',
    );
  });

  it('are not shown for a call that would fail', async () => {
    for (const [name, input, code] of [
      [
        'set_breakpoint',
        { file_path: '/home/ada/app/absent.js', line_number: 1 },
        'file_not_found',
      ],
      ['set_breakpoint', { file_path: FILE, line_number: 99 }, 'line_out_of_range'],
      ['set_breakpoint', { file_path: FILE }, 'invalid_input'],
      ['remove_breakpoint', { breakpoint_id: 9 }, 'breakpoint_not_found'],
      ['remove_breakpoint', {}, 'invalid_input'],
    ] as const)
      await assert.rejects(question(bench(), name, input), failsWith(code));
  });
});

describe('cards: moving and evaluating', () => {
  it('name the thread and the line where it is stopped', async () => {
    const on = stoppedInMain();
    assert.equal(
      await cardText(on, 'step_execution', { thread_id: 1, step_type: 'over' }),
      'Step over in **main\\.js\\:3**, thread main',
    );
    assert.equal(
      await cardText(on, 'step_execution', { thread_id: 1, step_type: 'into', count: 3 }),
      'Step into in **main\\.js\\:3**, thread main, 3 times',
    );
    assert.equal(
      await cardText(on, 'continue_debugging', { thread_id: 1 }),
      'Continue from **main\\.js\\:3**, thread main',
    );
    assert.equal(
      await cardText(on, 'continue_debugging', { thread_id: 1, file_path: FILE, until_line: 9 }),
      'Run on from **main\\.js\\:3**, thread main to `main.js:9`',
    );
  });

  it('name the line of the thread that the call moves', async () => {
    const on = stoppedInMain();
    on.host.on('stackTrace', ({ threadId }) => ({
      stackFrames: [
        {
          id: 20 + Number(threadId),
          name: 'f',
          line: 10 * Number(threadId),
          column: 1,
          source: { path: FILE },
        },
      ],
    }));
    on.model.dispatch(
      eventOf('stopped', { reason: 'pause', threadId: 2, allThreadsStopped: false }),
    );
    assert.match(
      await cardText(on, 'step_execution', { thread_id: 1, step_type: 'over' }),
      /main\\\.js\\:10\*\*/,
    );
    assert.match(
      await cardText(on, 'step_execution', { thread_id: 2, step_type: 'over' }),
      /main\\\.js\\:20\*\*/,
    );
  });

  it('name the session if the adapter does not report the location', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => {
      throw new Error('no');
    });
    assert.equal(
      await cardText(on, 'continue_debugging', { thread_id: 1 }),
      'Continue from **program a**',
    );
  });

  it('name the session for pausing and stopping', async () => {
    const on = running(bench());
    assert.equal(await cardText(on, 'pause_debugging', {}), 'Pause **program a**');
    assert.equal(
      await cardText(on, 'stop_debugging', {}),
      'Stop the debug session **program a**, which **you** started',
    );
  });

  it('name the function of an evaluation, and say whether it can change the program', async () => {
    const on = stoppedInMain();
    const evaluate = (frame: number, context = 'watch'): Promise<string> =>
      cardText(on, 'evaluate_expression', { expression: 'items.map(f)', frame_id: frame, context });
    assert.equal(
      await evaluate(frameOf(on, 'checkout')),
      'Evaluate `items.map(f)` in `checkout` at **main\\.js:8**; this can change the program',
    );
    const on2 = paused(bench());
    assert.match(
      await cardText(on2, 'evaluate_expression', {
        expression: 'x',
        frame_id: frameOf(on2, 'shop::total(int)'),
      }),
      /in `shop::total\(int\)` at \*\*main\\\.js:8\*\*; /,
    );
    const on3 = paused(bench());
    assert.match(
      await cardText(on3, 'evaluate_expression', { expression: 'x', frame_id: frameOf(on3) }),
      /in \*\*program a\*\*; /,
    );
    on.model.dispatch(
      eventOf('capabilities', { capabilities: { supportsEvaluateForHovers: true } }),
    );
    assert.match(await evaluate(frameOf(on), 'hover'), /this can change the program$/);
    for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
    for (const event of [
      stopped(1, { reason: 'breakpoint' }),
      eventOf('capabilities', { capabilities: { supportsEvaluateForHovers: true } }),
    ])
      on.model.dispatch(event);
    assert.match(
      await evaluate(frameOf(on), 'hover'),
      /the debugger guarantees that this changes nothing$/,
    );
    assert.match(await evaluate(frameOf(on), 'watch'), /this can change the program$/);
  });

  it('are not shown for a call that would fail', async () => {
    await assert.rejects(
      question(running(bench()), 'step_execution', { thread_id: 7, step_type: 'over' }),
      failsWith('thread_not_found'),
    );
    await assert.rejects(question(bench(), 'stop_debugging', {}), failsWith('no_session'));
    await assert.rejects(
      question(paused(bench()), 'evaluate_expression', { expression: 'x', frame_id: 5 }),
      failsWith('unknown_reference'),
    );
  });
});
