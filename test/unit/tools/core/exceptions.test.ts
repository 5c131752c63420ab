import { strict as assert } from 'node:assert';
import { fields } from '../../../../src/debugger/protocol';
import type { ToolResult } from '../../../../src/tools/defineTool';
import { ask, toolNamed } from '../../support/asking';
import { call } from '../../support/breakpointCalls';
import { answered, asked, created, ended, eventOf } from '../../support/events';
import { bench, type Bench } from '../../support/services';

const PYTHON = {
  exceptionBreakpointFilters: [
    { filter: 'raised', label: 'Raised Exceptions' },
    { filter: 'uncaught', label: 'Uncaught Exceptions' },
    { filter: 'userUnhandled', label: 'User Uncaught Exceptions' },
  ],
};
const NODE = {
  supportsExceptionFilterOptions: true,
  exceptionBreakpointFilters: [
    { filter: 'all', label: 'Caught Exceptions', supportsCondition: true },
    { filter: 'uncaught', label: 'Uncaught Exceptions', supportsCondition: true },
  ],
};

/** A bench where debuggers of these types are installed. */
function installed(...types: readonly string[]): Bench {
  const on = bench();
  on.workspace.debuggers = () => types.map((type) => ({ type, label: type, languages: [] }));
  on.host.on('setExceptionBreakpoints', () => ({}));
  on.model.observe(
    (event) => on.services.exceptions.observe(event),
    on.services.exceptions.observes,
  );
  return on;
}

/** A launched session of this type with these capabilities. VS Code has sent it an empty list of filters. */
function runs(on: Bench, key: string, sessionType: string, capabilities: object): Bench {
  const events = [
    created(key, { sessionType }),
    asked(1, 'initialize', {}, key),
    answered(1, 'initialize', capabilities, key),
    asked(2, 'launch', {}, key),
    asked(3, 'setExceptionBreakpoints', { filters: [] }, key),
    answered(2, 'launch', {}, key),
    eventOf('thread', { reason: 'started', threadId: 1 }, key),
  ];
  for (const event of events) on.model.dispatch(event);
  return on;
}

const choose = (on: Bench, input: object): Promise<ToolResult> =>
  call(on, 'set_exception_breakpoints', input);
const switchedOn = (answer: Readonly<Record<string, unknown>>): string[] =>
  (
    (answer['filters'] ?? []) as {
      filter: string;
      type?: string;
      session_id?: string;
      on: boolean;
    }[]
  ).flatMap((filter) =>
    filter.on ? [`${filter.type ?? filter.session_id ?? ''} ${filter.filter}`] : [],
  );
const filtersSent = (on: Bench, key: string): unknown[] =>
  on.host.requests
    .filter(
      (request) => request.sessionKey === key && request.command === 'setExceptionBreakpoints',
    )
    .map((request) => request.args['filters']);

describe('set_exception_breakpoints without a session', () => {
  it('refuses a filter that no debugger has, and lists the available filters', async () => {
    const on = installed('node', 'debugpy', 'go');
    const answer = await ask(on, 'set_exception_breakpoints', { filters: ['bogus'] });
    assert.equal(answer['code'], 'not_supported');
    assert.deepEqual(answer['available'], {
      node: ['all', 'uncaught'],
      debugpy: ['raised', 'uncaught', 'userUnhandled'],
      go: ['unrecovered-panic', 'runtime-fatal-throw'],
    });
    assert.deepEqual(on.services.exceptions.chosen(), []);
  });

  it('reports the active filters of each debugger, and the source of that information', async () => {
    const on = installed('node', 'debugpy');
    const answer = await ask(on, 'set_exception_breakpoints', { filters: ['userUnhandled'] });
    assert.deepEqual(switchedOn(answer), ['debugpy userUnhandled']);
    assert.deepEqual(
      [...new Set((answer['filters'] as { from: string }[]).map((filter) => filter.from))],
      ['table'],
    );
    assert.ok(JSON.stringify(answer).length < 450, JSON.stringify(answer));
    runs(on, 'a', 'debugpy', {
      exceptionBreakpointFilters: [{ filter: 'raised', label: 'Raised' }],
    });
    on.model.dispatch(ended('a'));
    const next = await ask(on, 'set_exception_breakpoints', { filters: ['raised'] });
    assert.deepEqual(next['filters'], [
      { type: 'debugpy', from: 'last_session', filter: 'raised', on: true },
    ]);
  });

  it('refuses a condition that no debugger accepts for the filter, and applies it only to debuggers that accept it', async () => {
    const on = installed('node', 'debugpy', 'java');
    const refused = await ask(on, 'set_exception_breakpoints', {
      filters: ['raised'],
      conditions: { raised: 'x' },
    });
    assert.equal(refused['code'], 'not_supported');
    assert.match(String(refused['hint']), /stop at every exception/);
    const taken = await ask(on, 'set_exception_breakpoints', {
      filters: ['uncaught'],
      conditions: { uncaught: 'error.code === 1' },
    });
    assert.deepEqual(switchedOn(taken), ['node uncaught']);
    assert.deepEqual(
      on.services.exceptions.chosen().map((choice) => choice.type),
      ['node'],
    );
  });

  it('reports that the filters of a debugger are unknown until it has run', async () => {
    const on = installed('node', 'cppdbg');
    assert.match(
      String((await choose(on, { filters: ['throw'] }))['hint']),
      /filters of cppdbg are known after a session has run/,
    );
    assert.match(
      String((await choose(on, { filters: ['throw'], type: 'cppdbg' }))['message']),
      /known only after it has run once/,
    );
    assert.equal(
      (await choose(on, { filters: ['throw'], type: 'nonesuch' }))['code'],
      'debugger_not_installed',
    );
  });

  it('shows the chosen filters in get_debug_state and get_breakpoints', async () => {
    const on = installed('node', 'debugpy');
    for (const name of ['get_debug_state', 'get_breakpoints'])
      assert.equal((await ask(on, name))['exception_filters'], undefined);
    await choose(on, { filters: ['all'], conditions: { all: 'error.code' } });
    for (const name of ['get_debug_state', 'get_breakpoints'])
      assert.deepEqual((await ask(on, name))['exception_filters'], [
        { type: 'node', filters: ['all'], conditions: { all: 'error.code' } },
      ]);
    await choose(on, { filters: [] });
    assert.deepEqual((await ask(on, 'get_debug_state'))['exception_filters'], [{ filters: [] }]);
  });

  it('restores the default of every debugger, or of one, if no filters are passed', async () => {
    const on = installed('node', 'debugpy');
    await choose(on, { filters: [] });
    await choose(on, { type: 'python' });
    assert.deepEqual(
      [on.services.exceptions.hasChosen('debugpy'), on.services.exceptions.hasChosen('node')],
      [false, true],
    );
    await choose(on, { filters: ['all'], type: 'node' });
    await choose(on, {});
    assert.deepEqual((await ask(on, 'get_debug_state'))['exception_filters'], undefined);
    assert.equal(
      (await toolNamed('set_exception_breakpoints').check({ type: 'node' }).question(on.services))
        ?.message,
      'Stop at exceptions of `node` by default again',
    );
  });

  it('names the debuggers on its card, and shows no card for a call that would fail', async () => {
    const on = installed('node', 'debugpy');
    const tool = toolNamed('set_exception_breakpoints');
    assert.equal(
      (await tool.check({ filters: ['uncaught'] }).question(on.services))?.message,
      'Stop at exceptions of `node`, `debugpy`: `uncaught`',
    );
    assert.equal(
      (await tool.check({ filters: [], type: 'node' }).question(on.services))?.message,
      'Stop at no exceptions of `node` but your own',
    );
    await assert.rejects(
      () => tool.check({ filters: ['bogus'] }).question(on.services),
      /No known debugger has/,
    );
  });
});

describe('set_exception_breakpoints with sessions', () => {
  it('leaves the JavaScript filters unchanged if a Python filter is set', async () => {
    const on = runs(installed('node', 'debugpy'), 'js', 'pwa-node', NODE);
    await choose(on, { filters: ['uncaught'] });
    const refused = await choose(on, { filters: ['userUnhandled'] });
    assert.equal(refused['code'], 'not_supported');
    assert.match(String(refused['hint']), /It is a filter of debugpy: pass that as type/);
    const later = await choose(on, { filters: ['userUnhandled'], type: 'debugpy' });
    assert.deepEqual(switchedOn(later), ['s1 uncaught', 'debugpy userUnhandled']);
    runs(on, 'py', 'debugpy', PYTHON);
    assert.deepEqual(
      [filtersSent(on, 'js').at(-1), filtersSent(on, 'py').at(-1)],
      [['uncaught'], ['userUnhandled']],
    );
    await choose(on, { filters: ['raised'] });
    assert.deepEqual(
      [filtersSent(on, 'js').at(-1), filtersSent(on, 'py').at(-1)],
      [['uncaught'], ['raised']],
    );
  });

  it('turns off the filters of one type for an empty list with a type, and all filters without a type', async () => {
    const on = runs(
      runs(installed('node', 'debugpy'), 'js', 'pwa-node', NODE),
      'py',
      'debugpy',
      PYTHON,
    );
    await choose(on, { filters: ['uncaught'] });
    assert.deepEqual(switchedOn(await choose(on, { filters: [], type: 'python' })), [
      's1 uncaught',
    ]);
    assert.deepEqual(switchedOn(await choose(on, { filters: [] })), []);
  });

  it('hints that debugpy applies a filter only to functions entered later', async () => {
    const on = runs(installed('debugpy'), 'py', 'debugpy', PYTHON);
    assert.match(
      String((await choose(on, { filters: ['userUnhandled'] }))['hint']),
      /debugpy applies userUnhandled only to functions that are entered from now on/,
    );
    assert.equal(
      (await choose(on, { filters: ['userUnhandled'] }))['hint'],
      undefined,
      'it was on before',
    );
    assert.equal(
      (await choose(on, { filters: ['uncaught'] }))['hint'],
      undefined,
      'it counts at once',
    );
  });

  it('reports the filters chosen earlier that the adapter does not offer', async () => {
    const on = installed('debugpy');
    await choose(on, { filters: ['userUnhandled'] });
    runs(on, 'py', 'debugpy', { exceptionBreakpointFilters: [{ filter: 'raised' }] });
    const [shown] = (await ask(on, 'get_debug_state'))['exception_filters'] as unknown[];
    assert.deepEqual(fields(shown)['not_offered'], ['userUnhandled']);
  });
});
