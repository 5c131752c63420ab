import { strict as assert } from 'node:assert';
import { fields } from '../../../../src/debugger/protocol';
import { reportEnd } from '../../../../src/tools/reports/endReport';
import { binding, set, theirs } from '../../support/breakpointCalls';
import { created, ended, stopped, told } from '../../support/events';
import { bench, running, type Bench } from '../../support/services';

/** A running session of a type whose adapter binds all it is sent, and VS Code's breakpoints in it. */
async function withBreakpoints(
  sessionType: string,
  breakpoints: readonly object[],
): Promise<Bench> {
  const on = binding(bench());
  running(on);
  on.model.dispatch(created('a', { sessionType }));
  for (const each of breakpoints) await set(on, each);
  return on;
}

/** What is said at its end, when it ends by itself. */
async function end(on: Bench): Promise<{ missed: unknown; hint: string }> {
  on.model.dispatch(told('terminated'));
  on.model.dispatch(ended());
  const answer = await reportEnd(on.services, on.call, 'a');
  assert.equal(answer.status, 'completed');
  return { missed: answer.missed_breakpoints, hint: answer.hint ?? '' };
}

describe('the end of a program: breakpoints that it did not stop at', () => {
  it('the agent’s that were not reached, and not the person’s', async () => {
    const on = await withBreakpoints('test', [{ line_number: 3 }, { line_number: 5 }]);
    theirs(on, 7);
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [0] }));
    assert.deepEqual((await end(on)).missed, [{ id: 2, at: 'main.js:5', why: 'not_reached' }]);
  });

  it('nothing where all were hit', async () => {
    const on = await withBreakpoints('test', [{ line_number: 3 }]);
    on.model.dispatch(stopped(1, { reason: 'breakpoint', hitBreakpointIds: [0] }));
    assert.equal((await end(on)).missed, undefined);
  });

  it('one that a step came to was reached', async () => {
    const on = await withBreakpoints('test', [{ line_number: 3 }]);
    on.model.dispatch(stopped(1, { reason: 'step' }));
    await on.services.stops.report(on.session(), 1, on.call.signal);
    assert.equal((await end(on)).missed, undefined);
  });

  it('nothing where a stop was not looked at: it may have been there', async () => {
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

  it('a condition may have been false; debugpy would not say that it failed', async () => {
    const conditional = [
      { line_number: 3, condition: 'x' },
      { line_number: 4, hit_condition: '> 5' },
    ];
    const node = await end(await withBreakpoints('pwa-node', conditional));
    assert.deepEqual(
      (node.missed as unknown[]).map((each) => fields(each)['why']),
      ['not_reached_or_condition_false', 'not_reached_or_condition_false'],
    );
    assert.doesNotMatch(node.hint, /debugpy/);
    assert.match(
      (await end(await withBreakpoints('debugpy', conditional))).hint,
      /debugpy takes a condition that fails for false/,
    );
    assert.doesNotMatch(
      (await end(await withBreakpoints('debugpy', [{ line_number: 4, hit_condition: '> 5' }])))
        .hint,
      /debugpy/,
      'a hit count cannot fail',
    );
  });

  it('one that was moved, and one that was not bound, with the adapter’s words', async () => {
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

  it('more than three are counted', async () => {
    const on = await withBreakpoints(
      'test',
      [1, 2, 3, 4, 5].map((line_number) => ({ line_number })),
    );
    on.model.dispatch(told('terminated'));
    on.model.dispatch(ended());
    const answer = await reportEnd(on.services, on.call, 'a');
    assert.deepEqual(
      [answer.missed_breakpoints?.length, answer.omitted],
      [3, { missed_breakpoints: 2 }],
    );
  });

  it('none of disabled ones, logpoints, files of other languages, and sessions that somebody ended', async () => {
    const on = await withBreakpoints('test', [
      { line_number: 3, log_message: 'x' },
      { line_number: 4 },
    ]);
    on.host.setEnabled(on.host.breakpoints()[1]?.hostId ?? '', false);
    assert.equal((await end(on)).missed, undefined);
    const other = await withBreakpoints('test', [{ line_number: 3 }]);
    other.workspace.fits = false;
    assert.equal((await end(other)).missed, undefined);
    const asked = await withBreakpoints('test', [{ line_number: 3 }]);
    asked.model.dispatch({
      type: 'to_adapter',
      key: 'a',
      at: 1,
      message: { seq: 900, type: 'request', command: 'disconnect', arguments: {} },
    });
    asked.model.dispatch(ended());
    assert.equal((await reportEnd(asked.services, asked.call, 'a')).missed_breakpoints, undefined);
  });
});

describe('a stop at a breakpoint that was moved', () => {
  it('says on which line it was asked for', async () => {
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

  it('says nothing where it is on its line', async () => {
    const on = binding(running(bench()));
    await set(on, { line_number: 3 });
    on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    assert.deepEqual([stop.hit_breakpoint_ids, stop.moved_breakpoints], [[1], undefined]);
  });
});
