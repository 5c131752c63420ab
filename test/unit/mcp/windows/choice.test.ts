import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { State } from '../../../../src/mcp/windows/windowOptions';
import { TOOLS } from '../../../../src/tools/catalog';
import { running } from '../../support/services';
import { answering, TestWindows, use } from '../../support/mcpWindows';

describe('which window a client’s calls go to', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  const uri = (folder: string): string => `file://${folder}`;
  const names = async (client: Client): Promise<string[]> =>
    (await client.listTools()).tools.map((each) => each.name);

  it('the only one, whatever the client’s roots are', async () => {
    await all.open('one');
    assert.equal(await answering(await all.connect()), 'one');
    assert.equal(await answering(await all.connect({ roots: [uri('/somewhere')] })), 'one');
  });

  it('the one whose folder holds the client’s root, wherever the client is connected', async () => {
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

  it('the one that the address names, and no other', async () => {
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

  it('a client without roots gets the list of windows and how to choose, and chooses', async () => {
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

  it('roots that two windows hold, or none, are no answer', async () => {
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

  it('what was chosen stays when further windows open', async () => {
    await all.open('one');
    const client = await all.connect();
    assert.equal(await answering(client), 'one');
    await all.open('two');
    assert.equal(await answering(client), 'one');
  });

  it('select_window is listed while there is a choice, and the client is notified when that changes', async () => {
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

  it('a window that closes ends its calls with the reason, and the client chooses again', async () => {
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

  it('a window that closed while no call was open is reported by the next call, before another window answers', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    const client = await all.connect({ roots: [uri(two.folder)] });
    assert.equal(await answering(client), 'two');
    two.window.dispose();
    assert.equal(await answering(client), 'window_closed');
    assert.equal(await answering(client), 'one');
  });

  it('a client that chose another window and ends its session is no longer counted by either', async () => {
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

  it('a window that was left while a call in it had been cancelled is let go', async () => {
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

  it('only the parameter that there is chooses: another is refused, and nothing is chosen', async () => {
    await all.open('one').then(() => all.open('two'));
    const client = await all.connect();
    const refused = await use(client, 'select_window', { folder: 'two' });
    assert.deepEqual([refused.status, refused['code']], ['error', 'invalid_input']);
    assert.equal(await answering(client), 'choose_window');
  });

  it('two windows with the same folder are distinguished by their ids, and the hint says so', async () => {
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

  it('a window that was reloaded is found again by its folders', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    const client = await all.connect({ roots: [uri(two.folder)] });
    assert.equal(await answering(client), 'two');
    two.window.dispose();
    await all.open('two');
    assert.equal(await answering(client), 'two');
  });

  it('the choice outlives the window through which it was made', async () => {
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

  it('a session of a window that has closed is resumed, and the client is told once', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    const client = await all.connect();
    await use(client, 'select_window', { window: 'one' });
    assert.equal(await answering(client), 'one');
    one.window.dispose();
    await two.becomes('on');
    assert.equal(await answering(client), 'window_closed');
    assert.equal(await answering(client), 'two');
  });

  it('after a restart of the server a client goes on with its id; an id that was not issued is not valid', async () => {
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
