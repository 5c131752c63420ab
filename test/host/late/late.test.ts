import { strict as assert } from 'node:assert';
import path from 'node:path';
import * as vscode from 'vscode';
import { scriptFake, stopped } from '../support/fakeAdapter';

const ID = 'agent-debugger.agent-debugger';
const PACKAGE = path.resolve(__dirname, '../../../../.vscode-test/agent-debugger.vsix');

const program = path.resolve(__dirname, '../../../../test/fixtures/faults/program.txt');

type Answer = Record<string, unknown> & { status: string };

async function call(name: string, input: object): Promise<Answer> {
  const options = {
    input,
    toolInvocationToken: undefined,
  } as vscode.LanguageModelToolInvocationOptions<object>;
  const result = await vscode.lm.invokeTool(name, options);
  const [part] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value) as Answer;
}

/** Installs the extension from its package while a program is being debugged, as a person would. */
describe('installing the extension while a session runs', () => {
  it('finds the session, reports it as partly known, and knows it after its next stop', async () => {
    assert.equal(vscode.extensions.getExtension(ID), undefined, 'it is not there yet');
    const adapters = await scriptFake((adapter) =>
      adapter
        .on('continue', (request) => adapter.reply(request))
        .on('stackTrace', (request) =>
          adapter.reply(request, {
            stackFrames: [
              {
                id: 7,
                name: 'main',
                line: 2,
                column: 1,
                source: { name: 'program.txt', path: program },
              },
            ],
            totalFrames: 1,
          }),
        ),
    );
    await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], 'Fake');
    const [adapter] = adapters;
    assert.ok(adapter);
    await adapter.received('configurationDone');

    const installed = new Promise<void>(
      (resolve) =>
        void vscode.extensions.onDidChange(
          () => vscode.extensions.getExtension(ID) !== undefined && resolve(),
        ),
    );
    await vscode.commands.executeCommand(
      'workbench.extensions.installExtension',
      vscode.Uri.file(PACKAGE),
    );
    await installed;
    await vscode.extensions.getExtension(ID)?.activate();

    const [session] = (await call('get_debug_state', {}))['sessions'] as {
      session_id: string;
      name: string;
      partly_known?: boolean;
      state: string;
    }[];
    assert.ok(session);
    assert.equal(session.name, 'Fake');
    assert.equal(session.partly_known, true);

    const waiting = call('wait_for_stop', { timeout_seconds: 20 });
    adapter.emit('stopped', stopped(1, 'breakpoint'));
    const found = await waiting;
    assert.equal(found.status, 'stopped', JSON.stringify(found));
    const stop = found['stop_event_data'] as {
      thread_id: number;
      reason: string;
      call_stack: { frame_id: number; function_name: string }[];
    };
    assert.equal(stop.thread_id, 1);
    assert.equal(stop.reason, 'unknown', 'nobody told the reason, and none is invented');
    assert.equal(stop.call_stack[0]?.function_name, 'main');
    assert.equal(
      (await call('get_scopes', { frame_id: stop.call_stack[0].frame_id })).status,
      'success',
    );

    const going = call('continue_debugging', { thread_id: 1, timeout_seconds: 20 });
    await adapter.received('continue');
    adapter.emit('stopped', stopped(1, 'step'));
    assert.equal((await going).status, 'stopped');
    assert.equal((await call('stop_debugging', {}))['ended'], true);
  });
});
