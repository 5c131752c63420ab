import { strict as assert } from 'node:assert';
import { createServer } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as vscode from 'vscode';
import { derivedPort } from '../../../src/mcp/windows/derivedPort';
import { TOOLS } from '../../../src/tools/catalog';
import { call, marked, until, type StopData } from '../support/client';
import { ServerUnderTest } from './support/serverUnderTest';

type Result = {
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
};

describe('the MCP server', () => {
  const server = new ServerUnderTest();

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

  const isRefused = async (): Promise<boolean> =>
    await server.ask({}).then(
      () => false,
      () => true,
    );

  it('is off until the person starts it, and off again after they stop it', async () => {
    assert.equal(await isRefused(), true);
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    assert.equal((await server.ask({})).status, 401);
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
    assert.equal(await isRefused(), true);
  });

  it('shows a client every tool with its schemas and all four annotations', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const client = await server.connect();
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
    const client = await server.connect();
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
    const [one, two] = [await server.connect('one'), await server.connect('two')];
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
    const { key, url } = await server.mcp.address();
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
      const reply = await server.ask(wrong === '' ? {} : { authorization: wrong });
      assert.equal(reply.status, 401, wrong);
      assert.equal(reply.body.includes(key), false);
    }
    for (const path of ['/', '/sse', '/mcp/../x', '/.well-known/oauth-authorization-server'])
      assert.equal((await server.ask({}, { path })).status, 401, 'nothing but 401 before the key');
    assert.equal((await server.ask({ authorization, host: 'evil.example' })).status, 403);
    assert.equal((await server.ask({ authorization, origin: 'https://evil.example' })).status, 403);
    assert.equal((await server.ask({ authorization, origin: 'null' })).status, 403);
    assert.equal((await server.ask({ authorization }, { path: '/other' })).status, 404);
    assert.equal((await server.ask({ authorization, 'content-type': 'text/plain' })).status, 415);
    assert.equal((await server.ask({ authorization }, { body: '{"jsonrpc":' })).status, 400);
    assert.equal(
      (await server.ask({ authorization }, { body: `"${'x'.repeat(2_000_000)}"` })).status,
      413,
    );
    assert.equal(
      (
        await server.ask(
          { authorization },
          { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
        )
      ).status,
      400,
      'no session',
    );
    assert.equal(
      (
        await server.ask(
          { authorization, 'mcp-session-id': 'unknown' },
          { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
        )
      ).status,
      404,
    );
    assert.equal(new URL(url).hostname, '127.0.0.1');
    assert.equal(
      (await server.connect()).getServerVersion()?.name,
      'agent-debugger',
      'and with the key all is well',
    );
  });

  it('accepts new clients when earlier ones have left without ending their sessions', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { key } = await server.mcp.address();
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
        (await server.ask({ authorization: `Bearer ${key}` }, { body: hello })).status,
        200,
        `client ${client + 1}`,
      );
    assert.equal((await (await server.connect()).listTools()).tools.length, TOOLS.length);
  });

  it('answers 200 connections at once while 300 silent connections are open', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { key, url } = await server.mcp.address();
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
        async () => await server.ask({ authorization: `Bearer ${key}` }, { body }),
      ),
    );
    assert.deepEqual([...new Set(replies.map((each) => each.status))], [400]);
    for (const each of silent) each.destroy();
  });

  it('accepts a client’s session id after a restart of the server, and refuses an id of an old key', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { key } = await server.mcp.address();
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
    const id = String(
      (await server.ask({ authorization }, { body: hello })).headers['mcp-session-id'],
    );
    await vscode.commands.executeCommand('agentDebugger.mcp.restart');
    const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';
    const reply = await server.ask({ authorization, 'mcp-session-id': id }, { body: list });
    assert.equal(reply.status, 200);
    assert.match(reply.body, /start_debugging/);
    await server.mcp.renewKey();
    const renewed = `Bearer ${(await server.mcp.address()).key}`;
    assert.equal(
      (await server.ask({ authorization: renewed, 'mcp-session-id': id }, { body: list })).status,
      404,
      'an id of the old key',
    );
  });

  it('refuses the old key and ends its clients after the key is renewed', async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const before = await server.mcp.address();
    const client = await server.connect();
    // VS Code shows no dialogs in tests: the command asks, and the key stays the same.
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('agentDebugger.mcp.renewKey')),
      /Renew the key of the MCP server\?/,
    );
    assert.equal((await server.mcp.address()).key, before.key, 'not without the person');
    await server.mcp.renewKey();
    assert.notEqual((await server.mcp.address()).key, before.key);
    assert.equal((await server.ask({ authorization: `Bearer ${before.key}` })).status, 401);
    await assert.rejects(client.listTools());
    assert.equal((await (await server.connect()).listTools()).tools.length, TOOLS.length);
  });

  it('does not take a port that another program has', async () => {
    const foreign = createServer((_request, response) => response.end('mine'));
    const port = Number(new URL((await server.mcp.address()).url).port);
    await new Promise<void>((resolve) => foreign.listen(port, '127.0.0.1', resolve));
    try {
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      assert.equal((await server.ask({})).body, 'mine');
    } finally {
      await new Promise((resolve) => foreign.close(resolve));
    }
    await vscode.commands.executeCommand('agentDebugger.mcp.restart');
    assert.equal((await server.ask({})).status, 401);
  });

  it('uses the port that is derived for the person if none is set', async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger.mcp');
    const before = settings.get('port');
    await settings.update('port', undefined, vscode.ConfigurationTarget.Global);
    try {
      assert.equal(vscode.workspace.getConfiguration('agentDebugger.mcp').get('port'), null);
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      const port = Number(new URL((await server.mcp.address()).url).port);
      assert.equal(port, derivedPort());
      assert.equal((await server.ask({})).status, 401);
    } finally {
      await vscode.commands.executeCommand('agentDebugger.mcp.stop');
      await settings.update('port', before, vscode.ConfigurationTarget.Global);
    }
  });
});
