import { strict as assert } from 'node:assert';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fields } from '../../../../src/debugger/protocol';
import { ask } from '../../support/asking';
import { eventOf, launched } from '../../support/events';
import { bench, FILE, type Bench } from '../../support/services';

const STACK = { stackFrames: [{ id: 10, name: 'f', line: 3, source: { path: FILE } }] };

/** A program that runs, and whose debugger can pause it. */
function program(): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType: 'test' })) on.model.dispatch(event);
  on.host.emit('thread', { reason: 'started', threadId: 1 });
  on.host
    .on('threads', () => ({ threads: [{ id: 1, name: 'main' }] }))
    .on('stackTrace', () => STACK)
    .on('pause', () => {
      on.host.emit('stopped', { reason: 'pause', threadId: 1, allThreadsStopped: true });
      return {};
    })
    .on('continue', () => {
      queueMicrotask(() => on.model.dispatch(eventOf('continued', { threadId: 1 })));
      return {};
    });
  return on;
}

describe('a program that is followed before it is explained', () => {
  let server: Server | undefined;

  /** The address of a server that stands for the program. */
  const address = async (onRequest: (response: ServerResponse) => void): Promise<string> => {
    const at = createServer((_request, response) => onRequest(response));
    server = at;
    await new Promise<void>((resolve) => at.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(at.address() as AddressInfo).port}/`;
  };

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  it('has not answered in time: it is paused, read and goes on', async () => {
    const on = program();
    const trigger = { url: await address(() => undefined) };
    const answer = await ask(on, 'explain_hang', { trigger, wait_seconds: 0.1 });
    const text = JSON.stringify(answer);
    assert.equal(answer.status, 'success', text);
    assert.equal(fields(answer['trigger'])['state'], 'pending', text);
    assert.match(text, /f \(.{0,40}main\.js:3\)/);
    assert.deepEqual([on.host.sent('pause').length, on.host.moves.length], [1, 1], text);
    on.services.triggers.dispose();
  });

  it('has answered: it is explained without further waiting', async () => {
    const on = program();
    const trigger = { url: await address((response) => response.end('ok')) };
    const answer = await ask(on, 'explain_hang', { trigger, wait_seconds: 100 });
    const text = JSON.stringify(answer);
    assert.equal(answer.status, 'success', text);
    assert.equal(fields(answer['trigger'])['http_status'], 200, text);
    assert.equal(on.model.listenerCount, 0);
  });

  it('stops meanwhile: the stop is the answer, and the program stays there', async () => {
    const on = program();
    const stop = { reason: 'breakpoint', threadId: 1, allThreadsStopped: true };
    const trigger = { url: await address(() => on.host.emit('stopped', stop)) };
    const answer = await ask(on, 'explain_hang', { trigger, wait_seconds: 100 });
    assert.equal(answer.status, 'stopped', JSON.stringify(answer));
    assert.equal(answer['groups'], undefined);
    assert.deepEqual(on.host.moves, []);
    on.services.triggers.dispose();
  });

  it('ends meanwhile: the end is the answer', async () => {
    const on = program();
    const end = (response: ServerResponse): void => {
      response.end();
      on.host.emit('exited', { exitCode: 3 });
      on.host.emit('terminated');
      on.model.dispatch({ type: 'sessionEnded', key: 'a', at: Date.now() });
    };
    const trigger = { url: await address(end) };
    const answer = await ask(on, 'explain_hang', { trigger, wait_seconds: 100 });
    assert.deepEqual([answer.status, answer['exit_code']], ['completed', 3]);
  });

  it('is not started for a heap that cannot be read or compared', async () => {
    const on = bench();
    on.workspace.files.set('/home/ada/app/main.js', '');
    for (const [input, code] of [
      [{ program: 'main.js' }, 'not_supported'],
      [{ program: 'main.js', session_id: 's1' }, 'invalid_input'],
    ] as const) {
      const answer = await ask(on, 'compare_heap', input);
      assert.equal(answer['code'], code, JSON.stringify(answer));
    }
    assert.deepEqual(on.host.started, []);
  });
});
