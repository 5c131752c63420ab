import { strict as assert } from 'node:assert';
import { KeyFile } from '../../../../src/mcp/windows/keyFile';
import { running } from '../../support/services';
import { TestWindows, use } from '../../support/mcpWindows';

describe('a renewed key', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  it('ends the old one in every window, whichever window renewed it', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const client = await all.connect();
    const [old] = [await one.window.readKey()];
    const status = async (key: string): Promise<number> =>
      (
        await fetch(`http://127.0.0.1:${all.port}/mcp`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}` },
        })
      ).status;
    const cut = new Promise<void>((resolve) =>
      client.transport ? (client.onerror = () => resolve()) : resolve(),
    );
    await two.window.renewKey();
    await cut;
    assert.equal(await status(old), 401);
    assert.notEqual(await status(await one.window.readKey()), 401);
  });

  it('ends the old one in a window that was suspended during the renewal', async () => {
    const one = await all.open('one');
    running(one.bench);
    const client = await all.connect();
    const waiting = assert.rejects(use(client, 'wait_for_stop', { timeout_seconds: 40 }));
    await use(client, 'get_debug_state');
    const ask = async (key: string): Promise<number> =>
      (
        await fetch(`http://127.0.0.1:${all.port}/mcp`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}` },
        })
      ).status;
    const old = await one.window.readKey();
    const renewed = await new KeyFile(all.home, {
      get: () => Promise.resolve(undefined),
      store: () => Promise.resolve(),
    }).renew();
    const ended = new Promise((resolve) => (client.onerror = resolve));
    assert.equal(await ask(renewed), 415, 'let in, and its connection not cut');
    await ended;
    assert.equal(await ask(old), 401);
    await client.close();
    await waiting;
  });

  it('ends connections that were opened with the old one through a port that has been given up since', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    running(one.bench);
    const client = await all.connect({ query: '?workspace=one' });
    const waiting = assert.rejects(use(client, 'wait_for_stop', { timeout_seconds: 40 }));
    await use(client, 'get_debug_state');
    await two.window.start({ fromOthers: true });
    await one.becomes('elsewhere', 'two');
    const ended = new Promise((resolve) => (client.onerror = resolve));
    await two.window.renewKey();
    await ended;
    await client.close();
    await waiting;
  });
});
