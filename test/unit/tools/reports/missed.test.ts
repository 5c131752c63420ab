import { strict as assert } from 'node:assert';
import { fields } from '../../../../src/debugger/protocol';
import { reportEnd } from '../../../../src/tools/reports/endReport';
import { binding, set, theirs } from '../../support/breakpointCalls';
import { answered, asked, created, ended, stopped, eventOf } from '../../support/events';
import { bench, FILE, running, type Bench } from '../../support/services';

/** A running session of this type, whose adapter binds every breakpoint, with these breakpoints set. */
async function withBreakpoints(
  sessionType: string,
  breakpoints: readonly object[],
): Promise<Bench> {
  const on = binding(bench());
  running(on);
  on.model.dispatch(created('a', { sessionType }));
  for (const breakpoint of breakpoints) await set(on, breakpoint);
  return on;
}

/** The missed breakpoints and the hint in the end report of a session that ends by itself. */
async function end(on: Bench): Promise<{ missed: unknown; hint: string }> {
  on.model.dispatch(eventOf('terminated'));
  on.model.dispatch(ended());
  const answer = await reportEnd(on.services, on.call, 'a');
  assert.equal(answer.status, 'completed');
  return { missed: answer.missed_breakpoints, hint: answer.hint ?? '' };
}

describe('the end report: missed breakpoints', () => {
  it('include the agent’s that were not reached, but not the person’s', async () => {
    const on = await withBreakpoints('test', [{ line_number: 3 }, { line_number: 5 }]);
    theirs(on, 7);
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [0] }));
    assert.deepEqual((await end(on)).missed, [{ id: 2, at: 'main.js:5', why: 'not_reached' }]);
  });

  it('are empty if all were hit', async () => {
    const on = await withBreakpoints('test', [{ line_number: 3 }]);
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [0] }));
    assert.equal((await end(on)).missed, undefined);
  });

  it('do not include one that a step stopped at', async () => {
    const on = await withBreakpoints('test', [{ line_number: 3 }]);
    on.model.dispatch(stopped(1, { reason: 'step' }));
    await on.services.stops.report(on.session(), 1, on.call.signal);
    assert.equal((await end(on)).missed, undefined);
  });

  it('are empty if a stop was not inspected, because it may have been at one of them', async () => {
    const on = await withBreakpoints('test', [{ line_number: 5 }]);
    on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
    assert.equal((await end(on)).missed, undefined);
    const late = await withBreakpoints('test', [{ line_number: 5 }]);
    late.model.dispatch(ended());
    late.model.dispatch(created('b', { knowledge: 'partial' }));
    await set(late, { line_number: 6 });
    late.model.dispatch(ended('b'));
    assert.equal((await reportEnd(late.services, late.call, 'b')).missed_breakpoints, undefined);
  });

  it('say that a condition may have been false, and that debugpy does not report a failed condition', async () => {
    const conditional = [
      { line_number: 3, condition: 'x' },
      { line_number: 4, hit_condition: '> 5' },
    ];
    const node = await end(await withBreakpoints('pwa-node', conditional));
    assert.deepEqual(
      (node.missed as unknown[]).map((breakpoint) => fields(breakpoint)['why']),
      ['not_reached_or_condition_false', 'not_reached_or_condition_false'],
    );
    assert.doesNotMatch(node.hint, /debugpy/);
    assert.match(
      (await end(await withBreakpoints('debugpy', conditional))).hint,
      /debugpy treats a condition that fails as false/,
    );
    assert.doesNotMatch(
      (await end(await withBreakpoints('debugpy', [{ line_number: 4, hit_condition: '> 5' }])))
        .hint,
      /debugpy/,
      'a hit count cannot fail',
    );
  });

  it('include one that was moved, and one that was not bound, with the adapter’s message', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', () => ({
      breakpoints: [
        { id: 1, verified: true, line: 4 },
        { id: 2, verified: false, message: 'Unbound breakpoint' },
      ],
    }));
    await set(on, { line_number: 3 });
    await set(on, { line_number: 9 });
    assert.deepEqual((await end(on)).missed, [
      { id: 1, at: 'main.js:3', why: 'not_reached', bound_line: 4 },
      { id: 2, at: 'main.js:9', why: 'not_bound', message: 'Unbound breakpoint' },
    ]);
  });

  it('are counted beyond the first three', async () => {
    const on = await withBreakpoints(
      'test',
      [1, 2, 3, 4, 5].map((line_number) => ({ line_number })),
    );
    on.model.dispatch(eventOf('terminated'));
    on.model.dispatch(ended());
    const answer = await reportEnd(on.services, on.call, 'a');
    assert.deepEqual(
      [answer.missed_breakpoints?.length, answer.omitted],
      [3, { missed_breakpoints: 2 }],
    );
  });

  it('do not include those set for an earlier program, because debugpy verifies every breakpoint', async () => {
    const on = binding(bench());
    await set(on, { line_number: 3 });
    const run = (key: string, program: string): void => {
      on.model.dispatch(
        created(key, { name: 'run', sessionType: 'debugpy', configuration: { program } }),
      );
      on.model.dispatch(
        asked(50, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: 3 }] }, key),
      );
      on.model.dispatch(
        answered(50, 'setBreakpoints', { breakpoints: [{ id: 0, verified: true, line: 3 }] }, key),
      );
    };
    const missedAfter = async (key: string): Promise<unknown> => {
      on.model.dispatch(ended(key));
      return (await reportEnd(on.services, on.call, key)).missed_breakpoints;
    };
    const missed = [{ id: 1, at: 'main.js:3', why: 'not_reached' }];
    run('first', '/home/ada/app/t01/run.py');
    assert.deepEqual(await missedAfter('first'), missed, 'set for it');
    run('other', '/home/ada/app/t02/run.py');
    assert.equal(await missedAfter('other'), undefined);
    run('again', '/home/ada/app/t01/run.py');
    assert.deepEqual(await missedAfter('again'), missed, 'the same program again');
    run('own', FILE);
    assert.deepEqual(await missedAfter('own'), missed, 'the program is the file');
    run('framed', '/home/ada/app/t03/run.py');
    on.model.dispatch(asked(51, 'stackTrace', { threadId: 1 }, 'framed'));
    on.model.dispatch(
      answered(
        51,
        'stackTrace',
        { stackFrames: [{ id: 1, name: 'f', line: 9, column: 1, source: { path: FILE } }] },
        'framed',
      ),
    );
    assert.deepEqual(await missedAfter('framed'), missed, 'a frame was in the file');
  });

  it('include an unbound one of an earlier program only if its file was loaded', async () => {
    for (const isLoaded of [false, true]) {
      const on = bench();
      on.host.on('setBreakpoints', () => ({ breakpoints: [{ id: 1, verified: false }] }));
      running(on, 'first');
      await set(on, { line_number: 3 });
      on.model.dispatch(ended('first'));
      on.model.dispatch(created('a', { configuration: { program: '/home/ada/app/other.js' } }));
      on.model.dispatch(
        asked(50, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: 3 }] }),
      );
      on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [{ id: 1 }] }));
      if (isLoaded) on.model.dispatch(eventOf('loadedSource', { source: { path: FILE } }));
      assert.deepEqual(
        (await end(on)).missed,
        isLoaded ? [{ id: 1, at: 'main.js:3', why: 'not_bound' }] : undefined,
      );
    }
  });

  describe('logpoints', () => {
    const logged = (on: Bench, output: string, more: object = {}): void =>
      on.model.dispatch(eventOf('output', { category: 'stdout', output: `${output}\n`, ...more }));
    const whyOf = async (
      sessionType: string,
      message: string,
      print?: (on: Bench) => void,
      configuration: object = {},
    ): Promise<unknown> => {
      const on = binding(bench());
      running(on);
      on.model.dispatch(created('a', { sessionType, configuration: { ...configuration } }));
      await set(on, { line_number: 3, log_message: message });
      print?.(on);
      const { missed } = await end(on);
      return missed === undefined ? undefined : fields((missed as unknown[])[0])['why'];
    };
    const there = { source: { path: FILE }, line: 3 };

    it('were not reached in js-debug if they printed nothing, because it reports each one it prints', async () => {
      assert.equal(await whyOf('pwa-node', 'at {x}'), 'not_reached');
      assert.equal(await whyOf('pwa-node', 'at {x}', (on) => logged(on, 'other')), 'not_reached');
      assert.equal(await whyOf('pwa-node', 'at {x}', (on) => logged(on, 'at 3', there)), undefined);
      assert.equal(await whyOf('pwa-node', 'at {x}', (on) => logged(on, 'at 3')), undefined);
    });

    it('are recognized by their text in debugpy, which reports no location', async () => {
      assert.equal(await whyOf('debugpy', 'here'), 'not_reached');
      assert.equal(await whyOf('debugpy', 'here', (on) => logged(on, 'here')), undefined);
      // An expression that fails prints only the exception.
      assert.equal(await whyOf('debugpy', 'at {x}'), 'not_reached');
      assert.equal(await whyOf('debugpy', 'at {x}', (on) => logged(on, 'other')), 'not_printed');
      assert.equal(await whyOf('debugpy', 'at {x}', (on) => logged(on, 'at 3')), undefined);
      assert.equal(await whyOf('debugpy', '{x}', (on) => logged(on, 'other')), undefined);
    });

    it('may have been reached if the program took away what debugpy sees lines by', async () => {
      const warning =
        '\nPYDEV DEBUGGER WARNING:\nsys.settrace() should not be used when the debugger is being used.\n';
      const on = await withBreakpoints('debugpy', [{ line_number: 3, condition: 'x > 1' }]);
      logged(on, warning);
      const [missed] = (await end(on)).missed as [{ why: string; message: string }];
      assert.equal(missed.why, 'unknown');
      assert.match(missed.message, /settrace/);
      const other = await withBreakpoints('pwa-node', [{ line_number: 3 }]);
      logged(other, warning);
      assert.equal(fields(((await end(other)).missed as unknown[])[0])['why'], 'not_reached');
    });

    it('have no location in js-debug either if it reads streams; for other debuggers nothing is known', async () => {
      const std = { outputCapture: 'std' };
      const print = (on: Bench): void => logged(on, 'other');
      assert.equal(await whyOf('pwa-node', 'at {x}', print, std), 'not_printed');
      assert.equal(await whyOf('test', 'at {x}'), undefined);
    });
  });

  it('do not include disabled ones, files of other languages, and sessions that were ended on request', async () => {
    const on = await withBreakpoints('test', [{ line_number: 4 }]);
    on.host.setEnabled(on.host.breakpoints()[0]?.hostId ?? '', false);
    assert.equal((await end(on)).missed, undefined);
    const other = await withBreakpoints('test', [{ line_number: 3 }]);
    other.workspace.fits = false;
    assert.equal((await end(other)).missed, undefined);
    const asked = await withBreakpoints('test', [{ line_number: 3 }]);
    asked.model.dispatch({
      type: 'toAdapter',
      key: 'a',
      at: 1,
      message: { seq: 900, type: 'request', command: 'disconnect', arguments: {} },
    });
    asked.model.dispatch(ended());
    assert.equal((await reportEnd(asked.services, asked.call, 'a')).missed_breakpoints, undefined);
  });
});

describe('a stop at a breakpoint that was moved', () => {
  it('reports the requested line', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', () => ({ breakpoints: [{ id: 1, verified: true, line: 3 }] }));
    await set(on, { line_number: 2 });
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [1] }));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    assert.deepEqual(
      [stop.line, stop.hit_breakpoint_ids, stop.moved_breakpoints],
      [3, [1], [{ id: 1, asked_line: 2 }]],
    );
  });

  it('reports nothing if it is on its requested line', async () => {
    const on = binding(running(bench()));
    await set(on, { line_number: 3 });
    on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    assert.deepEqual([stop.hit_breakpoint_ids, stop.moved_breakpoints], [[1], undefined]);
  });
});
