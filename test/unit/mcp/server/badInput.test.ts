import { strict as assert } from 'node:assert';
import { bench, FILE, paused } from '../../support/services';
import {
  hello,
  messagesOf,
  RunningServer,
  type RawConnection,
  type Reply,
} from '../support/server';

/** A valid call that changes state. In an invalid request, it must not be made. */
const CALL = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'set_breakpoint', arguments: { file_path: FILE, line_number: 2 } },
};
const TEXT = JSON.stringify(CALL);

const STRANGER = {
  error: 'invalid_token',
  error_description:
    'A key is needed: Authorization: Bearer <key>. Set up the client again: MCP in VS Code’s status bar.',
};
const rpc = (code: number, message: string, id: unknown = null): object => ({
  jsonrpc: '2.0',
  error: { code, message },
  id,
});
const THIS_MACHINE = rpc(-32000, 'This server accepts requests for 127.0.0.1 and localhost only.');
const OTHER_ORIGIN = rpc(-32000, 'Requests of web pages from other origins are refused.');
const NO_MESSAGE = rpc(-32700, 'The body is not a JSON-RPC message.');
const NO_SESSION = rpc(
  -32000,
  'No session: the first request must be initialize, and later requests must have its Mcp-Session-Id.',
);
const UNKNOWN_SESSION = rpc(-32001, 'The session does not exist or has ended. Initialize again.');
const NOT_JSON = rpc(-32000, 'The body must be application/json.');
const TOO_LARGE = rpc(-32000, 'The body is larger than 1048576 bytes.');

interface Bad {
  readonly what: string;
  readonly ask: (server: RunningServer, session: string) => Parameters<RunningServer['ask']>[0];
  readonly status: number;
  readonly content: object;
}

const withHeaders =
  (headers: (server: RunningServer) => Record<string, string>, body: unknown = TEXT): Bad['ask'] =>
  (server, session) => ({
    headers: { 'content-type': 'application/json', 'mcp-session-id': session, ...headers(server) },
    body,
  });

const BAD: readonly Bad[] = [
  ...['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Basic dXNlcjpwYXNz'].map((authorization): Bad => ({
    what: `the key “${authorization}”`,
    ask: withHeaders(() => ({ authorization })),
    status: 401,
    content: STRANGER,
  })),
  {
    what: 'a key with one character more',
    ask: withHeaders((server) => ({ authorization: `${server.authorization}x` })),
    status: 401,
    content: STRANGER,
  },
  {
    what: 'the key in another scheme',
    ask: withHeaders((server) => ({ authorization: `Basic ${server.key}` })),
    status: 401,
    content: STRANGER,
  },
  ...['evil.example', 'localhost', '127.0.0.1:1', '127.0.0.1.evil.example'].map((host): Bad => ({
    what: `the host ${host}`,
    ask: withHeaders(() => ({ host })),
    status: 403,
    content: THIS_MACHINE,
  })),
  ...['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'file://'].map(
    (origin): Bad => ({
      what: `the origin ${origin}`,
      ask: withHeaders(() => ({ origin })),
      status: 403,
      content: OTHER_ORIGIN,
    }),
  ),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    '',
  ].map((type): Bad => ({
    what: `the type “${type}”`,
    ask: withHeaders(() => ({ 'content-type': type })),
    status: 415,
    content: NOT_JSON,
  })),
  {
    what: 'JSON that is cut off',
    ask: withHeaders(() => ({}), TEXT.slice(0, -1)),
    status: 400,
    content: NO_MESSAGE,
  },
  {
    what: 'two messages without a list',
    ask: withHeaders(() => ({}), `${TEXT}${TEXT}`),
    status: 400,
    content: NO_MESSAGE,
  },
  {
    what: 'a message in a string',
    ask: withHeaders(() => ({}), JSON.stringify(TEXT)),
    status: 400,
    content: NO_MESSAGE,
  },
  {
    what: 'a body of more than a megabyte',
    ask: withHeaders(() => ({}), `${TEXT}${' '.repeat(1024 * 1024)}`),
    status: 413,
    content: TOO_LARGE,
  },
  {
    what: 'no session',
    ask: () => ({ headers: { 'content-type': 'application/json' }, body: TEXT }),
    status: 400,
    content: NO_SESSION,
  },
  ...['unknown', 'x'.repeat(5000), '../key'].map((id): Bad => ({
    what: `the session ${id.slice(0, 10)}`,
    ask: withHeaders(() => ({ 'mcp-session-id': id })),
    status: 404,
    content: UNKNOWN_SESSION,
  })),
  {
    what: 'a session with another signature',
    ask: (_server, session) => ({
      headers: {
        'mcp-session-id': `${session.slice(0, -2)}${session.endsWith('AA') ? 'BB' : 'AA'}`,
      },
      body: TEXT,
    }),
    status: 404,
    content: UNKNOWN_SESSION,
  },
  {
    what: 'another path',
    ask: (server, session) => ({ ...withHeaders(() => ({}))(server, session), path: '/mcp/' }),
    status: 404,
    content: rpc(-32000, 'Only /mcp is here, and /sse for older clients.'),
  },
  {
    what: 'another method of HTTP',
    ask: (server, session) => ({ ...withHeaders(() => ({}))(server, session), method: 'PUT' }),
    status: 405,
    content: rpc(-32000, 'Only POST, GET and DELETE are answered here.'),
  },
  ...['tools/callAll', 'tools/call ', '__proto__'].map((method): Bad => ({
    what: `the method “${method}”`,
    ask: withHeaders(() => ({}), JSON.stringify({ ...CALL, method })),
    status: 200,
    content: rpc(-32601, 'Method not found', 7),
  })),
  {
    what: 'an unknown tool',
    ask: withHeaders(
      () => ({}),
      JSON.stringify({ ...CALL, params: { ...CALL.params, name: 'set_breakpoints' } }),
    ),
    status: 200,
    content: rpc(-32602, 'MCP error -32602: There is no tool set_breakpoints.', 7),
  },
  {
    what: 'arguments in a list',
    ask: withHeaders(
      () => ({}),
      JSON.stringify({ ...CALL, params: { ...CALL.params, arguments: [CALL.params.arguments] } }),
    ),
    status: 200,
    content: rpc(
      -32602,
      `MCP error -32602: Invalid tools/call request: ${JSON.stringify([{ expected: 'record', code: 'invalid_type', path: ['params', 'arguments'], message: 'Invalid input: expected record, received array' }], undefined, 2)}`,
      7,
    ),
  },
];

describe('bad input to the MCP server', () => {
  let server: RunningServer;
  let session = '';
  before(async () => {
    server = await new RunningServer(bench(), { arrivalMilliseconds: 1000 }).start();
    session = await server.introduce();
  });
  after(async () => await server.stop());

  const asked = (): number => server.on.host.requests.length;
  const isUntouched = (before: number): void => {
    assert.deepEqual(server.on.host.breakpoints(), []);
    assert.equal(asked(), before, 'the debugger is asked nothing');
    assert.deepEqual(server.log, [], 'no call was made');
  };
  const contentOf = (reply: Reply): unknown => messagesOf(reply)[0];

  for (const { what, ask, status, content } of BAD) {
    it(`${what} is ${status}${status === 200 ? `, ${(content as { error: { code: number } }).error.code}` : ''}, and its call is not made`, async () => {
      const before = asked();
      const reply = await server.ask(ask(server, session));
      assert.equal(reply.status, status, reply.body);
      assert.deepEqual(contentOf(reply), content);
      isUntouched(before);
    });
  }

  it('a body that never ends is 408, and its call is not made', async () => {
    const before = asked();
    const slow = await server.raw();
    slow.send(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\nMcp-Session-Id: ${session}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${TEXT.length + 1}\r\n\r\n${TEXT}`,
    );
    await slow.closed;
    assert.match(slow.received, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    isUntouched(before);
  });

  it('300 connections without the key and 150 with it: clients with the key are answered, and no call is made', async () => {
    const own = await new RunningServer().start();
    try {
      const id = await own.introduce();
      const before = own.on.host.requests.length;
      const headers = { 'content-type': 'application/json' };
      const [strangers, known] = await Promise.all([
        Promise.all(
          Array.from({ length: 300 }, () =>
            own
              .ask({
                headers: { ...headers, authorization: 'Bearer wrong', 'mcp-session-id': id },
                body: TEXT,
              })
              .catch(() => undefined),
          ),
        ),
        Promise.all(
          Array.from({ length: 150 }, () =>
            own.ask({ headers: { ...headers, 'mcp-session-id': 'unknown' }, body: TEXT }),
          ),
        ),
      ]);
      // Of 450 connections, 256 may be without the key at once, so at most 194 are closed.
      const refused = strangers.filter((reply) => reply !== undefined);
      assert.ok(refused.length >= 106, `${refused.length} answers`);
      for (const reply of refused)
        assert.deepEqual([reply.status, contentOf(reply)], [401, STRANGER]);
      // Requests without the key do not count against the limit of requests with the key.
      for (const reply of known)
        assert.deepEqual([reply.status, contentOf(reply)], [404, UNKNOWN_SESSION]);
      assert.deepEqual(own.on.host.breakpoints(), []);
      assert.equal(own.on.host.requests.length, before, 'the debugger is asked nothing');
      assert.deepEqual(own.log, [], 'no call was made');
    } finally {
      await own.stop();
    }
  });

  it('more requests than a person’s clients make are 429, and none of their calls is made', async () => {
    const own = await new RunningServer(paused(bench())).start();
    try {
      const id = await own.introduce();
      const round = async (): Promise<Reply[]> =>
        await Promise.all(
          Array.from(
            { length: 250 },
            async () =>
              await own.ask({
                path: '/other',
                headers: { 'mcp-session-id': id, 'content-type': 'application/json' },
                body: TEXT,
              }),
          ),
        );
      // On a busy machine, one round may take longer than the limit of one second.
      const replies: Reply[] = [];
      for (let rounds = 1; rounds <= 10; rounds += 1) {
        replies.push(...(await round()));
        if (replies.some(({ status }) => status === 429)) break;
      }
      const refused = replies.filter((each) => each.status === 429);
      assert.ok(refused.length > 0);
      for (const reply of refused)
        assert.deepEqual(
          [contentOf(reply), reply.headers['retry-after']],
          [rpc(-32000, 'Too many requests.'), '1'],
        );
      assert.deepEqual(own.on.host.breakpoints(), []);
    } finally {
      await own.stop();
    }
  });

  it('a session above the limit is 503 if all others are in use; none of them is ended', async () => {
    const own = await new RunningServer(paused(bench())).start();
    try {
      const streams = [];
      for (let each = 0; each < 50; each += 1) {
        const id = await own.introduce(`client ${each}`);
        const stream = await own.raw();
        stream.send(
          `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\nAuthorization: ${own.authorization}\r\nMcp-Session-Id: ${id}\r\nAccept: text/event-stream\r\n\r\n`,
        );
        await stream.until(/^HTTP\/1\.1 200 /);
        streams.push(stream);
      }
      const reply = await own.ask({ body: hello('one more') });
      assert.deepEqual([reply.status, contentOf(reply)], [503, rpc(-32000, 'Too many clients.')]);
      assert.equal(own.now.clients, 50);
    } finally {
      await own.stop();
    }
  });

  it('the 257th connection with the key is 503; the others continue, and a closed one makes room', async () => {
    const own = await new RunningServer(paused(bench())).start();
    try {
      const line = `GET /other HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\nAuthorization: ${own.authorization}\r\n\r\n`;
      const open: RawConnection[] = [];
      // The status is 429 if there are too many requests in one second.
      for (let each = 0; each < 256; each += 1) {
        const connection = await own.raw();
        connection.send(line);
        await connection.until(/^HTTP\/1\.1 (404|429) [^]*\}$/);
        open.push(connection);
      }
      const reply = await own.ask({ path: '/other' });
      assert.deepEqual(
        [reply.status, contentOf(reply)],
        [503, rpc(-32000, 'Too many connections.')],
      );
      const [first, last] = [open[0], open.at(-1)];
      assert.ok(first !== undefined && last !== undefined);
      for (const connection of [first, last])
        await connection.send(line).until(/\}HTTP\/1\.1 (404|429) [^]*\}$/);
      first.socket.end();
      await first.closed;
      assert.match(String((await own.ask({ path: '/other' })).status), /^(404|429)$/);
    } finally {
      await own.stop();
    }
  });

  it('the same call in a valid request is made', async () => {
    await server.restart();
    const reply = await server.ask({
      headers: { 'mcp-session-id': session, 'content-type': 'application/json' },
      body: TEXT,
    });
    assert.equal(reply.status, 200);
    assert.equal(server.on.host.breakpoints().length, 1);
    assert.equal(server.log.length, 1);
  });
});
