import { strict as assert } from 'node:assert';
import { skip } from '../../support/skip';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, inWorkspace, stopOf } from '../support/client';
import { scriptFake, stopped } from '../support/fakeAdapter';
import { control } from '../support/hostControl';

interface View {
  readonly id: number;
  readonly owner: string;
  readonly line: number;
  readonly line_content?: string;
}

const views = async (): Promise<readonly View[]> =>
  ((await call('get_breakpoints', {}))['breakpoints'] as View[]).map(
    ({ id, owner, line, line_content: content }) => ({
      id,
      owner,
      line,
      ...(content === undefined ? {} : { line_content: content }),
    }),
  );

/** The file that the first window writes for the second. Its name has the control address, unique to each run. */
const left = path.join(
  tmpdir(),
  `agent-debugger-reload-${(process.env['AGENT_DEBUGGER_HOST_CONTROL'] ?? '').replace(/\W+/g, '-')}.json`,
);

/** Runs twice: once until it reloads the window, and then in the new window. */
describe('reloading the window while a session runs', () => {
  it('keeps the owners and ids of breakpoints, and lists no ended session', async function () {
    if (process.env['AGENT_DEBUGGER_HOST_CONTROL'] === undefined)
      skip(this, 'only the npm-delivered VS Code can be asked to reload its window');
    if (!existsSync(left)) {
      const file = inWorkspace('program.txt');
      await call('set_breakpoint', { file_path: 'program.txt', line_number: 1 });
      await call('remove_breakpoint', { clear_all: true });
      await call('set_breakpoint', { file_path: 'program.txt', line_number: 2 });
      vscode.debug.addBreakpoints([
        new vscode.SourceBreakpoint(
          new vscode.Location(vscode.Uri.file(file), new vscode.Position(0, 0)),
        ),
      ]);
      await call('set_breakpoint', {
        file_path: 'program.txt',
        line_content: (await vscode.workspace.openTextDocument(file)).lineAt(2).text,
      });
      await scriptFake((adapter) =>
        adapter.on('configurationDone', (request) => {
          adapter.reply(request);
          adapter.emit('stopped', stopped(1, 'entry'));
        }),
      );
      stopOf(await call('start_debugging', { configuration_name: 'Fake' }));
      writeFileSync(left, JSON.stringify(await views()));
      await control('reload', {});
      await new Promise(() => undefined); // this window ends here
    }
    const before = JSON.parse(readFileSync(left, 'utf8')) as View[];
    rmSync(left);
    const now = await views();
    assert.equal(before.length, 3);
    assert.deepEqual(
      [...now].sort((one, other) => one.id - other.id),
      before.sort((one, other) => one.id - other.id),
    );
    assert.deepEqual(now.map((each) => each.owner).sort(), ['agent', 'agent', 'user']);
    assert.deepEqual((await call('get_debug_state', {}))['sessions'], []);
    errorOf(await call('continue_debugging', { thread_id: 1 }), 'no_session');
    assert.equal(
      ((await call('remove_breakpoint', { clear_all: true }))['removed'] as number[]).length,
      2,
    );
    assert.deepEqual(
      (await views()).map((each) => each.owner),
      ['user'],
    );
    await cleanUp();
  });
});
