import { strict as assert } from 'node:assert';
import { launched, stopped, told } from '../support/events';
import { bench, failsWith, FILE, paused, running } from '../support/services';
import { question, words, stoppedInMain, frameOf } from '../support/cards';

describe('cards: breakpoints', () => {
  it('tell the line with its text, and when it breaks', async () => {
    assert.equal(
      await words(bench(), 'set_breakpoint', { file_path: FILE, line_number: 3 }),
      'Break at `main.js:3`: `three`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 3,
        condition: 'total > 100',
      }),
      'Break at `main.js:3` when `total > 100`: `three`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 3,
        column_number: 2,
        hit_condition: '> 5',
        condition: 'x',
      }),
      'Break at `main.js:3:2` when `x`, hits `> 5`: `three`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_content: 'seven',
        log_message: 'at {x}',
      }),
      'Print `at {x}` at `main.js:7`: `seven`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', {
        file_path: FILE,
        line_number: 2,
        log_message: 'x',
        condition: 'y',
      }),
      'Print `x` at `main.js:2` when `y`: `two`',
    );
    assert.equal(
      await words(bench(), 'set_breakpoint', { function_name: 'checkout' }),
      'Break at `checkout`',
    );
  });

  it('a file outside the workspace is told with its whole path', async () => {
    const on = bench();
    on.workspace.files.set('/etc/app.js', 'x');
    assert.equal(
      await words(on, 'set_breakpoint', {
        file_path: '/home/ada/app/../../../etc/app.js',
        line_number: 1,
      }),
      'Break at `/etc/app.js:1`\n\n`/etc/app.js` is **outside the workspace**. The agent may be told lines of it.',
    );
  });

  it('removing tells which, whose, or how many', async () => {
    const on = bench();
    const mine = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 4 });
    on.services.breakpoints.claim(mine);
    const theirs = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 5 });
    assert.equal(
      await words(on, 'remove_breakpoint', { clear_all: true }),
      'Remove all breakpoints that agents set: 1',
    );
    assert.equal(
      await words(on, 'remove_breakpoint', { location: { file_path: 'main.js', line_number: 4 } }),
      'Remove the breakpoint at `main.js:4`',
    );
    assert.equal(
      await words(on, 'remove_breakpoint', { breakpoint_id: on.services.breakpoints.idOf(theirs) }),
      'Remove **your own** breakpoint at `main.js:5`',
    );
  });

  it('what would fail asks nothing', async () => {
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
  it('name the line that the thread is at, and the thread', async () => {
    const on = stoppedInMain();
    assert.equal(
      await words(on, 'step_execution', { thread_id: 1, step_type: 'over' }),
      'Step over in **main\\.js\\:3**, thread main',
    );
    assert.equal(
      await words(on, 'step_execution', { thread_id: 1, step_type: 'into', count: 3 }),
      'Step into in **main\\.js\\:3**, thread main, 3 times',
    );
    assert.equal(
      await words(on, 'continue_debugging', { thread_id: 1 }),
      'Continue from **main\\.js\\:3**, thread main',
    );
    assert.equal(
      await words(on, 'continue_debugging', { thread_id: 1, file_path: FILE, until_line: 9 }),
      'Run on from **main\\.js\\:3**, thread main to `main.js:9`',
    );
  });

  it('each thread is told where it itself is', async () => {
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
    on.model.dispatch(told('stopped', { reason: 'pause', threadId: 2, allThreadsStopped: false }));
    assert.match(
      await words(on, 'step_execution', { thread_id: 1, step_type: 'over' }),
      /main\\\.js\\:10\*\*/,
    );
    assert.match(
      await words(on, 'step_execution', { thread_id: 2, step_type: 'over' }),
      /main\\\.js\\:20\*\*/,
    );
  });

  it('where an adapter does not tell the place, the session is named', async () => {
    const on = paused(bench());
    on.host.on('stackTrace', () => {
      throw new Error('no');
    });
    assert.equal(
      await words(on, 'continue_debugging', { thread_id: 1 }),
      'Continue from **program a**',
    );
  });

  it('pausing and stopping name the session', async () => {
    const on = running(bench());
    assert.equal(await words(on, 'pause_debugging', {}), 'Pause **program a**');
    assert.equal(
      await words(on, 'stop_debugging', {}),
      'Stop the debug session **program a**, which **you** started',
    );
  });

  it('an evaluation names the function that it is made in, and what it can do', async () => {
    const on = stoppedInMain();
    const evaluate = (frame: number, context = 'watch'): Promise<string> =>
      words(on, 'evaluate_expression', { expression: 'items.map(f)', frame_id: frame, context });
    assert.equal(
      await evaluate(frameOf(on, 'checkout')),
      'Evaluate `items.map(f)` in `checkout` at **main\\.js:8**; this can change the program',
    );
    const on2 = paused(bench());
    assert.match(
      await words(on2, 'evaluate_expression', {
        expression: 'x',
        frame_id: frameOf(on2, 'shop::total(int)'),
      }),
      /in `shop::total\(int\)` at \*\*main\\\.js:8\*\*; /,
    );
    const on3 = paused(bench());
    assert.match(
      await words(on3, 'evaluate_expression', { expression: 'x', frame_id: frameOf(on3) }),
      /in \*\*program a\*\*; /,
    );
    on.model.dispatch(told('capabilities', { capabilities: { supportsEvaluateForHovers: true } }));
    assert.match(await evaluate(frameOf(on), 'hover'), /this can change the program$/);
    for (const event of launched('a', { sessionType: 'lldb-dap' })) on.model.dispatch(event);
    for (const event of [
      stopped(1, { reason: 'breakpoint' }),
      told('capabilities', { capabilities: { supportsEvaluateForHovers: true } }),
    ])
      on.model.dispatch(event);
    assert.match(
      await evaluate(frameOf(on), 'hover'),
      /the debugger guarantees that this changes nothing$/,
    );
    assert.match(await evaluate(frameOf(on), 'watch'), /this can change the program$/);
  });

  it('what would fail asks nothing', async () => {
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
