import { strict as assert } from 'node:assert';
import { skip } from '../../support/skip';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked, stopOf, until } from '../support/client';
import { control } from '../support/hostControl';
import { temporaryFolders } from '../support/temporaryFolders';
import { LANGUAGES } from '../languages/language';

const WAIT = { timeout_seconds: 120 };

interface View {
  readonly id: number;
  readonly owner: string;
  readonly line: number;
  readonly source: { readonly path: string };
}

/** The data that the second window needs. */
interface Left {
  readonly views: readonly View[];
  /** The process id of the extension host. */
  readonly processId: number;
}

const views = async (): Promise<readonly View[]> =>
  ((await call('get_breakpoints', {}))['breakpoints'] as View[])
    .map(({ id, owner, line, source }) => ({ id, owner, line, source: { path: source.path } }))
    .sort((one, other) => one.id - other.id);

/** The file that the first window writes for the second. Its name has the control address, unique to each run. */
const left = path.join(
  tmpdir(),
  `agent-debugger-reload-${(process.env['AGENT_DEBUGGER_HOST_CONTROL'] ?? '').replace(/\W+/g, '-')}.json`,
);

/** Runs twice: once until it reloads the window, and then in the new window. */
describe('reloading the window while programs of several languages are paused', function () {
  this.timeout(300_000);

  it('keeps the id and the owner of each breakpoint, and the programs stop at them again', async function () {
    if (process.env['AGENT_DEBUGGER_HOST_CONTROL'] === undefined)
      skip(this, 'only the npm-delivered VS Code can be asked to reload its window');
    // A developer's machine may lack a language; CI may not.
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
      const kept: Left = { views: await views(), processId: process.pid };
      await beginCollecting();
      writeFileSync(left, JSON.stringify(kept));
      await control('reload', {});
      await new Promise(() => undefined); // this window ends here
    }
    const { views: before, processId } = JSON.parse(readFileSync(left, 'utf8')) as Left;
    rmSync(left);
    assert.equal(before.length, languages.length * 2);
    await tracedIsGone();
    assert.deepEqual(await views(), before);
    assert.deepEqual((await call('get_debug_state', {}))['sessions'], []);
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
    // Nothing is left of the calls that were running: no session, no breakpoint (above), and no folder.
    assert.deepEqual(temporaryFolders(processId), []);
    await cleanUp();
  });
});

/** Starts a collection and a trace, each in a separate program that does not end. */
async function beginCollecting(): Promise<void> {
  const program = { program: 'node/bad.js', args: ['forever'], max_seconds: 200 };
  const at = { file_path: 'node/bad.js' };
  void call('collect_values', {
    ...program,
    probes: [{ ...at, line: marked('node/bad.js', 'work'), expressions: ['doubled'] }],
    max_hits: 100_000,
  });
  void call('trace_function', { ...program, ...at, function_name: 'down' });
  await until(
    ({ state }) =>
      [...state.sessions.values()]
        .flatMap((each) => [...each.sourceBreakpoints.values()])
        .some(({ breakpoints }) =>
          breakpoints.some(({ injected, verified }) => injected !== undefined && verified),
        ),
    'the collection',
  );
  await until(() => isTraced(), 'the trace');
}

/** Whether the breakpoint of the trace exists. */
function isTraced(): boolean {
  return vscode.debug.breakpoints.some(
    (each) => each instanceof vscode.SourceBreakpoint && each.location.uri.path.endsWith('/bad.js'),
  );
}

/** Waits until VS Code has restored the breakpoints, some time after its start, and that of the trace is removed. */
async function tracedIsGone(): Promise<void> {
  await new Promise<void>((resolve) => {
    const read = (): void => {
      if (vscode.debug.breakpoints.length === 0 || isTraced()) return;
      subscription.dispose();
      resolve();
    };
    const subscription = vscode.debug.onDidChangeBreakpoints(read);
    read();
  });
}
