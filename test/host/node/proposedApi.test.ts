import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';

describe('proposed APIs', () => {
  it('are not available to this extension, so that using one fails', () => {
    const propose: unknown = Reflect.get(vscode.window, 'createChatStatusItem');
    assert.ok(typeof propose === 'function', 'this VS Code has that proposal');
    assert.throws(
      () => Reflect.apply(propose, vscode.window, ['agentDebugger.proposed']) as unknown,
      /'agent-debugger\.agent-debugger' CANNOT use API proposal: chatStatusItem/,
    );
  });
});
