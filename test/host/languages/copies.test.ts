import { strict as assert } from 'node:assert';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { samePath } from '../../../src/debugger/sourcePath';
import { sessionById } from '../../../src/debugger/state/state';
import { markedLine } from '../../support/markers';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  stopOf,
  until,
  variable,
  type Answer,
  type StopData,
} from '../support/client';
import { control } from '../support/hostControl';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };

/** The icon of a breakpoint beside its line in an editor. */
const DRAWN_BREAKPOINT = '.monaco-editor .glyph-margin-widgets [class*="codicon-debug-breakpoint"]';

interface View {
  readonly id: number;
  readonly verified: boolean;
  readonly owner: string;
  readonly line?: number;
  readonly source?: { readonly path: string };
  readonly message?: string;
}

const viewOf = (answer: Answer): View => {
  assert.equal(answer.status, 'success', JSON.stringify(answer));
  return answer['breakpoint'] as View;
};
const listed = async (): Promise<readonly View[]> =>
  (await call('get_breakpoints', {}))['breakpoints'] as View[];

/** Resolves once VS Code has a breakpoint on a line. */
async function breakpointIn(file: string, line: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const subscription = vscode.debug.onDidChangeBreakpoints(() => {
      const isThere = vscode.debug.breakpoints.some(
        (each) =>
          each instanceof vscode.SourceBreakpoint &&
          samePath(each.location.uri.fsPath, file) &&
          each.location.range.start.line === line - 1,
      );
      if (!isThere) return;
      subscription.dispose();
      resolve();
    });
  });
}

/** Copies of the programs in a temporary folder outside the workspace, where the tests may edit them. */
for (const language of LANGUAGES) {
  const { programOf } = language;
  if (programOf === undefined) continue;
  describe(`breakpoints in copies of the ${language.name} program`, function () {
    this.timeout(300_000);
    let folder = '';

    before(function () {
      skipWhereMissing(this, language);
      folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent debugger ')));
    });
    after(() => {
      if (folder !== '') rmSync(folder, { recursive: true });
    });
    afterEach(cleanUp);

    const extension = path.extname(language.source);
    const copy = (name = `shop${extension}`): string => {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      copyFileSync(inWorkspace(language.source), file);
      return file;
    };
    const start = async (file: string, mode = ''): Promise<Answer> =>
      await call('start_debugging', {
        program: programOf(file),
        type: language.name === 'Node' ? 'node' : language.adapterType,
        cwd: folder,
        args: mode === '' ? [] : [mode],
        ...WAIT,
      });
    const goOn = async ({ session_id, thread_id }: StopData, timeout = 120): Promise<Answer> =>
      await call('continue_debugging', { session_id, thread_id, timeout_seconds: timeout });
    const set = async (file: string, marker: string, more: object = {}): Promise<View> =>
      viewOf(
        await call('set_breakpoint', {
          file_path: file,
          line_number: markedLine(file, marker),
          ...more,
        }),
      );

    for (const name of ["it's “quoted” 源代码 🐞", 'a#b%20c &d', 'node_modules/left pad/index']) {
      it(`are bound and hit in ${name}`, async () => {
        const file = copy(`${name}${extension}`);
        const call = await set(file, 'call');
        const stop = stopOf(await start(file));
        assert.equal(stop.line, markedLine(file, 'call'));
        assert.equal(stop.source?.path, file);
        assert.deepEqual(stop.hit_breakpoint_ids, [call.id]);
        const add = await set(file, 'add');
        assert.equal(add.verified, true, JSON.stringify(add));
        const next = stopOf(await goOn(stop));
        assert.deepEqual(next.hit_breakpoint_ids, [add.id]);
      });
    }

    it('are one breakpoint with the last condition if the same place is set twice', async () => {
      const file = copy();
      const first = await set(file, 'call');
      const stop = stopOf(await start(file));
      const again = await call('set_breakpoint', {
        file_path: file,
        line_number: markedLine(file, 'call'),
        condition: language.condition.replace('2', '3'),
      });
      assert.equal(viewOf(again).id, first.id);
      assert.deepEqual(again['changed'], {
        condition: [null, language.condition.replace('2', '3')],
      });
      const next = stopOf(await goOn(stop));
      assert.equal(variable(next, 'i').value, '3');
      assert.deepEqual(next.hit_breakpoint_ids, [first.id]);
      assert.equal((await listed()).length, 1);
      assert.equal((await goOn(next)).status, 'completed');
    });

    it('are all kept and hit if they are set concurrently while the program is stopped', async () => {
      const file = copy();
      await set(file, 'call', { condition: language.condition.replace('2', '1') });
      const stop = stopOf(await start(file));
      const markers = ['inside', 'leave', 'add', 'print', 'worker'];
      const set2 = await Promise.all(
        markers.flatMap((marker) => [0, 1].map(async () => await set(file, marker))),
      );
      const views = await listed();
      assert.equal(views.length, markers.length + 1);
      assert.equal(new Set(views.map((each) => each.id)).size, views.length);
      assert.deepEqual(
        [...new Set(set2.map((each) => each.id))].sort(),
        views
          .slice(1)
          .map((each) => each.id)
          .sort(),
      );
      assert.ok(
        views.every((each) => each.verified),
        JSON.stringify(views),
      );
      let now = stop;
      for (const marker of ['inside', 'leave', 'add', 'inside', 'leave', 'add']) {
        now = stopOf(await goOn(now));
        assert.equal(now.line, markedLine(file, marker));
      }
      const cleared = (await call('remove_breakpoint', { clear_all: true }))['removed'] as number[];
      assert.equal(cleared.length, markers.length + 1);
      assert.equal((await goOn(now)).status, 'completed');
    });

    it('keep their id and follow their line through edits if they are set by its text', async () => {
      const file = copy();
      const text = readFileSync(file, 'utf8');
      const content = text.split('\n')[markedLine(file, 'print') - 1]?.trim() ?? '';
      const { id } = viewOf(
        await call('set_breakpoint', { file_path: file, line_content: content }),
      );
      const first = stopOf(await start(file));
      assert.deepEqual([first.line, first.hit_breakpoint_ids], [markedLine(file, 'print'), [id]]);
      await call('stop_debugging', { session_id: first.session_id });
      const before = markedLine(file, 'print');
      await vscode.window.showTextDocument(vscode.Uri.file(file));
      // VS Code moves breakpoints only in an editor that has drawn them.
      await control('wait', { selector: DRAWN_BREAKPOINT, state: 'visible' });
      const moved = breakpointIn(file, before + 2);
      writeFileSync(file, text.replace(/^(?=.*\bsquare\(.*\n.*marker: inside)/m, '\n\n'));
      assert.equal(markedLine(file, 'print'), before + 2, 'two lines more');
      // VS Code reads the file again, whether or not its watcher has noticed the change.
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await moved;
      const second = stopOf(await start(file));
      assert.deepEqual([second.line, second.hit_breakpoint_ids], [before + 2, [id]]);
      assert.deepEqual(
        (await listed()).map((each) => [each.id, each.line, each.verified]),
        [[id, before + 2, true]],
      );
    });

    it('do not stop the program while the person has deactivated them, and report it; activated again they do', async () => {
      const file = copy();
      const inside = await set(file, 'call');
      const stop = stopOf(await start(file, 'loop'));
      await call('remove_breakpoint', { breakpoint_id: inside.id });
      const loop = await set(file, 'inside');
      const toggle = async (held: number): Promise<void> => {
        await vscode.commands.executeCommand(
          'workbench.debug.viewlet.action.toggleBreakpointsActivatedAction',
        );
        // Sessions of earlier tests had breakpoints in a file of this name, too.
        await until(
          (model) =>
            [...(sessionById(model.state, stop.session_id)?.sourceBreakpoints ?? [])].some(
              ([name, answer]) => samePath(name, file) && answer.breakpoints.length === held,
            ),
          `the adapter has ${held}`,
        );
      };
      await toggle(0);
      const [off] = await listed();
      assert.equal(off?.verified, false);
      assert.match(off.message ?? '', /deactivated/);
      assert.equal((await goOn(stop, 2)).status, 'timeout');
      await toggle(1);
      const next = stopOf(await call('wait_for_stop', { session_id: stop.session_id, ...WAIT }));
      assert.deepEqual(
        [next.line, next.hit_breakpoint_ids],
        [markedLine(file, 'inside'), [loop.id]],
      );
    });

    it('stop the program if the person’s command keeps them, and do not if the person’s command removes them', async () => {
      const file = copy();
      const kept = await set(file, 'call');
      await vscode.commands.executeCommand('agentDebugger.keepAgentBreakpoints');
      await set(file, 'add');
      const stop = stopOf(await start(file));
      assert.deepEqual(stop.hit_breakpoint_ids, [kept.id]);
      await vscode.commands.executeCommand('agentDebugger.removeAgentBreakpoints');
      assert.deepEqual(
        (await listed()).map((each) => [each.id, each.owner]),
        [[kept.id, 'user']],
      );
      const next = stopOf(await goOn(stop));
      assert.equal(next.line, markedLine(file, 'call'), 'the second round, not “add”');
    });

    it('report why they are not bound in a file that is no part of the program; debugpy accepts any', async () => {
      const file = copy();
      await set(file, 'call');
      await start(file);
      const other = await set(copy(`other${extension}`), 'add');
      assert.equal(other.verified, language.name === 'Python', JSON.stringify(other));
      if (!other.verified)
        assert.match(
          other.message ?? '',
          /not loaded|not be part of the program/,
          JSON.stringify(other),
        );
    });

    it('are refused at an invalid place, and the existing ones stay', async () => {
      const file = copy();
      const few = path.join(folder, 'few.txt');
      writeFileSync(few, 'one\ntwo\n');
      writeFileSync(path.join(folder, 'binary.bin'), Buffer.from([0, 1, 2, 0, 255, 254]));
      const { id } = await set(file, 'add');
      const stop = stopOf(await start(file));
      const bad = async (input: object, code: string): Promise<void> =>
        void errorOf(await call('set_breakpoint', input), code);
      await bad({ file_path: folder, line_number: 1 }, 'file_not_text');
      await bad({ file_path: path.join(folder, 'binary.bin'), line_number: 1 }, 'file_not_text');
      await bad({ file_path: path.join(folder, 'none.txt'), line_number: 1 }, 'file_not_found');
      await bad({ file_path: few, line_number: 0 }, 'invalid_input');
      await bad({ file_path: few, line_number: 99 }, 'line_out_of_range');
      await bad({ file_path: file, line_content: 'not in there' }, 'line_not_found');
      errorOf(
        await call('remove_breakpoint', { breakpoint_id: id, clear_all: true }),
        'invalid_input',
      );
      errorOf(await call('remove_breakpoint', {}), 'invalid_input');
      errorOf(await call('remove_breakpoint', { breakpoint_id: 999_999 }), 'breakpoint_not_found');
      assert.deepEqual(
        (await listed()).map((each) => each.id),
        [id],
      );
      assert.deepEqual(stopOf(await goOn(stop)).hit_breakpoint_ids, [id]);
    });
  });
}
