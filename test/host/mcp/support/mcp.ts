import { strict as assert } from 'node:assert';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import type { DebugModel } from '../../../../src/debugger/state/debugModel';
import type { Confirmation } from '../../../../src/mcp/server/confirmation';
import type { McpControl } from '../../../../src/mcp/ui/mcpControl';
import type { ExposedTools } from '../../../../src/tools/exposed';
import { freePort } from '../../../support/network';

/** The parts of the extension that tests use. */
export interface ForTests {
  readonly model: DebugModel;
  readonly mcp: McpControl;
  readonly confirmation: Confirmation;
  readonly exposed: ExposedTools;
}

export async function insideMcp(): Promise<ForTests> {
  const extension = vscode.extensions.getExtension<ForTests>('agent-debugger.agent-debugger');
  assert.ok(extension);
  return await extension.activate();
}

/** Starts the server on a port that nobody has. */
export async function startMcp(): Promise<ForTests> {
  const inside = await insideMcp();
  await vscode.workspace
    .getConfiguration('agentDebugger.mcp')
    .update('port', await freePort(), vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('agentDebugger.mcp.start');
  return inside;
}

/** Connects a client of the SDK and waits for its notification stream: earlier notifications are not kept. */
export async function connectTo({ mcp }: ForTests, name: string): Promise<Client> {
  const { url, key } = await mcp.address();
  const client = new Client({ name, version: '1' });
  let opened: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  const listening = async (address: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(address, init);
    if (init?.method === 'GET' && response.ok) opened();
    return response;
  };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
      fetch: listening,
    }),
  );
  await isOpen;
  return client;
}
