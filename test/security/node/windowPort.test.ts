import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import http from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { mock } from 'node:test';
import { isProof, makeNonce, proofOf, type Provable } from '../../../src/mcp/windows/proof';
import { WindowRegistry, type WindowEntry } from '../../../src/mcp/windows/registry';
import { NoConnection, openConnection, requestTo } from '../../../src/mcp/windows/windowConnection';
import { TestWindows } from '../../unit/support/mcpWindows';
import { RawConnection } from '../../unit/mcp/support/server';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Tests that a window's own port refuses strangers, and that a recording of a connection is useless. */
describe('a window’s own port', () => {
  let all: TestWindows;
  let entry: WindowEntry;
  let party: Provable;
  const connections: RawConnection[] = [];

  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
    await all.open('one');
    const [only] = await new WindowRegistry(all.home).list();
    assert.ok(only);
    entry = only;
    party = { ...entry, host: '127.0.0.1' };
  });
  afterEach(async () => {
    for (const each of connections.splice(0)) each.socket.destroy();
    await all.end();
  });

  async function raw(): Promise<RawConnection> {
    const socket = connect(entry.port, '127.0.0.1');
    await once(socket, 'connect');
    const connection = new RawConnection(socket);
    connections.push(connection);
    return connection;
  }

  const challenge = (nonce: string): string =>
    `GET /prove HTTP/1.1\r\nhost: 127.0.0.1:${entry.port}\r\nagent-debugger-nonce: ${nonce}\r\n\r\n`;
  const ping = (authorization: string): string =>
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${entry.port}\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${PING.length}\r\n\r\n${PING}`;

  /** Sends a challenge. @returns the window's nonce and proof */
  async function challenged(
    connection: RawConnection,
    nonce: string,
  ): Promise<{ readonly window: string; readonly proof: string }> {
    const { received } = connection.send(challenge(nonce));
    assert.equal(received, '');
    const [, window = '', proof = ''] = await connection.until(
      /^HTTP\/1\.1 200 [^]*agent-debugger-nonce: ([\w-]{43})\r\nagent-debugger-proof: ([\w-]{43})\r\n[^]*\r\n\r\n$/,
    );
    return { window, proof };
  }

  /** Asserts that the connection is refused without any detail, and closed. */
  async function isStranger(connection: RawConnection): Promise<void> {
    await connection.until(/HTTP\/1\.1 401 [^]*\r\n\r\n/);
    await connection.closed;
    assert.doesNotMatch(connection.received, /Mcp-Session|jsonrpc|HTTP\/1\.1 (?:400|404)/i);
  }

  it('proves itself to a caller, and answers a caller that has proven itself only on that connection', async () => {
    const connection = await raw();
    const caller = makeNonce();
    const { window, proof } = await challenged(connection, caller);
    assert.ok(isProof(proof, proofOf('window', party, { caller, window })));
    const authorization = `Proof ${proofOf('caller', party, { caller, window })}`;
    connection.send(ping(authorization));
    await connection.until(/HTTP\/1\.1 400 [^]*No session/);
    connection.send(ping('none'));
    await connection.until(/No session[^]*HTTP\/1\.1 400 [^]*No session/);
    await isStranger((await raw()).send(ping(authorization)));
  });

  it('refuses a recording of a caller’s messages on a new connection and after the same challenge', async () => {
    const caller = makeNonce();
    const first = await raw();
    const { window } = await challenged(first, caller);
    const recorded = ping(`Proof ${proofOf('caller', party, { caller, window })}`);
    first.send(recorded);
    await first.until(/No session/);
    const again = await raw();
    assert.notEqual((await challenged(again, caller)).window, window, 'another nonce each time');
    await isStranger(again.send(recorded));
    await isStranger((await raw()).send(challenge(caller) + recorded));
  });

  it('refuses its own proof sent back, another window’s proof, the secret itself, and the clients’ key', async () => {
    const two = await all.open('two');
    const other = (await new WindowRegistry(all.home).list()).find(
      (each) => each.id === two.window.id,
    );
    assert.ok(other);
    const caller = makeNonce();
    const authorizations: ((answer: {
      readonly window: string;
      readonly proof: string;
    }) => string)[] = [
      ({ proof }) => `Proof ${proof}`,
      ({ window }) => `Proof ${proofOf('window', party, { caller, window })}`,
      ({ window }) =>
        `Proof ${proofOf('caller', { ...other, host: '127.0.0.1' }, { caller, window })}`,
      ({ window }) =>
        `Proof ${proofOf('caller', { ...party, port: other.port }, { caller, window })}`,
      ({ window }) => `Proof ${proofOf('caller', { ...party, id: other.id }, { caller, window })}`,
      ({ window }) => `Proof ${proofOf('caller', party, { caller: window, window: caller })}`,
      ({ window }) => `Proof ${proofOf('caller', party, { caller, window })}=`,
      () => `Bearer ${entry.secret}`,
      () => `Proof ${entry.secret}`,
      () => 'Proof ',
    ];
    const key = await two.window.readKey();
    authorizations.push(() => `Bearer ${key}`);
    for (const authorization of authorizations) {
      const connection = await raw();
      const answer = await challenged(connection, caller);
      await isStranger(connection.send(ping(authorization(answer))));
      await isStranger(
        (await raw()).send(ping(authorization({ window: makeNonce(), proof: makeNonce() }))),
      );
    }
  });

  it('accepts one challenge on a connection, in one form', async () => {
    const twice = await raw();
    await challenged(twice, makeNonce());
    await isStranger(twice.send(challenge(makeNonce())));
    for (const nonce of ['', 'x', `${makeNonce()}x`, `${makeNonce().slice(1)}=`])
      await isStranger((await raw()).send(challenge(nonce)));
    await isStranger(
      (await raw()).send(
        challenge(makeNonce())
          .replace('GET', 'POST')
          .replace('\r\n\r\n', '\r\ncontent-length: 0\r\n\r\n'),
      ),
    );
    await isStranger((await raw()).send(challenge(makeNonce()).replace('/prove', '/prove?x')));
  });

  it('is not reached through a program on another port that forwards everything: the caller refuses it and sends nothing', async () => {
    const heard: string[] = [];
    const sockets: Socket[] = [];
    const between = createServer((socket) => {
      const onward = connect(entry.port, '127.0.0.1');
      sockets.push(
        socket.on('error', () => undefined),
        onward.on('error', () => undefined),
      );
      socket.on('data', (data) => heard.push(data.toString('latin1')));
      socket.pipe(onward).pipe(socket);
    });
    between.listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    await assert.rejects(
      requestTo(
        { ...entry, port },
        { method: 'POST', path: '/mcp?folder=secret', headers: { 'x-secret': 'x' } },
      ),
      (error: unknown) => error instanceof NoConnection && error.reason === 'stranger',
    );
    assert.match(
      heard.join(''),
      /^GET \/prove HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nagent-debugger-nonce: [\w-]{43}\r\n\r\n$/,
    );
    for (const each of sockets) each.destroy();
    between.close();
    await once(between, 'close');
  });

  it('gets the request on the proven connection, also if VS Code sets its own agent in each request', async () => {
    const { request } = http;
    const patched = mock.method(http, 'request', (options: http.RequestOptions) =>
      request({ ...options, agent: new http.Agent() }),
    );
    try {
      const asked = await requestTo(entry, {
        method: 'POST',
        path: '/mcp',
        headers: { 'content-type': 'application/json' },
      });
      const [response] = (await once(asked.end(PING), 'response')) as [http.IncomingMessage];
      assert.equal(response.resume().statusCode, 400, 'let in, and told that there is no session');
    } finally {
      patched.mock.restore();
    }
  });

  it('cannot be taken by another program while the window has it', async () => {
    const thief = createServer();
    thief.listen(entry.port, '127.0.0.1');
    const [error] = (await once(thief, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'EADDRINUSE');
  });

  it('refuses a web page even with a proof', async () => {
    const { socket, authorization } = await openConnection(entry);
    const connection = new RawConnection(socket);
    connections.push(connection);
    connection.send(
      ping(authorization).replace('Content-Type', 'Origin: https://evil.example\r\nContent-Type'),
    );
    await connection.until(/HTTP\/1\.1 403 /);
  });
});
