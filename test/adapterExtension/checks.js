// @ts-check
'use strict';
const vscode = require('vscode');
const path = require('node:path');

/** A line such as `check passes` in a file of the language `check` is a test, which runs `check.js` beside it. */
const CHECK = /^check (\w+)$/;

/**
 * Shows the checks of open files in the testing UI, as a test extension of a language does, and debugs them with Node.
 * @returns {vscode.Disposable}
 */
exports.registerChecks = () => {
  const controller = vscode.tests.createTestController('checks', 'Checks');
  /** @param {vscode.TextDocument} document */
  const find = (document) => {
    if (document.languageId !== 'check') return;
    const file = controller.createTestItem(
      document.uri.toString(),
      document.fileName,
      document.uri,
    );
    for (const [line, text] of document.getText().split('\n').entries()) {
      const name = CHECK.exec(text)?.[1];
      if (name === undefined) continue;
      const test = controller.createTestItem(`${document.uri} ${name}`, name, document.uri);
      test.range = new vscode.Range(line, 0, line, text.length);
      file.children.add(test);
    }
    controller.items.add(file);
  };
  controller.refreshHandler = () => vscode.workspace.textDocuments.forEach(find);
  controller.createRunProfile('Debug', vscode.TestRunProfileKind.Debug, async (request) => {
    const run = controller.createTestRun(request);
    for (const test of request.include ?? []) await debug(run, test);
    run.end();
  });
  return vscode.Disposable.from(controller, vscode.workspace.onDidOpenTextDocument(find));
};

/** @param {vscode.TestRun} run @param {vscode.TestItem} test */
async function debug(run, test) {
  const file = test.uri?.fsPath ?? '';
  run.started(test);
  const ended = new Promise((resolve) => {
    const subscription = vscode.debug.onDidTerminateDebugSession((session) => {
      if (session.parentSession !== undefined || session.configuration.check !== test.id) return;
      subscription.dispose();
      resolve(undefined);
    });
  });
  const isStarted = await vscode.debug.startDebugging(undefined, {
    type: 'node',
    request: 'launch',
    name: `check ${test.label}`,
    check: test.id,
    program: path.join(path.dirname(file), 'check.js'),
    args: [test.label],
    console: 'internalConsole',
    outputCapture: 'std',
  });
  if (isStarted) await ended;
  run.failed(test, new vscode.TestMessage('only VS Code knows this'));
}
