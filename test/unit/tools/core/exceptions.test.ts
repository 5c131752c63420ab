import { strict as assert } from 'node:assert';
import { fields } from '../../../../src/debugger/protocol';
import type { ToolResult } from '../../../../src/tools/defineTool';
import { ask, toolNamed } from '../../support/asking';
import { call } from '../../support/breakpointCalls';
import { answered, asked, created, ended, told } from '../../support/events';
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

/** VS Code with debuggers of some types. */
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

/** A session of a type whose adapter has answered; VS Code sends it a list without filters. */
function runs(on: Bench, key: string, sessionType: string, capabilities: object): Bench {
  const events = [
    created(key, { sessionType }),
    asked(1, 'initialize', {}, key),
    answered(1, 'initialize', capabilities, key),
    asked(2, 'launch', {}, key),
    asked(3, 'setExceptionBreakpoints', { filters: [] }, key),
    answered(2, 'launch', {}, key),
    told('thread', { reason: 'started', threadId: 1 }, key),
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
  ).flatMap((each) => (each.on ? [`${each.type ?? each.session_id ?? ''} ${each.filter}`] : []));
const filtersSent = (on: Bench, key: string): unknown[] =>
  on.host.requests
    .filter((each) => each.sessionKey === key && each.command === 'setExceptionBreakpoints')
    .map((each) => each.args['filters']);

describe('set_exception_breakpoints without a session', () => {
  it('refuses what no debugger has, with what there is', async () => {
    const on = installed('node', 'debugpy', 'go');
    const answer = await ask(on, 'set_exception_breakpoints', { filters: ['bogus'] });
    assert.equal(answer['code'], 'not_supported');
    assert.deepEqual(answer['available'], {
      node: ['all', 'uncaught'],
      debugpy: ['raised', 'uncaught', 'userUnhandled'],
      go: [],
    });
    assert.deepEqual(on.services.exceptions.chosen(), []);
  });

  it('says what is on for which debugger, and from where that is known', async () => {
    const on = installed('node', 'debugpy');
    const answer = await ask(on, 'set_exception_breakpoints', { filters: ['userUnhandled'] });
    assert.deepEqual(switchedOn(answer), ['debugpy userUnhandled']);
    assert.deepEqual(
      [...new Set((answer['filters'] as { from: string }[]).map((each) => each.from))],
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

  it('refuses a condition that no debugger takes for the filter, and leaves it to those that do', async () => {
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
      on.services.exceptions.chosen().map((each) => each.type),
      ['node'],
    );
  });

  it('of a debugger whose filters nobody knows before it has run, says so', async () => {
    const on = installed('node', 'cppdbg');
    assert.match(
      String((await choose(on, { filters: ['throw'] }))['hint']),
      /filters of cppdbg are known once a session has run/,
    );
    assert.match(
      String((await choose(on, { filters: ['throw'], type: 'cppdbg' }))['message']),
      /known only once it has run/,
    );
    assert.equal(
      (await choose(on, { filters: ['throw'], type: 'nonesuch' }))['code'],
      'debugger_not_installed',
    );
  });

  it('the choice is told by get_debug_state and get_breakpoints', async () => {
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

  it('without filters every debugger, or one, has its default again', async () => {
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

  it('the card says for which debuggers; of what would fail there is none', async () => {
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
      /No debugger is known to have/,
    );
  });
});

describe('set_exception_breakpoints with sessions', () => {
  it('a filter of Python leaves JavaScript’s as they are', async () => {
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

  it('an empty list with a type turns off that type’s alone, without one all', async () => {
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

  it('of a filter that debugpy applies only to functions entered later, that is said', async () => {
    const on = runs(installed('debugpy'), 'py', 'debugpy', PYTHON);
    assert.match(
      String((await choose(on, { filters: ['userUnhandled'] }))['hint']),
      /debugpy applies userUnhandled only to functions entered from now on/,
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

  it('what an adapter turns out not to have, of what was chosen before, is told', async () => {
    const on = installed('debugpy');
    await choose(on, { filters: ['userUnhandled'] });
    runs(on, 'py', 'debugpy', { exceptionBreakpointFilters: [{ filter: 'raised' }] });
    const [shown] = (await ask(on, 'get_debug_state'))['exception_filters'] as unknown[];
    assert.deepEqual(fields(shown)['not_offered'], ['userUnhandled']);
  });
});
