import { strict as assert } from 'node:assert';
import { ask } from '../../support/asking';
import { launched, stopped } from '../../support/events';
import { bench, type Bench } from '../../support/services';

/** A program of a debug type that has stopped once, at a reported place. */
async function stoppedOnce(sessionType: string): Promise<Bench> {
  const on = bench();
  const configuration = { type: sessionType, request: 'launch', name: 'app' };
  for (const event of launched('a', { sessionType, configuration })) on.model.dispatch(event);
  on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
  await on.services.stops.report(on.session(), 1, on.call.signal);
  return on;
}

/** Asks to go back. Nothing may be started. */
async function refusal(on: Bench, input: object): Promise<string> {
  const { code, hint } = await ask(on, 'go_back', input);
  assert.equal(on.host.started.length, 0);
  return `${String(code)}: ${String(hint)}`;
}

describe('go_back', () => {
  it('lists the stops that there are', async () => {
    const on = await stoppedOnce('node');
    assert.match(await refusal(on, {}), /^invalid_input: .*s1.*: 1 \(main\.js:3\)\. Nothing was/);
    assert.match(await refusal(on, { stop_id: 4 }), /^invalid_input: .*1 \(main\.js:3\)/);
    assert.match(await refusal(on, { stop_id: 1, session_id: 's9' }), /^session_not_found: /);
    assert.match(await refusal(bench(), { stop_id: 1 }), /^no_session: .*Nothing was started/);
  });

  it('takes one moment only', async () => {
    const on = await stoppedOnce('node');
    const both = { stop_id: 1, collection_id: 'c1', hit: 1 };
    assert.match(await refusal(on, both), /^invalid_input: Pass stop_id, or/);
    assert.match(
      await refusal(on, { collection_id: 'c1', hit: 1 }),
      /^invalid_input: collection_id/,
    );
  });

  it('names another way for another debugger', async () => {
    const on = await stoppedOnce('lldb-dap');
    assert.match(await refusal(on, { stop_id: 1 }), /^not_supported: .*breakpoint at main\.js:3/);
  });

  it('counts the stops at a place, and keeps those of a session until it is forgotten', async () => {
    const on = await stoppedOnce('node');
    const { stops } = on.services;
    on.model.dispatch(stopped(1, { reason: 'step' }));
    await stops.report(on.session(), 1, on.call.signal, 'readOnly');
    assert.equal(stops.past.of('a').length, 1);
    await stops.report(on.session(), 1, on.call.signal);
    assert.deepEqual(
      stops.past.of('a').map(({ stopId, reason, number }) => [stopId, reason, number]),
      [
        [1, 'breakpoint', 1],
        [2, 'step', 2],
      ],
    );
    assert.ok(stops.past.of('a')[0]?.seen.stack[0]?.endsWith('main.js:3)'));
    stops.past.prune({ has: () => false });
    assert.deepEqual(stops.past.sessions(), []);
  });
});
