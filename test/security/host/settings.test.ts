import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';

/** The workspace `hostile` asks for these in its `.vscode/settings.json`. */
describe('a project that switches consent off', () => {
  for (const name of ['control', 'change', 'look']) {
    it(`cannot allow calls of the kind ${name}`, () => {
      assert.equal(vscode.workspace.getConfiguration('agentDebugger.consent').get(name), 'ask');
    });
  }

  it('cannot switch the redaction of credentials off', () => {
    assert.equal(vscode.workspace.getConfiguration('agentDebugger').get('redactSecrets'), true);
  });
});
