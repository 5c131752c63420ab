import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { KeyFile } from '../../../src/mcp/windows/keyFile';
import type { State } from '../../../src/mcp/windows/windowOptions';
import { TestWindows, use, type TestWindow } from '../../unit/support/mcpWindows';

const BRIDGE = path.resolve(__dirname, '../../../src/mcp/stdio/main.js');

/** Another program on the clients' port: any user of the machine may listen there. */
class Squatter {
  readonly received: string[] = [];
  private readonly server: Server = createServer((request, response) => {
    this.received.push(request.headers.authorization ?? '');
    response.end('{}');
  });

  async take(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async leave(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('another program on the clients’ port', () => {
  let all: TestWindows;
  let squatter: Squatter;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
    squatter = new Squatter();
  });
  afterEach(async () => {
    await squatter.leave();
    await all.end();
  });

  const seenIn = (state: State): number | undefined =>
    'keySeen' in state ? state.keySeen?.port : undefined;

  /** Sends a request with the key to the address, like a client that is set up. @returns the status */
  async function clientCalls(key: string): Promise<number> {
    return (
      await fetch(`http://127.0.0.1:${all.port}/mcp`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}` },
      })
    ).status;
  }

  /** Opens a window whose key was given to a client, and turns its server off. */
  async function setUpAndOff(): Promise<{ window: TestWindow; key: string }> {
    const window = await all.open('one');
    const key = await window.window.readKey();
    await window.window.keyGiven(all.port);
    await window.window.stop();
    return { window, key };
  }

  async function foundBy({ window }: TestWindow): Promise<void> {
    await window.start({ fromOthers: true });
    assert.equal(window.state.kind, 'failed');
  }

  it('gets the key from a client, and is reported, also after the next start, until the key is renewed', async () => {
    const { window, key } = await setUpAndOff();
    await squatter.take(all.port);
    await clientCalls(key);
    assert.deepEqual(
      squatter.received,
      [`Bearer ${key}`],
      'the attack works: nothing here can keep a client from it',
    );
    await foundBy(window);
    assert.equal(seenIn(window.window.state), all.port);

    await squatter.leave();
    await window.window.start({ fromOthers: true });
    assert.equal(window.window.state.kind, 'on');
    assert.equal(seenIn(window.window.state), all.port, 'it does not start without saying so');
    assert.notEqual(await clientCalls(key), 401, 'the key is still good');
    await window.window.renewKey();
    assert.equal(seenIn(window.window.state), undefined);
    assert.equal(await clientCalls(key), 401, 'what the squatter has is worth nothing');
    await window.window.restart();
    assert.equal(seenIn(window.window.state), undefined);
  });

  it('gets nothing from a client that is set up with the bridge', async () => {
    const { window } = await setUpAndOff();
    await squatter.take(all.port);
    const client = new Client({ name: 'bridge', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BRIDGE],
        cwd: window.folder,
        env: { AGENT_DEBUGGER_HOME: all.home },
      }),
    );
    try {
      assert.equal((await use(client, 'get_debug_state')).code, 'no_window');
      await foundBy(window);
      assert.equal((await use(client, 'get_debug_state')).status, 'error');
      assert.deepEqual(squatter.received, []);
    } finally {
      await client.close();
    }
  });

  it('is remembered by every window and editor over several starts', async () => {
    const { window } = await setUpAndOff();
    await squatter.take(all.port);
    await foundBy(window);
    await squatter.leave();
    for (const name of ['two', 'three']) {
      const other = await all.open(name);
      assert.equal(seenIn(other.window.state), all.port, name);
      await other.window.stop();
    }
  });

  it('is also reported if the server starts on another port', async () => {
    const { window } = await setUpAndOff();
    const taken = all.port;
    await squatter.take(taken);
    await foundBy(window);
    await all.prepare();
    await window.window.start({ fromOthers: true });
    assert.equal(window.window.state.kind, 'on');
    assert.equal(seenIn(window.window.state), taken);
  });

  it('is not reported if the key was given to no client', async () => {
    await squatter.take(all.port);
    const one = await all.open('one');
    await foundBy(one);
    assert.equal(seenIn(one.window.state), undefined);
    await squatter.leave();
    await one.window.start({ fromOthers: true });
    assert.equal(seenIn(one.window.state), undefined);
    await one.window.keyGiven(all.port);
    assert.equal(seenIn(one.window.state), undefined, 'it had gone before');
  });

  it('is reported for a client that is set up while it has the port', async () => {
    await squatter.take(all.port);
    const one = await all.open('one');
    await one.window.keyGiven(all.port);
    assert.equal(seenIn(one.window.state), all.port);
    await one.window.renewKey();
    assert.equal(seenIn(one.window.state), undefined, 'nobody has the new one');
    await one.window.keyGiven(all.port);
    assert.equal(seenIn(one.window.state), all.port, 'and it is still there');
    await one.window.keyGiven(all.port + 1);
    await squatter.leave();
    await one.window.start({ fromOthers: true });
    assert.equal(seenIn(one.window.state), all.port);
  });

  it('is reported for a key of an earlier version, which counts as given', async () => {
    const { window } = await setUpAndOff();
    for (const name of readdirSync(all.home).filter((each) => each.startsWith('key.')))
      rmSync(path.join(all.home, name));
    await squatter.take(all.port);
    await foundBy(window);
    assert.equal(seenIn(window.window.state), all.port);
  });

  it('is reported for a lost key that was restored from the secret storage, which counts as given', async () => {
    const { window, key } = await setUpAndOff();
    rmSync(path.join(all.home, 'key'));
    await squatter.take(all.port);
    await foundBy(window);
    assert.equal(await window.window.readKey(), key);
    assert.equal(seenIn(window.window.state), all.port);
  });

  it('is not reported again after the person keeps the key, until a program has the port again', async () => {
    const { window } = await setUpAndOff();
    await squatter.take(all.port);
    await foundBy(window);
    await squatter.leave();
    await window.window.start({ fromOthers: true });
    await window.window.keepKey();
    assert.equal(seenIn(window.window.state), undefined);
    await window.window.restart();
    assert.equal(seenIn(window.window.state), undefined);
    await window.window.stop();
    squatter = new Squatter();
    await squatter.take(all.port);
    await foundBy(window);
    assert.equal(seenIn(window.window.state), all.port);
  });

  it('is no longer reported after another editor renews the key', async () => {
    const { window } = await setUpAndOff();
    await squatter.take(all.port);
    await foundBy(window);
    await squatter.leave();
    await window.window.start({ fromOthers: true });
    assert.equal(seenIn(window.window.state), all.port);
    const renewed = await new KeyFile(all.home, {
      get: () => Promise.resolve(undefined),
      store: () => Promise.resolve(),
    }).renew();
    await clientCalls(renewed);
    await window.until((state) => seenIn(state) === undefined);
  });

  it('is remembered without the key, in files that only the person can read', async () => {
    const { window, key } = await setUpAndOff();
    await squatter.take(all.port);
    await foundBy(window);
    const files = readdirSync(all.home).filter(
      (each) => each !== 'key' && !statSync(path.join(all.home, each)).isDirectory(),
    );
    assert.ok(files.length > 0 && existsSync(path.join(all.home, 'key')));
    for (const each of files) {
      assert.equal(
        readFileSync(path.join(all.home, each), 'utf8').includes(key.slice(0, 16)),
        false,
        each,
      );
      if (process.platform !== 'win32')
        assert.equal(statSync(path.join(all.home, each)).mode & 0o077, 0, each);
    }
  });
});
