import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { cleanUp, inWorkspace } from '../../host/support/client';
import { AskedPerson } from './support';

/** The workspace `hostile` has these settings in its `.vscode/settings.json`. */
describe('a project that turns consent off', () => {
  for (const name of ['control', 'change', 'look']) {
    it(`cannot allow calls of the kind ${name}`, () => {
      assert.equal(vscode.workspace.getConfiguration('agentDebugger.consent').get(name), 'ask');
    });
  }

  it('cannot turn the redaction of credentials off, or set patterns that redact all answers', () => {
    assert.equal(vscode.workspace.getConfiguration('agentDebugger').get('redactSecrets'), true);
    assert.deepEqual(
      vscode.workspace.getConfiguration('agentDebugger').get('redactionPatterns'),
      [],
    );
  });

  describe('if the person has mcp.confirm on', () => {
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

    it('cannot turn it off', () => {
      assert.equal(vscode.workspace.getConfiguration('agentDebugger.mcp').get('confirm'), true);
    });

    it('cannot suppress the question about a call', async () => {
      const { result, question } = await person.call('set_breakpoint', BREAKPOINT, 'declined');
      assert.equal(result['code'], 'declined_by_person', JSON.stringify(result));
      assert.match(question ?? '', /process\.exit/);
      assert.equal(vscode.debug.breakpoints.length, 0);
    });

    it('cannot override requireConsent of the person', async () => {
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

    it('can require consent for calls that the person allows elsewhere', async () => {
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
