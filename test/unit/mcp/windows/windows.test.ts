import { strict as assert } from 'node:assert';
import { promises, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { mock } from 'node:test';
import { ProofDoor } from '../../../../src/mcp/windows/proofDoor';
import { WindowRegistry } from '../../../../src/mcp/windows/registry';
import { requestTo } from '../../../../src/mcp/windows/windowConnection';
import { paused, running } from '../../support/services';
import { answering, TestWindows, use, type TestWindow } from '../../support/mcpWindows';

/** The entry of a window that has the clients' port. It accepts connections, but answers only when it is awake. */
async function sleepingWindow(all: TestWindows): Promise<{ wake(): void; end(): Promise<void> }> {
  const asked: (() => void)[] = [];
  const door = new ProofDoor('00000001', 's');
  let isAwake = false;
  const own = createHttpServer((request, response) => {
    const answer = (): void => {
      const { port } = own.address() as AddressInfo;
      if (door.enter(request, response, { host: '127.0.0.1', port }) !== 'answered')
        response.writeHead(200).flushHeaders();
    };
    if (isAwake) answer();
    else asked.push(answer);
  });
  const clients = createServer();
  own.listen(0, '127.0.0.1');
  clients.listen(all.port, '127.0.0.1');
  await Promise.all([once(own, 'listening'), once(clients, 'listening')]);
  const registry = new WindowRegistry(all.home);
  await registry.write({
    id: '00000001',
    pid: process.pid,
    port: (own.address() as AddressInfo).port,
    secret: 's',
    folders: [],
    name: 'sleeper',
    editor: 'Test',
    version: '1.2.3',
    startedAt: new Date().toISOString(),
    serves: all.port,
  });
  return {
    wake: () => {
      isAwake = true;
      for (const answer of asked) answer();
    },
    end: async () => {
      await registry.remove('00000001');
      clients.close();
      await once(clients, 'close');
      own.closeAllConnections();
      own.close();
    },
  };
}

const POSIX = process.platform !== 'win32';

describe('windows that share one address', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  const kinds = (...windows: TestWindow[]): string[] =>
    windows.map((each) => each.window.state.kind);

  it('let one window have the port; the others show which one', async () => {
    const [one, two, three] = [
      await all.open('one'),
      await all.open('two'),
      await all.open('three'),
    ];
    assert.deepEqual(kinds(one, two, three), ['on', 'elsewhere', 'elsewhere']);
    assert.deepEqual(two.window.state, {
      kind: 'elsewhere',
      port: all.port,
      clients: 0,
      holder: 'one',
    });
  });

  it('give the port to exactly one of several windows that start together', async () => {
    const windows = Array.from({ length: 6 }, (_, each) => all.make(`w${each}`));
    await Promise.all(windows.map((each) => each.window.start({ fromOthers: false })));
    assert.deepEqual(kinds(...windows).sort(), [
      'elsewhere',
      'elsewhere',
      'elsewhere',
      'elsewhere',
      'elsewhere',
      'on',
    ]);
  });

  it('make the shared files readable only for their owner, and keep the clients’ key only in its own file', async () => {
    const { window } = await all.open('one');
    const key = await window.readKey();
    const files = readdirSync(all.home, { recursive: true, encoding: 'utf8' });
    for (const each of ['.', ...files]) {
      const file = path.join(all.home, each);
      if (POSIX) assert.equal(statSync(file).mode & 0o077, 0, each);
      if (statSync(file).isFile() && each !== 'key')
        assert.equal(readFileSync(file, 'utf8').includes(key), false, each);
    }
    assert.ok(files.includes('key'));
    await window.stop();
    assert.deepEqual(readdirSync(path.join(all.home, 'windows')), []);
  });

  it('let another window take over when the window with the port closes; clients of the others continue', async () => {
    const [one, two, three] = [
      await all.open('one'),
      await all.open('two'),
      await all.open('three'),
    ];
    const client = await all.connect({ query: `?workspace=${encodeURIComponent(two.folder)}` });
    assert.equal(await answering(client), 'two');
    const began = performance.now();
    one.window.dispose();
    await Promise.race([two.becomes('on'), three.becomes('on')]);
    const took = performance.now() - began;
    assert.ok(took < 3000, `${took} ms`);
    assert.equal(await answering(client), 'two', 'the same session');
    const [last, gone] = two.window.state.kind === 'on' ? [three, two] : [two, three];
    await last.becomes('elsewhere', path.basename(gone.folder));
    gone.window.dispose();
    await last.becomes('on');
    assert.equal(await answering(await all.connect()), last.bench === two.bench ? 'two' : 'three');
  });

  it('let a manual start take over the port; the other window shows that, and its clients continue', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const client = await all.connect({ query: '?workspace=one' });
    assert.equal(await answering(client), 'one');
    await two.window.start({ fromOthers: true });
    assert.deepEqual(await one.becomes('elsewhere', 'two'), {
      kind: 'elsewhere',
      port: all.port,
      clients: 1,
      holder: 'two',
    });
    assert.equal(two.window.state.kind, 'on');
    assert.equal(await answering(client), 'one');
    assert.equal(await answering(await all.connect({ query: '?workspace=two' })), 'two');
  });

  it('pass the port between three windows in turn', async () => {
    const windows = [await all.open('one'), await all.open('two'), await all.open('three')];
    for (const each of [windows[2], windows[1], windows[0], windows[2]]) {
      assert.ok(each);
      await each.window.start({ fromOthers: true });
      await Promise.all(
        windows
          .filter((other) => other !== each)
          .map((other) => other.becomes('elsewhere', path.basename(each.folder))),
      );
      assert.equal(each.window.state.kind, 'on');
    }
  });

  it('wait for a suspended window that has the port, and show that when they request the port', async () => {
    all.answerLimitMs = 50;
    const sleeper = await sleepingWindow(all);
    const one = await all.open('one');
    const silent = {
      kind: 'elsewhere',
      port: all.port,
      clients: 0,
      holder: 'sleeper',
      isSilent: true,
    };
    assert.deepEqual(one.window.state, silent);
    await one.window.start({ fromOthers: true });
    assert.deepEqual(one.window.state, silent, 'the port cannot be taken from it');
    sleeper.wake();
    assert.deepEqual(await one.until((state) => !('isSilent' in state)), {
      kind: 'elsewhere',
      port: all.port,
      clients: 0,
      holder: 'sleeper',
    });
    await sleeper.end();
    await one.becomes('on');
  });

  it('no longer count a client that disconnects without ending its session', async () => {
    const one = await all.open('one');
    const counts = (clients: number): Promise<unknown> =>
      one.until((state) => state.kind === 'on' && state.clients === clients);
    const headers = {
      authorization: `Bearer ${await one.window.readKey()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const url = `http://127.0.0.1:${all.port}/mcp`;
    const introduced = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'gone', version: '1' },
        },
      }),
    });
    await introduced.text();
    const ended = new AbortController();
    const stream = await fetch(url, {
      headers: { ...headers, 'mcp-session-id': introduced.headers.get('mcp-session-id') ?? '' },
      signal: ended.signal,
    });
    assert.equal(stream.status, 200);
    await counts(1);
    ended.abort();
    await counts(0);
  });

  it('are all off after a stop, and can all be reached after the next start', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    await one.window.stop();
    await two.becomes('off');
    await assert.rejects(all.connect());
    await one.window.start({ fromOthers: true });
    await two.becomes('elsewhere');
    assert.equal(await answering(await all.connect({ query: '?workspace=two' })), 'two');
  });

  it('can still be reached when one of them leaves', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    await two.window.stop();
    assert.equal(one.window.state.kind, 'on');
    assert.equal(await answering(await all.connect()), 'one');
  });

  it('answer 404 to a request whose path is not a URL, as to any other unknown path', async () => {
    const one = await all.open('one');
    const request = httpRequest({
      host: '127.0.0.1',
      port: all.port,
      path: '//',
      headers: { authorization: `Bearer ${await one.window.readKey()}` },
    }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, 404);
  });

  it('let a window join again after a request that arrived while it was leaving', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const registry = new WindowRegistry(all.home);
    const entry = (await registry.list()).find((each) => each.id === two.window.id);
    assert.ok(entry);
    const { rm } = promises;
    let status = 0;
    const removing = mock.method(
      promises,
      'rm',
      async (...[file, options]: Parameters<typeof rm>) => {
        if (!String(file).endsWith(`${entry.id}.json`)) {
          await rm(file, options);
          return;
        }
        removing.mock.restore();
        const headers = {
          'Mcp-Session-Id': 'x',
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        };
        const request = (await requestTo(entry, { method: 'POST', path: '/mcp', headers })).end(
          '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        );
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        status = response.resume().statusCode ?? 0;
        await rm(file, options);
      },
    );
    await one.window.stop();
    await two.becomes('off');
    assert.equal(status, 404);
    await one.window.start({ fromOthers: true });
    await two.becomes('elsewhere');
  });

  it('write an entry again that was removed', async () => {
    const one = await all.open('one');
    const file = path.join(all.home, 'windows', `${one.window.id}.json`);
    rmSync(file);
    await all.open('two');
    assert.ok(readdirSync(path.dirname(file)).includes(`${one.window.id}.json`));
    assert.deepEqual(kinds(one), ['on']);
  });

  it('pass on the progress and the cancellation of a waiting call through another window', async () => {
    await all.open('one');
    const two = await all.open('two');
    running(two.bench);
    const client = await all.connect({ roots: [`file://${two.folder}`] });
    const cancel = new AbortController();
    const call = use(
      client,
      'wait_for_stop',
      { timeout_seconds: 40 },
      { signal: cancel.signal, onprogress: () => cancel.abort('heard') },
    );
    await assert.rejects(call);
    assert.equal(cancel.signal.reason, 'heard');
    const again = use(client, 'wait_for_stop', { timeout_seconds: 40 });
    await use(client, 'get_debug_state');
    paused(two.bench);
    const answered = await again;
    assert.equal(answered.status, 'stopped', JSON.stringify(answered));
  });
});
