import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, createServer, Server } from 'node:net';
import path from 'node:path';
import { mock } from 'node:test';
import { WindowRegistry } from '../../../../src/mcp/windows/registry';
import { answering, TestWindows, type TestWindow } from '../../support/mcpWindows';

/** Whether a program listens on a port. */
async function isOpen(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Resolves when the server on a port stops accepting connections. */
async function closing(port: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const close = Reflect.get<Server, 'close'>(Server.prototype, 'close');
    const given = mock.method(Server.prototype, 'close', function (this: Server): Server {
      const address = this.address();
      if (typeof address === 'object' && address?.port === port) {
        given.mock.restore();
        resolve();
      }
      return close.call(this);
    });
  });
}

describe('the ports of windows that share one address', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  const kinds = (...windows: TestWindow[]): string[] =>
    windows.map((each) => each.window.state.kind);

  it('do not touch a port that another program has: they do not even connect to it', async () => {
    let connections = 0;
    const foreign = createServer(() => (connections += 1));
    await new Promise<void>((resolve) => foreign.listen(all.port, '127.0.0.1', resolve));
    const one = await all.open('one');
    assert.equal(one.window.state.kind, 'failed');
    assert.equal((one.window.state as { isPortTaken?: boolean }).isPortTaken, true);
    await one.window.start({ fromOthers: true });
    assert.equal(one.window.state.kind, 'failed');
    assert.equal(connections, 0);
    assert.deepEqual(
      readdirSync(path.join(all.home, 'windows')),
      [],
      'it is not there for anybody',
    );
    await new Promise((resolve) => foreign.close(resolve));
    await one.window.start({ fromOthers: true });
    assert.equal(one.window.state.kind, 'on');
  });

  it('let a window that failed join when another one has the port', async () => {
    const foreign = createServer();
    await new Promise<void>((resolve) => foreign.listen(all.port, '127.0.0.1', resolve));
    const one = await all.open('one');
    assert.equal(one.window.state.kind, 'failed');
    await new Promise((resolve) => foreign.close(resolve));
    await all.open('two');
    await one.becomes('elsewhere');
  });

  it('all move to another port in the settings', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const before = all.port;
    await all.prepare();
    assert.notEqual(all.port, before);
    await Promise.all([one.window.changePort(), two.window.changePort()]);
    assert.deepEqual(kinds(one, two).sort(), ['elsewhere', 'on']);
    assert.equal(await answering(await all.connect({ query: '?workspace=two' })), 'two');
  });

  it('keep the connections of the old port until they end, and then close it', async () => {
    const one = await all.open('one');
    const client = await all.connect();
    const before = all.port;
    await all.prepare();
    await one.window.changePort();
    assert.equal(await answering(client), 'one', 'the client has lost the server');
    assert.equal(await answering(await all.connect()), 'one', 'at the new port');
    assert.ok(await isOpen(before));
    const closed = closing(before);
    await one.window.renewKey();
    await closed;
    assert.ok(!(await isOpen(before)));
  });

  it('take an old port back that a client still uses, and close all ports with the server', async () => {
    const one = await all.open('one');
    const client = await all.connect();
    const before = all.port;
    await all.prepare();
    const between = all.port;
    await one.window.changePort();
    all.port = before;
    await one.window.changePort();
    assert.deepEqual(kinds(one), ['on']);
    assert.equal(await answering(client), 'one');
    assert.ok(!(await isOpen(between)));
    all.port = between;
    await one.window.changePort();
    await one.window.stop();
    assert.ok(!(await isOpen(before)) && !(await isOpen(between)));
  });

  it('do not use the clients’ port, which is free during a restart of the server, for a window’s own listener', async () => {
    const one = await all.open('one');
    const client = await all.connect();
    const asked: number[] = [];
    const given = mock.method(
      Server.prototype,
      'listen',
      function (this: Server, port: number, host: string, listening: () => void): Server {
        asked.push(port);
        given.mock.restore();
        return this.listen(all.port, host, listening);
      },
    );
    await one.window.restart();
    assert.deepEqual(asked, [0]);
    assert.deepEqual(kinds(one), ['on']);
    assert.equal(await answering(client), 'one');
  });

  it('can use a port for the clients that is already a window’s own port', async () => {
    const one = await all.open('one');
    const [entry] = await new WindowRegistry(all.home).list();
    assert.ok(entry);
    all.port = entry.port;
    await one.window.changePort();
    assert.deepEqual(kinds(one), ['on']);
    assert.equal(await answering(await all.connect()), 'one');
  });

  it('share one address and take over on the IPv6 loopback if there is no IPv4 loopback', async () => {
    const six = new TestWindows(['192.0.2.1', '::1']);
    await six.prepare();
    try {
      const [one, two] = [await six.open('one'), await six.open('two')];
      assert.equal(one.window.url, `http://[::1]:${six.port}/mcp`);
      assert.equal(two.window.state.kind, 'elsewhere');
      const client = await six.connect({ query: '?workspace=two' });
      assert.equal(await answering(client), 'two');
      assert.equal(await answering(await six.connect({ query: '?workspace=one' })), 'one');
      one.window.dispose();
      await two.becomes('on');
      assert.equal(await answering(client), 'two', 'the same session');
    } finally {
      await six.end();
    }
  });

  it('keep no port, entry or connection of a window that is closed during its start', async () => {
    const write = Reflect.get<WindowRegistry, 'write'>(WindowRegistry.prototype, 'write');
    for (const holder of [undefined, 'two']) {
      if (holder !== undefined) await all.open(holder);
      const one = all.make('one');
      const writing = mock.method(
        WindowRegistry.prototype,
        'write',
        async function (this: WindowRegistry, entry: Parameters<typeof write>[0]) {
          await write.call(this, entry);
          if (entry.id === one.window.id && entry.serves !== undefined) one.window.dispose();
        },
      );
      try {
        await one.window.start({ fromOthers: false });
        // Runs after all pending actions.
        await one.window.updateDescription();
      } finally {
        writing.mock.restore();
      }
      assert.deepEqual(
        (await new WindowRegistry(all.home).list()).map((each) => each.name),
        holder === undefined ? [] : [holder],
      );
      if (holder !== undefined) continue;
      const other = createServer();
      other.listen(all.port, '127.0.0.1');
      await once(other, 'listening');
      other.close();
      await once(other, 'close');
    }
  });
});
