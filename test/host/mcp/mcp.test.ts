import { strict as assert } from 'node:assert';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import type { McpControl } from '../../../src/mcp/ui/mcpControl';
import { offeredUri } from '../../../src/mcp/ui/offeredUri';
import { wishIn } from '../../../src/mcp/windows/routing';
import { derivedPort } from '../../../src/mcp/windows/derivedPort';
import { TOOLS } from '../../../src/tools/catalog';
import { call, cleanUp, inWorkspace, marked, until, type StopData } from '../support/client';
import { freePort } from '../../support/network';
import { insideMcp } from './support/mcp';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Result = {
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
};

const keyIn = (offered: vscode.McpHttpServerDefinition | undefined): string =>
  /^Bearer (.+)$/.exec(offered?.headers['Authorization'] ?? '')?.[1] ?? '';

describe('the MCP server', () => {
  let mcp: McpControl;
  const open: Client[] = [];

  before(async () => {
    ({ mcp } = await insideMcp());
    await vscode.workspace
      .getConfiguration('agentDebugger.mcp')
      .update('port', await freePort(), vscode.ConfigurationTarget.Global);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    await cleanUp();
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
  });

  async function connect(name = 'test client'): Promise<Client> {
    const { url, key } = await mcp.address();
    const client = new Client({ name, version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { Authorization: `Bearer ${key}` } },
      }),
    );
    open.push(client);
    return client;
  }

  /** Calls a tool and returns its result, which must be the same as text and as structured content. */
  async function use(
    client: Client,
    name: string,
    input: Record<string, unknown> = {},
    options: { signal?: AbortSignal } = {},
  ): Promise<Record<string, unknown> & { status: string }> {
    const result = (await client.callTool(
      { name, arguments: input },
      undefined,
      options,
    )) as Result;
    const [text] = result.content;
    assert.equal(result.content.length, 1);
    assert.deepEqual(JSON.parse(text?.text ?? ''), result.structuredContent);
    assert.equal(result.isError === true, result.structuredContent?.['status'] === 'error');
    return result.structuredContent as Record<string, unknown> & { status: string };
  }

  async function ask(
    headers: Record<string, string>,
    { method = 'POST', path = '/mcp', body = '{}' } = {},
  ): Promise<Reply> {
    const { url } = await mcp.address();
    return await new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        new URL(path, url),
        {
          method,
          agent: false,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(method === 'GET' ? undefined : body);
    });
  }

  const isRefused = async (): Promise<boolean> =>
    await ask({}).then(
      () => false,
      () => true,
    );

  it('is off until the person starts it, and off again after they stop it', async () => {
    assert.equal(await isRefused(), true);
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    assert.equal((await ask({})).status, 401);
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
    assert.equal(await isRefused(), true);
  });

  it('shows a client every tool with its schemas and all four annotations', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const client = await connect();
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((each) => each.name),
      TOOLS.map((each) => each.name),
    );
    for (const tool of tools) {
      assert.deepEqual(Object.keys(tool.annotations ?? {}).sort(), [
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
        'title',
      ]);
      assert.equal(
        tool.annotations?.readOnlyHint,
        TOOLS.find((each) => each.name === tool.name)?.effect === 'read',
      );
      assert.equal(tool.outputSchema?.type, 'object');
    }
    assert.match(client.getInstructions() ?? '', /start_debugging/);
  });

  it('serves a client for a whole debug session, and answers bad input with an error', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const client = await connect();
    assert.equal((await use(client, 'get_debugger_configurations')).status, 'success');
    assert.equal(
      (
        await use(client, 'set_breakpoint', {
          file_path: 'src/loop.js',
          line_number: marked('src/loop.js', 'add'),
        })
      ).status,
      'success',
    );
    const started = await use(client, 'start_debugging', { configuration_name: 'Loop' });
    const stop = started['stop_event_data'] as StopData;
    assert.equal(stop.line, marked('src/loop.js', 'add'), JSON.stringify(started));
    const stepped = await use(client, 'step_execution', {
      thread_id: stop.thread_id,
      step_type: 'over',
    });
    assert.equal((stepped['stop_event_data'] as StopData).stop_id, stop.stop_id + 1);
    const frame = (stepped['stop_event_data'] as StopData).call_stack[0]?.frame_id;
    assert.equal(
      (await use(client, 'evaluate_expression', { expression: 'sum + 1', frame_id: frame }))[
        'result'
      ],
      '2',
    );
    assert.equal(
      (await use(client, 'step_execution', { thread_id: 'x' }))['code'],
      'invalid_input',
    );
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no_such_tool/);
    await use(client, 'remove_breakpoint', { clear_all: true });
    assert.equal(
      (await use(client, 'continue_debugging', { thread_id: stop.thread_id })).status,
      'completed',
    );
  });

  it('lets two clients and VS Code share one debugger, and ends only the cancelled call', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const [one, two] = [await connect('one'), await connect('two')];
    assert.equal(
      (await use(one, 'start_debugging', { configuration_name: 'Server', timeout_seconds: 1 }))
        .status,
      'timeout',
    );
    await until(
      (model) =>
        [...model.state.sessions.values()].some(
          (each) => each.lifecycle === 'running' && each.threads.size > 0,
        ),
      'the program runs',
    );
    const cancelled = new AbortController();
    const waiting = use(
      one,
      'wait_for_stop',
      { timeout_seconds: 40 },
      { signal: cancelled.signal },
    );
    const other = use(two, 'wait_for_stop', { timeout_seconds: 40 });
    cancelled.abort();
    await assert.rejects(waiting);
    const paused = await call('pause_debugging', {});
    assert.equal(paused.status, 'stopped', JSON.stringify(paused));
    assert.equal(
      ((await other)['stop_event_data'] as StopData).stop_id,
      (paused['stop_event_data'] as StopData).stop_id,
    );
    assert.equal(
      ((await use(one, 'get_debug_state'))['sessions'] as unknown[]).length,
      ((await use(two, 'get_debug_state'))['sessions'] as unknown[]).length,
    );
  });

  it('refuses requests without the key, from a foreign origin or for a foreign host', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { key, url } = await mcp.address();
    const authorization = `Bearer ${key}`;
    for (const wrong of [
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${key}x`,
      `Bearer ${key.slice(1)}`,
      `Basic ${key}`,
      key,
    ]) {
      const reply = await ask(wrong === '' ? {} : { authorization: wrong });
      assert.equal(reply.status, 401, wrong);
      assert.equal(reply.body.includes(key), false);
    }
    for (const path of ['/', '/sse', '/mcp/../x', '/.well-known/oauth-authorization-server'])
      assert.equal((await ask({}, { path })).status, 401, 'nothing but 401 before the key');
    assert.equal((await ask({ authorization, host: 'evil.example' })).status, 403);
    assert.equal((await ask({ authorization, origin: 'https://evil.example' })).status, 403);
    assert.equal((await ask({ authorization, origin: 'null' })).status, 403);
    assert.equal((await ask({ authorization }, { path: '/other' })).status, 404);
    assert.equal((await ask({ authorization, 'content-type': 'text/plain' })).status, 415);
    assert.equal((await ask({ authorization }, { body: '{"jsonrpc":' })).status, 400);
    assert.equal(
      (await ask({ authorization }, { body: `"${'x'.repeat(2_000_000)}"` })).status,
      413,
    );
    assert.equal(
      (await ask({ authorization }, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }))
        .status,
      400,
      'no session',
    );
    assert.equal(
      (
        await ask(
          { authorization, 'mcp-session-id': 'unknown' },
          { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
        )
      ).status,
      404,
    );
    assert.equal(new URL(url).hostname, '127.0.0.1');
    assert.equal(
      (await connect()).getServerVersion()?.name,
      'agent-debugger',
      'and with the key all is well',
    );
  });

  it('accepts new clients when earlier ones have left without ending their sessions', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { key } = await mcp.address();
    const hello = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'gone', version: '1' },
      },
    });
    for (let client = 0; client < 60; client += 1)
      assert.equal(
        (await ask({ authorization: `Bearer ${key}` }, { body: hello })).status,
        200,
        `client ${client + 1}`,
      );
    assert.equal((await (await connect()).listTools()).tools.length, TOOLS.length);
  });

  it('answers 200 connections at once while 300 silent connections are open', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { key, url } = await mcp.address();
    const { port } = new URL(url);
    const silent = await Promise.all(
      Array.from(
        { length: 300 },
        async () =>
          await new Promise<Socket>((resolve, reject) => {
            const socket = connectSocket(Number(port), '127.0.0.1', () =>
              resolve(socket.on('error', () => undefined)),
            );
            socket.once('error', reject);
          }),
      ),
    );
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const replies = await Promise.all(
      Array.from(
        { length: 200 },
        async () => await ask({ authorization: `Bearer ${key}` }, { body }),
      ),
    );
    assert.deepEqual([...new Set(replies.map((each) => each.status))], [400]);
    for (const each of silent) each.destroy();
  });

  it('accepts a client’s session id after a restart of the server, and refuses an id of an old key', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { key } = await mcp.address();
    const authorization = `Bearer ${key}`;
    const hello = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'cline', version: '1' },
      },
    });
    const id = String((await ask({ authorization }, { body: hello })).headers['mcp-session-id']);
    await vscode.commands.executeCommand('agentDebugger.mcp.restart');
    const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';
    const reply = await ask({ authorization, 'mcp-session-id': id }, { body: list });
    assert.equal(reply.status, 200);
    assert.match(reply.body, /start_debugging/);
    await mcp.renewKey();
    const renewed = `Bearer ${(await mcp.address()).key}`;
    assert.equal(
      (await ask({ authorization: renewed, 'mcp-session-id': id }, { body: list })).status,
      404,
      'an id of the old key',
    );
  });

  it('refuses the old key and ends its clients after the key is renewed', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const before = await mcp.address();
    const client = await connect();
    // VS Code shows no dialogs in tests: the command asks, and the key stays the same.
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('agentDebugger.mcp.renewKey')),
      /Renew the key of the MCP server\?/,
    );
    assert.equal((await mcp.address()).key, before.key, 'not without the person');
    await mcp.renewKey();
    assert.notEqual((await mcp.address()).key, before.key);
    assert.equal((await ask({ authorization: `Bearer ${before.key}` })).status, 401);
    await assert.rejects(client.listTools());
    assert.equal((await (await connect()).listTools()).tools.length, TOOLS.length);
  });

  it('is offered to VS Code’s own list of servers only if the person has set that, for this folder, with a key and the version', async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger.mcp');
    try {
      await settings.update('offerToVsCode', true, vscode.ConfigurationTarget.Global);
      assert.deepEqual(await mcp.definitions(), [], 'off, there is nothing to offer');
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      const [offered, second] = await mcp.definitions();
      const { url, key } = await mcp.address();
      assert.ok(offered !== undefined && second === undefined);
      for (const isBare of [true, false]) {
        const sent: URL = new URL(offered.uri.toString(isBare));
        assert.equal(`${sent.origin}${sent.pathname}`, url);
        assert.equal(wishIn(sent).workspace, inWorkspace(''));
      }
      const shown = keyIn(offered);
      assert.match(shown, /^[\w-]{43}$/);
      assert.notEqual(shown, key, 'VS Code writes it to a file that others may read');
      assert.equal(
        offered.version,
        (
          vscode.extensions.getExtension('agent-debugger.agent-debugger')?.packageJSON as {
            version: string;
          }
        ).version,
      );
      await settings.update('offerToVsCode', undefined, vscode.ConfigurationTarget.Global);
      assert.deepEqual(await mcp.definitions(), [], 'VS Code’s agents have the tools without it');
      assert.equal(
        (await mcp.definitions({ lm: { tools: [] } })).length,
        1,
        'an editor that shows no language model tools has them by it alone',
      );
      assert.deepEqual(
        await mcp.definitions({
          cursor: { mcp: { registerServer: () => undefined, unregisterServer: () => undefined } },
        }),
        [],
        'Cursor is asked in its own way',
      );
    } finally {
      await settings.update('offerToVsCode', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('has a separate key in the editor’s list, whose renewal does not affect the clients that were set up', async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger.mcp');
    const person = mcp.person;
    try {
      await settings.update('offerToVsCode', true, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      const client = await connect();
      const { url, key } = await mcp.address();
      const [offered] = await mcp.definitions();
      const old = keyIn(offered);
      const editor = new Client({ name: 'editor', version: '1' });
      await editor.connect(
        new StreamableHTTPClientTransport(new URL(offered?.uri.toString() ?? ''), {
          requestInit: { headers: offered?.headers ?? {} },
        }),
      );
      assert.equal((await editor.listTools()).tools.length, TOOLS.length);
      let isAskedAgain = false;
      mcp.onDidChange(() => (isAskedAgain = true));
      const reported = new Promise<string>((resolve) => {
        mcp.person = {
          ...person,
          inform: (message) => {
            resolve(message);
            return Promise.resolve(undefined);
          },
        };
      });
      await vscode.commands.executeCommand('agentDebugger.mcp.renewOfferedKey');
      assert.match(await reported, /renewed/);
      assert.ok(isAskedAgain, 'VS Code asks for the new one');
      await assert.rejects(editor.listTools());
      await editor.close();
      assert.equal((await ask({ authorization: `Bearer ${old}` })).status, 401);
      assert.notEqual(keyIn((await mcp.definitions())[0]), old);
      assert.equal((await mcp.address()).key, key);
      assert.equal((await client.listTools()).tools.length, TOOLS.length, 'the same session');
      const last = keyIn((await mcp.definitions())[0]);
      const ended = new Promise<void>((resolve) => {
        const subscription = mcp.onDidChange(() => {
          if (mcp.loadedKeys.includes(last)) return;
          subscription.dispose();
          resolve();
        });
      });
      await settings.update('offerToVsCode', undefined, vscode.ConfigurationTarget.Global);
      await ended;
      assert.equal((await ask({ authorization: `Bearer ${last}` })).status, 401, url);
    } finally {
      mcp.person = person;
      await settings.update('offerToVsCode', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('preserves the folder of the offered server in both spellings of a URI', () => {
    for (const folder of ['/w/a b', '/w/a&b=c', '/w/50%', '/w/%20', '/w/#1?', '/w/c++', '/w/项目'])
      for (const isBare of [true, false]) {
        const sent = new URL(offeredUri('http://127.0.0.1:2000/mcp', folder).toString(isBare));
        assert.equal(wishIn(sent).workspace, folder, sent.href);
      }
  });

  it('does not take a port that another program has', async () => {
    const foreign = createServer((_request, response) => response.end('mine'));
    const port = Number(new URL((await mcp.address()).url).port);
    await new Promise<void>((resolve) => foreign.listen(port, '127.0.0.1', resolve));
    try {
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      assert.equal((await ask({})).body, 'mine');
    } finally {
      await new Promise((resolve) => foreign.close(resolve));
    }
    await vscode.commands.executeCommand('agentDebugger.mcp.restart');
    assert.equal((await ask({})).status, 401);
  });

  it('uses the port that is derived for the person if none is set', async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger.mcp');
    const before = settings.get('port');
    await settings.update('port', undefined, vscode.ConfigurationTarget.Global);
    try {
      assert.equal(vscode.workspace.getConfiguration('agentDebugger.mcp').get('port'), null);
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      const port = Number(new URL((await mcp.address()).url).port);
      assert.equal(port, derivedPort());
      assert.equal((await ask({})).status, 401);
    } finally {
      await vscode.commands.executeCommand('agentDebugger.mcp.stop');
      await settings.update('port', before, vscode.ConfigurationTarget.Global);
    }
  });
});
