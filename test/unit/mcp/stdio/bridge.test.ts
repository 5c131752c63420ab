import { strict as assert } from 'node:assert';
import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { bridgeLauncher } from '../../../../src/mcp/windows/installBridge';
import { RELOAD_LIMIT_MS } from '../../../../src/mcp/windows/registry';
import { TOOLS } from '../../../../src/tools/catalog';
import { paused, running } from '../../support/services';
import { answering, TestWindows, use } from '../../support/mcpWindows';

const BRIDGE = path.resolve(__dirname, '../../../../src/mcp/stdio/main.js');
const QUICK_BRIDGE = path.resolve(__dirname, '../support/quickBridge.js');

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

describe('the stdio bridge', () => {
  let all: TestWindows;
  const clients: Client[] = [];
  const children: ChildProcessByStdio<Writable, Readable, Readable>[] = [];

  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((each) => each.close()));
    for (const each of children.splice(0)) each.kill();
    await all.end();
  });

  const env = (): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    AGENT_DEBUGGER_HOME: all.home,
  });

  async function connect({
    cwd = all.root,
    args = [] as string[],
    bridge = BRIDGE,
  } = {}): Promise<Client> {
    const client = new Client({ name: 'stdio client', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [bridge, ...args],
        cwd,
        env: env(),
        stderr: 'inherit',
      }),
    );
    clients.push(client);
    return client;
  }

  /** Starts the bridge process directly, to send messages that no well-behaved client sends. */
  function start(args: string[] = [], cwd = all.root) {
    const child = spawn(process.execPath, [BRIDGE, ...args], {
      cwd,
      env: env(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const said = async (): Promise<Message> =>
      JSON.parse(((await lines.next()) as { value: string }).value) as Message;
    return { child, say: (text: string): boolean => child.stdin.write(`${text}\n`), said };
  }

  const HELLO =
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';

  /** Resolves when the client is notified that the list of tools may have changed. */
  const toolsChange = (client: Client): Promise<void> =>
    new Promise((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    );

  it('reaches the window of the folder in which it is started, or of the folder that is named', async () => {
    const [one, two] = [await all.open('one'), await all.open('two')];
    assert.equal(await answering(await connect({ cwd: two.folder })), 'two');
    assert.equal(await answering(await connect({ cwd: one.folder })), 'one');
    assert.equal(
      await answering(await connect({ cwd: one.folder, args: ['--workspace', two.folder] })),
      'two',
    );
    assert.equal(
      await answering(await connect({ cwd: one.folder, args: ['--workspace=two'] })),
      'two',
    );
    assert.equal(
      await answering(await connect({ cwd: all.root, args: ['--workspace', './two'] })),
      'two',
    );
  });

  it('passes on the window’s own initialize response, its tools, progress and cancellation', async () => {
    const one = await all.open('one');
    running(one.bench);
    const client = await connect();
    assert.deepEqual(client.getServerVersion(), {
      name: 'agent-debugger',
      title: 'Agent Debugger',
      version: '1.2.3',
    });
    assert.deepEqual(
      (await client.listTools()).tools.map((each) => each.name),
      TOOLS.map((each) => each.name),
    );
    const cancel = new AbortController();
    await assert.rejects(
      use(
        client,
        'wait_for_stop',
        { timeout_seconds: 40 },
        { signal: cancel.signal, onprogress: () => cancel.abort('heard') },
      ),
    );
    assert.equal(cancel.signal.reason, 'heard');
    const again = use(client, 'wait_for_stop', { timeout_seconds: 40 });
    await use(client, 'get_debug_state');
    paused(one.bench);
    const answered = await again;
    assert.equal(answered.status, 'stopped', JSON.stringify(answered));
  });

  it('lists the windows if several match, and lets the client choose', async () => {
    await all.open('one');
    await all.open('two');
    const client = await connect();
    assert.equal(await answering(client), 'choose_window');
    assert.equal((await use(client, 'select_window', { window: 'two' })).status, 'success');
    assert.equal(await answering(client), 'two');
  });

  it('answers with what to do if there is no window, and continues when one opens', async () => {
    const client = await connect({ cwd: all.folder('one') });
    assert.deepEqual((await client.listTools()).tools, []);
    const refused = await use(client, 'get_debug_state');
    assert.equal(refused.code, 'no_window');
    assert.match(
      refused.hint ?? '',
      /extension “Agent Debugger” has not run.*Start the MCP server/,
    );
    assert.match(client.getInstructions() ?? '', /install it in VS Code/);
    const changed = toolsChange(client);
    await all.open('one');
    await changed;
    assert.deepEqual(
      (await client.listTools()).tools.map((each) => each.name),
      TOOLS.map((each) => each.name),
    );
    assert.equal(await answering(client), 'one');
  });

  it('remembers the tools of the last window for clients that list tools only once', async () => {
    const one = all.make('one', { bridge: BRIDGE });
    await one.window.start({ fromOthers: false });
    await one.window.stop();
    assert.equal(
      readFileSync(path.join(all.home, 'stdio.js'), 'utf8'),
      readFileSync(BRIDGE, 'utf8'),
    );
    const client = await connect();
    assert.deepEqual(
      (await client.listTools()).tools.map((each) => each.name),
      TOOLS.map((each) => each.name),
    );
    assert.deepEqual(client.getServerVersion(), {
      name: 'agent-debugger',
      title: 'Agent Debugger',
      version: '1.2.3',
    });
    assert.match(client.getInstructions() ?? '', /start_debugging/);
    const refused = await use(client, 'get_debug_state');
    assert.equal(refused.code, 'no_window');
    assert.equal(refused.hint?.includes('install'), false, 'it is installed');
    writeFileSync(path.join(all.home, 'offline.json'), '{');
    assert.deepEqual((await client.listTools()).tools, [], 'and a spoiled file is none');
  });

  it('is not replaced by an older version', async () => {
    const newer = all.make('one', { bridge: BRIDGE });
    await newer.window.start({ fromOthers: false });
    const offline = path.join(all.home, 'offline.json');
    writeFileSync(
      offline,
      readFileSync(offline, 'utf8').replace('"version":"1.2.3"', '"version":"1.10.0"'),
    );
    writeFileSync(path.join(all.home, 'stdio.js'), '// newer');
    await all.make('two', { bridge: BRIDGE }).window.start({ fromOthers: false });
    assert.equal(readFileSync(path.join(all.home, 'stdio.js'), 'utf8'), '// newer');
  });

  it('ends the calls of a window that closes with the reason, before another window answers', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    running(two.bench);
    const client = await connect({ cwd: two.folder, bridge: QUICK_BRIDGE });
    const waiting = use(client, 'wait_for_stop', { timeout_seconds: 40 });
    await use(client, 'get_debug_state');
    const changed = toolsChange(client);
    two.window.dispose();
    const answer = await waiting;
    assert.equal(answer.code, 'window_closed');
    assert.match(answer.message ?? '', /\(two\)/);
    await changed;
    assert.equal(await answering(client), 'one', 'it was told');
  });

  it('reports in the next call that a window closed while no call was open', async () => {
    const two = await all.open('one').then(() => all.open('two'));
    const client = await connect({ cwd: two.folder, bridge: QUICK_BRIDGE });
    assert.equal(await answering(client), 'two');
    const changed = toolsChange(client);
    two.window.dispose();
    await changed;
    assert.equal(await answering(client), 'window_closed');
    assert.equal(await answering(client), 'one');
  });

  it('continues after a restart of the server and a reload of the window', async () => {
    const one = await all.open('one');
    const client = await connect({ cwd: one.folder });
    assert.equal(await answering(client), 'one');
    const restarted = toolsChange(client);
    await one.window.restart();
    assert.equal(one.window.state.kind, 'on', 'else there is nothing to go on with');
    await restarted;
    assert.equal(await answering(client), 'one');
    one.window.dispose();
    const reloaded = toolsChange(client);
    assert.equal((await all.open('one')).window.state.kind, 'on');
    await reloaded;
    assert.equal(await answering(client), 'one');
  });

  it('continues at once if only its session was ended, for example when the key is renewed', async () => {
    const one = await all.open('one');
    const client = await connect({ cwd: one.folder });
    assert.equal(await answering(client), 'one');
    const again = toolsChange(client);
    await one.window.renewKey();
    await again;
    assert.equal(await answering(client), 'one');
  }).timeout(RELOAD_LIMIT_MS / 2);

  it('does not answer a cancelled call when its window is lost', async () => {
    const one = await all.open('one');
    running(one.bench);
    const { say, said } = start([], one.folder);
    say(HELLO);
    await said();
    say(
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait_for_stop","arguments":{"timeout_seconds":40}}}',
    );
    say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}');
    say('{"jsonrpc":"2.0","id":6,"method":"ping"}');
    assert.equal((await said()).id, 6);
    one.window.dispose();
    await all.open('one');
    assert.equal((await said()).method, 'notifications/tools/list_changed');
  });

  it('answers with an error that lists the windows if no window has the named folder', async () => {
    const one = await all.open('one');
    const client = await connect({ args: ['--workspace', '/nowhere'] });
    const answer = await use(client, 'get_debug_state');
    assert.equal(answer.code, 'no_window');
    assert.match(answer.message ?? '', /\/nowhere/);
    assert.deepEqual((answer['windows'] as { folders: string[] }[])[0]?.folders, [one.folder]);
  });

  it('answers an invalid message with an error, and continues', async () => {
    await all.open('one');
    const { say, said } = start();
    say(HELLO);
    assert.equal((await said()).id, 0);
    for (const [line, code] of [
      ['{', -32_700],
      ['[]', -32_600],
      ['7', -32_600],
      ['{"id":1}', -32_600],
    ] as const) {
      say(line);
      assert.equal((await said()).error?.code, code, line);
    }
    say('');
    say(
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"two","method":"no/such"}]',
    );
    const answers = [await said(), await said()];
    assert.deepEqual(answers.find((each) => each.id === 1)?.result, {});
    assert.equal(answers.find((each) => each.id === 'two')?.error?.code, -32_601);
  });

  it('ends with its client, and ends the session', async () => {
    const one = await all.open('one');
    const { child, say, said } = start();
    say(HELLO);
    await said();
    assert.equal((one.window.state as { clients?: number }).clients, 1);
    child.stdin.end();
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
    assert.equal((one.window.state as { clients?: number }).clients, 0);
  });

  it('ends when its output is no longer read', async () => {
    await all.open('one');
    const { child, say, said } = start();
    say(HELLO);
    await said();
    child.stdout.destroy();
    say('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
  });

  it('has no key in its arguments and environment, and needs none', async () => {
    const one = await all.open('one');
    const { child, say, said } = start();
    say(HELLO);
    await said();
    if (existsSync(`/proc/${child.pid ?? 0}`)) {
      const seen = ['cmdline', 'environ']
        .map((each) => readFileSync(`/proc/${child.pid ?? 0}/${each}`, 'latin1'))
        .join('');
      assert.equal(seen.includes(await one.window.readKey()), false);
    }
  });

  if (process.platform !== 'win32') {
    it('can be started by the script that a window writes, before the server is on and after that editor has been removed', async () => {
      const source = path.join(all.root, 'bridge.js');
      writeFileSync(source, `require(${JSON.stringify(BRIDGE)});`);
      const one = all.make('one', { bridge: source });
      await one.window.prepareBridge();
      const launcher = path.join(all.home, 'stdio.sh');
      const launched = async (): Promise<Client> => {
        const client = new Client({ name: 'launched', version: '1' });
        const node = path.dirname(process.execPath);
        await client.connect(
          new StdioClientTransport({
            command: '/bin/sh',
            args: [launcher, '--workspace', one.folder],
            cwd: all.root,
            env: { PATH: `${node}:/usr/bin:/bin` },
            stderr: 'inherit',
          }),
        );
        clients.push(client);
        return client;
      };
      const early = await launched();
      assert.deepEqual(
        (await early.listTools()).tools.map((each) => each.name),
        TOOLS.map((each) => each.name),
        'what the window left',
      );
      assert.equal((await use(early, 'get_debug_state')).code, 'no_window');
      await one.window.start({ fromOthers: false });
      assert.equal(await answering(await launched()), 'one');
      assert.ok(readFileSync(launcher, 'utf8').includes(`'${process.execPath}'`));
      writeFileSync(launcher, bridgeLauncher(all.home, '/gone/with/its/version/node'));
      assert.equal(await answering(await launched()), 'one');
    });

    it('gets the arguments of the script, in folders with any name', () => {
      const home = path.join(all.root, `it's "$HOME" \`x\``);
      mkdirSync(home);
      const launcher = path.join(home, 'stdio.sh');
      writeFileSync(
        path.join(home, 'stdio.js'),
        'console.log(JSON.stringify([process.argv.slice(2), process.env.AGENT_DEBUGGER_HOME, process.env.ELECTRON_RUN_AS_NODE]))',
      );
      writeFileSync(launcher, bridgeLauncher(home, process.execPath));
      const said: unknown = JSON.parse(
        execFileSync('/bin/sh', [launcher, '--workspace', "/a b/'c'"], {
          encoding: 'utf8',
          env: {},
        }),
      );
      assert.deepEqual(said, [['--workspace', "/a b/'c'"], home, '1']);
      assert.ok(
        bridgeLauncher(home, '/snap/code/195/usr/share/code/code').includes(
          "'/snap/code/current/usr/share/code/code'",
        ),
      );
    });
  }
});
