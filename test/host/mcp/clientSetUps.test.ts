import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { LEAVE, shownTexts, WRITE } from './support/answers';
import { MINE, OVER_HTTP, SetUpCommands } from './support/setUpCommands';

const WITH_BRIDGE = '$(shield) Show it with the stdio bridge instead';
const isPosix = process.platform !== 'win32';

describe('setting up clients', () => {
  const commands = new SetUpCommands();

  it('writes the skill into a folder of agents as shown, undoes that, and removes it', async () => {
    const name = '~/.agents/skills';
    const file = path.join(
      commands.home,
      '.agents',
      'skills',
      'debug-instead-of-guessing',
      'SKILL.md',
    );
    const show = async (): Promise<string> => {
      const { before, after } = await shownTexts();
      assert.equal(before, '');
      assert.match(
        after,
        /^---\nname: debug-instead-of-guessing\n[\s\S]*\n {2}source: agent-debugger\n/,
      );
      return WRITE;
    };
    await commands.run(
      'installConfiguration',
      () => name,
      show,
      () => 'Undo',
    );
    assert.equal(existsSync(path.join(commands.home, '.agents')), false, 'taken back');

    await commands.run(
      'installConfiguration',
      () => name,
      show,
      () => undefined,
    );
    assert.ok(readFileSync(file, 'utf8').includes('agent-debugger'));
    const again = await commands.run('installConfiguration', () => name);
    assert.deepEqual(again.told, [`The skill in ${name} is current.`]);
    assert.ok(
      again.shown.some((row) => row.startsWith('~/.copilot/skills') && row.includes('Already')),
      again.shown.join('\n'),
    );

    writeFileSync(file, `${readFileSync(file, 'utf8')}\nolder`);
    const outdated = await commands.run(
      'removeConfiguration',
      () => name,
      () => WRITE,
    );
    assert.ok(outdated.shown.some((row) => row.startsWith('$(sync) Update the skill')));
    assert.equal(
      existsSync(path.join(commands.home, '.agents')),
      false,
      'removed with its folders',
    );
  });

  it('sets up the stdio bridge without a key in one choice, and undoes that', async () => {
    const file = commands.cursorFile(MINE);
    const { key } = await commands.mcp.address();
    const person = await commands.run(
      'installConfiguration',
      () => 'Cursor',
      async (labels) => {
        assert.deepEqual(labels, [WRITE, OVER_HTTP, LEAVE]);
        const { before, after } = await shownTexts();
        assert.equal(before, MINE);
        assert.ok(
          after.includes(JSON.stringify(commands.bridge())) &&
            after.includes('// mine') &&
            !after.includes('••••'),
          after,
        );
        return WRITE;
      },
      () => {
        const text = readFileSync(file, 'utf8');
        assert.ok(text.includes(JSON.stringify(commands.bridge())) && !text.includes(key), text);
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
    await commands.run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => undefined,
    );
    for (const name of isPosix ? ['stdio.js', 'stdio.sh'] : ['stdio.js'])
      assert.ok(existsSync(path.join(folder, name)), name);
  });

  it('shows the change for HTTP without the key before it writes anything, writes it, and undoes it', async () => {
    const file = commands.cursorFile(MINE);
    const { key, url } = await commands.mcp.address();
    const person = await commands.run(
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
    const file = commands.cursorFile();
    await commands.run(
      'installConfiguration',
      () => 'Cursor',
      () => LEAVE,
    );
    await commands.run(
      'installConfiguration',
      () => 'Cursor',
      () => undefined,
    );
    await commands.run('installConfiguration', () => undefined);
    assert.equal(existsSync(path.dirname(file)), false);
  });

  it('removes its entry later and restores the file to the byte', async () => {
    const file = commands.cursorFile(MINE);
    await commands.run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => undefined,
    );
    const again = await commands.run('installConfiguration', () => 'Cursor');
    assert.deepEqual(again.told, ['Cursor is set up already.']);
    const person = await commands.run(
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
    assert.deepEqual((await commands.run('removeConfiguration')).told, [
      'Agent Debugger is not in the settings of any client.',
    ]);
  });

  it('sets up the clients with an outdated key again in one run', async () => {
    const file = commands.cursorFile();
    await commands.setUpOverHttp('Cursor');
    assert.ok(
      (await commands.run('installConfiguration', () => undefined)).shown.includes(
        'Cursor | $(check) set up over HTTP, with the key in the file | ~/.cursor/mcp.json',
      ),
    );
    await commands.setUpOverHttp('Codex');
    await commands.mcp.renewKey();
    const { key } = await commands.mcp.address();
    const before = readFileSync(file, 'utf8');
    const person = await commands.run(
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
    assert.ok(
      readFileSync(path.join(commands.home, '.codex', 'config.toml'), 'utf8').includes(key),
    );
  });

  it('goes back to the first set-up on an undo of the second, and to the original file on a removal', async () => {
    const file = commands.cursorFile(MINE);
    await commands.setUpOverHttp('Cursor');
    const first = readFileSync(file, 'utf8');
    await commands.mcp.renewKey();
    const person = await commands.run(
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
    await commands.run(
      'installConfiguration',
      () => 'Cursor',
      () => WRITE,
      () => undefined,
    );
    await commands.run(
      'removeConfiguration',
      () => 'Cursor',
      () => WRITE,
    );
    assert.equal(readFileSync(file, 'utf8'), MINE);
  });

  it('opens a file that does not parse at its error, and leaves it unchanged', async () => {
    const file = commands.cursorFile('{\n  "mcpServers": {,\n');
    const person = await commands.run(
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
    const file = commands.cursorFile(MINE);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    assert.match(
      (await commands.run('installConfiguration', () => 'Cursor')).told[0] ?? '',
      /unsaved changes/,
    );
    assert.equal(readFileSync(file, 'utf8'), MINE);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('shows the change again if the file changed meanwhile, and keeps the other change', async () => {
    const file = commands.cursorFile(MINE);
    const person = await commands.run(
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
    const file = commands.cursorFile(MINE);
    const person = await commands.run(
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
});
