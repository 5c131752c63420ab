import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked, stopOf } from '../support/client';
import { control } from '../support/hostControl';
import { LANGUAGES } from '../languages/language';

const WAIT = { timeout_seconds: 120 };

interface View {
  readonly id: number;
  readonly owner: string;
  readonly line: number;
  readonly source: { readonly path: string };
}

const views = async (): Promise<readonly View[]> =>
  ((await call('get_breakpoints', {}))['breakpoints'] as View[])
    .map(({ id, owner, line, source }) => ({ id, owner, line, source: { path: source.path } }))
    .sort((one, other) => one.id - other.id);

/** What the first window leaves for the second; one run of one VS Code has one address to ask for a reload. */
const left = path.join(
  tmpdir(),
  `agent-debugger-reload-${(process.env['AGENT_DEBUGGER_HOST_CONTROL'] ?? '').replace(/\W+/g, '-')}.json`,
);

/** Runs twice: once until it reloads the window, and then in the new window. */
describe('reloading the window while programs of several languages are paused', function () {
  this.timeout(240_000);

  it('leaves each breakpoint its number and its owner, and the programs stop at them again', async function () {
    if (process.env['AGENT_DEBUGGER_HOST_CONTROL'] === undefined) {
      assert.equal(process.env['CI'], undefined, 'the host has no address to ask for a reload');
      console.log(
        '      skipped: only the npm-delivered VS Code can be asked to reload its window',
      );
      this.skip();
    }
    // A laptop may lack a language; CI may not.
    const languages = LANGUAGES.filter(
      (each) => each.programOf !== undefined && each.missing() === undefined,
    );
    assert.ok(process.env['CI'] === undefined || languages.length >= 3);
    if (!existsSync(left)) {
      for (const { source, configuration } of languages) {
        await call('set_breakpoint', { file_path: source, line_number: marked(source, 'add') });
        vscode.debug.addBreakpoints([
          new vscode.SourceBreakpoint(
            new vscode.Location(
              vscode.Uri.file(inWorkspace(source)),
              new vscode.Position(marked(source, 'print') - 1, 0),
            ),
          ),
        ]);
        stopOf(await call('start_debugging', { configuration_name: configuration, ...WAIT }));
      }
      writeFileSync(left, JSON.stringify(await views()));
      await control('reload', {});
      await new Promise(() => undefined); // this window ends here
    }
    const before = JSON.parse(readFileSync(left, 'utf8')) as View[];
    rmSync(left);
    assert.equal(before.length, languages.length * 2);
    assert.deepEqual(await views(), before);
    for (const { source, configuration } of languages) {
      const agents = before.find(
        (each) => each.owner === 'agent' && each.source.path === inWorkspace(source),
      );
      const persons = before.find(
        (each) => each.owner === 'user' && each.source.path === inWorkspace(source),
      );
      const stop = stopOf(
        await call('start_debugging', { configuration_name: configuration, ...WAIT }),
      );
      assert.deepEqual([stop.line, stop.hit_breakpoint_ids], [marked(source, 'add'), [agents?.id]]);
      await call('remove_breakpoint', { breakpoint_id: agents?.id });
      const next = stopOf(
        await call('continue_debugging', {
          session_id: stop.session_id,
          thread_id: stop.thread_id,
          ...WAIT,
        }),
      );
      assert.deepEqual(
        [next.line, next.hit_breakpoint_ids],
        [marked(source, 'print'), [persons?.id]],
      );
    }
    await cleanUp();
  });
});
