import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ClientSetUps } from '../../../src/mcp/ui/clientSetUps';
import type { McpControl } from '../../../src/mcp/ui/mcpControl';
import { Answers, LEAVE, shownTexts, WRITE, type AnswerTo } from './support/answers';
import { withOwnHome } from './support/ownHome';

// The first test needs the first call of a tool in this window, so this file is the first in its folder.
describe('doubled tools of VS Code’s agents', () => {
  let setUps: ClientSetUps;
  let mcp: McpControl;
  let home: string;
  withOwnHome((own) => ({ setUps, mcp, home } = own));

  /** VS Code's own file with MCP servers, at the path that the set-ups use. */
  const fileOfEditor = (): string => path.join(home, 'mcp.json');
  const removeIt = (labels: readonly string[]): string => {
    assert.deepEqual(labels, ['Remove the entry', 'Keep both']);
    return 'Remove the entry';
  };

  /** Writes an agent plugin with our server. @returns its folder */
  function pluginIn(folder: string): string {
    const whole = path.join(home, folder);
    mkdirSync(whole, { recursive: true });
    const mcpServers = { 'agent-debugger': { type: 'stdio', command: 'node', args: ['x'] } };
    writeFileSync(path.join(whole, 'mcp.json'), JSON.stringify({ mcpServers }));
    return whole;
  }

  async function check(...answers: AnswerTo[]): Promise<Answers> {
    const person = new Answers(answers);
    setUps.person = person;
    await setUps.checkDoubledTools();
    await setUps.afterwards;
    person.assertDone();
    return person;
  }

  it('are reported at the first call, once for each cause, and the entry is removed as shown', async () => {
    const { url, key } = await mcp.address();
    const others = '{\n  // mine\n  "servers": {\n    "other": { "command": "x" }';
    const text = `${others},\n    "dbg": { "url": "${url}", "headers": { "Authorization": "Bearer ${key}" } }\n  }\n}\n`;
    writeFileSync(fileOfEditor(), text);
    let removed = (): void => undefined;
    const isRemoved = new Promise<void>((resolve) => (removed = resolve));
    const person = new Answers(
      [
        removeIt,
        async (labels) => {
          assert.deepEqual(labels, [WRITE, LEAVE]);
          const { before, after } = await shownTexts();
          assert.equal(before.includes(key), false, 'the key is not shown');
          assert.equal(after, `${others}\n  }\n}\n`);
          assert.equal(readFileSync(fileOfEditor(), 'utf8'), text, 'nothing is written yet');
          return WRITE;
        },
      ],
      (message) => {
        if (message.startsWith('Agent Debugger is no longer in')) removed();
      },
    );
    setUps.person = person;
    await vscode.lm.invokeTool('get_debug_state', { input: {}, toolInvocationToken: undefined });
    await isRemoved;
    await setUps.afterwards;
    person.assertDone();
    assert.deepEqual(person.told, [
      'VS Code’s agents have each tool of the debugger twice: from the extension, and from the MCP server “dbg” in ~/mcp.json.',
      'Agent Debugger is no longer in ~/mcp.json.',
    ]);
    assert.equal(readFileSync(fileOfEditor(), 'utf8'), `${others}\n  }\n}\n`);

    writeFileSync(fileOfEditor(), text);
    await check(() => 'Keep both');
    assert.equal(readFileSync(fileOfEditor(), 'utf8'), text);
    assert.deepEqual((await check()).told, [], 'once for each cause');
  });

  it('are reported when the server is offered to VS Code, and the offer can be ended', async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger.mcp');
    const isOffered = (): unknown =>
      vscode.workspace.getConfiguration('agentDebugger.mcp').get('offerToVsCode');
    const ended = new Promise<void>((resolve) => {
      const subscription = vscode.workspace.onDidChangeConfiguration((change) => {
        // Other settings may change before the offer begins, for example by an earlier test.
        if (!change.affectsConfiguration('agentDebugger.mcp.offerToVsCode') || isOffered()) return;
        subscription.dispose();
        resolve();
      });
    });
    const person = new Answers([() => 'Stop offering it']);
    setUps.person = person;
    await settings.update('offerToVsCode', true, vscode.ConfigurationTarget.Global);
    await ended;
    await setUps.afterwards;
    person.assertDone();
    assert.match(person.told.join('\n'), /^VS Code’s agents have each tool of the debugger twice/);
  });

  it('are reported when an agent plugin is added, and the plugin can be switched off', async () => {
    const folder = pluginIn('ours');
    const chat = () => vscode.workspace.getConfiguration('chat');
    const original = chat().inspect('pluginLocations')?.globalValue;
    const switchOff = (labels: readonly string[]): string => {
      assert.deepEqual(labels, ['Turn the plugin off', 'Keep both']);
      return 'Turn the plugin off';
    };
    let switchedOff = (): void => undefined;
    const isOff = new Promise<void>((resolve) => (switchedOff = resolve));
    const person = new Answers([switchOff], (message) => {
      if (message.includes('is off in VS Code')) switchedOff();
    });
    setUps.person = person;
    const set = (value: unknown) =>
      chat().update('pluginLocations', value, vscode.ConfigurationTarget.Global);
    try {
      await set({ [folder]: true, '/theirs': true });
      await isOff;
      await setUps.afterwards;
      person.assertDone();
      assert.deepEqual(person.told, [
        'VS Code’s agents have each tool of the debugger twice: from the extension, and from the agent plugin in ~/ours.',
        'The agent plugin in ~/ours is off in VS Code (setting chat.pluginLocations).',
      ]);
      const written: unknown = chat().inspect('pluginLocations')?.globalValue;
      assert.deepEqual(written, { [folder]: false, '/theirs': true }, 'the others stay');
      assert.deepEqual((await check()).told, []);
    } finally {
      await set(original);
    }
  });

  it('are reported once for an agent plugin that VS Code or Copilot CLI installed, and the plugin is shown', async () => {
    pluginIn('.copilot/installed-plugins/market/agent-debugger');
    const show = (labels: readonly string[]): string => {
      assert.deepEqual(labels, ['Show the plugin', 'Keep both']);
      return 'Show the plugin';
    };
    assert.deepEqual((await check(show)).told, [
      'The agent plugin in ~/.copilot/installed-plugins/market/agent-debugger has the debugger’s tools as well. While it is enabled, VS Code’s agents have each tool twice.',
    ]);
    assert.deepEqual((await check()).told, [], 'once');
  });

  it('are reported with the change when a client whose file VS Code reads is set up, and not again', async () => {
    const person = new Answers([() => 'Copilot CLI', () => WRITE, () => undefined]);
    setUps.person = person;
    await vscode.commands.executeCommand('agentDebugger.mcp.installConfiguration');
    await setUps.afterwards;
    person.assertDone();
    assert.ok(
      person.shown.some((row) => row.includes('Copilot sessions in VS Code read this file')),
      person.shown.join('\n'),
    );
    assert.deepEqual((await check()).told, []);
  });
});
