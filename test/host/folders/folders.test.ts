import { strict as assert } from 'node:assert';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, stopOf } from '../support/client';

describe('a window of several folders', () => {
  afterEach(cleanUp);

  it('lists the configurations of all folders and of the workspace file', async () => {
    const answer = await call('get_debugger_configurations', {});
    const configurations = answer['configurations'] as { name: string; folder?: string }[];
    assert.deepEqual(configurations.map((each) => `${each.folder ?? '-'}/${each.name}`).sort(), [
      '-/Of the workspace',
      'one/Only one',
      'one/Run',
      'two/Only two',
      'two/Run',
    ]);
    assert.deepEqual(
      (answer['compounds'] as { name: string }[]).map((each) => each.name),
      ['Both'],
    );
  });

  it('requires the folder if two configurations have the same name, and uses it', async () => {
    const error = errorOf(
      await call('start_debugging', { configuration_name: 'Run' }),
      'ambiguous_configuration',
    );
    assert.deepEqual(error['folders'], ['one', 'two']);
    await call('set_breakpoint', { file_path: 'two/main.js', line_number: 2 });
    const stop = stopOf(
      await call('start_debugging', { configuration_name: 'Run', folder: 'two' }),
    );
    assert.equal(path.basename(path.dirname(stop.source?.path ?? '')), 'two');
  });

  it('starts a configuration of the workspace file', async () => {
    const answer = await call('start_debugging', { configuration_name: 'Of the workspace' });
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    assert.ok(vscode.workspace.workspaceFile);
  });
});
