import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CursorServer } from '../../../src/mcp/clients/cursorRegistration';
import type { ClientSetUps } from '../../../src/mcp/ui/clientSetUps';
import type { McpControl } from '../../../src/mcp/ui/mcpControl';
import { inWorkspace } from '../support/client';
import { freePort } from '../../support/network';
import { Answers, LEAVE, shownDiffs, shownTexts, WRITE, type AnswerTo } from './support/answers';
import { withOwnHome } from './support/ownHome';

const MINE = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';

const OVER_HTTP = '$(key) Show it with the address and the key instead';
const WITH_BRIDGE = '$(shield) Show it with the stdio bridge instead';
const isPosix = process.platform !== 'win32';

describe('setting up clients', () => {
  let setUps: ClientSetUps;
  let mcp: McpControl;
  let home: string;
  withOwnHome((own) => ({ setUps, mcp, home } = own));

  function cursorFile(text?: string): string {
    const file = path.join(home, '.cursor', 'mcp.json');
    if (text !== undefined) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return file;
  }

  async function run(command: string, ...answers: AnswerTo[]): Promise<Answers> {
    const person = new Answers(answers);
    setUps.person = person;
    await vscode.commands.executeCommand(`agentDebugger.mcp.${command}`);
    await setUps.afterwards;
    person.assertDone();
    assert.deepEqual(shownDiffs(), [], 'the preview is gone');
    return person;
  }

  /** The bridge file that a client starts. */
  const bridge = (): string =>
    path.join(home, '.agent-debugger', isPosix ? 'stdio.sh' : 'stdio.js');

  /** Sets a client up over HTTP, which takes one more choice. */
  async function setUpOverHttp(client: string): Promise<Answers> {
    return await run(
      'installConfiguration',
      () => client,
      () => OVER_HTTP,
      () => WRITE,
      () => undefined,
    );
  }

  it('writes the skill into a folder of agents as shown, undoes that, and removes it', async () => {
    const name = '~/.agents/skills';
    const file = path.join(home, '.agents', 'skills', 'debug-instead-of-guessing', 'SKILL.md');
    const show = async (): Promise<string> => {
      const { before, after } = await shownTexts();
      assert.equal(before, '');
      assert.match(
        after,
        /^---\nname: debug-instead-of-guessing\n[\s\S]*\n {2}source: agent-debugger\n/,
      );
      return WRITE;
    };
    await run(
      'installConfiguration',
      () => name,
      show,
      () => 'Undo',
    );
    assert.equal(existsSync(path.join(home, '.agents')), false, 'taken back');

    await run(
      'installConfiguration',
      () => name,
      show,
      () => undefined,
    );
    assert.ok(readFileSync(file, 'utf8').includes('agent-debugger'));
    const again = await run('installConfiguration', () => name);
    assert.deepEqual(again.told, [`The skill in ${name} is current.`]);
    assert.ok(
      again.shown.some((row) => row.startsWith('~/.copilot/skills') && row.includes('Already')),
      again.shown.join('\n'),
    );

    writeFileSync(file, `${readFileSync(file, 'utf8')}\nolder`);
    const outdated = await run(
      'removeConfiguration',
      () => name,
      () => WRITE,
    );
    assert.ok(outdated.shown.some((row) => row.startsWith('$(sync) Update the skill')));
    assert.equal(existsSync(path.join(home, '.agents')), false, 'removed with its folders');
  });

  it('sets up the stdio bridge without a key in one choice, and undoes that', async () => {
    const file = cursorFile(MINE);
    const { key } = await mcp.address();
    const person = await run(
      'installConfiguration',
      () => 'Cursor',
      async (labels) => {
        assert.deepEqual(labels, [WRITE, OVER_HTTP, LEAVE]);
        const { before, after } = await shownTexts();
        assert.equal(before, MINE);
        assert.ok(
          after.includes(JSON.stringify(bridge())) &&
            after.includes('// mine') &&
            !after.includes('••••'),
          after,
        );
        return WRITE;
      },
      () => {
        const text = readFileSync(file, 'utf8');
        assert.ok(text.includes(JSON.stringify(bridge())) && !text.includes(key), text);
        return 'Undo';
      },
    );
    assert.ok(
      person.shown.some((each) =>
        each.startsWith(`${WRITE} |  | It will contain no key, only paths of this computer.`),
      ),
      person.shown.join('\n'),
    );
    assert.equal(readFileSync(file, 'utf8'), MINE);
  });

  it('writes the bridge when a client is set up if no server has written it yet', async () => {
    const folder = process.env['AGENT_DEBUGGER_HOME'] ?? '';
    for (const name of ['stdio.js', 'stdio.sh']) rmSync(path.join(folder, name), { force: true });
    await run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => undefined,
    );
    for (const name of isPosix ? ['stdio.js', 'stdio.sh'] : ['stdio.js'])
      assert.ok(existsSync(path.join(folder, name)), name);
  });

  it('shows the change for HTTP without the key before it writes anything, writes it, and undoes it', async () => {
    const file = cursorFile(MINE);
    const { key, url } = await mcp.address();
    const person = await run(
      'installConfiguration',
      () => 'Cursor',
      () => OVER_HTTP,
      async (labels) => {
        assert.deepEqual(labels, [WRITE, WITH_BRIDGE, LEAVE]);
        const { before, after } = await shownTexts();
        assert.equal(before, MINE);
        assert.ok(
          after.includes(url) && after.includes('••••••••') && after.includes('// mine'),
          after,
        );
        assert.equal(after.includes(key), false, 'other extensions can read what is shown');
        assert.equal(readFileSync(file, 'utf8'), MINE, 'nothing is written yet');
        return WRITE;
      },
      (buttons) => {
        assert.deepEqual(buttons, ['Start the MCP server', 'Undo', 'Open the file']);
        assert.ok(readFileSync(file, 'utf8').includes(`Bearer ${key}`));
        return 'Undo';
      },
    );
    assert.equal(readFileSync(file, 'utf8'), MINE);
    assert.deepEqual(person.told, [
      'Cursor is set up in ~/.cursor/mcp.json. Restart it if it does not see the server.',
      '~/.cursor/mcp.json was not changed.',
    ]);
  });

  it('writes nothing if the person declines', async () => {
    const file = cursorFile();
    await run(
      'installConfiguration',
      () => 'Cursor',
      () => LEAVE,
    );
    await run(
      'installConfiguration',
      () => 'Cursor',
      () => undefined,
    );
    await run('installConfiguration', () => undefined);
    assert.equal(existsSync(path.dirname(file)), false);
  });

  it('removes its entry later and restores the file to the byte', async () => {
    const file = cursorFile(MINE);
    await run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => undefined,
    );
    const again = await run('installConfiguration', () => 'Cursor');
    assert.deepEqual(again.told, ['Cursor is set up already.']);
    const person = await run(
      'removeConfiguration',
      (labels) => {
        assert.deepEqual(labels, ['for you, in all projects', 'Cursor']);
        return 'Cursor';
      },
      async () => {
        assert.equal((await shownTexts()).after, MINE);
        return WRITE;
      },
    );
    assert.deepEqual(person.told, ['Agent Debugger is no longer in ~/.cursor/mcp.json.']);
    assert.equal(readFileSync(file, 'utf8'), MINE);
    assert.deepEqual((await run('removeConfiguration')).told, [
      'Agent Debugger is not in the settings of any client.',
    ]);
  });

  it('sets up the clients with an outdated key again in one run', async () => {
    const file = cursorFile();
    await setUpOverHttp('Cursor');
    assert.ok(
      (await run('installConfiguration', () => undefined)).shown.includes(
        'Cursor | $(check) set up over HTTP, with the key in the file | ~/.cursor/mcp.json',
      ),
    );
    await setUpOverHttp('Codex');
    await mcp.renewKey();
    const { key } = await mcp.address();
    const before = readFileSync(file, 'utf8');
    const person = await run(
      'installConfiguration',
      (labels) => labels[0],
      async () => {
        assert.equal(
          (await shownTexts()).before.includes('Bearer ••••••••'),
          true,
          'the old key is not shown either',
        );
        return WRITE;
      },
      () => undefined,
      () => OVER_HTTP,
      () => WRITE,
      () => undefined,
    );
    assert.ok(
      person.shown.includes(
        '$(sync) Update clients whose key, address or program has changed |  | Cursor (with another key), Codex (with another key)',
      ),
      person.shown.join('\n'),
    );
    assert.ok(person.shown.includes('Cursor | $(warning) with another key | ~/.cursor/mcp.json'));
    assert.equal(person.shown.join().includes(key), false);
    assert.equal(before.includes('Bearer'), true);
    assert.equal(
      readFileSync(file, 'utf8').includes('Bearer'),
      false,
      'the bridge comes first here, too',
    );
    assert.ok(readFileSync(path.join(home, '.codex', 'config.toml'), 'utf8').includes(key));
  });

  it('goes back to the first set-up on an undo of the second, and to the original file on a removal', async () => {
    const file = cursorFile(MINE);
    await setUpOverHttp('Cursor');
    const first = readFileSync(file, 'utf8');
    await mcp.renewKey();
    const person = await run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => 'Undo',
    );
    assert.equal(
      person.told[1],
      '~/.cursor/mcp.json was not changed. It still has the earlier setup of Agent Debugger.',
    );
    assert.equal(readFileSync(file, 'utf8'), first);
    await run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => undefined,
    );
    await run(
      'removeConfiguration',
      () => 'Cursor',
      () => WRITE,
    );
    assert.equal(readFileSync(file, 'utf8'), MINE);
  });

  it('opens a file that does not parse at its error, and leaves it unchanged', async () => {
    const file = cursorFile('{\n  "mcpServers": {,\n');
    const person = await run(
      'installConfiguration',
      () => 'Cursor',
      () => 'Open the file',
    );
    assert.match(person.told[0] ?? '', /was not changed\. The file is not valid JSON/);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
    assert.equal(vscode.window.activeTextEditor.selection.active.line, 1);
    assert.equal(readFileSync(file, 'utf8'), '{\n  "mcpServers": {,\n');
  });

  it('does not write a file with unsaved changes', async () => {
    const file = cursorFile(MINE);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    assert.match(
      (await run('installConfiguration', () => 'Cursor')).told[0] ?? '',
      /unsaved changes/,
    );
    assert.equal(readFileSync(file, 'utf8'), MINE);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('shows the change again if the file changed meanwhile, and keeps the other change', async () => {
    const file = cursorFile(MINE);
    const person = await run(
      'installConfiguration',
      () => 'Cursor',
      () => {
        writeFileSync(file, MINE.replace('other', 'another'));
        return WRITE;
      },
      async () => {
        assert.ok((await shownTexts()).before.includes('another'));
        return WRITE;
      },
      () => undefined,
    );
    assert.match(person.told[0] ?? '', /has changed in the meantime/);
    assert.ok(
      readFileSync(file, 'utf8').includes('"another"') &&
        readFileSync(file, 'utf8').includes('"agent-debugger"'),
    );
  });

  it('removes only our entry on an undo after another change of the file', async () => {
    const file = cursorFile(MINE);
    const person = await run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => {
        writeFileSync(file, readFileSync(file, 'utf8').replace('other', 'another'));
        return 'Undo';
      },
    );
    assert.equal(readFileSync(file, 'utf8'), MINE.replace('other', 'another'));
    assert.equal(person.told[1], 'Agent Debugger is no longer in ~/.cursor/mcp.json.');
  });

  it('writes the bridge and the folder, but no key, into a workspace’s file', async () => {
    const file = inWorkspace('.cursor/mcp.json');
    const { key } = await mcp.address();
    await run(
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
          text.includes(JSON.stringify(bridge())) &&
            text.includes('--workspace') &&
            text.includes(JSON.stringify(inWorkspace('.'))),
          text,
        );
        assert.equal(text.includes(key), false);
        return 'Undo';
      },
    ]);
    setUps.person = person;
    await setUps.install();
    await setUps.afterwards;
    person.assertDone();
    assert.equal(
      existsSync(path.dirname(file)),
      false,
      'the folder that was made for it is gone as well',
    );
  });

  it('copies the configuration for clients that are not listed', async () => {
    const { key, url } = await mcp.address();
    await run('copyConfiguration', () => 'Any other client (HTTP)');
    assert.deepEqual(JSON.parse(await vscode.env.clipboard.readText()), {
      mcpServers: {
        'agent-debugger': { type: 'http', url, headers: { Authorization: `Bearer ${key}` } },
      },
    });
    const person = await run('copyConfiguration', () => 'Any other client (stdio)');
    assert.deepEqual(person.told, ['Copied. It contains no key.']);
    assert.equal((await vscode.env.clipboard.readText()).includes(key), false);
  });

  it('copies the bridge for a client, or the address with the key on request', async () => {
    const { key, url } = await mcp.address();
    const person = await run('copyConfiguration', (labels) => {
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
    assert.ok(text.includes(JSON.stringify(bridge())) && !text.includes(key), text);
    const http = await run('copyConfiguration', () => 'Cursor (HTTP)');
    assert.deepEqual(http.told, [
      'Copied: paste it into ~/.cursor/mcp.json. It contains the key: do not share it.',
    ]);
    assert.deepEqual(JSON.parse(await vscode.env.clipboard.readText()), {
      mcpServers: { 'agent-debugger': { url, headers: { Authorization: `Bearer ${key}` } } },
    });
  });

  it('warns before the key is written into, or copied for, a repository of dotfiles', async () => {
    const dotfiles = path.join(home, 'dotfiles');
    mkdirSync(path.join(dotfiles, '.git'), { recursive: true });
    mkdirSync(path.join(home, '.cursor'));
    writeFileSync(path.join(dotfiles, 'mcp.json'), MINE);
    symlinkSync(path.join(dotfiles, 'mcp.json'), path.join(home, '.cursor', 'mcp.json'));
    const warning =
      'The file is in the Git work tree ~/dotfiles. The key is shared with that repository.';
    const person = await run(
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
    assert.deepEqual((await run('copyConfiguration', () => 'Cursor (HTTP)')).told, [
      `Copied: paste it into ~/.cursor/mcp.json. It contains the key: do not share it. ${warning}`,
    ]);
    assert.equal(readFileSync(path.join(dotfiles, 'mcp.json'), 'utf8'), MINE);
  });

  it('reports a set-up with the former fixed port as outdated', async () => {
    const { key } = await mcp.address();
    cursorFile(
      JSON.stringify({
        mcpServers: {
          'agent-debugger': {
            url: 'http://127.0.0.1:26321/mcp',
            headers: { Authorization: `Bearer ${key}` },
          },
        },
      }),
    );
    const person = await run('installConfiguration', () => undefined);
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
    setUps.person = new Answers([(buttons) => buttons[0]]);
    setUps.useEditor({ cursor: { mcp: { registerServer: note, unregisterServer: note } } });
    try {
      const registered = next();
      await vscode.commands.executeCommand('agentDebugger.mcp.start');
      await registered;
      const [server] = calls;
      assert.ok(typeof server === 'object' && 'command' in server.server);
      assert.equal(server.name, 'agent-debugger');
      assert.deepEqual(server.server.args, [
        bridge(),
        '--workspace',
        inWorkspace('.').replace(/\/$/, ''),
      ]);
      assert.equal(
        JSON.stringify(calls).includes((await mcp.address()).key),
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
