import { strict as assert } from 'node:assert';
import {
  BreakpointViews,
  type BoundView,
  type BreakpointView,
} from '../../../../src/results/views/breakpointView';
import type { HostBreakpoint } from '../../../../src/debugger/host';
import { answered, asked, ended, launched, eventOf, refused } from '../../support/events';
import { bench, family, FILE, running, type Bench } from '../../support/services';

const LINE = 3;
const LOCATIONS = { supportsBreakpointLocationsRequest: true };
const SOURCES = { supportsLoadedSourcesRequest: true };

/** Makes the adapter respond for a breakpoint on `LINE`. */
function answer(on: Bench, bound: object, key = 'a', path: string = FILE, more: object = {}): void {
  const breakpoints = [{ line: LINE, ...more }];
  on.model.dispatch(asked(50, 'setBreakpoints', { source: { path }, breakpoints }, key));
  on.model.dispatch(answered(50, 'setBreakpoints', { breakpoints: [bound] }, key));
}

/** VS Code sends a file's breakpoints while they are deactivated: an empty list. */
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

/** A breakpoint for which the adapter of the session `a` has responded, but which it has not bound. */
function unbound(
  capabilities: object = {},
  { path = FILE, message }: { path?: string; message?: string } = {},
): Unbound {
  const on = running(bench());
  on.model.dispatch(eventOf('capabilities', { capabilities }));
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

describe('breakpoint view: why a breakpoint is not bound', () => {
  it('reports a debugger of another language, and sends its adapter no request', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    it.on.workspace.fits = false;
    const bound = await boundOf(it);
    assert.equal(bound.reason, 'other_language');
    assert.match(bound.message ?? '', /“test”/);
    assert.deepEqual(it.on.host.requests, []);
  });

  it('checks the language of the file with the debugger of the session', async () => {
    const { on, made } = unbound();
    const checked: string[][] = [];
    const views = new BreakpointViews(
      on.services.breakpoints,
      on.model,
      on.requests,
      async (...pair) => checked.push(pair) > 0,
      async () => true,
    );
    await views.view(made, on.call.signal);
    assert.deepEqual(checked, [[FILE, 'test']]);
  });

  it('shows the lines with code in a file outside the workspace only once the debugger has loaded the file', async () => {
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

  it('names the nearest lines with code for a line without code, nearest first', async () => {
    const it = unbound(LOCATIONS);
    it.on.host.on('breakpointLocations', lines(12, 2, 1, 5, 2, 30));
    const bound = await boundOf(it);
    assert.deepEqual([bound.reason, bound.nearest_lines], ['no_code', [2, 1, 5]]);
    assert.match(bound.message ?? '', /line 3; .*: 2, 1, 5\./);
  });

  it('requests the lines around its own line, and none before the first', async () => {
    const it = unbound(LOCATIONS);
    it.on.host.on('breakpointLocations', lines(2));
    await boundOf(it);
    assert.deepEqual(it.on.host.sent('breakpointLocations'), [
      { source: { path: FILE }, line: 1, endLine: 33 },
    ]);
  });

  it('reports that a line with code may still be bound', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    it.on.host.on('breakpointLocations', lines(2, 3, 4));
    const bound = await boundOf(it);
    assert.deepEqual(
      [bound.reason, bound.message, bound.nearest_lines],
      ['unknown', 'The debugger has not bound it yet.', undefined],
    );
  });

  it('does not give the column as the reason if the file is not loaded', async () => {
    const answered = async (
      capabilities: object,
      sources: readonly object[],
    ): Promise<BoundView['reason']> => {
      const on = running(bench());
      on.model.dispatch(eventOf('capabilities', { capabilities }));
      const made = on.host.addBreakpoint({ kind: 'source', path: FILE, line: LINE, column: 9 });
      answer(on, { id: 1, verified: false });
      on.host.on('breakpointLocations', lines()).on('loadedSources', () => ({ sources }));
      return (await boundOf({ on, made })).reason;
    };
    assert.equal(await answered({ ...LOCATIONS, ...SOURCES }, []), 'not_loaded');
    assert.equal(await answered({ ...LOCATIONS, ...SOURCES }, [{ path: FILE }]), 'column');
    assert.equal(await answered({}, []), 'column');
  });

  it('reports a file that is not among the loaded sources as not loaded', async () => {
    const it = unbound(SOURCES);
    it.on.host.on('loadedSources', () => ({
      sources: [{ path: '/home/ada/app/other.js' }, { name: 'main.js' }],
    }));
    assert.equal((await boundOf(it)).reason, 'not_loaded');
  });

  it('asks the adapter whether it has the file if it knows no lines in the file', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    it.on.host.on('breakpointLocations', lines()).on('loadedSources', () => ({ sources: [] }));
    assert.equal((await boundOf(it)).reason, 'not_loaded');
  });

  it('reports that a loaded file has no code there', async () => {
    for (const path of [FILE, `file://${FILE}`]) {
      const it = unbound(SOURCES);
      it.on.host.on('loadedSources', () => ({ sources: [{ path: '/other.js' }, { path }] }));
      const bound = await boundOf(it);
      assert.deepEqual([bound.reason, bound.nearest_lines], ['no_code', undefined]);
    }
  });

  it('reports a missing source map for a source that is compiled to a script and not loaded', async () => {
    for (const name of ['main.ts', 'view.TSX', 'app.vue', 'main.mts', 'old.coffee']) {
      const it = unbound(SOURCES, { path: `/home/ada/app/${name}` });
      it.on.host.on('loadedSources', () => ({ sources: [{ path: '/home/ada/app/dist/main.js' }] }));
      assert.equal((await boundOf(it)).reason, 'source_map', name);
    }
  });

  it('reports no missing source map for a source that is loaded', async () => {
    const path = '/home/ada/app/main.ts';
    const it = unbound(SOURCES, { path });
    it.on.host.on('loadedSources', () => ({ sources: [{ path }] }));
    assert.equal((await boundOf(it)).reason, 'no_code');
  });

  it('sends no request that the adapter does not support', async () => {
    const it = unbound();
    assert.equal((await boundOf(it)).reason, 'unknown');
    assert.deepEqual(it.on.host.requests, []);
  });

  it('accepts that an adapter refuses or sends invalid responses', async () => {
    const refusing = unbound({ ...LOCATIONS, ...SOURCES });
    assert.equal((await boundOf(refusing)).reason, 'unknown');
    assert.deepEqual(
      refusing.on.host.requests.map((request) => request.command),
      ['breakpointLocations', 'loadedSources'],
    );
    const odd = unbound({ ...LOCATIONS, ...SOURCES });
    odd.on.host
      .on('breakpointLocations', () => ({ breakpoints: [null, 7, { line: 'x' }, { line: -2 }] }))
      .on('loadedSources', () => ({ sources: [null, { path: 5 }] }));
    assert.equal((await boundOf(odd)).reason, 'not_loaded');
  });

  it('keeps the adapter’s own message if no better reason is known', async () => {
    assert.deepEqual(await boundOf(unbound({}, { message: 'Unbound breakpoint' })), {
      session_id: 's1',
      verified: false,
      reason: 'unknown',
      message: 'Unbound breakpoint',
    });
  });

  it('keeps the adapter’s own message after a better reason', async () => {
    const it = unbound(LOCATIONS, { message: 'Unbound breakpoint' });
    it.on.host.on('breakpointLocations', lines(2));
    assert.equal(
      (await boundOf(it)).message,
      'There is no code on line 3; the nearest lines that have some: 2. (Unbound breakpoint)',
    );
  });

  it('shows the reason as the message of the whole breakpoint, too', async () => {
    const it = unbound(LOCATIONS);
    it.on.host.on('breakpointLocations', lines(2));
    const view = await viewOf(it.on, it.made);
    assert.equal(view.verified, false);
    assert.equal(view.message, view.bound?.[0]?.message);
    assert.match(view.message ?? '', /no code on line 3/);
  });

  it('gives no reason for a bound breakpoint', async () => {
    const on = running(bench());
    on.model.dispatch(eventOf('capabilities', { capabilities: { ...LOCATIONS, ...SOURCES } }));
    const made = set(on);
    answer(on, { id: 1, verified: true, line: 4, message: 'moved' });
    const view = await viewOf(on, made);
    assert.deepEqual(
      [view.message, view.bound],
      [undefined, [{ session_id: 's1', verified: true, line: 4, message: 'moved' }]],
    );
    assert.deepEqual(on.host.requests, []);
  });

  it('sends no request and shows the adapter’s message if no explanation is requested', async () => {
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

  it('names the nearest columns with code on the line for a column without code, nearest first', async () => {
    const on = running(bench());
    on.model.dispatch(eventOf('capabilities', { capabilities: { ...LOCATIONS, ...SOURCES } }));
    const made = on.host.addBreakpoint({ kind: 'source', path: FILE, line: LINE, column: 9 });
    answer(on, { id: 1, verified: false });
    const columns = (...all: readonly object[]): void =>
      void on.host.on('breakpointLocations', () => ({ breakpoints: all }));
    const at = (column: number): object => ({ line: LINE, column });
    columns(at(30), { line: 4, column: 9 }, at(2), at(12), at(12), at(7), { line: LINE });
    const other = await boundOf({ on, made });
    assert.deepEqual(
      [other.reason, other.nearest_columns, other.nearest_lines],
      ['column', [7, 12, 2], undefined],
    );
    assert.match(other.message ?? '', /in column 9; .*: 7, 12, 2\./);

    columns(at(2), at(9));
    const here = await boundOf({ on, made });
    assert.deepEqual(
      [here.reason, here.message, here.nearest_columns],
      ['unknown', 'The debugger has not bound it yet.', undefined],
    );

    columns({ line: LINE }, { line: 4, column: 9 });
    const none = await boundOf({ on, made });
    assert.deepEqual([none.reason, none.nearest_columns], ['column', undefined]);
    assert.match(none.message ?? '', /has not bound it in column 9: .* for the whole line\.$/);
  });

  it('gives a condition or a log message as a possible reason, with or without code there', async () => {
    const explained = async (more: object, found: readonly number[]): Promise<string> => {
      const on = running(bench());
      on.model.dispatch(eventOf('capabilities', { capabilities: { ...LOCATIONS, ...SOURCES } }));
      const made = on.host.addBreakpoint({ kind: 'source', path: FILE, line: LINE, ...more });
      answer(on, { id: 1, verified: false, message: 'Unbound breakpoint' }, 'a', FILE, more);
      on.host
        .on('breakpointLocations', lines(...found))
        .on('loadedSources', () => ({ sources: [{ path: FILE }] }));
      const { reason, message } = await boundOf({ on, made });
      return `${reason}: ${message}`;
    };
    const inOutput = 'what the debugger says of it is in its output. (Unbound breakpoint)';
    for (const more of [{ condition: 'x ===' }, { logMessage: '{x' }]) {
      assert.equal(
        await explained(more, [LINE]),
        `unknown: The debugger has not bound it: its condition or log message may not be valid in the program’s language; ${inOutput}`,
      );
      assert.equal(
        await explained(more, []),
        `unknown: The debugger has not bound it: there may be no code on line 3, or its condition or log message may not be valid in the program’s language; ${inOutput}`,
      );
    }
    assert.equal(await explained({ hitCondition: '2' }, [LINE]), 'unknown: Unbound breakpoint');
    assert.equal(
      await explained({ hitCondition: '2' }, []),
      'no_code: There is no code on line 3 or near it. (Unbound breakpoint)',
    );
  });

  it('does not request the loaded sources for a file with code', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    it.on.host.on('breakpointLocations', lines(2));
    await boundOf(it);
    assert.deepEqual(it.on.host.sent('loadedSources'), []);
  });

  it('does not report a missing source map for a compiled source if the loaded sources are unknown', async () => {
    const bound = await boundOf(unbound({}, { path: '/home/ada/app/main.ts' }));
    assert.equal(bound.reason, 'unknown');
    assert.match(bound.message ?? '', /the file may not be loaded yet/);
  });

  it('explains a line that is not a breakpoint of VS Code in the same way', async () => {
    const on = running(bench());
    on.model.dispatch(eventOf('capabilities', { capabilities: LOCATIONS }));
    on.host.on('breakpointLocations', lines(5));
    const place = { path: FILE, line: LINE };
    const why = await on.services.breakpointViews.whyUnbound(on.session(), place, on.call.signal);
    assert.deepEqual([why.reason, why.nearest_lines], ['no_code', [5]]);
  });

  it('does not show a breakpoint as bound if a debugger of another language reports it as bound', async () => {
    const on = running(bench());
    on.workspace.fits = false;
    const made = set(on);
    answer(on, { id: 1, verified: true, line: 4 });
    const view = await viewOf(on, made);
    assert.equal(view.verified, false);
    assert.equal(view.message, 'The debugger “test” is not one for the language of this file.');
  });

  it('shows the first message of a session as the message of the whole breakpoint', async () => {
    const on = running(running(bench()), 'b');
    const made = set(on);
    answer(on, { id: 1, verified: false }, 'a');
    answer(on, { id: 1, verified: false, message: 'Unbound breakpoint' }, 'b');
    assert.equal((await viewOf(on, made, false)).message, 'Unbound breakpoint');
  });

  it('leaves no listener behind', async () => {
    const it = unbound({ ...LOCATIONS, ...SOURCES });
    await boundOf(it);
    assert.equal(it.on.model.listenerCount, 0);
  });
});

describe('breakpoint view: the properties of a breakpoint', () => {
  it('shows only the place of a plain breakpoint on a line', async () => {
    const on = bench();
    assert.deepEqual(await viewOf(on, set(on)), {
      id: 1,
      verified: false,
      source: { path: FILE },
      line: LINE,
      enabled: true,
      owner: 'user',
      message: 'No debug session is running: it is checked when one starts.',
    });
  });

  it('shows all of its conditions, and leaves out empty texts', async () => {
    const on = bench();
    const source = { kind: 'source', path: FILE, line: LINE } as const;
    const full = on.host.addBreakpoint({
      ...source,
      column: 9,
      condition: 'x > 1',
      hitCondition: '>2',
      logMessage: 'x is {x}',
    });
    const { column, condition, hit_condition, log_message } = await viewOf(on, full);
    assert.deepEqual(
      [column, condition, hit_condition, log_message],
      [9, 'x > 1', '>2', 'x is {x}'],
    );
    const empty = on.host.addBreakpoint({
      ...source,
      condition: '',
      hitCondition: '',
      logMessage: '',
    });
    assert.deepEqual(Object.keys(await viewOf(on, empty)), [
      'id',
      'verified',
      'source',
      'line',
      'enabled',
      'owner',
      'message',
    ]);
  });

  it('shows the name of a function breakpoint, and no place', async () => {
    const on = bench();
    const { message, ...rest } = await viewOf(
      on,
      on.host.addBreakpoint({ kind: 'function', functionName: 'main', condition: 'x' }),
    );
    assert.match(message ?? '', /^No debug session is running/);
    assert.deepEqual(rest, {
      id: 1,
      verified: false,
      function_name: 'main',
      condition: 'x',
      enabled: true,
      owner: 'user',
    });
  });

  it('shows the agent as the owner of a breakpoint that it set, and the text of its line', async () => {
    const on = bench();
    const made = set(on);
    on.services.breakpoints.claim(made, { content: 'three' });
    const view = await viewOf(on, made);
    assert.deepEqual([view.owner, view.line_content], ['agent', 'three']);
  });
});

describe('breakpoint view: in one run', () => {
  const inRun = (
    on: Bench,
    made: HostBreakpoint,
    ...keys: readonly string[]
  ): Promise<BreakpointView> =>
    on.services.breakpointViews.view(
      made,
      on.call.signal,
      true,
      keys.map((key) => on.session(key)),
    );

  it('shows the adapter’s message of a run that has ended, and sends no request', async () => {
    const { on, made } = unbound({ ...LOCATIONS, ...SOURCES }, { message: 'Unbound breakpoint' });
    on.model.dispatch(ended());
    const view = await inRun(on, made, 'a');
    assert.deepEqual(
      [view.verified, view.message, view.bound],
      [
        false,
        'Unbound breakpoint',
        [{ session_id: 's1', verified: false, message: 'Unbound breakpoint' }],
      ],
    );
    assert.deepEqual(on.host.requests, []);
  });

  it('reports that a run has ended without a response, whatever other sessions report', async () => {
    const on = running(running(bench()), 'b');
    const made = set(on);
    answer(on, { id: 1, verified: true }, 'b');
    on.model.dispatch(ended());
    const view = await inRun(on, made, 'a');
    assert.deepEqual(
      [view.verified, view.message, view.bound],
      [false, 'The debugger of this run has not answered for it.', undefined],
    );
    assert.equal((await viewOf(on, made)).verified, true);
  });

  it('reports that a response may still arrive if one session of the run is still running', async () => {
    const on = running(running(bench()), 'b', 'a');
    const made = set(on);
    on.model.dispatch(ended());
    assert.equal(
      (await inRun(on, made, 'a', 'b')).message,
      'No running debug session has answered for it yet.',
    );
  });
});

describe('breakpoint view: breakpoints that no session has', () => {
  it('reports that a breakpoint is disabled, whatever else is wrong with it', async () => {
    const { on, made } = unbound({}, { message: 'Unbound breakpoint' });
    for (const where of [bench(), on]) {
      const view = await viewOf(where, { ...made, enabled: false });
      assert.deepEqual(
        [view.enabled, view.verified, view.message],
        [false, false, 'It is disabled in VS Code, so programs do not stop there.'],
      );
    }
  });

  it('reports that breakpoints are deactivated if VS Code withholds one', async () => {
    const on = running(bench());
    const made = set(on);
    answerNone(on, `file://${FILE}`);
    assert.equal(
      (await viewOf(on, made)).message,
      'Breakpoints are deactivated in VS Code, so programs stop at none.',
    );
  });

  it('does not report a deactivation if VS Code sent no list for the file, but one for another file', async () => {
    const on = running(bench());
    const made = set(on);
    answerNone(on, '/home/ada/app/other.js');
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has answered for it yet.',
    );
  });

  it('does not report a deactivation if VS Code sent another breakpoint of the file', async () => {
    const on = running(bench());
    const made = on.host.addBreakpoint({ kind: 'source', path: FILE, line: 7 });
    answer(on, { id: 1, verified: true });
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has answered for it yet.',
    );
  });

  it('does not report a deactivation while a response is pending', async () => {
    // The older response is for a file that had no breakpoints then.
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

  it('does not report a deactivation if the adapter refuses to set it', async () => {
    const on = running(bench());
    answerNone(on);
    const made = set(on);
    on.model.dispatch(
      asked(51, 'setBreakpoints', { source: { path: FILE }, breakpoints: [{ line: LINE }] }),
    );
    on.model.dispatch(refused(51, 'setBreakpoints', 'not now'));
    assert.equal((await viewOf(on, made)).message, 'not now');
  });

  it('reports that no running debugger has function breakpoints', async () => {
    const on = running(running(bench()), 'b');
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    assert.equal((await viewOf(on, made)).message, 'No running debugger has function breakpoints.');
  });

  it('reports that a function breakpoint is pending if one debugger supports it', async () => {
    const on = running(running(bench()), 'b');
    on.model.dispatch(
      eventOf('capabilities', { capabilities: { supportsFunctionBreakpoints: true } }, 'b'),
    );
    const made = on.host.addBreakpoint({ kind: 'function', functionName: 'main' });
    assert.equal(
      (await viewOf(on, made)).message,
      'No running debug session has answered for it yet.',
    );
  });

  it('sends no request for an unbound function breakpoint, and shows the adapter’s message', async () => {
    const on = running(bench());
    on.model.dispatch(
      eventOf('capabilities', {
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

describe('breakpoint view: parent and child sessions', () => {
  const sessions = async (on: Bench, made: HostBreakpoint): Promise<unknown> =>
    (await viewOf(on, made)).bound?.map((session) => [session.session_id, session.verified]);

  it('leaves out a parent if its child has the breakpoint', async () => {
    const on = family(bench());
    const made = set(on);
    answer(on, { verified: false, message: 'Unbound breakpoint' }, 'parent');
    answer(on, { verified: true }, 'child');
    assert.deepEqual(await sessions(on, made), [['s2', true]]);
  });

  it('shows a parent whose child does not have the breakpoint', async () => {
    const on = family(bench());
    const made = set(on);
    answer(on, { verified: true }, 'parent');
    assert.deepEqual(await sessions(on, made), [['s1', true]]);
  });

  it('shows a parent that runs its own program next to its child', async () => {
    const on = family(bench());
    const made = set(on);
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 1 }, 'parent'));
    answer(on, { verified: false }, 'parent');
    answer(on, { verified: true }, 'child');
    assert.deepEqual(await sessions(on, made), [
      ['s1', false],
      ['s2', true],
    ]);
  });

  it('shows both of two unrelated sessions', async () => {
    const on = running(bench());
    for (const event of launched('b')) on.model.dispatch(event);
    const made = set(on);
    answer(on, { verified: false }, 'a');
    answer(on, { verified: true }, 'b');
    const view = await viewOf(on, made);
    assert.deepEqual(
      [view.verified, view.message, view.bound?.map((session) => session.reason)],
      [true, undefined, ['unknown', undefined]],
    );
  });
});
