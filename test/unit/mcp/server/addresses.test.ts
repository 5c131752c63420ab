import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { RunningServer } from '../support/server';

describe('the MCP server’s connections and addresses', () => {
  it('keeps a connection open between the calls of a model, and announces the time', async () => {
    const server = await new RunningServer().start();
    try {
      const authorization = `Bearer ${server.key}`;
      const response = await fetch(server.now.url, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
      assert.equal(response.headers.get('keep-alive'), 'timeout=30');
      await response.text();
    } finally {
      await server.stop();
    }
  });

  it('listens on the IPv6 loopback address if there is no IPv4 loopback', async () => {
    const server = await new RunningServer(undefined, { loopback: ['192.0.2.1', '::1'] }).start();
    try {
      assert.equal(server.now.url, `http://[::1]:${server.port}/mcp`);
      assert.equal(
        (await (await server.connect()).listTools()).tools.length,
        server.exposed.list.length,
      );
    } finally {
      await server.stop();
    }
  });

  it('listens on loopback only, on no other address of the machine', async () => {
    const server = await new RunningServer().start();
    try {
      const own = Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .filter(({ internal, family }) => !internal && family === 'IPv4')
        .map((each) => each.address);
      // On Linux all of 127.0.0.0/8 is this machine; a server on all interfaces would answer there.
      for (const host of [...own, ...(process.platform === 'linux' ? ['127.0.0.2'] : [])]) {
        const socket = connect({ host, port: server.port });
        const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
        assert.equal(error.code, 'ECONNREFUSED', host);
      }
    } finally {
      await server.stop();
    }
  });

  it('does not share a port, and reports one that is already in use', async () => {
    const server = await new RunningServer().start();
    const other = new RunningServer();
    other.port = server.port;
    try {
      await assert.rejects(other.start(), { code: 'EADDRINUSE' });
    } finally {
      await other.stop();
      await server.stop();
    }
  });
});
