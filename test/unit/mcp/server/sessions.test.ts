import { strict as assert } from 'node:assert';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SessionIds } from '../../../../src/mcp/server/sessionIds';
import { bench, paused, running } from '../../support/services';
import { hello, list, messagesOf, RunningServer } from '../support/server';

describe('the sessions of MCP clients', () => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await new RunningServer().start();
  });
  afterEach(async () => await server.stop());

  const status = async (
    id: string | undefined,
    more: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<number> => {
    const { method = 'POST', headers = {} } = more;
    return (
      await server.ask({
        method,
        headers: { ...(id === undefined ? {} : { 'mcp-session-id': id }), ...headers },
        ...(method === 'POST' ? { body: list } : {}),
      })
    ).status;
  };

  it('negotiate each known version of the protocol, and offer the newest for an unknown one', async () => {
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const [answer] = messagesOf(await server.ask({ body: hello('any', version) }));
      assert.equal((answer?.['result'] as { protocolVersion: string }).protocolVersion, version);
      assert.equal(
        await status(await server.introduce('any', version), {
          headers: { 'mcp-protocol-version': version },
        }),
        200,
      );
    }
    const [newer] = messagesOf(await server.ask({ body: hello('any', '2099-01-01') }));
    assert.equal((newer?.['result'] as { protocolVersion: string }).protocolVersion, '2025-11-25');
    assert.equal(
      await status(await server.introduce(), { headers: { 'mcp-protocol-version': '1999-01-01' } }),
      400,
    );
  });

  it('begin with initialize: a request without an id is 400, one with a foreign id is 404', async () => {
    assert.equal(await status(undefined), 400);
    for (const id of [
      'unknown',
      '00000000-0000-4000-8000-000000000000',
      new SessionIds(() => 'another key').issue({
        name: 'x',
        version: '1',
        protocolVersion: '2025-11-25',
        hasRoots: false,
      }),
    ]) {
      for (const method of ['POST', 'GET', 'DELETE'])
        assert.equal(await status(id, { method }), 404, `${method} ${id}`);
    }
    assert.equal(server.now.clients, 0);
  });

  it('are not created by a refused initialize, which leaves no listener', async () => {
    const listeners = server.countToolListeners();
    await server.introduce();
    assert.equal(listeners.count, 1, 'a session listens');
    assert.equal(
      (await server.ask({ body: hello(), headers: { accept: 'text/html' } })).status,
      406,
    );
    assert.equal((await server.ask({ body: [hello(), list] })).status, 400);
    assert.equal(listeners.added, 2, 'the first that was refused had a server object');
    assert.equal(listeners.count, 1, 'and only the session listens');
    assert.equal(server.now.clients, 1);
  });

  it('continue after a restart of the server as the same client, whatever its first request is', async () => {
    const [one, two] = [await server.introduce('cline'), await server.introduce('other')];
    await server.restart();
    const reply = await server.ask({
      headers: { 'mcp-session-id': one },
      body: { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'get_debug_state' } },
    });
    assert.equal(reply.status, 200);
    assert.equal(messagesOf(reply)[0]?.['id'], 9);
    assert.equal(server.log.at(-1)?.caller, 'cline');
    assert.equal(await status(two, { method: 'DELETE' }), 200);
    assert.equal(await status(two), 404, 'what the client has ended is over');
    assert.equal(await status(one), 200);
  });

  it('are resumed once by simultaneous requests', async () => {
    const id = await server.introduce('codex');
    await server.restart();
    assert.deepEqual(await Promise.all([status(id), status(id), status(id)]), [200, 200, 200]);
    assert.equal(server.now.clients, 1);
  });

  it('continue after a restart with the SDK’s client', async () => {
    const client = await server.connect();
    const noticed = new Promise((resolve) => (client.onerror = resolve));
    await server.restart();
    await noticed;
    assert.equal((await client.listTools()).tools.length, server.exposed.list.length);
  });

  it('can be resumed at any time after they made room for others', async () => {
    const first = await server.introduce('first');
    for (let other = 0; other < 60; other += 1) await server.introduce(`other ${other}`);
    assert.equal(server.now.clients, 50);
    assert.equal(await status(first), 200);
    assert.equal(server.now.clients, 50);
  });

  it('are no longer counted as present when their client disconnects, and can be resumed', async () => {
    const client = await server.connect();
    const id = (client.transport as StreamableHTTPClientTransport).sessionId ?? '';
    assert.deepEqual(server.now.present, [id]);
    await client.close();
    await server.until(() => server.now.present.length === 0);
    assert.equal(server.now.clients, 1);
    assert.equal(await status(id), 200);
    assert.deepEqual(server.now.present, [id], 'it is back');
  });

  it('of a client that never opens a stream are counted as present until it has been idle for a while', async () => {
    const own = await new RunningServer(bench(), { stillMilliseconds: 100 }).start();
    try {
      const id = await own.introduce();
      assert.deepEqual(own.now.present, [id]);
      await own.until(() => own.now.present.length === 0);
      assert.equal(own.now.clients, 1);
    } finally {
      await own.stop();
    }
  });

  it('all end at once and permanently when the key is renewed', async () => {
    const id = await server.introduce();
    const client = await server.connect();
    server.key = 'another-key-0123456789abcdefghijklmnopqrst';
    await server.now.closeSessions();
    assert.equal(server.now.clients, 0);
    await assert.rejects(client.listTools());
    assert.equal(await status(id), 404, 'with the new key, too');
  });

  it('begin again with a second initialize, whatever id it has', async () => {
    const id = await server.introduce();
    const reply = await server.ask({ headers: { 'mcp-session-id': id }, body: hello('again') });
    assert.equal(reply.status, 200);
    assert.notEqual(reply.headers['mcp-session-id'], id);
  });

  it('end a cancelled call without affecting others or leaving a stream; a late cancellation has no effect', async () => {
    running(server.on);
    const id = await server.introduce('opencode');
    const headers = { 'mcp-session-id': id };
    const call = (
      request: number,
      name: string,
      input: object,
    ): Promise<{ status: number; body: string }> =>
      server.ask({
        headers,
        body: {
          jsonrpc: '2.0',
          id: request,
          method: 'tools/call',
          params: { name, arguments: input },
        },
      });
    const cancel = async (request: number): Promise<void> => {
      assert.equal(
        (
          await server.ask({
            headers,
            body: {
              jsonrpc: '2.0',
              method: 'notifications/cancelled',
              params: { requestId: request, reason: 'done' },
            },
          })
        ).status,
        202,
      );
    };
    const waiting = call(1, 'wait_for_stop', { timeout_seconds: 40 });
    const other = call(2, 'wait_for_stop', { timeout_seconds: 40 });
    while (server.on.services.access.calls.length < 2)
      await new Promise((resolve) =>
        server.on.services.access.onDidChange(() => resolve(undefined)),
      );
    await cancel(1);
    assert.equal((await waiting).body, '', 'its stream has ended without an answer');
    await cancel(1);
    await cancel(99);
    paused(server.on, 'a');
    assert.match((await other).body, /"status":"stopped"/);
    await cancel(2);
    assert.match(
      (await call(2, 'get_debug_state', {})).body,
      /"status":"success"/,
      'the same id again',
    );
  });

  it('have at most 64 calls in progress', async () => {
    running(server.on);
    const headers = { 'mcp-session-id': await server.introduce() };
    const calls = Array.from({ length: 65 }, (_, request) =>
      server.ask({
        headers,
        body: {
          jsonrpc: '2.0',
          id: 100 + request,
          method: 'tools/call',
          params: { name: 'wait_for_stop', arguments: { timeout_seconds: 40 } },
        },
      }),
    );
    const refused = await Promise.race(calls);
    assert.match(refused.body, /too_many_calls/);
    paused(server.on, 'a');
    const answers = await Promise.all(calls);
    assert.equal(answers.filter((each) => each.body.includes('too_many_calls')).length, 1);
  });
});
