import { strict as assert } from 'node:assert';
import { session, setUp } from '../../support/exceptions';

describe('exception breakpoints', () => {
  it('add uncaught exceptions to what VS Code sends, in sessions that an agent started', () => {
    const agents = setUp();
    agents.vsCodeSends({ filters: ['raised'] });
    assert.deepEqual(agents.sent(), [['raised', 'uncaught']]);
    const persons = setUp(false);
    persons.vsCodeSends({ filters: ['raised'] });
    assert.deepEqual(persons.sent(), []);
  });

  it('follow each list of VS Code with one of ours, and never take ours for the person’s', async () => {
    const { model, host, exceptions, vsCodeSends, sent } = setUp();
    // Ours arrive only after VS Code has sent two more of its own.
    const held: (() => void)[] = [];
    const request = host.request.bind(host);
    host.request = async (key, command, args) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return await request(key, command, args);
    };
    vsCodeSends({ filters: [] });
    vsCodeSends({ filters: [] });
    assert.equal(held.length, 2);
    for (const release of held) release();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(sent(), [['uncaught'], ['uncaught']]);
    assert.deepEqual(exceptions.active(session(model)), [{ filter: 'uncaught', by: 'agent' }]);
  });

  it('turn off the agent’s filters for an empty choice and keep the person’s', async () => {
    const { model, exceptions, vsCodeSends, sent } = setUp();
    vsCodeSends({ filters: ['raised'] });
    await exceptions.chooseNone();
    assert.deepEqual(sent().at(-1), ['raised']);
    assert.deepEqual(exceptions.active(session(model)), [{ filter: 'raised', by: 'user' }]);
  });

  it('send conditions with the filters that support them', async () => {
    const { model, host, exceptions, vsCodeSends } = setUp();
    vsCodeSends({ filters: [], filterOptions: [{ filterId: 'raised' }] });
    await exceptions.choose(
      new Map([
        [
          'test',
          { filters: ['uncaught', 'raised'], conditions: { uncaught: 'x > 1', raised: 'y' } },
        ],
      ]),
    );
    assert.deepEqual(host.sent('setExceptionBreakpoints').at(-1), {
      filters: [],
      filterOptions: [{ filterId: 'raised' }, { filterId: 'uncaught', condition: 'x > 1' }],
    });
    assert.deepEqual(exceptions.active(session(model)), [
      { filter: 'raised', by: 'user' },
      { filter: 'uncaught', by: 'agent', condition: 'x > 1' },
    ]);
  });

  it('omit a filter whose condition the adapter does not support, and report it as missing', async () => {
    const { model, host, exceptions } = setUp();
    await exceptions.choose(
      new Map([['test', { filters: ['raised'], conditions: { raised: 'y' } }]]),
    );
    assert.deepEqual(host.sent('setExceptionBreakpoints').at(-1), {
      filters: [],
      filterOptions: [],
    });
    assert.deepEqual(exceptions.active(session(model)), []);
    assert.deepEqual(exceptions.missingIn(session(model)), ['raised']);
  });

  it('leave the sessions of another type unchanged by the choice for one type', async () => {
    const { model, host, exceptions, vsCodeSends, sent } = setUp();
    vsCodeSends({ filters: [] });
    assert.deepEqual(sent(), [['uncaught']]);
    await exceptions.choose(new Map([['other', { filters: ['all'], conditions: {} }]]));
    assert.equal(host.sent('setExceptionBreakpoints').length, 1, 'nothing was sent');
    assert.deepEqual(exceptions.active(session(model)), [{ filter: 'uncaught', by: 'agent' }]);
    vsCodeSends({ filters: ['raised'] });
    assert.deepEqual(sent().at(-1), ['raised', 'uncaught']);
  });

  it('use a launch’s own choice until a tool chooses for its type, and no longer than its session', async () => {
    const { model, exceptions, vsCodeSends, sent } = setUp();
    exceptions.chooseForLaunch('mark', {
      filters: ['raised', 'uncaught'],
      conditions: { uncaught: 'x' },
    });
    vsCodeSends({ filters: [] });
    assert.deepEqual(sent().at(-1), ['raised']);
    assert.deepEqual(exceptions.active(session(model)), [
      { filter: 'raised', by: 'agent' },
      { filter: 'uncaught', by: 'agent', condition: 'x' },
    ]);
    assert.equal(exceptions.chosen().length, 1);
    await exceptions.choose(new Map([['test', { filters: ['uncaught'], conditions: {} }]]));
    assert.deepEqual(exceptions.active(session(model)), [{ filter: 'uncaught', by: 'agent' }]);
    model.dispatch({ type: 'sessionEnded', key: 'a', at: 1 });
    assert.deepEqual(exceptions.chosen(), [
      { type: 'test', filters: ['uncaught'], conditions: {} },
    ]);
  });

  it('take a debugger’s filters from the session, then from the last session, otherwise from a table', () => {
    const { model, exceptions } = setUp();
    const of = (type: string): [string, string[]] | undefined => {
      const known = exceptions.filters.of(model.state, type);
      return known && [known.from, known.filters.map((each) => each.filter)];
    };
    assert.deepEqual(of('test'), ['session', ['raised', 'uncaught']]);
    model.dispatch({ type: 'sessionEnded', key: 'a', at: 1 });
    assert.deepEqual(of('test'), ['lastSession', ['raised', 'uncaught']]);
    assert.deepEqual(of('python'), ['table', ['raised', 'uncaught', 'userUnhandled']]);
    assert.deepEqual(of('pwa-chrome'), ['table', ['all', 'uncaught']]);
    assert.deepEqual(of('go'), ['table', ['unrecovered-panic', 'runtime-fatal-throw']]);
    assert.equal(of('constructor'), undefined);
    assert.equal(of('cppdbg'), undefined);
  });

  it('keep nothing of a session that ended', () => {
    const { model, exceptions, vsCodeSends, sent } = setUp();
    vsCodeSends({ filters: [] });
    const before = session(model);
    model.dispatch({ type: 'sessionEnded', key: 'a', at: 1 });
    vsCodeSends({ filters: [] });
    assert.equal(sent().length, 1);
    assert.ok(exceptions.active(before).every((each) => each.by === 'agent'));
  });
});
