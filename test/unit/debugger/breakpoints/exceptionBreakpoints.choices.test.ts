import { strict as assert } from 'node:assert';
import { isUncaught } from '../../../../src/debugger/breakpoints/exceptionBreakpoints';
import { LAUNCH_MARK } from '../../../../src/debugger/state/launchMark';
import type { DebugModel } from '../../../../src/debugger/state/debugModel';
import { answered, asked, created, ended } from '../../support/events';
import { CAPABILITIES, session, setUp } from '../../support/exceptions';

const choice = (...filters: readonly string[]) => ({ filters, conditions: {} });

/** Another session, with the same filters. */
function another(
  model: DebugModel,
  key: string,
  more: Parameters<typeof created>[1] = {},
  capabilities: object = CAPABILITIES,
): void {
  for (const event of [
    created(key, more),
    asked(1, 'initialize', {}, key),
    answered(1, 'initialize', capabilities, key),
    asked(2, 'launch', {}, key),
    answered(2, 'launch', {}, key),
  ])
    model.dispatch(event);
}

describe('the choice of exception breakpoints', () => {
  it('is reset for one type alone, or for all types together', async () => {
    const { model, exceptions, sent } = setUp();
    another(model, 'b', { sessionType: 'other' });
    await exceptions.choose(
      new Map([
        ['test', choice('raised')],
        ['other', choice('raised')],
      ]),
    );
    assert.deepEqual(sent(), [['raised'], ['raised']]);
    await exceptions.returnToDefault('test');
    assert.deepEqual([sent().at(-1), sent().length], [['uncaught'], 3]);
    assert.deepEqual(
      exceptions.chosen().map((each) => each.type),
      ['other'],
    );
    await exceptions.chooseNone();
    assert.deepEqual(sent().slice(3), [[], []]);
    await exceptions.returnToDefault();
    assert.deepEqual([sent().slice(5), exceptions.chosen()], [[['uncaught'], []], []]);
  });

  it('takes precedence for a run over that of its type, while the run lasts and until it is released', async () => {
    const { model, host, exceptions, sent } = setUp();
    another(model, 'b');
    await exceptions.choose(new Map([['test', choice('uncaught')]]));
    const before = sent().length;
    await exceptions.chooseDuringRun('mark', choice('raised'));
    assert.deepEqual(sent().slice(before), [['raised']]);
    await exceptions.releaseRun('mark');
    assert.deepEqual(sent().slice(before + 1), [['uncaught']]);
    await exceptions.releaseRun('mark');
    assert.equal(sent().length, before + 2, 'it was released already');
    assert.deepEqual(
      host.requests.slice(before).map(({ sessionKey }) => sessionKey),
      ['a', 'a'],
    );
  });

  it('is made for a run of the person, too, which has no mark', async () => {
    const { model, exceptions, sent } = setUp(false);
    another(model, 'child', { parentKey: 'a' });
    another(model, 'b');
    const run = exceptions.runOf(session(model));
    await exceptions.chooseDuringRun(run, choice('raised'));
    assert.deepEqual(sent(), [['raised'], ['raised']], 'the root and its child');
    await exceptions.releaseRun(run);
    assert.deepEqual(sent().slice(2), [[], []]);
    exceptions.chooseForRun(run, choice('raised'));
    model.dispatch(ended('a'));
    another(model, 'a');
    assert.deepEqual(exceptions.active(session(model)), []);
  });

  it('ends for a run with its root session, and with no other session', () => {
    const { model, exceptions } = setUp();
    exceptions.chooseForRun('mark', choice('raised'));
    another(model, 'child', { parentKey: 'a', configuration: { [LAUNCH_MARK]: 'mark' } });
    another(model, 'b');
    model.dispatch(ended('child'));
    model.dispatch(ended('b'));
    const filters = (key: string): string[] =>
      exceptions
        .active(model.state.sessions.get(key) ?? session(model))
        .map(({ filter }) => filter);
    assert.deepEqual(filters('a'), ['raised']);
    model.dispatch(ended('a'));
    another(model, 'again', { configuration: { [LAUNCH_MARK]: 'mark' } });
    assert.deepEqual(filters('again'), ['uncaught'], 'the mark means nothing any more');
  });

  it('is reported once for a launch, with the session that it is for', () => {
    const { model, exceptions } = setUp();
    another(model, 'child', { parentKey: 'a' });
    another(model, 'b');
    exceptions.chooseForLaunch('mark', choice('raised'));
    assert.deepEqual(exceptions.chosen(), [{ ...choice('raised'), session: session(model) }]);
  });

  it('is not sent to a session that is still starting, or to one without filters', async () => {
    const { model, host, exceptions } = setUp();
    model.dispatch(created('starting'));
    model.dispatch(asked(1, 'initialize', {}, 'starting'));
    model.dispatch(answered(1, 'initialize', CAPABILITIES, 'starting'));
    another(model, 'without', {}, {});
    await exceptions.choose(new Map([['test', choice('raised')]]));
    assert.deepEqual(
      host.requests.map(({ sessionKey }) => sessionKey),
      ['a'],
    );
  });

  it('reports filters that a debugger lacks; without a choice, none are missing', async () => {
    const { model, exceptions } = setUp();
    assert.deepEqual(exceptions.missingIn(session(model)), []);
    await exceptions.choose(new Map([['test', choice('raised', 'constructor')]]));
    assert.deepEqual(exceptions.missingIn(session(model)), ['constructor']);
  });
});

describe('a list of exception breakpoints', () => {
  it('names each filter once, and the person’s filters stay theirs', () => {
    const { model, exceptions, vsCodeSends, sent } = setUp();
    vsCodeSends({ filters: ['uncaught', 7] });
    assert.deepEqual(sent(), [['uncaught', 7]]);
    assert.deepEqual(exceptions.active(session(model)), [{ filter: 'uncaught', by: 'user' }]);
  });

  it('has options only for adapters that support them', async () => {
    const { model, host, exceptions } = setUp();
    another(model, 'b', {}, { ...CAPABILITIES, supportsExceptionFilterOptions: false });
    await exceptions.choose(new Map([['test', choice('raised')]]));
    assert.deepEqual(
      host.requests.map(({ sessionKey, args }) => [sessionKey, args]),
      [
        ['a', { filters: ['raised'], filterOptions: [] }],
        ['b', { filters: ['raised'] }],
      ],
    );
  });

  it('is followed by ours again if VS Code sends it after an equal list of ours', () => {
    const { vsCodeSends, sent } = setUp();
    vsCodeSends({ filters: [] });
    vsCodeSends({ filters: ['uncaught'], filterOptions: [] });
    assert.deepEqual(sent(), [['uncaught'], ['uncaught']]);
  });
});

describe('filters that stop at uncaught exceptions', () => {
  it('are recognized by their names', () => {
    assert.deepEqual(['uncaught', 'Unhandled', 'userUnhandled', 'raised', 'all'].map(isUncaught), [
      true,
      true,
      false,
      false,
      false,
    ]);
    // Delve's. Both end the program.
    assert.deepEqual(['unrecovered-panic', 'runtime-fatal-throw'].map(isUncaught), [true, true]);
  });
});
