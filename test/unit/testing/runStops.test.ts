import { strict as assert } from 'node:assert';
import { fields, listOf } from '../../../src/debugger/protocol';
import type { StopRule } from '../../../src/testing/run/runTest';
import { RunStops } from '../../../src/testing/run/runStops';
import { LAUNCH_MARK } from '../../../src/debugger/state/launchMark';
import { answered, asked, created, eventOf } from '../support/events';
import { CAPABILITIES } from '../support/exceptions';
import { frameAt } from '../support/moments';
import { bench, type Bench } from '../support/services';

const FILE = '/home/ada/app/cart.test.ts';
const BEGIN = { path: FILE, line: 7 };

/** A session of a run whose stops begin with the test, and the filters that are active in it. */
function running(
  rule: Partial<Pick<StopRule, 'begin' | 'beginsAtOnce' | 'kept'>> = {},
  plan: { readonly stopsFrom?: string } = {},
  mark = 'mark',
): { readonly on: Bench; readonly stops: RunStops; readonly filters: () => readonly string[] } {
  const on = bench();
  on.host.on('setExceptionBreakpoints', () => ({}));
  const configuration = { [LAUNCH_MARK]: mark };
  on.model.dispatch(created('a', { sessionType: 'pwa-node', configuration }));
  on.model.dispatch(asked(1, 'initialize'));
  on.model.dispatch(answered(1, 'initialize', CAPABILITIES));
  on.host.on('setBreakpoints', ({ breakpoints }) => ({
    breakpoints: listOf(breakpoints).map(() => ({ verified: true })),
  }));
  on.model.dispatch(eventOf('initialized', {}, 'a'));
  on.model.dispatch(asked(2, 'launch'));
  const stops = new RunStops(
    on.services,
    { stopsFrom: undefined, ...plan },
    { exceptions: { filters: ['raised'], conditions: {} }, functions: [], ...rule },
    'mark',
  );
  const active = (): readonly string[] =>
    on.services.exceptions.active(on.session('a')).map(({ filter }) => filter);
  return { on, stops, filters: active };
}

describe('the stops of a run of a test', () => {
  it('at exceptions begin with the test, if its process throws many before', async () => {
    const { on, stops, filters } = running({ begin: BEGIN });
    stops.set();
    assert.deepEqual(filters(), []);
    // The breakpoint is not in VS Code's list, so that other sessions do not stop there.
    assert.deepEqual(on.host.breakpoints(), []);
    const sent = (): unknown =>
      on.host
        .sent('setBreakpoints')
        .map(({ breakpoints }) => listOf(breakpoints).map((point) => fields(point)['line']));
    assert.deepEqual(sent(), [[7]]);
    assert.deepEqual([stops.hasBreakpoints, stops.hasNotBegun], [true, true]);
    assert.deepEqual([stops.isOwn([]), stops.isOwn([99])], [true, false]);

    assert.equal(await stops.beginAtStop(), true);
    assert.deepEqual(filters(), ['raised']);
    assert.deepEqual(sent(), [[7], []]);
    assert.deepEqual([stops.hasBreakpoints, stops.hasNotBegun], [false, false]);
    assert.equal(await stops.beginAtStop(), false);
    await stops.release();
    assert.deepEqual(filters(), ['uncaught']);
  });

  it('begin with the run if it is repeated, and are only in its sessions', () => {
    const { on, stops, filters } = running({ begin: BEGIN, beginsAtOnce: true });
    stops.set();
    assert.deepEqual(
      [filters(), stops.hasNotBegun, stops.beginsAtLine],
      [['raised'], false, false],
    );
    const other = running({ begin: BEGIN }, {}, 'another');
    other.stops.set();
    assert.deepEqual(other.on.host.sent('setBreakpoints'), []);
    assert.deepEqual(on.host.sent('setBreakpoints'), []);
  });

  it('are also where a failure is kept, until the run is released', async () => {
    const kept = { path: '/lib/expect.js', line: 5, condition: 'error.stack' };
    const { on, stops, filters } = running({ kept });
    stops.set();
    assert.deepEqual(filters(), ['raised']);
    const sent = (): unknown =>
      on.host
        .sent('setBreakpoints')
        .map(({ breakpoints }) => listOf(breakpoints).map((point) => fields(point)['condition']));
    assert.deepEqual(sent(), [['error.stack']]);
    assert.equal(stops.hasBreakpoints, true);
    const frame = (line: number) => frameAt('processResult', { path: kept.path, line });
    assert.equal(stops.isAtKept(frame(5)), true);
    assert.equal(stops.isAtKept(frame(6)), false);
    assert.equal(stops.isAtKept(undefined), false);
    await stops.release();
    assert.deepEqual(sent(), [['error.stack'], []]);
    assert.deepEqual([stops.hasBreakpoints, stops.isAtKept(frame(5))], [false, false]);
  });

  it('begin at a function, if the runner has one that runs the test', () => {
    const { on, stops } = running({}, { stopsFrom: 'tRunner' });
    stops.set();
    const [point] = on.host.breakpoints();
    assert.deepEqual(point?.kind === 'function' && point.functionName, 'tRunner');
    assert.deepEqual([stops.hasNotBegun, stops.beginsAtLine], [true, false]);
  });

  it('begin with the run if there is no place, or if the person has a breakpoint there', async () => {
    const bare = running();
    bare.stops.set();
    assert.deepEqual([bare.filters(), bare.on.host.breakpoints()], [['raised'], []]);
    const { on, stops, filters } = running({ begin: BEGIN });
    const theirs = on.host.addBreakpoint({ kind: 'source', ...BEGIN });
    stops.set();
    assert.deepEqual(filters(), ['raised']);
    assert.deepEqual(on.host.breakpoints(), [theirs]);
    await stops.removeBreakpoints();
    assert.deepEqual(on.host.breakpoints(), [theirs]);
  });
});
