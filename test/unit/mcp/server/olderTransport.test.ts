import { strict as assert } from 'node:assert';
import { TOOLS } from '../../../../src/tools/catalog';
import { ExposedTools } from '../../../../src/tools/exposed';
import { bench, running } from '../../support/services';
import { errorCodeOf, hello, list, RunningServer, type RawConnection } from '../support/server';

/** A client that supports only MCP 2024-11-05: it listens to a stream and posts to an address. */
class OlderClient {
  private constructor(
    private readonly server: RunningServer,
    readonly stream: RawConnection,
    readonly endpoint: string,
  ) {}

  static async open(server: RunningServer): Promise<OlderClient> {
    const stream = await server.raw();
    stream.send(
      `GET /sse HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    const [, endpoint] = await stream.until(/^event: endpoint\ndata: (\S+)\n\n/m);
    assert.match(stream.received, /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream\r\n/);
    return new OlderClient(server, stream, endpoint ?? '');
  }

  async post(body: unknown, headers: Record<string, string> = {}): Promise<number> {
    return (await this.server.ask({ path: this.endpoint, body, headers })).status;
  }

  /** Waits for a message in the stream that matches. */
  async hear(pattern: RegExp): Promise<string> {
    return (await this.stream.until(new RegExp(`^data: (.*${pattern.source}.*)$`, 'm')))[1] ?? '';
  }
}

describe('the older HTTP+SSE transport', () => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await new RunningServer().start();
  });
  afterEach(async () => await server.stop());

  it('supports initialize, tools/list, a call and resource updates for a client that supports nothing newer', async () => {
    const client = await OlderClient.open(server);
    assert.equal(await client.post(hello('old', '2024-11-05')), 202);
    assert.match(await client.hear(/"id":1/), /"protocolVersion":"2024-11-05"/);
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await client.post(list);
    assert.match(await client.hear(/"id":2/), /"get_debug_state"/);
    await client.post({
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'get_debug_state' },
    });
    assert.match(await client.hear(/"id":3/), /"structuredContent":\{"status":"success"/);
    assert.equal(server.log.at(-1)?.caller, 'old');
    await client.post({
      jsonrpc: '2.0',
      id: 4,
      method: 'resources/subscribe',
      params: { uri: 'debug://sessions' },
    });
    await client.hear(/"id":4/);
    running(server.on);
    assert.match(await client.hear(/resources\/updated/), /debug:\/\/sessions/);
  });

  it('works next to the newer transport, and clients of both are counted', async () => {
    const older = await OlderClient.open(server);
    const newer = await server.connect();
    assert.equal(server.now.clients, 2);
    assert.equal((await newer.listTools()).tools.length, server.exposed.list.length);
    await older.post(list);
    await older.hear(/"id":2/);
  });

  it('ends a session and its calls with its stream', async () => {
    running(server.on);
    const client = await OlderClient.open(server);
    await client.post({
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'wait_for_stop', arguments: { timeout_seconds: 40 } },
    });
    const { access } = server.on.services;
    assert.equal(access.calls.length, 1);
    const ended = new Promise<void>((resolve) =>
      access.onDidChange(() => (access.calls.length === 0 ? resolve() : undefined)),
    );
    client.stream.socket.destroy();
    await ended;
    assert.equal(server.now.clients, 0);
    assert.equal(await client.post(list), 404);
  });

  it('has the same access checks', async () => {
    const client = await OlderClient.open(server);
    assert.equal(await client.post(list, { authorization: 'Bearer wrong' }), 401);
    assert.equal(await client.post(list, { host: 'evil.example' }), 403);
    assert.equal(await client.post(list, { origin: 'https://evil.example' }), 403);
    assert.equal(await client.post(list, { 'content-type': 'text/plain' }), 415);
    assert.equal(await client.post(`"${'x'.repeat(1_100_000)}"`), 413);
    for (const body of ['{', '[]', {}, [list]]) {
      const reply = await server.ask({ path: client.endpoint, body });
      assert.equal(reply.status, 400);
      assert.equal(errorCodeOf(reply), -32700);
    }
    assert.equal(
      (await server.ask({ path: '/messages?sessionId=unknown', body: list })).status,
      404,
    );
    assert.equal((await server.ask({ path: '/messages', body: list })).status, 404);
    assert.equal(
      (await server.ask({ method: 'GET', path: '/sse', headers: { authorization: '' } })).status,
      401,
    );
  });

  it('does not accept a session id of the other transport', async () => {
    const id = await server.introduce();
    assert.equal((await server.ask({ path: `/messages?sessionId=${id}`, body: list })).status, 404);
    const older = await OlderClient.open(server);
    const session = new URL(older.endpoint, 'http://localhost').searchParams.get('sessionId') ?? '';
    assert.equal(
      (await server.ask({ headers: { 'mcp-session-id': session }, body: list })).status,
      404,
    );
  });

  it('refuses a client beyond 50 open streams, and closes none of them', async () => {
    for (let each = 0; each < 50; each += 1) await OlderClient.open(server);
    assert.equal((await server.ask({ method: 'GET', path: '/sse' })).status, 503);
    assert.equal((await server.ask({ body: hello() })).status, 503);
  });

  it('ends its streams when the sessions are closed', async () => {
    const client = await OlderClient.open(server);
    await server.now.closeSessions();
    await client.stream.until(/\r\n0\r\n\r\n$/);
    assert.equal(server.now.clients, 0);
  });

  it('disconnects a client that does not read before it fills the memory', async () => {
    await server.stop();
    // A list of tools that is larger than the socket buffers.
    const tools = new ExposedTools(['core'], Array.from({ length: 10 }, () => TOOLS).flat());
    server = await new RunningServer(bench(), { tools }).start();
    const client = await OlderClient.open(server);
    client.stream.socket.pause();
    for (let asked = 0; asked < 190; asked += 1)
      await client.post({ jsonrpc: '2.0', id: asked, method: 'tools/list' });
    await server.until(() => server.now.clients === 0);
  });
});
