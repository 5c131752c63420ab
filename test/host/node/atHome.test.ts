import { strict as assert } from 'node:assert';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked, stopOf, until } from '../support/client';
import { control } from '../support/hostControl';

const ROOT = path.resolve(__dirname, '../../../..');
const EDITOR_ACTION = '.editor-actions [aria-label^="Debug the Exception with the Agent"]';

/** Takes a picture when VS Code shows the element. Only the npm-delivered VS Code supports this. */
async function see(selector: string, name: string): Promise<void> {
  await control('screenshot', {
    path: path.join(ROOT, '.vscode-test/pictures', `${name}.png`),
    selector,
  });
}

async function request(command: string, ...args: unknown[]): Promise<string> {
  return await vscode.commands.executeCommand<string>(`agentDebugger.${command}`, ...args);
}

describe('integration with VS Code', () => {
  afterEach(async () => {
    await vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', undefined, vscode.ConfigurationTarget.Global);
    await cleanUp();
  });

  it('registers every command of the manifest', async () => {
    const extension = vscode.extensions.getExtension('agent-debugger.agent-debugger');
    await extension?.activate();
    const { contributes } = extension?.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributes.commands.map((each) => each.command).filter((each) => !known.has(each)),
      [],
    );
  });

  it('contributes the agent, the skill and the prompt to VS Code', async () => {
    const files = await vscode.commands.executeCommand<
      { uri: { path: string }; type: string; extensionId: string }[]
    >('_listExtensionPromptFiles');
    const ours = files
      .filter((each) => each.extensionId === 'agent-debugger.agent-debugger')
      .map(
        (each) =>
          `${each.type} ${path.basename(path.dirname(each.uri.path))}/${path.basename(each.uri.path)}`,
      );
    assert.deepEqual(ours.sort(), [
      'agent agents/debugger.agent.md',
      'prompt prompts/debugger.prompt.md',
      'skill debug-instead-of-guessing/SKILL.md',
    ]);
  });

  it('opens the walkthrough', async () => {
    await vscode.commands.executeCommand('agentDebugger.getStarted');
    await see('.gettingStarted .getting-started-step', 'walkthrough');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('offers a quick fix that writes the request for a problem, but none for a hint or if AI features are off', async () => {
    const uri = vscode.Uri.file(inWorkspace('src/loop.js'));
    await vscode.workspace.openTextDocument(uri);
    const line = marked('src/loop.js', 'add') - 1;
    const at = (
      row: number,
      message: string,
      severity: vscode.DiagnosticSeverity,
    ): vscode.Diagnostic =>
      new vscode.Diagnostic(new vscode.Range(row, 0, row, 5), message, severity);
    const problems = vscode.languages.createDiagnosticCollection('at home');
    problems.set(uri, [
      at(line, 'rather a warning', vscode.DiagnosticSeverity.Warning),
      at(line, 'sum is\nno number #fetch', vscode.DiagnosticSeverity.Error),
      at(0, 'a hint', vscode.DiagnosticSeverity.Hint),
    ]);
    const actions = async (row: number): Promise<vscode.CodeAction[]> =>
      (
        await vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          uri,
          new vscode.Range(row, 0, row, 5),
        )
      ).filter((each) => each.title === 'Debug with the Agent');
    const [action, second] = await actions(line);
    assert.ok(action?.command !== undefined);
    assert.equal(second, undefined, 'one for the line');
    assert.deepEqual(await actions(0), []);
    const answerText = await vscode.commands.executeCommand<string>(
      action.command.command,
      ...((action.command.arguments ?? []) as unknown[]),
    );
    assert.equal(
      answerText.split('\n')[0],
      `VS Code reports a problem in src/loop.js:${line + 1}: sum is no number # fetch`,
    );
    await vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', true, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await actions(line), []);
    problems.dispose();
  });

  it('names a failed test with its suites, its location and its message', async () => {
    const controller = vscode.tests.createTestController('atHome', 'At home');
    const uri = vscode.Uri.file(inWorkspace('src/loop.js'));
    const file = controller.createTestItem('file', 'loop.js', uri);
    const suite = controller.createTestItem('suite', 'squares', uri);
    suite.range = new vscode.Range(2, 0, 9, 0);
    const test = controller.createTestItem('test', 'adds up', uri);
    test.range = new vscode.Range(3, 0, 4, 0);
    controller.items.add(file);
    file.children.add(suite);
    suite.children.add(test);
    assert.match(
      await request('debugTest', test),
      /^The test “squares › adds up” in src\/loop\.js:4 fails\.\n/,
    );
    const message = new vscode.TestMessage(new vscode.MarkdownString('expected **15**'));
    message.location = new vscode.Location(uri, new vscode.Position(7, 2));
    assert.match(
      await request('debugTest', { test, message }),
      /^The test “squares › adds up” in src\/loop\.js:8 fails: expected \*\*15\*\*\n/,
    );
    assert.match(
      await request('debugTest', file),
      /^The test “loop\.js” in src\/loop\.js fails\.\n/,
    );
    controller.dispose();
  });

  it('shows an entry in the editor’s title at an exception, names the exception, and hides the entry afterwards', async () => {
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Throws' }));
    assert.equal(stop.reason, 'exception');
    await see(EDITOR_ACTION, 'exception-entry');
    const answerText = await request('debugException');
    assert.match(
      answerText,
      new RegExp(
        `^The program is stopped at an exception in src/throws\\.js:${marked('src/throws.js', 'throw')}: .*no price for cake`,
      ),
    );
    assert.equal(
      await request('debugWithAgent'),
      answerText,
      'the palette’s entry is about the same',
    );
    await see(EDITOR_ACTION, 'exception-request');
    await call('continue_debugging', { thread_id: stop.thread_id });
    await until(
      (model) =>
        [...model.state.sessions.values()].every((each) => each.lifecycle === 'terminated'),
      'the end',
    );
    assert.match(
      await request('debugException'),
      /^What happens in src\/throws\.js/,
      'nothing is stopped any more',
    );
    await see(
      `.editor-actions:not(:has(${EDITOR_ACTION.slice('.editor-actions '.length)}))`,
      'exception-over',
    );
  });

  it('writes the request into the chat’s input', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace('src/types.js')), {
      selection: new vscode.Range(4, 0, 4, 0),
    });
    assert.match(await request('debugWithAgent'), /^What happens in src\/types\.js:5\?\n/);
    await see('.interactive-input-part .view-line >> visible=true', 'chat-request');
  });

  it('writes the request to the clipboard if AI features are off', async () => {
    await vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', true, vscode.ConfigurationTarget.Global);
    const answerText = await request('debugWithAgent');
    assert.equal(await vscode.env.clipboard.readText(), answerText);
  });
});
