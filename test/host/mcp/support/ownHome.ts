import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ClientSetUps } from '../../../../src/mcp/ui/clientSetUps';
import type { McpControl } from '../../../../src/mcp/ui/mcpControl';

export interface OwnHome {
  readonly setUps: ClientSetUps;
  readonly mcp: McpControl;
  /** A temporary folder that the set-ups use as the person's home. */
  readonly home: string;
}

/** Gives each test of a suite the extension's set-ups with a separate home, and restores them afterwards. */
export function withOwnHome(give: (own: OwnHome) => void): void {
  let setUps: ClientSetUps;
  let mcp: McpControl;
  let original: Pick<ClientSetUps, 'machine' | 'person'>;
  let home: string;

  before(async () => {
    const extension = vscode.extensions.getExtension<{
      mcp: McpControl;
      clientSetUps: ClientSetUps;
    }>('agent-debugger.agent-debugger');
    assert.ok(extension);
    ({ mcp, clientSetUps: setUps } = await extension.activate());
    original = { machine: setUps.machine, person: setUps.person };
  });
  beforeEach(() => {
    // A notification that an earlier test left stays unanswered.
    setUps.afterwards = Promise.resolve();
    home = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-home-')));
    setUps.machine = {
      ...original.machine,
      home,
      env: {},
      extensionsStorage: path.join(home, 'storage'),
    };
    give({ setUps, mcp, home });
  });
  afterEach(async () => {
    Object.assign(setUps, original);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(home, { recursive: true });
  });
}
