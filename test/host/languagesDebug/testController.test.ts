import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, inWorkspace, marked, type Answer } from '../support/client';

const FILE = 'tests/checks/shop.check';
const PROGRAM = 'tests/checks/check.js';

interface Told extends Answer {
  readonly outcome?: string;
  readonly at?: { readonly file_path: string; readonly line_number: number };
  readonly frames?: readonly { readonly variables?: Readonly<Record<string, string>> }[];
}

async function debug(test: string, more: object = {}): Promise<Told> {
  const answer = await call('debug_test', {
    file_path: FILE,
    test_name: test,
    timeout_seconds: 60,
    ...more,
  });
  if (process.env['SHOW'] !== undefined) console.log(JSON.stringify(answer, undefined, 1));
  return answer;
}

describe('debug_test of a file that only another extension knows', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('reports an exception that nothing caught', async () => {
    const answer = await debug('check throws');
    const text = JSON.stringify(answer);
    assert.deepEqual(
      [answer.status, answer.outcome, answer['framework'], answer['line_number']],
      ['completed', 'failed', 'test_controller', 4],
      text,
    );
    assert.match(String(answer['message']), /no price for 3/);
    assert.equal(answer.at?.line_number, marked(PROGRAM, 'thrown'), text);
    assert.equal(answer.frames?.[0]?.variables?.['count'], '3', text);
  });

  it('says that no one tells the outcome of a test that ends quietly, and shows the person’s editor again', async () => {
    const own = await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace(PROGRAM)));
    own.selection = new vscode.Selection(4, 0, 4, 5);
    const answer = await debug('check passes');
    assert.deepEqual([answer.status, answer.outcome], ['completed', 'unknown']);
    assert.deepEqual(answer['output'], ['all is well']);
    const now = vscode.window.activeTextEditor;
    assert.equal(now?.document.uri.fsPath, inWorkspace(PROGRAM));
    assert.deepEqual([now.selection.start.line, now.selection.end.character], [4, 5]);
  });

  it('stays at the exception', async () => {
    const stayed = await debug('check throws', { on_failure: 'stay' });
    const text = JSON.stringify(stayed);
    assert.deepEqual([stayed.status, stayed.outcome], ['stopped', 'failed'], text);
    const { result } = await call('evaluate_expression', { expression: 'count + 1' });
    assert.equal(result, '4');
  });

  it('ends the test when its time is up', async () => {
    const answer = await debug('check hangs', { timeout_seconds: 12 });
    assert.equal(answer.outcome, 'timeout', JSON.stringify(answer));
  });

  it('is refused where VS Code shows no test, and where the line is not clear', async () => {
    errorOf(
      await call('debug_test', {
        file_path: 'tests/checks/check.js',
        line: 1,
        framework: 'test_controller',
      }),
      'test_not_found',
    );
    errorOf(await debug('check'), 'ambiguous_test');
    errorOf(await debug('nothing'), 'test_not_found');
    errorOf(
      await call('collect_values', {
        test: { file_path: FILE, line: 3 },
        probes: [{ file_path: PROGRAM, line: 2, expressions: ['count'] }],
      }),
      'not_supported',
    );
  });
});
