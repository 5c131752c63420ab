import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf } from '../../host/support/client';

const SETTING = 'redactionPatterns';
const settings = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration('agentDebugger');

/** Tests a program's output with patterns of an agent and of the person, in the packaged extension. */
describe('patterns and redaction', () => {
  before(() => call('start_debugging', { program: 'src/prints.js' }));
  afterEach(() => settings().update(SETTING, undefined, vscode.ConfigurationTarget.Global));
  after(cleanUp);

  it('answers a pattern that would run without end in another engine', async () => {
    for (const pattern of ['^(a+)+$', '^(?:a|a?)+$'])
      assert.deepEqual((await call('get_debug_output', { pattern }))['lines'], []);
    const [line] = (await call('get_debug_output', { pattern: '^(a+)+!$' }))['lines'] as {
      text: string;
    }[];
    assert.equal(line?.text, `${'a'.repeat(64)}!`);
  });

  it('refuses a pattern that uses look-around', async () => {
    errorOf(await call('get_debug_output', { pattern: 'a(?=!)' }), 'invalid_input');
  });

  it('does not let a program turn redaction off', async () => {
    const answerText = JSON.stringify(await call('get_debug_output'));
    assert.match(answerText, /secretlint-disable/);
    assert.match(answerText, /\[redacted: GITHUB TOKEN\]/);
    assert.doesNotMatch(answerText, /ghp_/);
  });

  it('does and shows nothing if a pattern of the person cannot be used', async () => {
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
