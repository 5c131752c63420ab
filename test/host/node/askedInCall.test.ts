import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { OwnCalls } from '../../../src/mcp/server/ownCalls';
import type { Question } from '../../../src/tools/question';
import { call, cleanUp, errorOf, marked } from '../support/client';

describe('the setting consent.always', () => {
  const consent = (): vscode.WorkspaceConfiguration =>
    vscode.workspace.getConfiguration('agentDebugger.consent');
  const asked: Question[] = [];
  let ownCalls: OwnCalls;
  let ask: OwnCalls['confirmation']['options']['ask'];

  before(async () => {
    const extension = vscode.extensions.getExtension<{ ownCalls: OwnCalls }>(
      'agent-debugger.agent-debugger',
    );
    assert.ok(extension);
    ({ ownCalls } = await extension.activate());
    ask = ownCalls.confirmation.options.ask;
    await consent().update('always', true, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    ownCalls.confirmation.options.ask = ask;
    await consent().update('always', undefined, vscode.ConfigurationTarget.Global);
    await cleanUp();
  });
  beforeEach(() => asked.splice(0));

  const answerWith = (answer: 'allowed' | 'declined'): void => {
    ownCalls.confirmation.options.ask = async (question) => {
      asked.push(question);
      return answer;
    };
  };
  const breakpoint = (): Record<string, unknown> => ({
    file_path: 'src/loop.js',
    line_number: marked('src/loop.js', 'call'),
  });

  it('asks during the call, and a declined call sets no breakpoint', async () => {
    answerWith('declined');
    errorOf(await call('set_breakpoint', breakpoint()), 'declined_by_person');
    assert.equal(asked.length, 1);
    assert.match(asked[0]?.message ?? '', /loop\.js/);
    assert.deepEqual(vscode.debug.breakpoints, []);
  });

  it('runs an allowed call, and does not ask about a call that only reads', async () => {
    answerWith('allowed');
    assert.equal((await call('set_breakpoint', breakpoint())).status, 'success');
    assert.equal(vscode.debug.breakpoints.length, 1);
    assert.equal((await call('get_breakpoints', {})).status, 'success');
    assert.equal(asked.length, 1);
  });
});
