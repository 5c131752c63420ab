import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CursorServer } from '../../../src/mcp/clients/cursorRegistration';
import { inWorkspace } from '../support/client';
import { freePort } from '../../support/network';
import { Answers, LEAVE, WRITE } from './support/answers';
import { MINE, OVER_HTTP, SetUpCommands } from './support/setUpCommands';

const WITH_BRIDGE = '$(shield) Show it with the stdio bridge instead';

describe('setting up clients in other places', () => {
  const commands = new SetUpCommands();

  it('writes the bridge and the folder, but no key, into a workspace’s file', async () => {
    const file = inWorkspace('.cursor/mcp.json');
    const { key } = await commands.mcp.address();
    await commands.run(
      'installConfiguration',
      (labels) => {
        const own = labels.indexOf('for this workspace folder, without a key in the file');
        assert.ok(
          own > 0 &&
            labels.lastIndexOf('Cursor') > own &&
            labels.lastIndexOf('Claude Desktop') < own,
        );
        return 'Claude Desktop';
      },
      () => WRITE,
      () => 'Undo',
    );
    const workspaceItem = class extends Answers {
      override readonly choose = async <T extends vscode.QuickPickItem>(
        items: readonly T[],
      ): Promise<T | undefined> =>
        items.findLast((each) => each.label === 'Cursor') ??
        items.find((each) => each.label === WRITE);
    };
    const person = new workspaceItem([
      () => {
        const text = readFileSync(file, 'utf8');
        assert.ok(
          text.includes(JSON.stringify(commands.bridge())) &&
            text.includes('--workspace') &&
            text.includes(JSON.stringify(inWorkspace('.'))),
          text,
        );
        assert.equal(text.includes(key), false);
        return 'Undo';
      },
    ]);
    commands.setUps.person = person;
    await commands.setUps.install();
    await commands.setUps.afterwards;
    person.assertDone();
    assert.equal(
      existsSync(path.dirname(file)),
      false,
      'the folder that was made for it is gone as well',
    );
  });

  it('copies the configuration for clients that are not listed', async () => {
    const { key, url } = await commands.mcp.address();
    await commands.run('copyConfiguration', () => 'Any other client (HTTP)');
    assert.deepEqual(JSON.parse(await vscode.env.clipboard.readText()), {
      mcpServers: {
        'agent-debugger': { type: 'http', url, headers: { Authorization: `Bearer ${key}` } },
      },
    });
    const person = await commands.run('copyConfiguration', () => 'Any other client (stdio)');
    assert.deepEqual(person.told, ['Copied. It contains no key.']);
    assert.equal((await vscode.env.clipboard.readText()).includes(key), false);
  });

  it('copies the bridge for a client, or the address with the key on request', async () => {
    const { key, url } = await commands.mcp.address();
    const person = await commands.run('copyConfiguration', (labels) => {
      assert.ok(
        labels.indexOf('Cursor') < labels.indexOf('HTTP, with the key') &&
          labels.indexOf('Cursor (HTTP)') > labels.indexOf('HTTP, with the key'),
        labels.join(),
      );
      assert.equal(labels.includes('Claude Desktop (HTTP)'), false);
      return 'Cursor';
    });
    assert.deepEqual(person.told, [
      'Copied: paste it into ~/.cursor/mcp.json. It contains no key.',
    ]);
    const text = await vscode.env.clipboard.readText();
    assert.ok(text.includes(JSON.stringify(commands.bridge())) && !text.includes(key), text);
    const http = await commands.run('copyConfiguration', () => 'Cursor (HTTP)');
    assert.deepEqual(http.told, [
      'Copied: paste it into ~/.cursor/mcp.json. It contains the key: do not share it.',
    ]);
    assert.deepEqual(JSON.parse(await vscode.env.clipboard.readText()), {
      mcpServers: { 'agent-debugger': { url, headers: { Authorization: `Bearer ${key}` } } },
    });
  });

  it('warns before the key is written into, or copied for, a repository of dotfiles', async () => {
    const dotfiles = path.join(commands.home, 'dotfiles');
    mkdirSync(path.join(dotfiles, '.git'), { recursive: true });
    mkdirSync(path.join(commands.home, '.cursor'));
    writeFileSync(path.join(dotfiles, 'mcp.json'), MINE);
    symlinkSync(path.join(dotfiles, 'mcp.json'), path.join(commands.home, '.cursor', 'mcp.json'));
    const warning =
      'The file is in the Git work tree ~/dotfiles. The key is shared with that repository.';
    const person = await commands.run(
      'installConfiguration',
      () => 'Cursor',
      () => OVER_HTTP,
      () => WITH_BRIDGE,
      () => LEAVE,
    );
    const offered = person.shown.filter((each) => each.startsWith(WRITE));
    assert.equal(offered.length, 3);
    assert.deepEqual(
      offered.map((each) => each.includes(`$(warning) ${warning}`)),
      [false, true, false],
      'only the key is warned of',
    );
    assert.deepEqual((await commands.run('copyConfiguration', () => 'Cursor (HTTP)')).told, [
      `Copied: paste it into ~/.cursor/mcp.json. It contains the key: do not share it. ${warning}`,
    ]);
    assert.equal(readFileSync(path.join(dotfiles, 'mcp.json'), 'utf8'), MINE);
  });

  it('reports a set-up with the former fixed port as outdated', async () => {
    const { key } = await commands.mcp.address();
    commands.cursorFile(
      JSON.stringify({
        mcpServers: {
          'agent-debugger': {
            url: 'http://127.0.0.1:26321/mcp',
            headers: { Authorization: `Bearer ${key}` },
          },
        },
      }),
    );
    const person = await commands.run('installConfiguration', () => undefined);
    assert.ok(
      person.shown.includes('Cursor | $(warning) with another address | ~/.cursor/mcp.json'),
      person.shown.join('\n'),
    );
  });

  it('registers the server with Cursor while it runs and the person has agreed', async () => {
    const calls: (CursorServer | string)[] = [];
    let called = (): void => undefined;
    const note = (call: CursorServer | string): void => {
      calls.push(call);
      called();
    };
    const next = async (): Promise<void> =>
      await new Promise<void>((resolve) => (called = resolve));
    const settings = vscode.workspace.getConfiguration('agentDebugger.mcp');
    await settings.update('port', await freePort(), vscode.ConfigurationTarget.Global);
    commands.setUps.person = new Answers([(buttons) => buttons[0]]);
    commands.setUps.useEditor({
      cursor: { mcp: { registerServer: note, unregisterServer: note } },
    });
    try {
      const registered = next();
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      await registered;
      const [server] = calls;
      assert.ok(typeof server === 'object' && 'command' in server.server);
      assert.equal(server.name, 'agent-debugger');
      assert.deepEqual(server.server.args, [
        commands.bridge(),
        '--workspace',
        inWorkspace('.').replace(/\/$/, ''),
      ]);
      assert.equal(
        JSON.stringify(calls).includes((await commands.mcp.address()).key),
        false,
        'Cursor gets no key',
      );
      const unregistered = next();
      await vscode.commands.executeCommand('agentDebugger.mcp.stop');
      await unregistered;
      assert.deepEqual(calls.slice(1), ['agent-debugger']);
    } finally {
      await vscode.commands.executeCommand('agentDebugger.mcp.stop');
      await settings.update('offerToVsCode', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
