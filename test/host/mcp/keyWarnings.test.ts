import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as vscode from 'vscode';
import type { McpControl } from '../../../src/mcp/ui/mcpControl';
import type { Person } from '../../../src/mcp/ui/person';
import { freePort } from '../../support/network';
import { insideMcp } from './support/mcp';

interface Told {
  readonly message: string;
  readonly buttons: readonly string[];
  /** Presses a button, or closes the message. */
  press(button: string | undefined): void;
}

/** A person who reads the warnings one by one. */
class Reader implements Person {
  private readonly told: Told[] = [];
  private arrived: () => void = () => undefined;

  choose = async (): Promise<undefined> => undefined;
  inform = async (): Promise<undefined> => undefined;
  warn = (message: string, ...buttons: readonly string[]): Promise<string | undefined> =>
    new Promise((resolve) => {
      this.told.push({ message, buttons, press: resolve });
      this.arrived();
    });

  async next(): Promise<Told> {
    const first = this.told.shift();
    if (first !== undefined) return first;
    await new Promise<void>((resolve) => (this.arrived = resolve));
    return await this.next();
  }

  get count(): number {
    return this.told.length;
  }
}

/** Tests the warnings in the window that another program has the port and may know the key. */
describe('a key that another program may know', () => {
  let mcp: McpControl;
  let person: Reader;
  let original: Person;

  before(async () => {
    ({ mcp } = await insideMcp());
    original = mcp.person;
  });
  beforeEach(async () => {
    person = new Reader();
    mcp.person = person;
    await vscode.workspace
      .getConfiguration('agentDebugger.mcp')
      .update('port', await freePort(), vscode.ConfigurationTarget.Global);
    await mcp.renewKey();
    await mcp.keyGiven((await mcp.address()).url);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
    await mcp.renewKey();
    mcp.person = original;
  });

  const portInUse = async (): Promise<number> => Number(new URL((await mcp.address()).url).port);

  /** Starts the server while another program has the port. @returns the warning */
  async function startBesideSquatter(): Promise<Told> {
    const squatter = createServer((_request, response) => response.end());
    squatter.listen(await portInUse(), '127.0.0.1');
    await once(squatter, 'listening');
    try {
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      return await person.next();
    } finally {
      squatter.close();
      await once(squatter, 'close');
    }
  }

  /** Resolves when the key is no longer the old one. */
  const renewed = (old: string): Promise<void> =>
    new Promise((resolve) => {
      const subscription = mcp.onDidChange(() => {
        void mcp.address().then(({ key }) => {
          if (key === old) return;
          subscription.dispose();
          resolve();
        });
      });
    });

  it('is reported with the failure, and renewed from that message', async () => {
    const { key } = await mcp.address();
    const reported = await startBesideSquatter();
    assert.match(
      reported.message,
      new RegExp(
        `port ${await portInUse()} is in use by another program\\. MCP clients that are set up with the key send it there`,
      ),
    );
    assert.deepEqual(reported.buttons, ['Renew the key', 'Change port']);
    const done = renewed(key);
    reported.press('Renew the key');
    await done;
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    assert.equal(mcp.isRunning, true);
    assert.equal(person.count, 0, 'nobody knows the new one');
  });

  it('is reported when the server is on again, once for each window, and at the next start, until the person keeps it', async () => {
    (await startBesideSquatter()).press(undefined);
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    const reported = await person.next();
    assert.match(
      reported.message,
      new RegExp(
        `Another program may know the key of the MCP server: it used port ${await portInUse()} \\(.+\\)`,
      ),
    );
    assert.deepEqual(reported.buttons, ['Renew the key', 'Keep the key']);
    await vscode.commands.executeCommand('agentDebugger.mcp.restart');
    assert.equal(person.count, 0, 'it is still on the screen');
    const changed = new Promise<void>((resolve) => {
      const subscription = mcp.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
    reported.press('Keep the key');
    await changed;
    await vscode.commands.executeCommand('agentDebugger.mcp.restart');
    assert.equal(person.count, 0);
  });

  it('is not reported if no client has it', async () => {
    await mcp.renewKey();
    const reported = await startBesideSquatter();
    assert.deepEqual(reported.buttons, ['Change port']);
    assert.equal(reported.message.includes('key'), false);
    reported.press(undefined);
    await vscode.commands.executeCommand('agentDebugger.mcp.start');
    assert.equal(mcp.isRunning, true);
    assert.equal(person.count, 0);
  });
});
