import { strict as assert } from 'node:assert';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { KeyFile, NOT_KEPT } from '../../../../src/mcp/windows/keyFile';
import { running } from '../../support/services';
import { answering, TestWindows, use } from '../../support/mcpWindows';

/** Resolves when a client's connection breaks off. */
const broken = (client: Client): Promise<unknown> =>
  new Promise((resolve) => (client.onerror = resolve));

describe('the key of the server that is offered to the editor', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  /** The status of a request with a key. 415 means that the key was accepted. */
  const status = async (key: string, headers: Record<string, string> = {}): Promise<number> =>
    (
      await fetch(`http://127.0.0.1:${all.port}/mcp`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, ...headers },
      })
    ).status;
  const idOf = (client: Client): string => client.transport?.sessionId ?? '';

  /** The status of a request for a session. */
  const statusOf = async (id: string, key: string): Promise<number> =>
    (
      await fetch(`http://127.0.0.1:${all.port}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': id,
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      })
    ).status;

  it('differs from the clients’ key, is the same for all windows, and is in a file that only its owner can read', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const offered = await two.window.readOfferedKey();
    assert.equal(await one.window.readOfferedKey(), offered);
    assert.notEqual(offered, await one.window.readKey());
    const file = path.join(all.home, 'key.offered');
    assert.equal(readFileSync(file, 'utf8'), offered);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('gives a client access to the window that it names, whichever window has the port', async () => {
    await all.open('one');
    const two = await all.open('two');
    const key = await two.window.readOfferedKey();
    assert.equal(await answering(await all.connect({ key, query: '?workspace=two' })), 'two');
    assert.equal(await answering(await all.connect({ key, query: '?workspace=one' })), 'one');
  });

  it('ends with everything that was opened with it, in every window; clients with their own key continue', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    running(two.bench);
    const old = await one.window.readOfferedKey();
    const [main, offered, here] = [
      await all.connect({ query: '?workspace=two' }),
      await all.connect({ key: old, query: '?workspace=two' }),
      await all.connect({ key: old, query: '?workspace=one' }),
    ];
    const waiting = assert.rejects(use(offered, 'wait_for_stop', { timeout_seconds: 40 }));
    const goesOn = use(main, 'wait_for_stop', { timeout_seconds: 2 });
    const ids = [idOf(offered), idOf(here)];
    const ends = [broken(offered), broken(here)];
    const clientsKey = await one.window.readKey();
    await two.window.renewOfferedKey();
    await Promise.all(ends);
    await Promise.all([offered.close(), here.close(), waiting]);
    assert.equal((await goesOn).status, 'timeout', 'its call is not ended');
    assert.equal(await answering(main), 'two');
    assert.equal(await one.window.readKey(), clientsKey);
    assert.equal(await status(old), 401);
    const renewed = await one.window.readOfferedKey();
    assert.notEqual(renewed, old);
    assert.equal(await status(renewed), 415);
    for (const id of ids)
      for (const key of [renewed, clientsKey])
        assert.equal(await statusOf(id, key), 404, 'its session is none for anybody');
    assert.equal(await statusOf(idOf(main), clientsKey), 200);
  });

  it('ends in a window that was suspended while another one renewed it', async () => {
    const one = await all.open('one');
    const old = await one.window.readOfferedKey();
    const client = await all.connect({ key: old });
    const main = await all.connect();
    const ended = broken(client);
    const renewed = await new KeyFile(all.home, NOT_KEPT, 'offered').renew();
    assert.equal(await status(renewed), 415);
    await ended;
    assert.equal(await status(old), 401);
    assert.equal(await statusOf(idOf(client), renewed), 404);
    assert.equal(await answering(main), 'one');
  });

  it('is renewed with the clients’ key, and not the other way round', async () => {
    const one = await all.open('one');
    const [offered, clients] = [await one.window.readOfferedKey(), await one.window.readKey()];
    await one.window.renewKey();
    assert.equal(await status(offered), 401);
    assert.equal(await status(clients), 401);
    assert.equal(await status(await one.window.readOfferedKey()), 415);
    assert.equal(await status(await one.window.readKey()), 415);
  });

  it('makes the editor request the server again in every window when it is renewed', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    await Promise.all([one.window.readOfferedKey(), two.window.readOfferedKey()]);
    const [before, others] = [one.states.length, two.states.length];
    await two.window.renewOfferedKey();
    assert.ok(one.states.length > before);
    assert.ok(two.states.length > others);
  });

  it('is not created by its renewal, and an empty key gives no access', async () => {
    const { window } = await all.open('one');
    await window.renewOfferedKey();
    assert.throws(() => statSync(path.join(all.home, 'key.offered')), { code: 'ENOENT' });
    assert.equal(await status(''), 401);
  });

  it('ends if another program has the port, because the editor may have sent the key to it', async () => {
    const { window } = await all.open('one');
    const old = await window.readOfferedKey();
    await window.stop();
    const foreign = createServer().listen(all.port, '127.0.0.1');
    await new Promise((resolve) => foreign.once('listening', resolve));
    try {
      await window.start({ fromOthers: true });
      assert.equal(window.state.kind, 'failed');
    } finally {
      await new Promise((resolve) => foreign.close(resolve));
    }
    await window.start({ fromOthers: true });
    assert.equal(await status(old), 401);
    assert.equal(await status(await window.readOfferedKey()), 415);
  });

  it('cannot be claimed by a client in a header', async () => {
    const [one] = [await all.open('one'), await all.open('two')];
    const old = await one.window.readOfferedKey();
    const key = await one.window.readKey();
    const hello = await fetch(`http://127.0.0.1:${all.port}/mcp?workspace=two`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'agent-debugger-key': 'offered',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        },
      }),
    });
    await hello.text();
    const id = hello.headers.get('mcp-session-id') ?? '';
    await one.window.renewOfferedKey();
    assert.notEqual(await one.window.readOfferedKey(), old);
    assert.equal(await statusOf(id, key), 200, 'its session is one of the clients’ key');
  });
});
