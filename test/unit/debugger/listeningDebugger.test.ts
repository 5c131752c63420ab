import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer as httpServer, type Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import {
  inspectorHost,
  listeningDebugger,
  LOOPBACK_HOSTS,
} from '../../../src/debugger/processes/listeningDebugger';
import { FakeProcesses } from '../support/processes';

describe('the debugger that listens on a port', () => {
  const servers: (Server | HttpServer)[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(server: Server | HttpServer): Promise<number> {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const inspector = async (browser: string): Promise<number> =>
    await listen(
      httpServer((request, response) => {
        response.end(request.url === '/json/version' ? JSON.stringify({ Browser: browser }) : '');
      }),
    );

  /** Answers the handshake of a Java virtual machine, or the same bytes for any other client. */
  const answering = async (answer: string): Promise<number> =>
    await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(answer));
      }),
    );

  it('is found by what it answers', async () => {
    const processes = new FakeProcesses();
    for (const [port, type] of [
      [await inspector('node.js/v24.1.0'), 'node'],
      [await inspector('Chrome/140.0'), 'chrome'],
      [await answering('JDWP-Handshake'), 'java'],
    ] as const)
      assert.deepEqual(await listeningDebugger(processes, LOOPBACK_HOSTS, port), {
        type,
        host: '127.0.0.1',
      });
    for (const port of [await answering('220 mail'), await inspector('')])
      assert.equal(await listeningDebugger(processes, LOOPBACK_HOSTS, port), undefined);
  });

  it('is tried at both addresses of this machine', async () => {
    const port = await inspector('node.js/v24.1.0');
    assert.equal(await inspectorHost(['::1', '127.0.0.1'], port), '127.0.0.1');
  });

  it('is known from its command line without a connection, which might end it', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await listen(server);
    const entry = { id: 7, parentId: 1, user: 'ada' };
    for (const [executable, command, type] of [
      ['/go/bin/dlv', 'dlv dap --listen=:4000', 'go'],
      ['/usr/bin/python3', 'python3 -m debugpy --listen 5678 app.py', 'debugpy'],
      ['/jdk/bin/java', 'java -agentlib:jdwp=transport=dt_socket,suspend=y App', 'java'],
      ['/usr/bin/gdbserver', 'gdbserver :1234 ./app', 'lldb-dap'],
    ] as const) {
      const processes = new FakeProcesses();
      processes.entries = [{ ...entry, executable, command }];
      processes.ports.set(port, [7]);
      processes.hosts.set(port, ['::1']);
      const found = await listeningDebugger(processes, LOOPBACK_HOSTS, port);
      assert.deepEqual(found, { type, host: '::1' }, command);
    }
    assert.equal(connections, 0);
  });
});
