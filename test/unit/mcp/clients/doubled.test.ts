import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENTS } from '../../../../src/mcp/clients/catalog';
import type { ClientMachine } from '../../../../src/mcp/clients/client';
import { writeSettings } from '../../../../src/mcp/clients/configurationFile';
import { doubledEntries, readersOf } from '../../../../src/mcp/clients/doubled';
import { Installed } from '../../../../src/mcp/clients/installed';
import { placesOf, planRemoval } from '../../../../src/mcp/clients/setUp';

const URL_OF_OURS = 'http://127.0.0.1:26321/mcp';

describe('entries that give VS Code’s agents the tools a second time', () => {
  let root: string;
  let machine: ClientMachine;
  let folder: string;
  let discovery: unknown;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-doubled-')));
    folder = path.join(root, 'project');
    discovery = undefined;
    machine = {
      platform: 'linux',
      home: path.join(root, 'home'),
      env: {},
      extensionsStorage: path.join(root, 'User', 'globalStorage'),
      names: () => [],
    };
    mkdirSync(folder);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(file: string, content: unknown): string {
    const whole = path.resolve(root, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
    return whole;
  }
  const files = () => ({ machine, folders: [folder], discovery });
  const found = async () =>
    (await doubledEntries(files(), URL_OF_OURS)).map(
      ({ place, name, readers, client }) =>
        `${name} in ${path.relative(root, place.files[0] ?? '')}, ${readers}, ${client ?? 'its own'}`,
    );

  it('are looked for in VS Code’s own files, the project’s .mcp.json and the files that Copilot sessions read', async () => {
    const entry = {
      command: '/bin/sh',
      args: [path.join(machine.home, '.agent-debugger/stdio.sh')],
    };
    write('User/mcp.json', { servers: { 'agent-debugger': entry } });
    write('project/.vscode/mcp.json', {
      servers: { debugger: { type: 'http', url: URL_OF_OURS } },
    });
    write('project/.mcp.json', {
      mcpServers: { npm: { command: 'npx', args: ['-y', 'agent-debugger-mcp@1.0.0'] } },
    });
    write('home/.copilot/mcp-config.json', { mcpServers: { 'agent-debugger': entry } });
    assert.deepEqual(await found(), [
      'agent-debugger in User/mcp.json, all, its own',
      'debugger in project/.vscode/mcp.json, all, its own',
      'npm in project/.mcp.json, all, Claude Code',
      'agent-debugger in home/.copilot/mcp-config.json, copilot, Copilot CLI',
    ]);
  });

  it('are not found if there is no file, if the server is another one, or if ours is disabled', async () => {
    assert.deepEqual(await found(), []);
    write('User/mcp.json', {
      servers: {
        other: { command: 'npx', args: ['-y', 'other-mcp', 'agent-debugger-mcp-like'] },
        port: { url: 'http://127.0.0.1:26322/mcp' },
        far: { url: 'https://example.com:26321/mcp' },
        path: { url: 'http://127.0.0.1:26321/else' },
        odd: { url: 7, args: 'x' },
        text: 'agent-debugger',
        bridge: { command: path.join(machine.home, '.agent-debugger/else.js') },
        home: { command: path.join(machine.home, '.agent-debugger-other/stdio.js') },
      },
      'agent-debugger': { command: 'x' },
    });
    write('project/.mcp.json', {
      mcpServers: { 'agent-debugger': { command: 'x', disabled: true } },
    });
    assert.deepEqual(await found(), []);
  });

  it('are not found in a file that cannot be read; the other files are still read', async () => {
    write('User/mcp.json', '{ "servers": ');
    write('project/.vscode/mcp.json', '// mine\n{ "servers": { "agent-debugger": {}, }, }\n');
    assert.deepEqual(await found(), ['agent-debugger in project/.vscode/mcp.json, all, its own']);
  });

  it('are looked for in other clients’ files only if VS Code reads them', async () => {
    const entry = { mcpServers: { 'agent-debugger': { command: 'x' } } };
    write('home/.cursor/mcp.json', entry);
    write('project/.cursor/mcp.json', entry);
    write('home/.codeium/windsurf/mcp_config.json', entry);
    write('home/.config/Claude/claude_desktop_config.json', entry);
    write('home/.copilot/mcp-config.json', entry);
    const copilot = 'agent-debugger in home/.copilot/mcp-config.json';
    assert.deepEqual(await found(), [`${copilot}, copilot, Copilot CLI`]);
    discovery = { 'cursor-global': true, windsurf: false, copilot: true };
    assert.deepEqual(await found(), [
      `${copilot}, all, Copilot CLI`,
      'agent-debugger in home/.cursor/mcp.json, all, Cursor',
    ]);
    discovery = true;
    assert.equal((await found()).length, 5);
  });

  it('can be removed individually, whatever their name; other entries stay', async () => {
    const before = `// mine\n{\n  "servers": {\n    "other": { "command": "x" }, // theirs\n    "debugger": { "url": "${URL_OF_OURS}", "headers": { "Authorization": "Bearer k3y" } }\n  },\n  "inputs": []\n}\n`;
    const file = write('project/.vscode/mcp.json', before);
    const [entry] = await doubledEntries(files(), URL_OF_OURS);
    assert.ok(entry !== undefined);
    const kept = new Installed({
      read: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
    });
    const change = await planRemoval(entry.place, kept);
    assert.ok(change !== undefined);
    assert.deepEqual(change.secrets, ['k3y'], 'not shown');
    await writeSettings(change.before, change.after, change);
    const after = readFileSync(file, 'utf8');
    assert.match(
      after,
      /^\/\/ mine\n\{\n {2}"servers": \{\n {4}"other": \{ "command": "x" \}.*theirs/s,
    );
    assert.doesNotMatch(after, /debugger/);
    assert.deepEqual(await found(), []);
  });

  it('can be predicted: a client’s file that VS Code reads is known before it is written', () => {
    const readers = (id: string): unknown[] =>
      CLIENTS.filter((client) => client.id === id)
        .flatMap((client) => placesOf(client, machine, [folder]))
        .map((place) => readersOf(place, files()));
    assert.deepEqual(readers('claude-code'), [undefined, 'all']);
    assert.deepEqual(readers('copilot-cli'), ['copilot', undefined]);
    assert.deepEqual(readers('cursor'), [undefined, undefined]);
  });
});
