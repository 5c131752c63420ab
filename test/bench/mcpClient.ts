import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import * as vscode from 'vscode';
import type { McpControl } from '../../src/mcp/ui/mcpControl';
import { freePort } from '../support/network';

/** An order to the client's process. */
export type McpOrder =
  | { readonly kind: 'connect'; readonly url: string; readonly key: string }
  | { readonly kind: 'call'; readonly name: string; readonly input: Record<string, unknown> };

export interface McpAnswer {
  /** The time of the call, as measured by the client. */
  readonly milliseconds: number;
  readonly text: string;
  readonly error?: string;
}

/** The SDK's client in a separate process, connected to the extension's MCP server like other agents. */
export class McpClient {
  private constructor(
    private readonly child: ChildProcess,
    /** The definitions of all tools, as the client received them. */
    readonly definitions: string,
  ) {}

  static async start(): Promise<McpClient> {
    const extension = vscode.extensions.getExtension<{ mcp: McpControl }>(
      'agent-debugger.agent-debugger',
    );
    if (extension === undefined) throw new Error('the extension is not installed');
    const { mcp } = await extension.activate();
    await vscode.workspace
      .getConfiguration('agentDebugger.mcp')
      .update('port', await freePort(), vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const { url, key } = await mcp.address();
    // The extension host's own arguments are not passed on.
    const child = fork(path.join(__dirname, 'mcpProcess.js'), { execArgv: [] });
    const { text } = await order(child, { kind: 'connect', url, key });
    return new McpClient(child, text);
  }

  async call(name: string, input: Record<string, unknown>): Promise<McpAnswer> {
    return await order(this.child, { kind: 'call', name, input });
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.disconnect();
    await gone;
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
  }
}

async function order(child: ChildProcess, what: McpOrder): Promise<McpAnswer> {
  const answer = await new Promise<McpAnswer>((resolve, reject) => {
    const died = (code: number | null): void =>
      reject(new Error(`the MCP client ended with ${code ?? 'a signal'}`));
    child.once('exit', died);
    child.once('message', (message) => {
      child.removeListener('exit', died);
      resolve(message as McpAnswer);
    });
    child.send(what);
  });
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}
