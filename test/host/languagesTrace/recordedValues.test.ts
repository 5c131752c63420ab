import { strict as assert } from 'node:assert';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RecordedValues } from '../../../src/editor/recorded/recordedValues';
import { call, cleanUp, inWorkspace, insideExtension, marked } from '../support/client';
import { control, webviewTexts } from '../support/hostControl';
import { needs, trace } from './tracing';

const ORIGINAL = 'python/collected.py';
/** A copy, because VS Code saves what the test edits. */
const FILE = 'native/out/recorded_values.py';

async function recordedValues(): Promise<RecordedValues> {
  return (await insideExtension()).recordedValues;
}

async function run(command: string): Promise<void> {
  await vscode.commands.executeCommand(`agentDebugger.recordedValues.${command}`);
}

/** Waits until the active editor shows the test's file at a line. */
async function shown(line: number): Promise<void> {
  const isShown = (): boolean => {
    const editor = vscode.window.activeTextEditor;
    const isFile = editor?.document.uri.fsPath === inWorkspace(FILE);
    return isFile && editor.selection.active.line === line;
  };
  while (!isShown())
    await new Promise<void>((resolve) => {
      const subscriptions = [
        vscode.window.onDidChangeActiveTextEditor(() => settle()),
        vscode.window.onDidChangeTextEditorSelection(() => settle()),
      ];
      const settle = (): void => {
        subscriptions.forEach((each) => void each.dispose());
        resolve();
      };
    });
}

describe('recorded values', function () {
  this.timeout(300_000);
  before(function () {
    needs(this, 'Python');
    mkdirSync(path.dirname(inWorkspace(FILE)), { recursive: true });
  });
  // VS Code may have saved the edits of the test before.
  beforeEach(() => copyFileSync(inWorkspace(ORIGINAL), inWorkspace(FILE)));
  after(() => rmSync(inWorkspace(FILE), { force: true }));
  afterEach(async () => {
    await cleanUp();
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('stand beside the lines of a trace, follow edits and rounds, and are hidden by a command', async () => {
    const { inline } = await recordedValues();
    const document = await vscode.workspace.openTextDocument(inWorkspace(FILE));
    const editor = await vscode.window.showTextDocument(document);
    await trace({ program: FILE, args: ['4', '10'], file_path: FILE, function_name: 'main' });
    await cleanUp();
    await vscode.window.showTextDocument(document);
    // 'add' is in a loop with four rounds.
    const add = marked(ORIGINAL, 'add') - 1;
    const at = (line: number): readonly string[] | undefined =>
      inline.valuesIn(document).get(line)?.notes;

    assert.match(at(add)?.join() ?? '', /total: 54.0 → 90.0/, 'the last round');
    assert.match(at(add - 2)?.join() ?? '', /round 4 of 4/);
    editor.selection = new vscode.Selection(add, 0, add, 0);
    await run('previousRound');
    assert.match(at(add)?.join() ?? '', /total: 27.0 → 54.0/);
    assert.match(at(add - 2)?.join() ?? '', /round 3 of 4/);
    await run('nextRound');
    assert.match(at(add)?.join() ?? '', /total: 54.0 → 90.0/);

    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# new\n'));
    assert.doesNotMatch(at(add)?.join() ?? '', /total/, 'another line is here now');
    assert.match(at(add + 1)?.join() ?? '', /total: 54.0 → 90.0/, 'they move with their line');
    await editor.edit((edit) => edit.insert(new vscode.Position(add + 1, 0), '  '));
    assert.equal(at(add + 1), undefined, 'the line is another one now');
    assert.ok(inline.valuesIn(document).size > 0);

    await run('hide');
    assert.equal(inline.valuesIn(document).size, 0);
  });

  it('are tables in a view: a refuted claim, two collections side by side, and the way to a line', async () => {
    const { results } = await recordedValues();
    const add = marked(ORIGINAL, 'add');
    const probes = [{ file_path: FILE, line: add, expressions: ['price', 'total'] }];
    const claimed = probes.map((probe) => ({ ...probe, expect: 'total < 20' }));
    const first = await call('collect_values', {
      probes: claimed,
      program: FILE,
      args: ['4', '10'],
    });
    assert.equal(first['hits'], 4, JSON.stringify(first));
    assert.equal(results.all[0]?.result.kind, 'collection');
    await run('show');
    const refuted = await webviewTexts('td.refuted');
    // Only the npm-delivered VS Code shows what is in a webview.
    if (refuted === undefined) return;
    assert.equal(refuted.length, 2);
    assert.match(
      (await webviewTexts('li.bad'))?.join() ?? '',
      /^Refuted at 2 of 4 hits: total < 20/,
    );
    assert.equal((await webviewTexts('polyline'))?.length, 2, 'the prices and the totals');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await webviewTexts('tbody tr:nth-child(3) button', { clicks: true });
    await shown(add - 1);

    const compare = { compare_with: first['collection_id'], args: ['5', '10'] };
    const second = await call('collect_values', { probes: claimed, program: FILE, ...compare });
    const different = await webviewTexts('td.different');
    assert.deepEqual(different, [`only in ${String(second['collection_id'])}`]);
  });

  // `npm run pictures` takes the pictures of the READMEs with this.
  const folder = process.env['AGENT_DEBUGGER_RECORDED_PICTURES'];
  if (folder !== undefined)
    it('are in pictures of each kind of theme', async () => {
      const probes = [
        { file_path: FILE, line: marked(ORIGINAL, 'add'), expressions: ['price', 'total'] },
      ];
      const claimed = probes.map((probe) => ({ ...probe, expect: 'total < 20' }));
      await trace({ program: FILE, args: ['4', '10'], file_path: FILE, function_name: 'main' });
      await cleanUp();
      await call('collect_values', { probes: claimed, program: FILE, args: ['4', '10'] });
      const document = await vscode.workspace.openTextDocument(inWorkspace(FILE));
      const editor = await vscode.window.showTextDocument(document);
      const add = marked(ORIGINAL, 'add') - 1;
      editor.selection = new vscode.Selection(add, 0, add, 0);
      editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
      await vscode.commands.executeCommand('workbench.action.closeSidebar');
      await run('show');
      for (const [name, theme] of [
        ['recorded', 'Default Light Modern'],
        ['recorded-dark', 'Default Dark Modern'],
        ['recorded-contrast', 'Default High Contrast'],
      ] as const) {
        const workbench = vscode.workspace.getConfiguration('workbench');
        await workbench.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
        await webviewTexts('td.refuted');
        await control('screenshot', { path: path.join(folder, `${name}.png`) });
      }
    });
});
