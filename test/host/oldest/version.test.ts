import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { fields } from '../../../src/debugger/protocol';

describe('the oldest supported VS Code', () => {
  it('is the version that the manifest names', () => {
    const extension = vscode.extensions.getExtension('agent-debugger.agent-debugger');
    const promised = fields(fields(extension?.packageJSON)['engines'])['vscode'];
    const [major, minor] = vscode.version.split('.');
    assert.equal(promised, `^${String(major)}.${String(minor)}.0`);
  });
});
