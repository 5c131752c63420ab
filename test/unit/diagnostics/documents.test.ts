import { strict as assert } from 'node:assert';
import { EVERYTHING, followingDocuments } from '../../../src/diagnostics/documents';
import { NEWEST, withOlder } from '../../../src/diagnostics/filter';
import { eventOf } from '../support/events';
import { call, SECRETS, sources, stopResult } from './support';

describe('diagnostics documents', () => {
  const entries = (text: string): string[] =>
    text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it('show only the newest entries at first, and older ones on request', async () => {
    const on = sources();
    for (let index = 0; index < 500; index += 1) on.trace.observe(eventOf(`event ${index}`));
    const { trace } = followingDocuments(on);
    const first = await trace.render(NEWEST);
    assert.equal(entries(first).length, 200);
    assert.match(first, /# 300 older entries/);
    assert.match(entries(first).at(-1) ?? '', /event 499$/);
    const second = await trace.render(withOlder(NEWEST));
    assert.equal(entries(second).length, 400);
    assert.match(entries(second)[0] ?? '', /event 100$/);
    const third = await trace.render(withOlder(withOlder(NEWEST)));
    assert.equal(entries(third).length, 500);
    assert.doesNotMatch(third, /older entries/);
  });

  it('state the filters, the dropped entries and whether contents are recorded', async () => {
    const on = sources();
    for (let index = 0; index < 1200; index += 1) on.trace.observe(eventOf(`event ${index}`));
    const { trace } = followingDocuments(on);
    const text = await trace.render({ ...NEWEST, sessions: ['s1'], kinds: ['event'] });
    assert.match(text, /# Sessions: s1/);
    assert.match(text, /# Kinds: event/);
    assert.match(text, /# 200 entries were dropped/);
    assert.match(text, /# Contents of messages are not recorded/);
    on.recording.set(true);
    assert.match(await trace.render(NEWEST), /# Contents of messages are being recorded/);
  });

  it('report changes as long as there is a listener', () => {
    const on = sources();
    const documents = followingDocuments(on);
    const reported: string[] = [];
    const subscriptions = (['calls', 'trace', 'traffic'] as const).map((name) =>
      documents[name].onDidChange(() => reported.push(name)),
    );
    on.calls.ended(call());
    on.trace.observe(eventOf('stopped'));
    assert.deepEqual(reported.splice(0), ['calls', 'trace']);
    on.recording.set(true);
    on.traffic.message('sent', 'session', { jsonrpc: '2.0', method: 'ping' });
    assert.deepEqual(reported.splice(0), ['trace', 'traffic', 'traffic']);
    for (const each of subscriptions) each.dispose();
    on.calls.ended(call());
    on.recording.set(false);
    assert.deepEqual(reported, []);
  });

  it('list each call on one line of the call log, and filter by session', async () => {
    const on = sources();
    on.calls.ended(call({ caller: 'client\nname' }));
    on.calls.ended(
      call({
        tool: 'start_debugging',
        input: { env: { SOME: SECRETS.environment }, args: ['--password', SECRETS.argument] },
        status: 'error',
        result: { status: 'error', code: 'launch_failed', message: 'no' },
        wasAsked: true,
      }),
    );
    const { calls } = followingDocuments(on);
    const [first = '', second = '', third] = entries(await calls.render(EVERYTHING));
    assert.equal(third, undefined);
    assert.match(
      first,
      /s1 {2}step_execution {2}stopped {2}100 characters {2}35 ms {2}client name {2}\{"step_type":"over"\}$/,
    );
    assert.match(
      second,
      /- {2}start_debugging {2}error launch_failed .* approved {2}\{"env":\{"SOME":"\[removed\]"\}/,
    );
    assert.ok(!second.includes(SECRETS.argument));
    assert.deepEqual(calls.sessions(), ['s1', '-']);
    assert.equal(entries(await calls.render({ ...EVERYTHING, sessions: ['s1'] })).length, 1);
  });

  it('list a call under the session of its result', async () => {
    const on = sources();
    on.calls.ended(call({ result: stopResult({ session_id: 's2' }) }));
    assert.deepEqual(followingDocuments(on).calls.sessions(), ['s2']);
  });
});
