import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf } from '../../host/support/client';

const SETTING = 'redactionPatterns';
const settings = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration('agentDebugger');

/** What a program prints, beside patterns of an agent and of the person, in the extension as it is packaged. */
describe('patterns and redaction', () => {
  before(() => call('start_debugging', { program: 'src/prints.js' }));
  afterEach(() => settings().update(SETTING, undefined, vscode.ConfigurationTarget.Global));
  after(cleanUp);

  it('a pattern that would take another engine for ever is answered', async () => {
    for (const pattern of ['^(a+)+$', '^(?:a|a?)+$'])
      assert.deepEqual((await call('get_debug_output', { pattern }))['lines'], []);
    const [line] = (await call('get_debug_output', { pattern: '^(a+)+!$' }))['lines'] as {
      text: string;
    }[];
    assert.equal(line?.text, `${'a'.repeat(64)}!`);
  });

  it('a pattern that looks around is refused', async () => {
    errorOf(await call('get_debug_output', { pattern: 'a(?=!)' }), 'invalid_input');
  });

  it('a program cannot switch redaction off', async () => {
    const words = JSON.stringify(await call('get_debug_output'));
    assert.match(words, /secretlint-disable/);
    assert.match(words, /\[redacted: GITHUB TOKEN\]/);
    assert.doesNotMatch(words, /ghp_/);
  });

  it('with a pattern of the person’s that cannot be used, nothing is done or shown', async () => {
    await settings().update(SETTING, ['a(?=!)'], vscode.ConfigurationTarget.Global);
    errorOf(await call('get_debug_output'), 'redaction_failed');
    assert.match(
      errorOf(
        await call('set_breakpoint', { file_path: 'src/prints.js', line_number: 2 }),
        'redaction_failed',
      ).hint,
      /Nothing was done/,
    );
    assert.equal(vscode.debug.breakpoints.length, 0);
    await settings().update(SETTING, ['secretlint-\\w+'], vscode.ConfigurationTarget.Global);
    assert.doesNotMatch(JSON.stringify(await call('get_debug_output')), /secretlint/);
  });
});
