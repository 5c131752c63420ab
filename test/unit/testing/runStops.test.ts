import { strict as assert } from 'node:assert';
import { listOf } from '../../../src/debugger/protocol';
import { RunStops } from '../../../src/testing/run/runStops';
import { LAUNCH_MARK } from '../../../src/debugger/state/launchMark';
import { answered, asked, created, eventOf } from '../support/events';
import { CAPABILITIES } from '../support/exceptions';
import { bench, type Bench } from '../support/services';

/** A session of a run, and the filters that are active in it. */
function running(
  stopsFrom?: string,
  framework: { readonly haltsIn?: string } = {},
): {
  readonly on: Bench;
  readonly stops: RunStops;
  readonly filters: () => readonly string[];
} {
  const on = bench();
  on.host.on('setExceptionBreakpoints', () => ({}));
  const configuration = { [LAUNCH_MARK]: 'mark' };
  on.model.dispatch(created('a', { sessionType: 'pwa-node', configuration }));
  on.model.dispatch(asked(1, 'initialize'));
  on.model.dispatch(answered(1, 'initialize', CAPABILITIES));
  on.host.on('setFunctionBreakpoints', ({ breakpoints }) => ({
    breakpoints: listOf(breakpoints).map(() => ({ verified: true })),
  }));
  on.model.dispatch(eventOf('initialized', {}, 'a'));
  on.model.dispatch(asked(2, 'launch'));
  const stops = new RunStops(
    on.services,
    { stopsFrom, framework },
    { exceptions: { filters: ['raised'], conditions: {} }, functions: [] },
    'mark',
  );
  const active = (): readonly string[] =>
    on.services.exceptions.active(on.session('a')).map(({ filter }) => filter);
  return { on, stops, filters: active };
}

describe('the stops of a run of a test', () => {
  it('at exceptions begin at a function, if the runner has one that runs the test', async () => {
    const { on, stops, filters } = running('tRunner');
    stops.set();
    assert.deepEqual(filters(), []);
    const [point] = on.host.breakpoints();
    assert.deepEqual(point?.kind === 'function' && point.functionName, 'tRunner');
    assert.deepEqual([stops.hasBreakpoints, stops.hasNotBegun], [true, true]);
    assert.deepEqual([stops.isOwn([]), stops.isOwn([99])], [true, false]);

    assert.equal(await stops.beginAtStop(), true);
    assert.deepEqual(filters(), ['raised']);
    assert.deepEqual(on.host.breakpoints(), []);
    assert.deepEqual([stops.hasBreakpoints, stops.hasNotBegun], [false, false]);
    assert.equal(await stops.beginAtStop(), false);
    await stops.release();
    assert.deepEqual(filters(), ['uncaught']);
  });

  it('at exceptions begin where the reporter halts the program, if it does', async () => {
    const { on, stops, filters } = running(undefined, { haltsIn: 'worker.cjs' });
    stops.set();
    assert.deepEqual([filters(), on.host.breakpoints(), stops.hasNotBegun], [[], [], true]);
    assert.equal(await stops.beginAtStop(), true);
    assert.deepEqual(filters(), ['raised']);
    // Each worker of the runner halts.
    assert.equal(await stops.beginAtStop(), false);
    assert.deepEqual(filters(), ['raised']);
  });

  it('leave no filter of this tool if the program stays at a failure that its runner reports', async () => {
    const { on, stops, filters } = running();
    stops.set();
    await stops.release(true);
    assert.deepEqual(filters(), []);
    // A tool may still choose some for it.
    const choice = { filters: ['raised'], conditions: {} };
    await on.services.exceptions.choose(new Map([['pwa-node', choice]]));
    assert.deepEqual(filters(), ['raised']);
  });

  it('begin with the run if there is no such function', () => {
    const { on, stops, filters } = running();
    stops.set();
    assert.deepEqual([filters(), on.host.breakpoints()], [['raised'], []]);
    assert.equal(stops.hasNotBegun, false);
  });
});
