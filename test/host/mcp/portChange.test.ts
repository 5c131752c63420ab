import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { freePort } from '../../support/network';
import { connectTo, startMcp } from './support/mcp';

const setting = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration('agentDebugger.mcp');

describe('the setting of the port', () => {
  afterEach(async () => {
    await setting().update('port', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
  });

  it('moves the server, and clients that are connected stay', async () => {
    const inside = await startMcp();
    const client = await connectTo(inside, 'before');
    const port = await freePort();
    const moved = new Promise<void>((resolve) => {
      const subscription = inside.mcp.onDidChange(() => {
        void inside.mcp.address().then(({ url }) => {
          if (new URL(url).port !== String(port) || !inside.mcp.isRunning) return;
          subscription.dispose();
          resolve();
        });
      });
    });
    await setting().update('port', port, vscode.ConfigurationTarget.Global);
    await moved;
    for (const each of [client, await connectTo(inside, 'after')]) {
      const { structuredContent } = await each.callTool({ name: 'get_debug_state', arguments: {} });
      assert.equal((structuredContent as { status: string }).status, 'success');
      await each.close();
    }
  });

  it('has a value of the remote machine, which alone counts in a remote window', async function () {
    if (vscode.env.remoteName === undefined) this.skip();
    const port = await freePort();
    await setting().update('port', port, vscode.ConfigurationTarget.Global);
    const inspected = setting().inspect('port') as object as Record<string, unknown>;
    assert.equal(inspected['globalRemoteValue'], port);
  });
});
