import { strict as assert } from 'node:assert';
import { BreakpointViews, type BoundView } from '../../../../src/results/views/breakpointView';
import {
  LINE,
  LOCATIONS,
  SOURCES,
  answer,
  set,
  viewOf,
  unbound,
  boundOf,
  lines,
} from '../../support/breakpointViews';
import { eventOf } from '../../support/events';
import { bench, FILE, running } from '../../support/services';

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
    assert.match(bound.message ?? '', /line 3\. .*: 2, 1, 5\./);
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
      'There is no code on line 3. The nearest lines with code: 2. (Unbound breakpoint)',
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
    assert.match(other.message ?? '', /in column 9\. .*: 7, 12, 2\./);

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
    const inOutput = 'the output of the session shows the debugger’s message. (Unbound breakpoint)';
    for (const more of [{ condition: 'x ===' }, { logMessage: '{x' }]) {
      assert.equal(
        await explained(more, [LINE]),
        `unknown: The debugger has not bound it. Its condition or log message may not be valid in the program’s language; ${inOutput}`,
      );
      assert.equal(
        await explained(more, []),
        `unknown: The debugger has not bound it. There may be no code on line 3, or its condition or log message may not be valid in the program’s language; ${inOutput}`,
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
    assert.match(bound.message ?? '', /The file may not be loaded yet/);
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
    assert.equal(view.message, 'The debugger “test” is not for the language of this file.');
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
