import { strict as assert } from 'node:assert';
import { fields } from '../../../../../src/debugger/protocol';
import { ask } from '../../../support/asking';
import { answered, asked, created, ended, eventOf } from '../../../support/events';
import { bench, FILE, type Bench } from '../../../support/services';
import { frameAt, PROBE, scripted, value, whenAwaited } from './stoppingPrograms';

const EXCEPTIONS = { exceptions: true };

interface Stop {
  readonly line: number;
  readonly reason?: string;
  readonly info?: object;
}

const NO_ZONE = { exceptionId: 'KeyError', description: "'UK'", breakMode: 'always' };

/** A running program that the person has started. It stops at these places, one after the other, and ends. */
function throwing(
  stops: readonly Stop[],
  sessionType = 'debugpy',
  filters: readonly string[] = ['raised', 'uncaught', 'userUnhandled'],
): Bench {
  const on = scripted(bench(), () => value('7'));
  const capabilities = {
    supportsExceptionInfoRequest: true,
    exceptionBreakpointFilters: filters.map((filter) => ({ filter, label: filter })),
  };
  on.model.observe(
    (event) => on.services.exceptions.observe(event),
    on.services.exceptions.observes,
  );
  for (const event of [
    created('a', { sessionType }),
    asked(1, 'initialize'),
    answered(1, 'initialize', capabilities),
    asked(2, 'launch'),
    answered(2, 'launch'),
    asked(3, 'setExceptionBreakpoints', { filters: ['userUnhandled'] }),
    answered(3, 'setExceptionBreakpoints'),
    eventOf('thread', { reason: 'started', threadId: 1 }),
  ])
    on.model.dispatch(event);
  let passed = 0;
  const now = (): Stop => stops[passed - 1] ?? { line: 1 };
  on.host.on('setExceptionBreakpoints', () => ({}));
  on.host.on('stackTrace', () => frameAt(now().line));
  on.host.on('exceptionInfo', () => now().info ?? NO_ZONE);
  const goOn = (): void => {
    const stop = stops[passed];
    passed += 1;
    if (stop === undefined) on.model.dispatch(ended());
    else on.host.emit('stopped', { reason: stop.reason ?? 'exception', threadId: 1 });
  };
  on.host.on('continue', () => {
    setImmediate(goOn);
    return {};
  });
  whenAwaited(on, goOn);
  return on;
}

const filtersOf = ({ host }: Bench): unknown[] =>
  host.sent('setExceptionBreakpoints').map((each) => each['filters']);

describe('collecting exceptions', () => {
  it('passes each one, and restores the filters that the person has', async () => {
    const on = throwing([{ line: 3 }, { line: 3 }, { line: 5 }]);
    const answer = await ask(on, 'collect_values', { ...EXCEPTIONS, max_hits: 3 });
    assert.deepEqual(
      [answer['ended_by'], answer['program'], answer['hits'], answer['collection_id']],
      ['max_hits', 'running', undefined, undefined],
      JSON.stringify(answer),
    );
    const exceptions = fields(answer['exceptions']);
    const row = { type: 'KeyError', message: "'UK'" };
    assert.equal(exceptions['thrown'], 3);
    assert.deepEqual(exceptions['list'], [
      { ...row, at: `${FILE}:3 main`.replace('/home/ada/app/', ''), times: 2 },
      { ...row, at: `${FILE}:5 main`.replace('/home/ada/app/', ''), times: 1 },
    ]);
    assert.deepEqual(filtersOf(on), [['userUnhandled', 'raised', 'uncaught'], ['userUnhandled']]);
    assert.equal(on.services.control.leases.of(on.session()), undefined);
  });

  it('counts an exception once that is reported again as unhandled', async () => {
    const unhandled = { line: 3, info: { ...NO_ZONE, breakMode: 'unhandled' } };
    const on = throwing([{ line: 3 }, unhandled]);
    const answer = await ask(on, 'collect_values', EXCEPTIONS);
    const { thrown, list, unhandled: number } = fields(answer['exceptions']);
    assert.deepEqual([thrown, number, answer['ended_by']], [1, 1, 'program_end']);
    assert.equal(fields((list as unknown[])[0])['unhandled'], 1);
  });

  it('says that no exception was unhandled only if the debugger would have reported it', async () => {
    const python = await ask(throwing([{ line: 3 }]), 'collect_values', EXCEPTIONS);
    assert.equal(fields(python['exceptions'])['unhandled'], 0, JSON.stringify(python));
    const node = throwing([{ line: 3 }], 'node', ['all', 'uncaught']);
    const answer = await ask(node, 'collect_values', EXCEPTIONS);
    assert.equal(fields(answer['exceptions'])['thrown'], 1);
    assert.equal(fields(answer['exceptions'])['unhandled'], undefined);
  });

  it('hides credentials in messages', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const info = { ...NO_ZONE, description: `refused: ${secret}` };
    const answer = await ask(throwing([{ line: 3, info }]), 'collect_values', EXCEPTIONS);
    assert.match(JSON.stringify(answer), /refused: /);
    assert.doesNotMatch(JSON.stringify(answer), /a1B2a1B2/);
  });

  it('leaves other stops alone, and restores the filters there', async () => {
    const on = throwing([{ line: 3 }, { line: 4, reason: 'breakpoint' }]);
    const answer = await ask(on, 'collect_values', EXCEPTIONS);
    assert.deepEqual(
      [answer['ended_by'], answer['program'], fields(answer['exceptions'])['thrown']],
      ['breakpoint', 'stopped', 1],
      JSON.stringify(answer),
    );
    assert.deepEqual(filtersOf(on).at(-1), ['userUnhandled']);
  });

  it('restores the filters of the person after a cancellation', async () => {
    const on = throwing([{ line: 3 }]);
    on.host.on('exceptionInfo', () => {
      on.cancel();
      return NO_ZONE;
    });
    const answer = await ask(on, 'collect_values', EXCEPTIONS);
    assert.equal(answer.status, 'interrupted', JSON.stringify(answer));
    assert.deepEqual(filtersOf(on).at(-1), ['userUnhandled']);
  });

  it('restores the filters that an agent has chosen, after an error as well', async () => {
    const on = throwing([{ line: 3 }]);
    const chosen = { filters: ['uncaught'], conditions: {} };
    await on.services.exceptions.choose(new Map([['debugpy', chosen]]));
    const { control } = on.services;
    control.next = () => Promise.reject(new Error('the debugger is gone'));
    await assert.rejects(ask(on, 'collect_values', EXCEPTIONS));
    assert.deepEqual(filtersOf(on).slice(-2), [
      ['userUnhandled', 'raised', 'uncaught'],
      ['userUnhandled', 'uncaught'],
    ]);
  });

  it('says what a condition of the person leaves out', async () => {
    const on = throwing([{ line: 3 }], 'node', ['all', 'uncaught']);
    const theirs = { filters: [], filterOptions: [{ filterId: 'all', condition: 'x' }] };
    on.model.dispatch(asked(9, 'setExceptionBreakpoints', theirs));
    const answer = await ask(on, 'collect_values', EXCEPTIONS);
    assert.deepEqual(fields(answer['exceptions'])['not_seen'], [
      "exceptions outside of the person's condition for all",
    ]);
  });

  it('collects values as well', async () => {
    const on = throwing([{ line: 3, reason: 'breakpoint' }, { line: 4 }], 'node', ['all']);
    const answer = await ask(on, 'collect_values', { ...EXCEPTIONS, probes: [PROBE] });
    assert.deepEqual(
      [answer['hits'], answer['stopped_at_each_hit'], fields(answer['exceptions'])['thrown']],
      [1, true, 1],
      JSON.stringify(answer),
    );
  });

  it('is refused by a debugger without such a filter, and without anything to collect', async () => {
    const on = throwing([], 'go', ['unrecovered-panic']);
    const answer = await ask(on, 'collect_values', EXCEPTIONS);
    assert.equal(answer['code'], 'not_supported');
    assert.match(String(answer['hint']), /unrecovered-panic\. Nothing was started\.$/);
    const python = throwing([]);
    for (const input of [{}, { probes: [] }, { ...EXCEPTIONS, compare_with: 'c1' }])
      assert.equal((await ask(python, 'collect_values', input))['code'], 'invalid_input');
    assert.deepEqual(filtersOf(on), []);
  });
});
