import { strict as assert } from 'node:assert';
import { EVERYTHING, followingDocuments } from '../../../src/diagnostics/documents';
import { answered, asked, created, ended, refused, eventOf } from '../support/events';
import { SECRETS, sources, type Sources } from './support';

describe('the protocol trace', () => {
  const observed = (on: Sources, events: readonly Parameters<Sources['trace']['observe']>[0][]) => {
    for (const event of events) on.trace.observe(event);
  };
  const lines = async (on: Sources, filter = EVERYTHING): Promise<string[]> =>
    (await followingDocuments(on).trace.render(filter))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/^\S+ {2}/, ''));

  it('names each message even while contents are not recorded', async () => {
    const on = sources();
    observed(on, [
      created(),
      asked(4, 'next', { threadId: 1 }),
      answered(4, 'next'),
      eventOf('stopped', { reason: 'step' }),
      refused(5, 'evaluate', 'no such name'),
      ended(),
    ]);
    assert.deepEqual(await lines(on), [
      's1  ←  event     (sessionCreated)',
      's1  →  request   next #4',
      's1  ←  response  next #4',
      's1  ←  event     stopped',
      's1  ←  response  evaluate #5 FAILED',
      's1  ←  event     (sessionEnded)',
    ]);
    assert.equal(on.trace.of('a')?.characters, 0);
  });

  it('has the contents only of messages that arrive while recording is on', async () => {
    const on = sources();
    observed(on, [asked(1, 'next', { threadId: 1 })]);
    on.recording.set(true);
    observed(on, [eventOf('stopped', { reason: 'step' }), refused(2, 'next', 'not now')]);
    on.recording.set(false);
    observed(on, [asked(3, 'next', { threadId: 1 })]);
    assert.deepEqual(await lines(on), [
      's1  →  request   next #1',
      's1  ←  event     stopped  {"reason":"step"}',
      's1  ←  response  next #2 FAILED  {"message":"not now"}',
      's1  →  request   next #3',
    ]);
  });

  it('is filtered by session and by kind', async () => {
    const on = sources();
    observed(on, [asked(1, 'next'), asked(1, 'pause', {}, 'b'), eventOf('stopped', {}, 'b')]);
    assert.deepEqual(await lines(on, { ...EVERYTHING, sessions: ['s2'] }), [
      's2  →  request   pause #1',
      's2  ←  event     stopped',
    ]);
    assert.deepEqual(await lines(on, { ...EVERYTHING, kinds: ['event'] }), [
      's2  ←  event     stopped',
    ]);
    assert.deepEqual(followingDocuments(on).trace.sessions(), ['s1', 's2']);
  });

  it('shows no values of environment variables, and no credentials', async () => {
    const on = sources();
    on.recording.set(true);
    observed(on, [
      asked(1, 'launch', {
        env: { PLAIN_NAME: SECRETS.environment },
        environment: [{ name: 'OTHER', value: SECRETS.environment }],
        args: ['--token', SECRETS.argument, `--api-key=${SECRETS.argument}`],
      }),
      eventOf('output', { output: `API_TOKEN=${SECRETS.output}\n` }),
      answered(2, 'variables', { variables: [{ name: 'password', value: SECRETS.password }] }),
      asked(3, 'evaluate', { expression: 'process.env.API_KEY' }),
      answered(3, 'evaluate', { result: `'${SECRETS.evaluated}'` }),
      eventOf('custom', { text: JSON.stringify({ inner: { secret: SECRETS.password } }) }),
    ]);
    const text = (await lines(on)).join('\n');
    for (const secret of Object.values(SECRETS)) assert.ok(!text.includes(secret), secret);
    assert.match(text, /"PLAIN_NAME":"\[removed\]"/);
    assert.match(text, /"name":"OTHER","value":"\[removed\]"/);
    assert.match(text, /"expression":"process\.env\.API_KEY"/);
  });

  it('accepts data that is not a valid message', async () => {
    const on = sources();
    on.recording.set(true);
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    observed(on, [
      { type: 'fromAdapter', key: 'a', at: 0, message: undefined },
      { type: 'fromAdapter', key: 'a', at: 0, message: 'text' },
      { type: 'fromAdapter', key: 'a', at: 0, message: { type: 'event', event: 7 } },
      {
        type: 'fromAdapter',
        key: 'a',
        at: 0,
        message: { type: 'event', event: 'x', body: endless },
      },
      eventOf('two\nlines', { value: 'a\u2028b\nc' }),
    ]);
    const shown = await lines(on);
    assert.equal(shown.length, 3, 'each entry is one line');
    assert.match(shown[1] ?? '', /\[not readable: /);
  });

  it('keeps the newest twenty sessions', () => {
    const on = sources();
    for (let index = 0; index < 30; index += 1) on.trace.observe(created(`key ${index}`));
    assert.equal(on.trace.sessions.length, 20);
    assert.equal(on.trace.sessions.at(-1), 'key 29');
  });
});
