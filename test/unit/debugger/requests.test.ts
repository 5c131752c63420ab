import { strict as assert } from 'node:assert';
import { DebuggerError } from '../../../src/debugger/debuggerError';
import type { Fields } from '../../../src/debugger/protocol';
import { Interrupted } from '../../../src/debugger/requests';
import { eventOf } from '../support/events';
import { never } from '../support/fakeHost';
import { bench, failsWith, paused, type Bench } from '../support/services';

/** A session whose adapter has issued frame 10 at this stop. */
async function looked(on: Bench): Promise<Bench> {
  await on.requests.read(on.session(), 'stackTrace', { threadId: 1 }, on.call.signal);
  return on;
}

const scopes = (on: Bench, signal: AbortSignal = on.call.signal): Promise<Fields> =>
  on.requests.read(on.session(), 'scopes', { frameId: 10 }, signal);

const sent = (on: Bench, command = 'scopes'): number => on.host.sent(command).length;

/** An adapter that answers only when the test resolves each request. */
function held(on: Bench, command: string): ((answer: object | Error) => void)[] {
  const answers: ((answer: object | Error) => void)[] = [];
  on.host.on(
    command,
    () =>
      new Promise((resolve, reject) => {
        answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  );
  return answers;
}

const SCOPES = { scopes: [{ name: 'Local', variablesReference: 7 }] };

describe('a read-only request at a stop', () => {
  it('is sent to the adapter once', async () => {
    const on = await looked(paused(bench()));
    const [first, second] = [await scopes(on), await scopes(on)];
    assert.deepEqual([first, sent(on)], [second, 1]);
  });

  it('is sent again after the program continued, even if the adapter issues the same ids', async () => {
    const on = await looked(paused(bench()));
    await scopes(on);
    on.host.emit('continued', { threadId: 1 });
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    await looked(on);
    await scopes(on);
    assert.deepEqual([sent(on, 'stackTrace'), sent(on)], [2, 2]);
  });

  it('is sent again each time while another thread runs, unless it concerns only the stopped thread', async () => {
    const on = paused(bench());
    on.model.dispatch(eventOf('thread', { reason: 'started', threadId: 2 }));
    on.host.on('exceptionInfo', () => ({ exceptionId: 'Error' }));
    await looked(on);
    for (let time = 0; time < 2; time += 1) {
      await looked(on);
      await scopes(on);
      await on.requests.read(on.session(), 'exceptionInfo', { threadId: 1 }, on.call.signal);
    }
    assert.deepEqual(
      ['stackTrace', 'exceptionInfo', 'scopes'].map((command) => sent(on, command)),
      [1, 1, 2],
    );
  });

  it('is sent once for two concurrent calls and answers both', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const both = [scopes(on), scopes(on)];
    answers[0]?.(SCOPES);
    assert.deepEqual([await Promise.all(both), sent(on)], [[SCOPES, SCOPES], 1]);
  });

  it('is not sent if VS Code has already sent it', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const theirs = on.host.request('a', 'scopes', { frameId: 10 });
    const mine = scopes(on);
    answers[0]?.(SCOPES);
    assert.deepEqual([await mine, await theirs, sent(on)], [SCOPES, SCOPES, 1]);
  });

  it('is sent from here if VS Code’s own request is refused', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const theirs = on.host.request('a', 'scopes', { frameId: 10 });
    const mine = scopes(on);
    answers[0]?.(new Error('not now'));
    await assert.rejects(theirs);
    await new Promise(setImmediate);
    answers[1]?.(SCOPES);
    assert.deepEqual([await mine, sent(on)], [SCOPES, 2]);
  });

  it('is sent again for this call if it belonged to another call that is cancelled', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const cancelling = new AbortController();
    const [theirs, mine] = [scopes(on, cancelling.signal), scopes(on)];
    cancelling.abort();
    await assert.rejects(theirs, Interrupted);
    await new Promise(setImmediate);
    answers[1]?.(SCOPES);
    assert.deepEqual([await mine, sent(on)], [SCOPES, 2]);
  });

  it('is sent again for this call if it belonged to another call and is refused', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const [theirs, mine] = [scopes(on), scopes(on)];
    answers[0]?.(new Error('not now'));
    await assert.rejects(theirs, failsWith('adapter_error'));
    await new Promise(setImmediate);
    answers[1]?.(SCOPES);
    assert.deepEqual([await mine, sent(on)], [SCOPES, 2]);
  });

  it('is sent again by the next call if it failed', async () => {
    const on = await looked(paused(bench()));
    on.host.on('scopes', () => {
      throw new Error('not now');
    });
    await assert.rejects(scopes(on), failsWith('adapter_error'));
    on.host.on('scopes', () => SCOPES);
    assert.deepEqual([await scopes(on), sent(on)], [SCOPES, 2]);
  });

  it('times out for all calls that wait for it, and is not sent again, if the adapter does not respond', async () => {
    const on = await looked(paused(bench(20)));
    on.host.on('scopes', never);
    for (const each of [scopes(on), scopes(on)])
      await assert.rejects(each, (error: unknown) => {
        assert.ok(error instanceof DebuggerError && error.problem.kind === 'adapterTimeout');
        assert.deepEqual([error.problem.command, error.problem.seconds], ['scopes', 0.02]);
        return true;
      });
    assert.deepEqual([sent(on), on.model.listenerCount], [1, 0]);
  });
});

describe('a read-only request that the adapter does not answer in time', () => {
  it('is not waited for again until it is answered', async () => {
    const on = await looked(paused(bench(200)));
    const answers = held(on, 'scopes');
    const place = on.services.inspector.placeOf(on.session(), 1);
    const read = (): Promise<Fields> =>
      on.services.inspector.read(on.session(), place, 'scopes', { frameId: 10 }, on.call.signal);
    const isTimeout = (error: unknown): boolean =>
      error instanceof DebuggerError && error.problem.kind === 'adapterTimeout';
    await assert.rejects(read(), isTimeout);
    const theirs = on.host.request('a', 'scopes', { frameId: 10 });
    const began = performance.now();
    await assert.rejects(read(), isTimeout);
    assert.ok(performance.now() - began < 150, `it took ${performance.now() - began} ms`);
    for (const answer of answers) answer(SCOPES);
    await theirs;
    assert.deepEqual(await read(), SCOPES);
  });
});

describe('a request to a session that is ending', () => {
  it('fails because of the end and not as a refusal of the adapter', async () => {
    for (const event of [
      eventOf('terminated'),
      { type: 'sessionEnded', key: 'a', at: 0 } as const,
    ]) {
      const on = paused(bench());
      on.host.on('scopes', () => {
        on.model.dispatch(event);
        throw new Error('Cancelled');
      });
      await assert.rejects(
        on.requests.send(on.session(), 'scopes', { frameId: 10 }, on.call.signal),
        failsWith('session_ended'),
      );
    }
  });

  it('fails in the same way if the session is no longer known', async () => {
    const on = paused(bench());
    const session = { ...on.session(), key: 'forgotten' };
    await assert.rejects(
      on.requests.send(session, 'scopes', { frameId: 10 }, on.call.signal),
      failsWith('session_ended'),
    );
  });
});
