import { strict as assert } from 'node:assert';
import {
  BreakpointViews,
  type BoundView,
  type BreakpointView,
} from '../../../../src/results/views/breakpointView';
import type { HostBreakpoint } from '../../../../src/debugger/host';
import { answered, asked, launched, refused, told } from '../../support/events';
import { bench, family, FILE, running, type Bench } from '../../support/services';

const LINE = 3;
const LOCATIONS = { supportsBreakpointLocationsRequest: true };
const SOURCES = { supportsLoadedSourcesRequest: true };

/** Has the adapter answer about a breakpoint of `LINE`. */
function answer(on: Bench, bound: object, key = 'a', path: string = FILE): void {
  on.model.dispatch(
    asked(50, 'setBreakpoints', { source: { path }, breakpoints: [{ line: LINE }] }, key),
  );
  on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [bound] }, key));
}

/** VS Code sends a file's breakpoints while they are deactivated: none. */
function answerNone(on: Bench, path: string = FILE): void {
  on.model.dispatch(asked(50, 'setBreakpoints', { source: { path }, breakpoints: [] }));
  on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [] }));
}

const set = (on: Bench, path: string = FILE): HostBreakpoint =>
  on.host.addBreakpoint({ kind: 'source', path, line: LINE });

const viewOf = (
  on: Bench,
  breakpoint: HostBreakpoint,
  explain?: boolean,
): Promise<BreakpointView> => on.services.breakpointViews.view(breakpoint, on.call.signal, explain);

interface Unbound {
  readonly on: Bench;
  readonly made: HostBreakpoint;
}

/** A breakpoint that the adapter of the session `a` has answered and not bound. */
function unbound(
  capabilities: object = {},
  { path = FILE, message }: { path?: string; message?: string } = {},
): Unbound {
  const on = running(bench());
  on.model.dispatch(told('capabilities', { capabilities }));
  const made = set(on, path);
  answer(on, { id: 1, verified: false, ...(message === undefined ? {} : { message }) }, 'a', path);
  return { on, made };
}

async function boundOf({ on, made }: Unbound): Promise<BoundView> {
  const [bound] = (await viewOf(on, made)).bound ?? [];
  assert.ok(bound !== undefined);
  return bound;
}

const lines =
  (...numbers: readonly number[]) =>
  () => ({ breakpoints: numbers.map((line) => ({ line })) });

describe('breakpoint view: why one is not bound', () => {
  it('a debugger of another language says so, and its adapter is asked nothing', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    it.on.workspace.fits = false;
    const bound = await boundOf(it);
    assert.equal(bound.reason, 'other_language');
    assert.match(bound.message ?? '', /“test”/);
    assert.deepEqual(it.on.host.requests, []);
  });

  it('the language is that of the file, and the debugger that of the session', async () => {
    const { on, made } = unbound();
    const checked: string[][] = [];
    const views = new BreakpointViews(
      on.services.breakpoints,
      on.model,
      on.requests,
      async (...each) => checked.push(each) > 0,
      async () => true,
    );
    await views.view(made, on.call.signal);
    assert.deepEqual(checked, [[FILE, 'test']]);
  });

  it('where code is in a file outside the workspace is told only once the debugger has loaded it', async () => {
    const path = '/etc/app.js';
    for (const isLoaded of [false, true]) {
      const it = unbound({ ...LOCATIONS, ...SOURCES }, { path });
      it.on.host
        .on('breakpointLocations', lines(1, 5))
        .on('loadedSources', () => ({ sources: isLoaded ? [{ path }] : [] }));
      const bound = await boundOf(it);
      assert.deepEqual(
        [bound.reason, bound.nearest_lines],
        isLoaded ? ['no_code', [1, 5]] : ['not_loaded', undefined],
      );
      assert.equal(it.on.host.sent('breakpointLocations').length, isLoaded ? 1 : 0);
    }
    const silent = unbound(LOCATIONS, { path });
    silent.on.host.on('breakpointLocations', lines(1, 5));
    assert.deepEqual(
      [(await boundOf(silent)).reason, silent.on.host.sent('breakpointLocations')],
      ['unknown', []],
    );
  });

  it('a line without code names the nearest that have some, nearest first', async () => {
    const it = unbound(LOCATIONS);
    it.on.host.on('breakpointLocations', lines(12, 2, 1, 5, 2, 30));
    const bound = await boundOf(it);
    assert.deepEqual([bound.reason, bound.nearest_lines], ['no_code', [2, 1, 5]]);
    assert.match(bound.message ?? '', /line 3; .*: 2, 1, 5\./);
  });

  it('lines are asked for around its own, and none before the first', async () => {
    const it = unbound(LOCATIONS);
    it.on.host.on('breakpointLocations', lines(2));
    await boundOf(it);
    assert.deepEqual(it.on.host.sent('breakpointLocations'), [
      { source: { path: FILE }, line: 1, endLine: 33 },
    ]);
  });

  it('a line that has code is one that may still be bound', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    it.on.host.on('breakpointLocations', lines(2, 3, 4));
    const bound = await boundOf(it);
    assert.deepEqual(
      [bound.reason, bound.message, bound.nearest_lines],
      ['unknown', 'The debugger has not bound it yet.', undefined],
    );
  });

  it('a column is not blamed where the file is not loaded', async () => {
    const answered = async (
      capabilities: object,
      sources: readonly object[],
    ): Promise<BoundView['reason']> => {
      const on = running(bench());
      on.model.dispatch(told('capabilities', { capabilities }));
      const made = on.host.addBreakpoint({ kind: 'source', path: FILE, line: LINE, column: 9 });
      answer(on, { id: 1, verified: false });
      on.host.on('breakpointLocations', lines()).on('loadedSources', () => ({ sources }));
      return (await boundOf({ on, made })).reason;
    };
    assert.equal(await answered({ ...LOCATIONS, ...SOURCES }, []), 'not_loaded');
    assert.equal(await answered({ ...LOCATIONS, ...SOURCES }, [{ path: FILE }]), 'column');
    assert.equal(await answered({}, []), 'column');
  });

  it('a file that is not among the loaded ones is not loaded', async () => {
    const it = unbound(SOURCES);
    it.on.host.on('loadedSources', () => ({
      sources: [{ path: '/home/ada/app/other.js' }, { name: 'main.js' }],
    }));
    assert.equal((await boundOf(it)).reason, 'not_loaded');
  });

  it('where the adapter knows no lines in the file, it is asked whether it has the file', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    it.on.host.on('breakpointLocations', lines()).on('loadedSources', () => ({ sources: [] }));
    assert.equal((await boundOf(it)).reason, 'not_loaded');
  });

  it('a file that is loaded has no code there', async () => {
    for (const path of [FILE, `file://${FILE}`]) {
      const it = unbound(SOURCES);
      it.on.host.on('loadedSources', () => ({ sources: [{ path: '/other.js' }, { path }] }));
      const bound = await boundOf(it);
      assert.deepEqual([bound.reason, bound.nearest_lines], ['no_code', undefined]);
    }
  });

  it('a source that is compiled to a script and not among the loaded ones has no source map', async () => {
    for (const name of ['main.ts', 'view.TSX', 'app.vue', 'main.mts', 'old.coffee']) {
      const it = unbound(SOURCES, { path: `/home/ada/app/${name}` });
      it.on.host.on('loadedSources', () => ({ sources: [{ path: '/home/ada/app/dist/main.js' }] }));
      assert.equal((await boundOf(it)).reason, 'source_map', name);
    }
  });

  it('a source that is loaded needs no other source map', async () => {
    const path = '/home/ada/app/main.ts';
    const it = unbound(SOURCES, { path });
    it.on.host.on('loadedSources', () => ({ sources: [{ path }] }));
    assert.equal((await boundOf(it)).reason, 'no_code');
  });

  it('an adapter is not asked what it cannot tell', async () => {
    const it = unbound();
    assert.equal((await boundOf(it)).reason, 'unknown');
    assert.deepEqual(it.on.host.requests, []);
  });

  it('an adapter that refuses, or answers nonsense, is no obstacle', async () => {
    const refusing = unbound({ ...LOCATIONS, ...SOURCES });
    assert.equal((await boundOf(refusing)).reason, 'unknown');
    assert.deepEqual(
      refusing.on.host.requests.map((each) => each.command),
      ['breakpointLocations', 'loadedSources'],
    );
    const odd = unbound({ ...LOCATIONS, ...SOURCES });
    odd.on.host
      .on('breakpointLocations', () => ({ breakpoints: [null, 7, { line: 'x' }, { line: -2 }] }))
      .on('loadedSources', () => ({ sources: [null, { path: 5 }] }));
    assert.equal((await boundOf(odd)).reason, 'not_loaded');
  });

  it('the adapter’s own words are kept where nothing better is known', async () => {
    assert.deepEqual(await boundOf(unbound({}, { message: 'Unbound breakpoint' })), {
      session_id: 's1',
      verified: false,
      reason: 'unknown',
      message: 'Unbound breakpoint',
    });
  });

  it('the adapter’s own words are kept behind a better reason', async () => {
    const it = unbound(LOCATIONS, { message: 'Unbound breakpoint' });
    it.on.host.on('breakpointLocations', lines(2));
    assert.equal(
      (await boundOf(it)).message,
      'There is no code on line 3; the nearest lines that have some: 2. (Unbound breakpoint)',
    );
  });

  it('the reason is what the whole breakpoint says, too', async () => {
    const it = unbound(LOCATIONS);
    it.on.host.on('breakpointLocations', lines(2));
    const view = await viewOf(it.on, it.made);
    assert.equal(view.verified, false);
    assert.equal(view.message, view.bound?.[0]?.message);
    assert.match(view.message ?? '', /no code on line 3/);
  });

  it('one that is bound needs no reason', async () => {
    const on = running(bench());
    on.model.dispatch(told('capabilities', { capabilities: { ...LOCATIONS, ...SOURCES } }));
    const made = set(on);
    answer(on, { id: 1, verified: true, line: 4, message: 'moved' });
    const view = await viewOf(on, made);
    assert.deepEqual(
      [view.message, view.bound],
      [undefined, [{ session_id: 's1', verified: true, line: 4, message: 'moved' }]],
    );
    assert.deepEqual(on.host.requests, []);
  });

  it('without a need to explain nobody is asked, and what was told is told', async () => {
    const { on, made } = unbound({ ...LOCATIONS, ...SOURCES }, { message: 'Unbound breakpoint' });

    const view = await viewOf(on, made, false);
    assert.deepEqual(
      [view.message, view.bound],
      [
        'Unbound breakpoint',
        [{ session_id: 's1', verified: false, message: 'Unbound breakpoint' }],
      ],
    );
    assert.deepEqual(on.host.requests, []);
  });

  it('nothing is left behind', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    await boundOf(it);
    assert.equal(it.on.model.listenerCount, 0);
  });
});

describe('breakpoint view: what no session has', () => {
  it('one that is disabled says so, whatever else is wrong with it', async () => {
    const { on, made } = unbound({}, { message: 'Unbound breakpoint' });
    for (const where of [bench(), on]) {
      const view = await viewOf(where, { ...made, enabled: false });
      assert.deepEqual(
        [view.enabled, view.verified, view.message],
        [false, false, 'It is disabled in VS Code, so programs do not stop there.'],
      );
    }
  });

  it('one that VS Code withholds says that breakpoints are deactivated', async () => {
    const on = running(bench());
    const made = set(on);
    answerNone(on, `file://${FILE}`);
    assert.equal(
      (await viewOf(on, made)).message,
      'Breakpoints are deactivated in VS Code, so programs stop at none.',
    );
  });

  it('that VS Code told nothing of the file, or of another, is no deactivation', async () => {
    const on = running(bench());
    const made = set(on);
    answerNone(on, '/home/ada/app/other.js');
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has answered for it yet.',
    );
  });

  it('that another breakpoint of the file was told is no deactivation', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 7 });
    answer(on, { id: 1, verified: true });
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has answered for it yet.',
    );
  });

  it('an answer that is still to come is no deactivation', async () => {
    // The older answer is about a file that had none then.
    const on = running(bench());
    answerNone(on);
    const made = set(on);
    on.model.dispatch(
      asked(51, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: LINE }] }),
    );
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has answered for it yet.',
    );
  });

  it('a refusal to set it is no deactivation', async () => {
    const on = running(bench());
    answerNone(on);
    const made = set(on);
    on.model.dispatch(
      asked(51, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: LINE }] }),
    );
    on.model.dispatch(refused(51, 'setBreakpoints', 'not now'));
    assert.equal((await viewOf(on, made)).message, 'not now');
  });

  it('a function breakpoint says that no debugger has any', async () => {
    const on = running(running(bench()), 'b');
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    assert.equal((await viewOf(on, made)).message, 'No running debugger has function breakpoints.');
  });

  it('a function breakpoint that one debugger can have is waited for', async () => {
    const on = running(running(bench()), 'b');
    on.model.dispatch(
      told('capabilities', { capabilities: { supportsFunctionBreakpoints: true } }, 'b'),
    );
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has answered for it yet.',
    );
  });

  it('for a function that is not bound the adapter is asked nothing, and its words are told', async () => {
    const on = running(bench());
    on.model.dispatch(
      told('capabilities', {
        capabilities: { supportsFunctionBreakpoints: true, ...LOCATIONS, ...SOURCES },
      }),
    );
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    on.model.dispatch(asked(60, 'setFunctionBreakpoints', { breakpoints: [{ name: 'main' }] }));
    on.model.dispatch(
      answered(60, 'setFunctionBreakpoints', {
        breakpoints: [{ verified: false, message: 'no such function' }],
      }),
    );
    assert.equal((await viewOf(on, made)).message, 'no such function');
    assert.deepEqual(on.host.requests, []);
  });
});

describe('breakpoint view: sessions that stand for others', () => {
  const sessions = async (on: Bench, made: HostBreakpoint): Promise<unknown> =>
    (await viewOf(on, made)).bound?.map((each) => [each.session_id, each.verified]);

  it('a parent is left out when its child holds the breakpoint', async () => {
    const on = family(bench());
    const made = set(on);
    answer(on, { verified: false, message: 'Unbound breakpoint' }, 'parent');
    answer(on, { verified: true }, 'child');
    assert.deepEqual(await sessions(on, made), [['s2', true]]);
  });

  it('a parent whose child knows nothing of it is told', async () => {
    const on = family(bench());
    const made = set(on);
    answer(on, { verified: true }, 'parent');
    assert.deepEqual(await sessions(on, made), [['s1', true]]);
  });

  it('a parent that runs a program of its own is told beside its child', async () => {
    const on = family(bench());
    const made = set(on);
    on.model.dispatch(told('thread', { reason: 'started', threadId: 1 }, 'parent'));
    answer(on, { verified: false }, 'parent');
    answer(on, { verified: true }, 'child');
    assert.deepEqual(await sessions(on, made), [
      ['s1', false],
      ['s2', true],
    ]);
  });

  it('two sessions that are no family are both told', async () => {
    const on = running(bench());
    for (const event of launched('b')) on.model.dispatch(event);
    const made = set(on);
    answer(on, { verified: false }, 'a');
    answer(on, { verified: true }, 'b');
    const view = await viewOf(on, made);
    assert.deepEqual(
      [view.verified, view.message, view.bound?.map((each) => each.reason)],
      [true, undefined, ['unknown', undefined]],
    );
  });
});
