import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { cleanUp, inWorkspace } from '../../host/support/client';
import { AskedPerson } from './support';

/** The workspace `hostile` asks for these in its `.vscode/settings.json`. */
describe('a project that switches consent off', () => {
  for (const name of ['control', 'change', 'look']) {
    it(`cannot allow calls of the kind ${name}`, () => {
      assert.equal(vscode.workspace.getConfiguration('agentDebugger.consent').get(name), 'ask');
    });
  }

  it('cannot switch the redaction of credentials off, or make nonsense of all answers', () => {
    assert.equal(vscode.workspace.getConfiguration('agentDebugger').get('redactSecrets'), true);
    assert.deepEqual(
      vscode.workspace.getConfiguration('agentDebugger').get('redactionPatterns'),
      [],
    );
  });

  describe('where the person wants to be asked about MCP clients’ calls', () => {
    const BREAKPOINT = { file_path: 'src/good.js', line_number: 1, condition: 'process.exit()' };
    let person: AskedPerson;
    before(async () => (person = await AskedPerson.meet()));
    after(async () => await person.leave());
    afterEach(cleanUp);

    const allowed = async (value: 'allow' | undefined): Promise<void> =>
      await vscode.workspace
        .getConfiguration('agentDebugger.consent')
        .update('change', value, vscode.ConfigurationTarget.Global);
    const required = async (
      value: boolean | undefined,
      target: vscode.ConfigurationTarget,
    ): Promise<void> =>
      await vscode.workspace
        .getConfiguration('agentDebugger')
        .update('requireConsent', value, target);

    it('cannot take that back', () => {
      assert.equal(vscode.workspace.getConfiguration('agentDebugger.mcp').get('confirm'), true);
    });

    it('cannot keep the question about a call away', async () => {
      const { result, question } = await person.call('set_breakpoint', BREAKPOINT, 'declined');
      assert.equal(result['code'], 'declined_by_person', JSON.stringify(result));
      assert.match(question ?? '', /process\.exit/);
      assert.equal(vscode.debug.breakpoints.length, 0);
    });

    it('cannot let off whom the person requires to ask always', async () => {
      await allowed('allow');
      try {
        assert.equal(
          (await person.call('set_breakpoint', BREAKPOINT, 'declined')).question,
          undefined,
          'the person allows it',
        );
        await required(true, vscode.ConfigurationTarget.Global);
        assert.match(
          (await person.call('set_breakpoint', BREAKPOINT, 'declined')).question ?? '',
          /process\.exit/,
        );
      } finally {
        await required(undefined, vscode.ConfigurationTarget.Global);
        await allowed(undefined);
      }
    });

    it('may make it stricter: it is asked about what the person allows elsewhere', async () => {
      const file = inWorkspace('.vscode/settings.json');
      const before = readFileSync(file);
      await allowed('allow');
      try {
        await required(true, vscode.ConfigurationTarget.Workspace);
        assert.match(
          (await person.call('set_breakpoint', BREAKPOINT, 'declined')).question ?? '',
          /process\.exit/,
        );
      } finally {
        writeFileSync(file, before);
        await allowed(undefined);
      }
    });
  });
});
