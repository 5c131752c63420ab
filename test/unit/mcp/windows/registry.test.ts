import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { homeFolder } from '../../../../src/mcp/windows/home';
import { KeyFile } from '../../../../src/mcp/windows/keyFile';
import { ProofDoor } from '../../../../src/mcp/windows/proofDoor';
import { WindowRegistry, type WindowEntry } from '../../../../src/mcp/windows/registry';
import { freePort } from '../../../support/network';

const POSIX = process.platform !== 'win32';

describe('the registry of windows', () => {
  let home: string;
  beforeEach(
    () => (home = path.join(mkdtempSync(path.join(tmpdir(), 'agent-debugger-home-')), 'home')),
  );
  afterEach(() => rmSync(path.dirname(home), { recursive: true, force: true }));

  const entry = (id: string, port: number, more: object = {}): WindowEntry => ({
    id,
    pid: process.pid,
    machine: hostname(),
    port,
    secret: 's',
    folders: ['/x'],
    name: 'x',
    editor: 'Test',
    version: '1',
    startedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  });

  /** The id of a process that has ended. */
  async function deadPid(): Promise<number> {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    return child.pid ?? 0;
  }

  it('is in the folder that the environment names, or in the home folder', () => {
    assert.equal(homeFolder({ env: { AGENT_DEBUGGER_HOME: '/elsewhere' } }), '/elsewhere');
    assert.match(homeFolder({ env: {} }), /\.agent-debugger$/);
  });

  it('lists the live windows, oldest first', async () => {
    const registry = new WindowRegistry(home);
    await registry.write(entry('00000002', 2, { startedAt: '2026-01-02T00:00:00.000Z' }));
    await registry.write(entry('00000001', 1, { startedAt: '2026-01-03T00:00:00.000Z' }));
    assert.deepEqual(
      (await registry.list()).map((each) => each.id),
      ['00000002', '00000001'],
    );
    await registry.remove('00000002');
    registry.removeNow('00000001');
    registry.removeNow('00000001');
    assert.deepEqual(await registry.list(), []);
  });

  it('removes the entry of a window that ended without removing it', async () => {
    const registry = new WindowRegistry(home);
    await registry.write(entry('0000000a', await freePort(), { pid: await deadPid() }));
    assert.deepEqual(await registry.list(), []);
    assert.deepEqual(readdirSync(registry.folder), []);
  });

  it('removes the entry if the listener is not the window: it answers wrongly, hangs up, or is silent and its process has ended', async () => {
    for (const behaviour of ['speaks', 'hangs up', 'silent'] as const) {
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket.on('error', () => undefined));
        if (behaviour === 'speaks') socket.write('SSH-2.0-x\r\n\r\n');
        if (behaviour === 'hangs up') socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const registry = new WindowRegistry(home, undefined, 50);
      await registry.write(
        entry('00000017', (server.address() as AddressInfo).port, { pid: await deadPid() }),
      );
      assert.deepEqual(await registry.list(), [], behaviour);
      assert.equal(existsSync(path.join(registry.folder, '00000017.json')), false, behaviour);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('keeps a listening window even if its process id is unknown here, and keeps but does not list one of another machine', async () => {
    const door = new ProofDoor('0000000b', 's');
    const server = createHttpServer(
      (request, response) =>
        void door.enter(request, response, {
          host: '127.0.0.1',
          port: (server.address() as AddressInfo).port,
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const registry = new WindowRegistry(home);
    await registry.write(
      entry('0000000b', (server.address() as AddressInfo).port, { pid: await deadPid() }),
    );
    await new WindowRegistry(home, 'another machine').write(
      entry('0000000c', 1, { pid: await deadPid() }),
    );
    assert.deepEqual(
      (await registry.list()).map((each) => each.id),
      ['0000000b'],
    );
    assert.ok(existsSync(path.join(registry.folder, '0000000c.json')));
    await new Promise((resolve) => server.close(resolve));
  });

  it('keeps an entry that was rewritten while the old entry’s window was probed', async () => {
    const registry = new WindowRegistry(home);
    const file = path.join(registry.folder, '00000018.json');
    const before = entry('00000018', await freePort());
    await registry.write(before);
    const now = JSON.stringify({ ...before, port: before.port + 1 });
    const connecting = mock.method(Socket.prototype, 'connect', function (this: Socket) {
      writeFileSync(file, now);
      const code = 'ECONNREFUSED';
      queueMicrotask(() => this.destroy(Object.assign(new Error(code), { code })));
      return this;
    });
    try {
      assert.equal(await registry.removeIfGone(before), true);
    } finally {
      connecting.mock.restore();
    }
    assert.equal(connecting.mock.callCount(), 1);
    assert.equal(readFileSync(file, 'utf8'), now);
    assert.equal(await registry.removeIfGone({ ...before, port: before.port + 1 }), true);
    assert.equal(existsSync(file), false, 'and the entry that was probed goes');
  });

  describe('a window that was lost', () => {
    it('is not found through its own leftover entry', async () => {
      const registry = new WindowRegistry(home);
      const lost = entry('00000019', await freePort());
      await registry.write(lost);
      assert.equal(await registry.comesBack(lost, 100), undefined);
    });

    it('is found as the reloaded window, even if its own entry still exists', async () => {
      const registry = new WindowRegistry(home);
      const lost = entry('00000019', await freePort());
      await registry.write(lost);
      await registry.write(entry('0000001a', 1));
      assert.equal((await registry.comesBack(lost, 5000))?.id, '0000001a');
    });

    it('is found as itself if only its session was ended', async () => {
      const door = new ProofDoor('0000001b', 's');
      const server = createHttpServer(
        (request, response) =>
          void door.enter(request, response, {
            host: '127.0.0.1',
            port: (server.address() as AddressInfo).port,
          }),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const registry = new WindowRegistry(home);
        const { port } = server.address() as AddressInfo;
        const lost = entry('0000001b', port);
        await registry.write(lost);
        await registry.write(entry('0000001c', 1));
        assert.equal((await registry.comesBack(lost, 5000))?.id, '0000001b');
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    });
  });

  it('keeps a window if it is unknown whether it listens: it accepts no more connections, or this process can open none', async () => {
    const registry = new WindowRegistry(home);
    const pid = await deadPid();
    for (const code of ['EMFILE', 'ENFILE', 'ETIMEDOUT', 'ECONNRESET', 'EADDRNOTAVAIL', 'EACCES']) {
      await registry.write(entry('00000015', 1, { pid }));
      const connecting = mock.method(Socket.prototype, 'connect', function (this: Socket) {
        queueMicrotask(() => this.destroy(Object.assign(new Error(code), { code })));
        return this;
      });
      try {
        assert.deepEqual(
          (await registry.list()).map((each) => each.id),
          ['00000015'],
          code,
        );
        assert.ok(existsSync(path.join(registry.folder, '00000015.json')), code);
      } finally {
        connecting.mock.restore();
      }
    }
  });

  it('keeps a window that neither accepts nor refuses a connection, and does not wait for it', async () => {
    const registry = new WindowRegistry(home);
    await registry.write(entry('00000016', 1, { pid: await deadPid() }));
    const connecting = mock.method(Socket.prototype, 'connect', function (this: Socket) {
      setImmediate(() => mock.timers.tick(5000));
      return this;
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      assert.deepEqual(
        (await registry.list()).map((each) => each.id),
        ['00000016'],
      );
    } finally {
      mock.timers.reset();
      connecting.mock.restore();
    }
  });

  it('ignores files that are not entries', async () => {
    const registry = new WindowRegistry(home);
    await registry.prepare();
    for (const [name, text] of Object.entries({
      '0000000d.json': '{',
      '0000000e.json': '[]',
      '0000000f.json': '{"id":"0000000f"}',
      'x.json': '{}',
      '00000010.json': JSON.stringify(entry('00000011', 1)),
    }))
      writeFileSync(path.join(registry.folder, name), text);
    mkdirSync(path.join(registry.folder, '00000012.json'));
    assert.deepEqual(await registry.list(), []);
  });

  it('is inaccessible to other users even if the folder was accessible before', async () => {
    if (!POSIX) return; // On Windows, the access list of the profile folder protects it.
    mkdirSync(path.join(home, 'windows'), { recursive: true });
    for (const each of [home, path.join(home, 'windows')]) chmodSync(each, 0o777);
    await new WindowRegistry(home).write(entry('00000013', 1));
    for (const each of [
      home,
      path.join(home, 'windows'),
      path.join(home, 'windows', '00000013.json'),
    ])
      assert.equal(statSync(each).mode & 0o077, 0, each);
  });

  it('reports a window that opens', async () => {
    const registry = new WindowRegistry(home);
    await registry.prepare();
    let watch: { close(): void } | undefined;
    const heard = new Promise<void>((resolve) => (watch = registry.watch(resolve)));
    await registry.write(entry('00000014', 1));
    await heard;
    watch?.close();
  });

  describe('the key', () => {
    const kept = (key?: string) => {
      const storage = {
        key,
        get: () => Promise.resolve(storage.key),
        store: (now: string) => Promise.resolve(void (storage.key = now)),
      };
      return storage;
    };

    it('is one key, however many windows create it at the same time', async () => {
      const storages = Array.from({ length: 20 }, () => kept());
      const keys = await Promise.all(storages.map((each) => new KeyFile(home, each).read()));
      assert.equal(new Set(keys).size, 1);
      assert.match(keys[0] ?? '', /^[\w-]{43}$/);
      assert.deepEqual(
        new Set(storages.map((each) => each.key)),
        new Set(keys),
        'and every editor keeps it',
      );
      assert.deepEqual(readdirSync(home).sort(), ['key', 'key.unused'], 'no drafts are left');
      if (POSIX) assert.equal(statSync(path.join(home, 'key')).mode & 0o077, 0);
    });

    it('is restored from the secret storage if the file is lost or damaged', async () => {
      const storage = kept();
      const key = await new KeyFile(home, storage).read();
      rmSync(home, { recursive: true });
      assert.equal(await new KeyFile(home, storage).read(), key);
      writeFileSync(path.join(home, 'key'), 'spoiled');
      assert.equal(await new KeyFile(home, storage).read(), key);
      assert.equal(readFileSync(path.join(home, 'key'), 'utf8'), key);
    });

    it('is a different one for every window and editor after a renewal', async () => {
      const [one, two] = [new KeyFile(home, kept()), new KeyFile(home, kept())];
      const old = await one.read();
      const renewed = await two.renew();
      assert.notEqual(renewed, old);
      assert.equal(await one.read(), renewed);
    });
  });
});
