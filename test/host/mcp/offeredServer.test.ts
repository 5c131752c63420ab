import { strict as assert } from 'node:assert';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import { offeredUri } from '../../../src/mcp/ui/offeredUri';
import { wishIn } from '../../../src/mcp/windows/routing';
import { TOOLS } from '../../../src/tools/catalog';
import { inWorkspace } from '../support/client';
import { ServerUnderTest } from './support/serverUnderTest';

const keyIn = (offered: vscode.McpHttpServerDefinition | undefined): string =>
  /^Bearer (.+)$/.exec(offered?.headers['Authorization'] ?? '')?.[1] ?? '';

describe('the MCP server in the editor’s own list', () => {
  const server = new ServerUnderTest();

  it('is offered to VS Code’s own list of servers only if the person has set that, for this folder, with a key and the version', async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger.mcp');
    try {
      await settings.update('offerToVsCode', true, vscode.ConfigurationTarget.Global);
      assert.deepEqual(await server.mcp.definitions(), [], 'off, there is nothing to offer');
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      const [offered, second] = await server.mcp.definitions();
      const { url, key } = await server.mcp.address();
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
      assert.deepEqual(
        await server.mcp.definitions(),
        [],
        'VS Code’s agents have the tools without it',
      );
      assert.equal(
        (await server.mcp.definitions({ lm: { tools: [] } })).length,
        1,
        'an editor that shows no language model tools has them by it alone',
      );
      assert.deepEqual(
        await server.mcp.definitions({
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
    const person = server.mcp.person;
    try {
      await settings.update('offerToVsCode', true, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      const client = await server.connect();
      const { url, key } = await server.mcp.address();
      const [offered] = await server.mcp.definitions();
      const old = keyIn(offered);
      const editor = new Client({ name: 'editor', version: '1' });
      await editor.connect(
        new StreamableHTTPClientTransport(new URL(offered?.uri.toString() ?? ''), {
          requestInit: { headers: offered?.headers ?? {} },
        }),
      );
      assert.equal((await editor.listTools()).tools.length, TOOLS.length);
      let isAskedAgain = false;
      server.mcp.onDidChange(() => (isAskedAgain = true));
      const reported = new Promise<string>((resolve) => {
        server.mcp.person = {
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
      assert.equal((await server.ask({ authorization: `Bearer ${old}` })).status, 401);
      assert.notEqual(keyIn((await server.mcp.definitions())[0]), old);
      assert.equal((await server.mcp.address()).key, key);
      assert.equal((await client.listTools()).tools.length, TOOLS.length, 'the same session');
      const last = keyIn((await server.mcp.definitions())[0]);
      const ended = new Promise<void>((resolve) => {
        const subscription = server.mcp.onDidChange(() => {
          if (server.mcp.loadedKeys.includes(last)) return;
          subscription.dispose();
          resolve();
        });
      });
      await settings.update('offerToVsCode', undefined, vscode.ConfigurationTarget.Global);
      await ended;
      assert.equal((await server.ask({ authorization: `Bearer ${last}` })).status, 401, url);
    } finally {
      server.mcp.person = person;
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
});
