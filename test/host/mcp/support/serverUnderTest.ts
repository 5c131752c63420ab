import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import type { McpControl } from '../../../../src/mcp/ui/mcpControl';
import { freePort } from '../../../support/network';
import { cleanUp } from '../../support/client';
import { insideMcp } from './mcp';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The extension's MCP server, on a port of its own, and clients that are closed after each test. */
export class ServerUnderTest {
  private control: McpControl | undefined;
  private readonly open: Client[] = [];

  constructor() {
    before(async () => {
      ({ mcp: this.control } = await insideMcp());
      await vscode.workspace
        .getConfiguration('agentDebugger.mcp')
        .update('port', await freePort(), vscode.ConfigurationTarget.Global);
    });
    afterEach(async () => {
      await Promise.all(this.open.splice(0).map((client) => client.close()));
      await cleanUp();
      await vscode.commands.executeCommand('agentDebugger.mcp.stop');
    });
  }

  get mcp(): McpControl {
    if (this.control === undefined) throw new Error('no test has begun');
    return this.control;
  }

  async connect(name = 'test client'): Promise<Client> {
    const { url, key } = await this.mcp.address();
    const client = new Client({ name, version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { Authorization: `Bearer ${key}` } },
      }),
    );
    this.open.push(client);
    return client;
  }

  /** Sends one HTTP request. */
  async ask(
    headers: Record<string, string>,
    { method = 'POST', path = '/mcp', body = '{}' } = {},
  ): Promise<Reply> {
    const { url } = await this.mcp.address();
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
}
