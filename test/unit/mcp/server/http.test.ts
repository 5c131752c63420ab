import { strict as assert } from 'node:assert';
import { callLine } from '../../../../src/debugger/texts';
import { errorCodeOf, hello, list, messagesOf, RunningServer, type Reply } from '../support/server';

describe('the MCP server’s HTTP', () => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await new RunningServer(undefined, { arrivalMilliseconds: 1000 }).start();
  });
  afterEach(async () => await server.stop());

  /** Asserts that the server still answers, and that no request reached the debugger. */
  async function assertWell(): Promise<void> {
    assert.equal(
      (await (await server.connect()).listTools()).tools.length,
      server.exposed.list.length,
    );
    assert.deepEqual(server.on.host.requests, []);
    assert.deepEqual(server.on.host.breakpoints(), []);
  }

  describe('before the key', () => {
    it('answers 401 and nothing else, whatever is requested', async () => {
      for (const path of [
        '/',
        '/mcp',
        '/sse',
        '/messages?sessionId=x',
        '/mcp/../x',
        '/.well-known/oauth-protected-resource',
        '//',
        '*',
      ])
        for (const method of [
          'GET',
          'POST',
          'PUT',
          'DELETE',
          'OPTIONS',
          'HEAD',
          'TRACE',
          'PATCH',
        ]) {
          const reply = await server.ask({
            method,
            path,
            headers: {
              authorization: 'Bearer wrong',
              host: 'evil.example',
              origin: 'https://evil.example',
              'content-type': 'text/plain',
            },
          });
          assert.equal(reply.status, 401, `${method} ${path}`);
          if (method !== 'HEAD')
            assert.match(
              reply.body,
              /^\{"error":"invalid_token","error_description":"A key is needed: [^"]+"\}$/,
            );
          assert.equal(reply.headers['www-authenticate'], 'Bearer');
          assert.equal(reply.headers.connection, 'close');
          assert.equal(reply.body.includes(server.key), false);
        }
      await assertWell();
    });

    it('sends nothing but 401: no 100 Continue, no 417, no upgrade, no 400 for a request without Host', async () => {
      for (const lines of [
        'Host: x\r\nExpect: 100-continue\r\nContent-Length: 5',
        'Host: x\r\nExpect: tea',
        'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket',
        'X-No-Host: 1',
      ]) {
        const connection = await server.raw();
        connection.send(`POST /mcp HTTP/1.1\r\n${lines}\r\n\r\n`);
        await connection.closed;
        assert.match(connection.received, /^HTTP\/1\.1 401 /, lines);
        assert.equal(connection.received.match(/HTTP\/1\.1/g)?.length, 1, connection.received);
      }
    });

    it('sends no response to a request that is not HTTP or has too many headers', async () => {
      for (const text of [
        'hello\r\n\r\n',
        '\u0016\u0003\u0001',
        'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
        `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
        'GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      ]) {
        const connection = await server.raw();
        connection.send(text);
        await connection.closed;
        assert.equal(connection.received, '', text.slice(0, 20));
      }
      await assertWell();
    });

    it('does not wait for headers that never end', async () => {
      const connection = await server.raw();
      connection.send('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b\r\n');
      await connection.closed;
      assert.equal(connection.received, '');
    });

    it('does not let silent connections block other clients: it closes the oldest of them', async () => {
      const silent = await Promise.all(
        Array.from({ length: 300 }, async () =>
          (await server.raw()).send('POST /mcp HTTP/1.1\r\nX-Slow: '),
        ),
      );
      await Promise.all(silent.slice(0, 300 - 256).map((each) => each.closed));
      await assertWell();
    });
  });

  describe('with the key', () => {
    it('accepts requests from this machine only', async () => {
      for (const host of ['evil.example', 'localhost', '127.0.0.1:1', `0.0.0.0:${server.port}`])
        assert.equal((await server.ask({ headers: { host }, body: hello() })).status, 403, host);
      for (const origin of ['null', 'https://evil.example', 'http://127.0.0.1.evil.example'])
        assert.equal(
          (await server.ask({ headers: { origin }, body: hello() })).status,
          403,
          origin,
        );
      for (const host of [
        `localhost:${server.port}`,
        `127.0.0.1:${server.port}`,
        `[::1]:${server.port}`,
      ])
        assert.equal(
          (await server.ask({ headers: { host, origin: `http://${host}` }, body: hello() })).status,
          200,
          host,
        );
    });

    it('reports a wrong path, method or content type', async () => {
      assert.equal((await server.ask({ path: '/other' })).status, 404);
      assert.equal((await server.ask({ path: '//' })).status, 404);
      for (const [path, allow] of [
        ['/mcp', 'POST, GET, DELETE'],
        ['/sse', 'GET'],
        ['/messages', 'POST'],
      ] as const) {
        const reply = await server.ask({ method: 'PUT', path });
        assert.equal(reply.status, 405);
        assert.equal(reply.headers.allow, allow);
      }
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json-patch+json',
        'application/jsonp',
      ]) {
        assert.equal(
          (await server.ask({ body: hello(), headers: { 'content-type': type } })).status,
          415,
          type,
        );
      }
      assert.equal(
        (
          await server.ask({
            body: hello(),
            headers: { 'content-type': 'Application/JSON ; charset=utf-8' },
          })
        ).status,
        200,
      );
      assert.equal(
        (await server.ask({ body: hello(), headers: { accept: 'text/html' } })).status,
        406,
      );
      assert.equal(
        (await server.ask({ method: 'POST', headers: { 'content-type': '' } })).status,
        415,
      );
    });

    it('reports a body that is not JSON-RPC, and changes nothing', async () => {
      const id = await server.introduce();
      const session = { 'mcp-session-id': id };
      for (const body of [
        '',
        '{',
        '"text"',
        '7',
        'null',
        '{"jsonrpc":"2.0"',
        '\u0000',
        '[',
        '['.repeat(100_000),
      ]) {
        const reply = await server.ask({
          body,
          headers: { ...session, 'content-type': 'application/json' },
        });
        assert.equal(reply.status, 400, body.slice(0, 20));
        assert.equal(errorCodeOf(reply), -32700, body.slice(0, 20));
      }
      for (const body of [
        {},
        { jsonrpc: '1.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', id: {}, method: 'ping' },
        { jsonrpc: '2.0', id: 1, method: 5 },
        [{}],
        Array.from({ length: 1000 }, () => list),
      ]) {
        const reply = await server.ask({ body, headers: session });
        assert.equal(reply.status, 400, JSON.stringify(body).slice(0, 60));
        assert.ok([-32700, -32600].includes(Number(errorCodeOf(reply))));
      }
      await assertWell();
    });

    it('reports an unknown method as -32601, and a wrong parameter as -32602', async () => {
      const session = { 'mcp-session-id': await server.introduce() };
      const code = async (method: string, params?: unknown): Promise<unknown> =>
        errorCodeOf(
          await server.ask({
            body: { jsonrpc: '2.0', id: 5, method, ...(params === undefined ? {} : { params }) },
            headers: session,
          }),
        );
      for (const method of [
        'tools/destroy',
        'sampling/createMessage',
        '__proto__',
        'constructor',
        '',
      ])
        assert.equal(await code(method), -32601, method);
      for (const [method, params] of [
        ['tools/call', undefined],
        ['tools/call', { name: 5 }],
        ['tools/call', { name: 'no_such_tool' }],
        ['tools/call', { name: 'get_debug_state', arguments: [] }],
        ['tools/list', { cursor: 'next' }],
        ['resources/read', {}],
        ['resources/list', { cursor: 'next' }],
        ['resources/subscribe', { uri: 5 }],
        ['prompts/get', { name: 'nothing' }],
        ['prompts/get', { name: 'debug' }],
        ['prompts/get', { name: 'debug', arguments: { problem: 'x'.repeat(5000) } }],
        ['prompts/get', { name: 'debug', arguments: { problem: 'x', colour: 'red' } }],
        ['logging/setLevel', { level: 'loud' }],
        [
          'completion/complete',
          { ref: { type: 'ref/prompt', name: 'nothing' }, argument: { name: 'x', value: '' } },
        ],
      ] as const)
        assert.equal(
          await code(method, params),
          -32602,
          `${method} ${JSON.stringify(params ?? null).slice(0, 60)}`,
        );
      assert.equal(await code('resources/read', { uri: 'debug://nothing' }), -32002);
      assert.equal(
        await code('resources/subscribe', { uri: 'debug://sessions/s99/output' }),
        -32002,
      );
      await assertWell();
    });

    it('answers deeply nested or unusual input with invalid_input', async () => {
      const session = { 'mcp-session-id': await server.introduce() };
      const deep = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) as object;
      for (const input of [deep, { 'x\u0000': 1 }, { session_id: 'x'.repeat(100_000) }]) {
        const reply = await server.ask({
          body: {
            jsonrpc: '2.0',
            id: 5,
            method: 'tools/call',
            params: { name: 'get_debug_state', arguments: input },
          },
          headers: session,
        });
        const result = messagesOf(reply)[0]?.['result'] as
          { isError?: boolean; structuredContent?: { code?: string } } | undefined;
        assert.equal(result?.structuredContent?.code, 'invalid_input', reply.body.slice(0, 300));
        assert.ok(reply.body.length < 10_000);
      }
      await assertWell();
    });

    it('refuses a body that is too large, both before and while it is read', async () => {
      const announced = await server.raw();
      announced.send(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\nContent-Type: application/json\r\nContent-Length: 2000000000\r\n\r\n`,
      );
      await announced.until(/^HTTP\/1\.1 413 [^]*\}$/);
      const chunked = await server.raw();
      chunked.send(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      for (let sent = 0; sent < 20; sent += 1) chunked.send(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
      await chunked.until(/^HTTP\/1\.1 413 /);
      assert.equal((await server.ask({ body: `"${'x'.repeat(1_100_000)}"` })).status, 413);
      await assertWell();
    });

    it('answers 408 to a body that arrives too slowly', async () => {
      const slow = await server.raw();
      slow.send(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`,
      );
      await slow.until(/^HTTP\/1\.1 408 /);
      await slow.closed;
      await assertWell();
    });

    it('answers 100-continue, and refuses any other expectation with 417', async () => {
      const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
      const polite = await server.raw();
      const body = JSON.stringify(hello());
      polite.send(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
      await polite.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
      polite.send(body);
      await polite.until(/HTTP\/1\.1 200 OK/);
      const tea = await server.raw();
      tea.send(`${head}Expect: tea\r\n\r\n`);
      await tea.until(/^HTTP\/1\.1 417 /);
    });

    it('answers a malformed request on a connection that has shown the key', async () => {
      const connection = await server.raw();
      connection.send(
        `GET /other HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\n\r\n`,
      );
      await connection.until(/ 404 [^]*\}$/);
      connection.send(`GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`);
      await connection.until(/HTTP\/1\.1 431 /);
    });

    describe('many requests at once', () => {
      /** A server that gives each request its usual time to arrive: on a busy machine, 200 of them need more than a second. */
      let patient: RunningServer;
      beforeEach(async () => {
        patient = await new RunningServer().start();
      });
      afterEach(async () => await patient.stop());

      it('answers all of 200 simultaneous connections, and keeps at most 50 sessions', async () => {
        const replies = await Promise.all(
          Array.from(
            { length: 200 },
            async (_, at) => await patient.ask({ body: hello(`client ${at}`) }),
          ),
        );
        const statuses = new Map<number, number>();
        for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
        assert.ok(patient.now.clients <= 50, String(patient.now.clients));
      });

      it('answers 429 with Retry-After to more requests than a person’s clients make', async () => {
        let refused: Reply[] = [];
        let served = 0;
        // On a busy machine, one round may take longer than the limit of one second.
        for (let rounds = 1; rounds <= 10 && refused.length === 0; rounds += 1) {
          const replies = await Promise.all(
            Array.from({ length: 250 }, async () => await patient.ask({ path: '/other' })),
          );
          refused = replies.filter((each) => each.status === 429);
          served += replies.length - refused.length;
        }
        assert.ok(refused.length > 0, 'none is refused');
        assert.ok(served >= 200, String(served));
        assert.equal(refused[0]?.headers['retry-after'], '1');
      });
    });

    it('does not show the key in any response, header or log', async () => {
      const client = await server.connect();
      await client.callTool({ name: 'get_debug_state', arguments: { session_id: server.key } });
      const replies = [
        await server.ask({ path: `/${server.key}` }),
        await server.ask({ body: '{' }),
        await server.ask({ headers: { 'mcp-session-id': server.key }, body: list }),
        await server.ask({ headers: { host: 'evil' } }),
      ];
      for (const each of replies) assert.equal(JSON.stringify(each).includes(server.key), false);
      assert.ok(server.log.length > 0);
      assert.equal(server.log.map(callLine).join('\n').includes(server.key), false);
    });
  });
});
