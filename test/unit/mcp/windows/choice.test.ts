import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { State } from '../../../../src/mcp/windows/windowOptions';
import { TOOLS } from '../../../../src/tools/catalog';
import { running } from '../../support/services';
import { answering, TestWindows, use } from '../../support/mcpWindows';

describe('the window for a client’s calls', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  const uri = (folder: string): string => `file://${folder}`;
  const names = async (client: Client): Promise<string[]> =>
    (await client.listTools()).tools.map((each) => each.name);

  it('is the only window, whatever the client’s roots are', async () => {
    await all.open('one');
    assert.equal(await answering(await all.connect()), 'one');
    assert.equal(await answering(await all.connect({ roots: [uri('/somewhere')] })), 'one');
  });

  it('is the window whose folder contains the client’s root, wherever the client is connected', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    assert.equal(await answering(await all.connect({ roots: [uri(two.folder)] })), 'two');
    assert.equal(await answering(await all.connect({ roots: [uri(one.folder)] })), 'one');
    assert.equal(
      await answering(await all.connect({ roots: [uri(`${two.folder}/src/deep`)] })),
      'two',
    );
    assert.equal(
      await answering(await all.connect({ roots: ['https://example.org', uri(two.folder)] })),
      'two',
    );
  });

  it('is the window that the address names, and no other', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    assert.equal(
      await answering(
        await all.connect({ query: `?workspace=${encodeURIComponent(`${two.folder}/src`)}` }),
      ),
      'two',
    );
    assert.equal(await answering(await all.connect({ query: '?workspace=two' })), 'two');
    assert.equal(
      await answering(await all.connect({ query: '?workspace=%2Fnowhere' })),
      'no_window',
    );
  });

  it('is chosen by a client without roots, which gets the list of windows and how to choose', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const client = await all.connect();
    const refused = await use(client, 'set_breakpoint', { file_path: 'main.js', line_number: 1 });
    assert.equal(refused.code, 'choose_window');
    assert.match(refused.hint ?? '', /select_window.*\?workspace=/);
    assert.deepEqual(
      (refused['windows'] as { folders: string[] }[]).map((each) => each.folders),
      [[one.folder], [two.folder]],
    );
    assert.equal(
      one.bench.host.breakpoints.length + two.bench.host.breakpoints.length,
      0,
      'nothing was done',
    );

    assert.ok((await names(client)).includes('select_window'));
    assert.deepEqual((await use(client, 'select_window')).status, 'success');
    const chosen = await use(client, 'select_window', { window: two.folder });
    assert.deepEqual(
      (chosen['windows'] as { selected?: true }[]).map((each) => each.selected),
      [undefined, true],
    );
    assert.equal(await answering(client), 'two');
    assert.equal((await use(client, 'select_window', { window: 'one' })).status, 'success');
    assert.equal(await answering(client), 'one');
    assert.equal((await use(client, 'select_window', { window: 'three' })).code, 'invalid_input');
    assert.equal((await use(client, 'select_window', { window: 7 })).code, 'invalid_input');
    assert.equal(await answering(client), 'one', 'bad input changed nothing');
  });

  it('is not decided by roots that are in two windows or in none', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    assert.equal(
      await answering(await all.connect({ roots: [uri(one.folder), uri(two.folder)] })),
      'choose_window',
    );
    assert.equal(await answering(await all.connect({ roots: [] })), 'choose_window');
    assert.equal(
      await answering(await all.connect({ roots: [uri('/somewhere')] })),
      'choose_window',
    );
  });

  it('stays the same when further windows open', async () => {
    await all.open('one');
    const client = await all.connect();
    assert.equal(await answering(client), 'one');
    await all.open('two');
    assert.equal(await answering(client), 'one');
  });

  it('can be chosen with select_window, which is listed only while there are several; clients are notified of changes', async () => {
    await all.open('one');
    const client = await all.connect();
    assert.deepEqual(
      await names(client),
      TOOLS.map((each) => each.name),
    );
    const target = new EventTarget();
    client.setNotificationHandler(
      ToolListChangedNotificationSchema,
      () => void target.dispatchEvent(new Event('changed')),
    );
    const came = once(target, 'changed');
    const two = await all.open('two');
    await came;
    assert.deepEqual(await names(client), [...TOOLS.map((each) => each.name), 'select_window']);
    const went = once(target, 'changed');
    await two.window.stop();
    await went;
    assert.deepEqual(
      await names(client),
      TOOLS.map((each) => each.name),
    );
  });

  it('ends its calls with the reason when it closes, and another window is used', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    running(two.bench);
    const client = await all.connect({ roots: [uri(two.folder)] });
    const waiting = use(client, 'wait_for_stop', { timeout_seconds: 40 });
    await use(client, 'get_debug_state');
    two.window.dispose();
    const answer = await waiting;
    assert.equal(answer.code, 'window_closed');
    assert.match(answer.message ?? '', /two/);
    assert.equal(await answering(client), 'one', 'it was told');
  });

  it('is reported as closed by the next call if no call was open, before another window answers', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    const client = await all.connect({ roots: [uri(two.folder)] });
    assert.equal(await answering(client), 'two');
    two.window.dispose();
    assert.equal(await answering(client), 'window_closed');
    assert.equal(await answering(client), 'one');
  });

  it('no longer counts a client that chose it and ended its session; neither does the first window', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const client = await all.connect();
    assert.equal((await use(client, 'select_window', { window: 'two' })).status, 'success');
    assert.equal(await answering(client), 'two');
    const counts =
      (clients: number) =>
      (state: State): boolean =>
        'clients' in state && state.clients === clients;
    await two.until(counts(1));
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    await two.until(counts(0));
    await one.until(counts(0));
  });

  it('no longer counts a client that chose another window after a cancelled call', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    running(two.bench);
    const client = await all.connect();
    await use(client, 'select_window', { window: 'two' });
    const cancel = new AbortController();
    const waiting = assert.rejects(
      use(client, 'wait_for_stop', { timeout_seconds: 40 }, { signal: cancel.signal }),
    );
    await use(client, 'get_debug_state');
    cancel.abort('enough');
    await waiting;
    await use(client, 'select_window', { window: 'one' });
    await two.until((state) => 'clients' in state && state.clients === 0);
  });

  it('is not chosen by an unknown parameter of select_window, which is refused', async () => {
    await all.open('one').then(() => all.open('two'));
    const client = await all.connect();
    const refused = await use(client, 'select_window', { folder: 'two' });
    assert.deepEqual([refused.status, refused['code']], ['error', 'invalid_input']);
    assert.equal(await answering(client), 'choose_window');
  });

  it('is chosen by its id if two windows have the same folder, and the hint says so', async () => {
    const one = await all.open('one');
    const same = all.make('same', { folders: [one.folder] });
    await same.window.start({ fromOthers: false });
    const client = await all.connect({ query: `?workspace=${encodeURIComponent(one.folder)}` });
    const several = await use(client, 'get_debug_state');
    assert.equal(several['code'], 'choose_window');
    assert.match(String(several['hint']), /window_id/);
    assert.equal(
      (await use(client, 'select_window', { window: same.window.id })).status,
      'success',
    );
    assert.equal(await answering(client), 'same');
  });

  it('is found again by its folders after a reload', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    const client = await all.connect({ roots: [uri(two.folder)] });
    assert.equal(await answering(client), 'two');
    two.window.dispose();
    await all.open('two');
    assert.equal(await answering(client), 'two');
  });

  it('stays chosen after the window through which it was chosen has closed', async () => {
    const [one, two, three] = [
      await all.open('one'),
      await all.open('two'),
      await all.open('three'),
    ];
    const client = await all.connect();
    assert.equal((await use(client, 'select_window', { window: 'three' })).status, 'success');
    assert.equal(await answering(client), 'three');
    one.window.dispose();
    await Promise.race([two.becomes('on'), three.becomes('on')]);
    assert.equal(await answering(client), 'three', 'the same session, from the window that has it');
  });

  it('is replaced if it closes: the session is resumed, and the closing is reported once', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const client = await all.connect();
    await use(client, 'select_window', { window: 'one' });
    assert.equal(await answering(client), 'one');
    one.window.dispose();
    await two.becomes('on');
    assert.equal(await answering(client), 'window_closed');
    assert.equal(await answering(client), 'two');
  });

  it('accepts a client’s session id after a restart of the server, and no id that was not issued', async () => {
    const one = await all.open('one');
    const client = await all.connect();
    await one.window.restart();
    assert.equal(await answering(client), 'one');
    const key = await one.window.readKey();
    const ask = async (id: string): Promise<number> =>
      (
        await fetch(`http://127.0.0.1:${all.port}/mcp`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${key}`,
            'mcp-session-id': id,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        })
      ).status;
    assert.equal(await ask('unknown'), 404);
    assert.equal(await ask('../../etc/passwd'), 404);
  });
});
