import { strict as assert } from 'node:assert';
import { DebuggerError } from '../../../src/debugger/debuggerError';
import type { Fields } from '../../../src/debugger/protocol';
import { Interrupted } from '../../../src/debugger/requests';
import { told } from '../support/events';
import { never } from '../support/fakeHost';
import { bench, failsWith, paused, type Bench } from '../support/services';

/** A session whose frame 10 the adapter has given out at this stop. */
async function looked(on: Bench): Promise<Bench> {
  await on.requests.read(on.session(), 'stackTrace', { threadId: 1 }, on.call.signal);
  return on;
}

const scopes = (on: Bench, signal: AbortSignal = on.call.signal): Promise<Fields> =>
  on.requests.read(on.session(), 'scopes', { frameId: 10 }, signal);

const sent = (on: Bench, command = 'scopes'): number => on.host.sent(command).length;

/** An adapter that answers when it is let, each request in its turn. */
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

describe('a look at a stop', () => {
  it('is asked of the adapter once', async () => {
    const on = await looked(paused(bench()));
    const [first, second] = [await scopes(on), await scopes(on)];
    assert.deepEqual([first, sent(on)], [second, 1]);
  });

  it('is asked again after the program went on, though the adapter gives the same numbers', async () => {
    const on = await looked(paused(bench()));
    await scopes(on);
    on.host.emit('continued', { threadId: 1 });
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    await looked(on);
    await scopes(on);
    assert.deepEqual([sent(on, 'stackTrace'), sent(on)], [2, 2]);
  });

  it('is asked anew each time while another thread runs, unless it is of the stopped thread alone', async () => {
    const on = paused(bench());
    on.model.dispatch(told('thread', { reason: 'started', threadId: 2 }));
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

  it('that two calls make at once is asked once, and answers both', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const both = [scopes(on), scopes(on)];
    answers[0]?.(SCOPES);
    assert.deepEqual([await Promise.all(both), sent(on)], [[SCOPES, SCOPES], 1]);
  });

  it('that VS Code is making is not made again', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const theirs = on.host.request('a', 'scopes', { frameId: 10 });
    const mine = scopes(on);
    answers[0]?.(SCOPES);
    assert.deepEqual([await mine, await theirs, sent(on)], [SCOPES, SCOPES, 1]);
  });

  it('that VS Code makes and that is refused is made from here', async () => {
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

  it('of another call that is cancelled is made once more for this one', async () => {
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

  it('of another call that is refused is made once more for this one', async () => {
    const on = await looked(paused(bench()));
    const answers = held(on, 'scopes');
    const [theirs, mine] = [scopes(on), scopes(on)];
    answers[0]?.(new Error('not now'));
    await assert.rejects(theirs, failsWith('adapter_error'));
    await new Promise(setImmediate);
    answers[1]?.(SCOPES);
    assert.deepEqual([await mine, sent(on)], [SCOPES, 2]);
  });

  it('that has failed is made again by the next call', async () => {
    const on = await looked(paused(bench()));
    on.host.on('scopes', () => {
      throw new Error('not now');
    });
    await assert.rejects(scopes(on), failsWith('adapter_error'));
    on.host.on('scopes', () => SCOPES);
    assert.deepEqual([await scopes(on), sent(on)], [SCOPES, 2]);
  });

  it('that the adapter does not answer is a timeout for all who wait for it, and is not made again', async () => {
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

describe('a request to a session that is ending', () => {
  it('fails as the end, not as a refusal of the adapter', async () => {
    for (const event of [told('terminated'), { type: 'sessionEnded', key: 'a', at: 0 } as const]) {
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

  it('of a session that is not known any more, too', async () => {
    const on = paused(bench());
    const session = { ...on.session(), key: 'forgotten' };
    await assert.rejects(
      on.requests.send(session, 'scopes', { frameId: 10 }, on.call.signal),
      failsWith('session_ended'),
    );
  });
});
